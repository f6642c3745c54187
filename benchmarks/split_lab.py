"""From a node to its ranking: 5,000 rows of 21 features, everything that the page works out.

Run it with ``python -m benchmarks.split_lab``. *First* is a node that nobody asked for before:
all candidates by every criterion, ranks, and the figures. *Moved weight* trains the tree anew
with another weight of BNM; the candidates are known, the ranking and the figures are not.
"""

from __future__ import annotations

import statistics
from time import perf_counter

from lastviz.plots import figure_json
from lastviz.ui.compute.work import Work
from lastviz.ui.splits import page
from lastviz.ui.state.selection import Model, Selection

REPEATS = 9


def selection(seed: int, w2: float) -> Selection:
    """Return waveform, all 5,000 rows of it to learn from, split by BNM + CSN."""
    model = Model("hybrid", (("k", 10), ("w2", w2)))
    return Selection(data="waveform", held=0.0, seed=seed, models=(model,))


def ranking(chosen: Selection) -> float:
    """Return the milliseconds until ranking and figures stand."""
    begin = perf_counter()
    scene = page.page_scene(Work(chosen), "light")
    figure_json(scene.lab)
    figure_json(scene.strips)
    _ = scene.candidates.favourites
    return 1000 * (perf_counter() - begin)


def main() -> None:
    """Print the medians."""
    ranking(selection(0, 0.02))  # compiles, imports
    first, moved = [], []
    for repeat in range(1, REPEATS + 1):
        _ = Work(selection(repeat, 0.02)).first.fitted  # the tree stands; a node is asked for
        first.append(ranking(selection(repeat, 0.02)))
        moved.append(ranking(selection(repeat, 0.03)))
    print("\n| waveform 5000x21, the root | median ms | slowest | bound |")
    print("|---|---|---|---|")
    for name, times, bound in (("first ranking", first, 500), ("moved weight", moved, 200)):
        print(f"| {name} | {statistics.median(times):.0f} | {max(times):.0f} | {bound} |")


if __name__ == "__main__":
    main()
