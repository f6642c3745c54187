"""SODT at its level: one draw of what ``python -m benchmarks.sodt_level`` runs several times."""

import pytest

from benchmarks.sodt_level import MODELS, STUDY, WITHIN, cross_validated, published

ONE_DRAW = {"gauss_2d": 0.9, "waveform": 1.0, "twonorm": 0.4, "ringnorm": 0.9}


@pytest.mark.ci
@pytest.mark.parametrize("key", ONE_DRAW)
def test_errors_are_those_of_the_study(key):
    found = cross_validated(key, seed=0)
    for (error, nodes), wanted, size in zip(found, *STUDY[key], strict=True):
        assert abs(error - wanted) <= WITHIN.get(key, 1.0) + ONE_DRAW[key]
        assert 0.6 * size <= nodes <= 1.6 * size
    assert tuple(found[0]) == tuple(found[1]), "one local level is the global space"


def test_the_papers_table_is_read(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(
        "paper,table,dataset,algorithm,metric,mean,std,note\n"
        "A,2,gauss_2D,GSODT,test_error_percent,27.1,1.2,\n"
        "A,3,waveformnoise,LSODT-L3,tree_size_nodes,375.6,9.9,\n"
        "A,3,waveform,OC1,tree_size_nodes,,,unreadable\n",
        encoding="utf-8",
    )
    assert published(path) == {
        ("gauss_2d", "GSODT", "error"): 27.1,
        ("waveform_noise", "LSODT-L3", "nodes"): 375.6,
    }
    assert set(MODELS) == {"GSODT", "LSODT-L1", "LSODT-L2", "LSODT-L3"}
