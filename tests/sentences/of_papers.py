"""Statements about the tables of the papers: how near ours lie, and what was left out."""

from __future__ import annotations

from math import isfinite

from lastviz.studies.published import ALL_SETS, TABLES, misprints_of, our_figures, published_cells
from lastviz.studies.reproduction import why_not_run
from lastviz.ui.papers.scene import paper_scene
from lastviz.ui.papers.words import findings
from lastviz.ui.state.selection import DEFAULT
from tests.sentences.rows import Said


def told(scene):
    return findings(paper_scene(DEFAULT.change(paper_table=scene)))


def cells_of(scene):
    paper, number = next(key for key in TABLES if f"{key[0]}{key[1]}" == scene)
    return published_cells(paper, number), our_figures(paper, number)


def differences(scene):
    """Ours minus the print in standard deviations, of every cell that can be judged."""
    cells, ours = cells_of(scene)
    found = []
    for cell in cells:
        own = ours.get(cell.key)
        if own is None or "seconds" in cell.metric or cell.dataset == ALL_SETS:
            continue
        spread = cell.spread if cell.spread > 0 else own.spread
        if spread > 0 and all(each.is_target for each in misprints_of(cell)):
            found.append((own.mean - cell.mean) / spread)
    assert all(map(isfinite, found))
    return found


def near(scene):
    found = differences(scene)
    within = [len([each for each in found if -bound <= each <= bound]) for bound in (1, 2)]
    return [{"close": within[0], "n": len(found), "near": within[1]}] if found else []


def leaning(scene):
    found = differences(scene)
    return [{"higher": len([each for each in found if each > 0]), "n": len(found)}] if found else []


def nothing(scene):
    return [] if differences(scene) else [{}]


def left(scene):
    """The reasons in words, from the cells alone: the largest first."""
    cells, ours = cells_of(scene)
    whole = paper_scene(DEFAULT.change(paper_table=scene))
    n = len(cells) - len(differences(scene))
    if not n:
        return []
    counted: dict[str, int] = {}
    for cell in cells:
        known = whole.set_of(cell.dataset)
        if cell.key not in ours and not why_not_run(cell):
            why = "not computed yet"
        elif cell.key not in ours and (known is None or known.key):
            why = "not computed here"
        elif cell.key not in ours:
            why = "data file needed" if known.is_public else "data not public"
        elif not all(each.is_target for each in misprints_of(cell)):
            why = "uncertain or misprinted"
        elif "seconds" in cell.metric:
            why = "times of another machine"
        elif cell.dataset == ALL_SETS:
            why = "means over several data sets"
        else:
            continue
        counted[why] = counted.get(why, 0) + 1
    assert sum(counted.values()) == n
    order = sorted(counted.items(), key=lambda each: -each[1])
    *most, last = [f"{why} ({count})" for why, count in order]
    words = " and ".join(filter(None, (", ".join(most), last)))
    return [{"left": n, "total": len(cells), "reasons": words}]


def kind(text, twin, true, never):
    return Said("ui/papers/words.py::findings", text, told, twin, true, never)


ROWS = [
    kind("within one standard deviation", near, ("sodt2", "svm_tree1", "mcdf5"), "mcdf3"),
    kind("Ours is higher", leaning, ("sodt2", "svm_tree1", "mcdf5"), "mcdf3"),
    kind("No cell of this table", nothing, ("sodt4", "bnm_csn4", "mcdf3"), "sodt3"),
    kind("Left out are", left, ("sodt2", "mcdf5", "mcdf3"), "svm_tree1"),
]
TESTED = {
    "ui/papers/words.py::notes": (
        "test_every_empty_cell_has_its_reason_in_the_notes",
        "test_means_over_all_sets_are_those_over_the_sets_at_hand",
    ),
    "ui/papers/page.py::_blocks": ("test_the_page_shows_picture_table_and_claims",),
    "ui/state/pages.py::_read_table": (
        "test_an_old_link_opens_the_nearest_table_with_one_sentence",
    ),
}
