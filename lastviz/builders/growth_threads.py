"""Growth whose largest nodes are searched by several threads, a share of the features each."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from lastviz.splitters.threshold.choice_kernels import Choice

from .frontier_kernels import BEST_SPLIT, FRONTIER_SIZE, Stop
from .growth_kernels import (
    Nodes,
    Workspace,
    begin_largest,
    choose_root,
    end_split,
    grow,
    make_root,
    scan_children,
    scan_root,
)

LARGE = 200_000  # cells of a node, beyond which threads save more than they cost
NO_LIMIT = np.iinfo(np.int64).max


def steps_in_threads(
    work: Workspace, nodes: Nodes, choice: Choice, stop: Stop, budget: int, n_jobs: int
) -> Iterator[None]:
    """Grow the same tree as the kernels alone would, yielding after each large node.

    Nodes are taken in the same order, and a feature's best cut does not depend on the others;
    the kernels release the GIL.
    """
    shares = _shares(work, n_jobs)
    with ThreadPoolExecutor(n_jobs) as pool:
        if make_root(nodes, choice.min_samples_leaf, stop):
            _in_turns(pool, partial(scan_root, nodes=nodes, choice=choice), shares)
            choose_root(work, nodes, choice)
        largest = 0  # the root is for the threads, whatever its size
        while nodes.state[FRONTIER_SIZE] > 0:
            grow(work, nodes, choice, stop, budget, largest)
            if _is_large(work, nodes, largest):
                node = begin_largest(work, nodes, choice, stop)
                scan = partial(scan_children, node, nodes=nodes, choice=choice)
                _in_turns(pool, scan, shares)
                end_split(node, False, work, nodes, choice)
            largest = LARGE
            yield


def _is_large(work: Workspace, nodes: Nodes, largest: int) -> bool:
    """Tell whether the next node is one that the kernel leaves to the threads."""
    size = nodes.state[FRONTIER_SIZE]
    if size == 0:
        return False
    last = nodes.frontier[size - 1]
    cells = (nodes.end[last] - nodes.start[last]) * len(work.cells)
    return nodes.reason[last] == BEST_SPLIT and cells > largest


def _shares(work: Workspace, n_jobs: int) -> list[Workspace]:
    """Return the workspace of each thread: all in common but what a scan writes into."""
    return [
        work._replace(
            curve=np.empty_like(work.curve),
            left=np.empty_like(work.left),
            spare_cells=np.empty_like(work.spare_cells),
        )
        for _ in range(n_jobs)
    ]


def _in_turns(pool: ThreadPoolExecutor, scan: partial, shares: list[Workspace]) -> None:
    """Let thread j scan the features j, j + n, j + 2 n, ... of n threads."""
    step = len(shares)
    waiting = [pool.submit(scan, first, step, work) for first, work in enumerate(shares)]
    for each in waiting:
        each.result()
