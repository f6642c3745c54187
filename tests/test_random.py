import numpy as np

from lastviz._random import ROOT_KEY, child_keys, node_rng


def test_paths_have_different_keys():
    level = np.array([ROOT_KEY])
    seen = [level]
    for _ in range(12):
        level = np.concatenate([child_keys(level, np.full(len(level), b)) for b in (0, 1)])
        seen.append(level)
    keys = np.concatenate(seen)
    assert len(np.unique(keys)) == len(keys)


def test_a_nodes_numbers_depend_on_seed_and_path_alone():
    assert node_rng(1, 5).random() == node_rng(1, 5).random()
    assert len({node_rng(s, k).random() for s in (0, 1) for k in (5, 6)}) == 4
