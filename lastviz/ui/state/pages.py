"""What the reader looks at on each page: one record a page, each field declared once.

``axes``, ``at``, ``depth``, ``highlighted`` and ``brushed`` belong to the view that several pages
share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lastviz.studies.example import EXAMPLE as EXAMPLE_STUDY
from lastviz.studies.published import CLAIMS, EXAMPLES, FIGURES, TABLES

from .brushed_rows import read_brushed, write_brushed
from .edit_codes import Edits, read_all_edits, write_edits
from .fields import DATA, TREES, flag, number, word, written
from .link_texts import (
    Hold,
    read_holds,
    read_line,
    read_list,
    read_pair,
    read_place,
    write_holds,
    write_line,
    write_pair,
    write_place,
)
from .quiz_codes import QuizView, read_hidden, write_hidden
from .story_codes import StoryView
from .values import EditedPoints, EditedRows, OwnRule, here

MOST_CURVES, MOST_SETS, MOST_PRUNERS = 4, 12, 12
MOST_COMPARED = 30  # algorithms of a study, and data sets
DRAFT = ("compared", "compared_on", "repeats", "study_folds", "inner_folds", "protocol", "study")
STUDY = re.compile("[0-9a-f]{12}")
NO_TABLE = "The link's {key}={text} is not a table; the book's is shown."
MOST_TYPED = 100_000  # letters of a sample


def _read_curves(text: str) -> tuple[str, ...]:
    return here(*read_list(".", MOST_CURVES)(text))


def _read_criterion(text: str) -> str:
    return here(text)[0]


def _read_typed(text: str) -> str:
    if len(text) > MOST_TYPED:
        raise ValueError(text)
    return text


def _read_study(text: str) -> str:
    if text not in ("", EXAMPLE_STUDY) and not STUDY.fullmatch(text):
        raise ValueError(text)
    return text


def _has_ends(holds: tuple[Hold, ...]) -> bool:
    """Tell whether a feature is held between two values."""
    return any(hold.low is not None for hold in holds)


@dataclass(frozen=True)
class View:
    """What several pages look at.

    Attributes
    ----------
    depth : int or None
        Depth at which the trees are shown, None for the whole trees.
    axes : tuple of (str, str) or None
        Features on the horizontal and the vertical axis, None for the first two.
    at : int or None
        Row through which the plane is cut, None for the medians.
    highlighted : int or None
        The row that is marked in all pictures.
    brushed : tuple of int
        Rows that the reader brushed, rising: they light up in all pictures. A generator's other
        parameters or seed make other rows, which nobody brushed.
    hidden : bool
        Whether answers are hidden: pages show the rows and nothing that a model makes of them.
    course : (str, int) or None
        The scene of the course that the reader goes through, and its step, counted from 1.
    steered : bool
        Whether a frame on another site's page has the sidebar, too.
    """

    depth: int | None = number(int, None, low=0, resets_with=DATA)
    axes: tuple[str, str] | None = written(
        None, lambda x, y: (x, y), tuple, link=("x", "y"), resets_with=DATA
    )
    at: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    highlighted: int | None = number(
        int, None, low=0, counted_from_one=True, link="lit", resets_with=DATA
    )
    brushed: tuple[int, ...] = written(
        (),
        read_brushed,
        write_brushed,
        link="brush",
        resets_with=(*DATA, "params", "seed"),
        refused="The rows that the link selects are not known here; select them again.",
    )
    hidden: bool = written(False, read_hidden, write_hidden, link="quiz")
    course: tuple[str, int] | None = written(None, read_place, write_place, link="scene")
    steered: bool = flag(link="controls")


@dataclass(frozen=True)
class BoundariesView:
    """The page *boundaries*.

    Attributes
    ----------
    detail : {"notice", "classes", "rules", "how", "search", "differ", "stable"}
        What stands below the pictures.
    against : int
        The model that the first one is laid over, by place.
    pixels : {"path", "plane"}
        What is drawn of rows of pixels: one of them and its path, or a plane of two pixels.
    tint : {"class", "certainty"}
        What the tint of a region says: its class, or also how sure the tree is of it.
    smoothing : {"m", "laplace", "raw"}
        How shares of few rows are estimated.
    smoothing_m : float
        How many rows the shares of all rows count for.
    number_edits : tuple of Edit
        What is changed by hand in the tree of numbers, where numbers are learnt; other
        parameters keep it.
    number_node : int or None
        The picked node of that tree.
    """

    detail: str = word(("notice", "classes", "rules", "how", "search", "differ", "stable"))
    against: int = number(int, 1, low=1, high=4, counted_from_one=True)
    pixels: str = word(("path", "plane"))
    tint: str = word(("class", "certainty"))
    smoothing: str = word(("m", "laplace", "raw"))
    smoothing_m: float = number(
        float,
        2.0,
        low=0.0,
        high=1000.0,
        slider=(0.0, 20.0, 0.5),
        label="m, rows that the shares of all rows count for",
    )
    number_edits: Edits = written(
        (),
        read_all_edits,
        write_edits,
        link="r.e",
        resets_with=(*DATA, "columns", "kinds", "levels", "bins", "scaling"),
        refused="The link's {key}={text} does not describe edits of a tree.",
    )
    number_node: int | None = number(int, None, low=0, link="r.node", resets_with=TREES)


@dataclass(frozen=True)
class SplitsView:
    """The page *splits*.

    Attributes
    ----------
    pick : int or None
        The picked candidate of the node of the first model, by position.
    opened : int or None
        The feature of which all candidates are listed; None for the best of each.
    curves : tuple of str
        Criteria whose score curves are drawn; empty for those of the rule.
    rule : OwnRule or None
        The reader's own selection rule.
    distances : {"none", "bnm", "csn"}
        What is drawn into the plane of the split.
    lab : {"ranking", "landscape", "lookahead", "formulas", "agreement", "growth", "panels", \
            "known", "prices"}
        What stands below the split.
    lines_by : str or None
        The criterion of the landscape of all lines; None for that of the rule.
    line : (float, int) or None
        The picked line of the landscape: its direction in degrees and its rank.
    every_feature : bool
        Whether the rows of the node are shown in all features, or in those that tell most.
    """

    pick: int | None = number(int, None, low=0, counted_from_one=True, resets_with=TREES)
    opened: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    curves: tuple[str, ...] = written(
        (),
        _read_curves,
        ".".join,
        refused="The link asks for score curves that are not known here.",
    )
    rule: OwnRule | None = written(
        None, OwnRule.parse, refused="The link's selection rule “{text}” does not exist."
    )
    distances: str = word(("none", "bnm", "csn"))
    lab: str = word(
        (
            *("ranking", "landscape", "lookahead", "formulas", "agreement", "growth", "panels"),
            *("known", "prices"),
        )
    )
    lines_by: str | None = written(None, _read_criterion, link="by")
    line: tuple[float, int] | None = written(
        None,
        read_line,
        write_line,
        resets_with=(*TREES, "axes"),
        refused="The link's {key}={text} is not a line of the landscape.",
    )
    every_feature: bool = flag()


@dataclass(frozen=True)
class LatentView:
    """The page *latent*.

    Attributes
    ----------
    components : tuple of (int, int) or None
        Latent components on the horizontal and the vertical axis; None for those of the split.
    space : {"notice", "best", "spaces", "labels", "numbers", "formula"}
        What stands below the latent view.
    """

    components: tuple[int, int] | None = written(None, read_pair, write_pair, resets_with=TREES)
    space: str = word(("notice", "best", "spaces", "labels", "numbers", "formula"))


@dataclass(frozen=True)
class GrowthView:
    """The page *growth*.

    Attributes
    ----------
    step : int or None
        Step of the growth of the first model at which the reader stopped.
    picture : {"auto", "plane", "values"}
        What the growth of machines shows: a plane, or the decision values of each class.
    in_step : bool
        Whether the second model grows beside the first, in step.
    """

    step: int | None = number(int, None, low=0, resets_with=TREES)
    picture: str = word(("auto", "plane", "values"))
    in_step: bool = flag()


@dataclass(frozen=True)
class RulesView:
    """The page *rules*.

    Attributes
    ----------
    rule_view : {"auto", "short", "rules", "row", "costs"}
        Which part of the page is shown; "auto": the one that shows what else is chosen here, in
        short by itself.
    typed : str
        The values of a sample that the reader typed, see :mod:`.link_texts`; empty for none.
    drawing : {"flow", "icicle", "node-link"}
        How the rule tree is laid out.
    rows_of : {"training", "held_out", "new"}
        Whose rows the rule tree shows; new ones come in a file that no link holds.
    least : int or None
        Nodes with fewer rows are closed in the rule tree; None: as many as can be read.
    only : int or None
        The class whose rules are listed, by index; None for all.
    from_rows, from_confidence : int
        Least support (rows) and confidence (per cent) of the rules that are listed.
    order : {"support", "confidence", "coverage", "length"}
        Of the rules that are listed.
    flip_to : int or None
        The class that the sample is to have, by index; None for the nearest other one.
    flip_metric : {"l1", "l2", "l0"}
        How its change is measured.
    flip_holds : tuple of Hold
        What its features may do, by name; those without one may do all.
    flip_rows : int
        Least training rows of the wanted class in the leaf that it ends in.
    cost_miss, cost_alarm : float
        What it costs to miss a row of the rarer of two classes, and to take another for one.
    cut : float
        Share (per cent) in a leaf from which a row is given the rarer class.
    group_by : int or None
        The column (by position) whose values make groups of rows; None for that of the root.
    group_class : int or None
        The class whose errors are counted by group, by index; None for the rarest.
    """

    rule_view: str = word(("auto", "short", "rules", "row", "costs"))
    typed: str = written("", _read_typed, resets_with=DATA, private=bool)
    drawing: str = word(("flow", "icicle", "node-link"))
    rows_of: str = word(("training", "held_out", "new"))
    least: int | None = number(int, None, low=1, resets_with=DATA)
    only: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    from_rows: int = number(int, 0, low=0, resets_with=DATA)
    from_confidence: int = number(int, 0, low=0, high=100)
    order: str = word(("support", "confidence", "coverage", "length"))
    flip_to: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    flip_metric: str = word(("l1", "l2", "l0"))
    flip_holds: tuple[Hold, ...] = written(
        (), read_holds, write_holds, resets_with=DATA, private=_has_ends
    )
    flip_rows: int = number(int, 0, low=0, high=10_000_000, resets_with=DATA)
    cost_miss: float = number(float, 1.0, low=0.0, high=1e6, resets_with=DATA)
    cost_alarm: float = number(float, 1.0, low=0.0, high=1e6, resets_with=DATA)
    cut: float = number(float, 50.0, low=0.0, high=100.0, resets_with=DATA)
    group_by: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    group_class: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)


@dataclass(frozen=True)
class PruningView:
    """The page *pruning*.

    Attributes
    ----------
    pruner : {"cost_complexity", "entropy_cost", "replacement", "minimum_error"}
        The pruner whose trees are shown.
    leaf_cost : {"misclassification", "gini"}
        What a leaf costs besides its price, by cost-complexity.
    cut_at : float or None
        The value of that pruner's parameter; None for a tree in between.
    folds : int
        Parts of the training rows by which the trees are judged.
    beside : tuple of str
        Pruners that are shown beside it.
    weighed : int or None
        The node of the grown tree that is weighed as a leaf and as a subtree; None: one that
        the rule of one standard error cuts.
    """

    pruner: str = word(
        ("cost_complexity", "entropy_cost", "replacement", "minimum_error"), link="prune"
    )
    leaf_cost: str = word(("misclassification", "gini"), label="Cost of a leaf")
    cut_at: float | None = number(float, None, low=0.0, high=1e9, resets_with=TREES)
    folds: int = number(int, 10, low=2, high=50, label="Folds", slider=(2, 20, 1))
    beside: tuple[str, ...] = written(
        ("error_based", "pessimistic", "reduced_error", "entropy_cost"),
        read_list(",", MOST_PRUNERS),
        ",".join,
    )
    weighed: int | None = number(int, None, low=0, resets_with=TREES)


@dataclass(frozen=True)
class MonotoneView:
    """The page *monotone*.

    Attributes
    ----------
    part : {"data", "node", "forest", "audit", "comparison", "short"}
        What the page is about.
    inclusion : float
        The inclusion degree below which rows are marked.
    pair : int or None
        The picked pair of rows that contradict each other, by its place in their list.
    price : bool
        Whether the price of monotonicity is worked out.
    sets : tuple of str
        Data sets on which forests are compared; empty for the four of the paper.
    """

    part: str = word(("data", "node", "forest", "audit", "comparison", "short"))
    inclusion: float = number(float, 0.1, low=0.0, high=1.0)
    pair: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    price: bool = flag()
    sets: tuple[str, ...] = written((), read_list(",", MOST_SETS), ",".join)


@dataclass(frozen=True)
class TextbookView:
    """The page *textbook*.

    Attributes
    ----------
    lesson : {"entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares"}
        The part of the textbook's chapter that is worked out.
    loan : EditedRows or None
        Table 5.1 where it differs from the book's.
    points : EditedPoints or None
        Table 5.2 where it differs from the book's.
    grown : {"id3", "id3_ratio", "c45", "cart"}
        What grows the tree of Table 5.1.
    inner : int or None
        The inner node of that tree whose sums are worked out, None for the one of example 5.3.
    root, root2 : int
        The features of the two roots that are compared, by position.
    alpha : float
        alpha of the entropy cost, bits a leaf.
    pieces : int or None
        Leaves of the regression tree, None for the whole tree.
    """

    lesson: str = word(
        ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares"), "gain"
    )
    loan: EditedRows | None = written(None, EditedRows.parse, refused=NO_TABLE)
    points: EditedPoints | None = written(None, EditedPoints.parse, refused=NO_TABLE)
    grown: str = word(("id3", "id3_ratio", "c45", "cart"))
    inner: int | None = number(int, None, low=0)
    root: int = number(int, 0, low=0)
    root2: int = number(int, 1, low=0)
    alpha: float = number(
        float, 7.5, low=0.0, high=1e6, link="leaf_price", label="α, cost per leaf"
    )
    pieces: int | None = number(int, None, low=1)


@dataclass(frozen=True)
class CompareView:
    """The page *compare*.

    Attributes
    ----------
    study : str
        The study that is looked at, by its name in the store, or the example; "" for the one
        that is put together.
    compared, compared_on : tuple of str
        Algorithms and data sets that are put together, in the form of
        :mod:`lastviz.ui.compare.entries`; empty for the models and the data of the scene.
    protocol : {"fixed", "nested", "best_on_test"}
    repeats, study_folds, inner_folds : int
        Divisions, folds of each, and folds of the training rows for "nested".
    metric : str
        What is compared; "" for the first that there is.
    rope : float or None
        What is too small a difference to matter; None for what is usual of the metric.
    rivals : tuple of (int, int) or None
        The two algorithms that are compared closely, by place; None for the two best.
    study_cell : int or None
        The cell that is looked at, by its number in the study.
    """

    study: str = written("", _read_study)
    compared: tuple[str, ...] = written((), read_list(",", MOST_COMPARED), ",".join)
    compared_on: tuple[str, ...] = written((), read_list(",", MOST_COMPARED), ",".join)
    protocol: str = word(("fixed", "nested", "best_on_test"))
    repeats: int = number(int, 1, low=1, high=100, label="Repeats")
    study_folds: int = number(int, 10, low=2, high=50, label="Folds")
    inner_folds: int = number(int, 4, low=2, high=20, label="Inner folds")
    metric: str = written("", _read_typed)
    rope: float | None = number(float, None, low=0.0, high=1e6)
    rivals: tuple[int, int] | None = written(None, read_pair, write_pair, resets_with=DRAFT)
    study_cell: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DRAFT)


@dataclass(frozen=True)
class PapersView:
    """The page *papers*.

    Attributes
    ----------
    paper_table : str, such as "sodt2", "sodt_figure3", "textbook_example2"
    tuned : {"paper", "nested"}
        Which figures of ours stand beside the print: found as the paper did, or with parameters
        chosen by the training rows alone.
    paper_cell : str
        Data set, algorithm, metric and setting of the cell that is looked at; "" for the first.
    paper_claim : str
        Key of the claim whose cells are looked at; "" for none.
    paper_view : {"picture", "numbers"}
        Dots by how far ours lies from the print, or the printed table with ours in it.
    """

    paper_table: str = word(
        (
            *(f"{paper}{number}" for paper, number in TABLES),
            *(f"{paper}_figure{number}" for paper, number in FIGURES),
            *EXAMPLES,
        )
    )
    tuned: str = word(("paper", "nested"))
    paper_cell: str = written("", _read_typed, resets_with=("paper_table",))
    paper_claim: str = word(
        ("", *(claim.key for claim in CLAIMS)), resets_with=("paper_table", "paper_cell")
    )
    paper_view: str = word(("picture", "numbers"))


PAGES = {
    "view": View,
    "boundaries": BoundariesView,
    "splits": SplitsView,
    "latent": LatentView,
    "growth": GrowthView,
    "rules": RulesView,
    "pruning": PruningView,
    "monotone": MonotoneView,
    "textbook": TextbookView,
    "compare": CompareView,
    "papers": PapersView,
    "quiz": QuizView,
    "story": StoryView,
}
"""Name of the selection's attribute -> the record that it holds."""
