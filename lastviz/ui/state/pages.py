"""The user's view on each page: one record per page, each field declared once.

``axes``, ``at``, ``depth``, ``highlighted`` and ``brushed`` belong to the view that several pages
share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lastviz.splitters.edits import MadeLeaf, Path
from lastviz.studies.example import EXAMPLE as EXAMPLE_STUDY
from lastviz.studies.published import TABLES

from .edit_codes import Edits, read_hand, read_path, write_hand, write_path
from .fields import (
    DATA,
    TREES,
    EditedPoints,
    EditedRows,
    NotShownNow,
    OwnRule,
    custom,
    flag,
    here,
    number,
    word,
)
from .link_texts import (
    Hold,
    read_brushed,
    read_costs,
    read_holds,
    read_line,
    read_list,
    read_pair,
    read_place,
    write_brushed,
    write_costs,
    write_holds,
    write_line,
    write_pair,
    write_place,
)
from .moved import PARTS
from .quiz_codes import Ask, QuizView, StoryView

MOST_CURVES, MOST_PRUNERS = 4, 12
MOST_COMPARED = 30  # algorithms of a study, and data sets
# Then a number of a tree by hand means another feature, threshold or class.
BY_HAND = (
    *("columns", "weight", "kinds", "levels", "bins", "scaling", "classes", "one", "painted"),
    *DATA,
)
DRAFT = ("compared", "compared_on", "repeats", "study_folds", "inner_folds", "protocol", "study")
STUDY = re.compile("[0-9a-f]{12}")
NO_TABLE = "The link's {key}={text} is not a table; the book's is shown."
MOST_TYPED = 100_000  # letters of a sample
OF_PAPERS = tuple(f"{paper}{number}" for paper, number in TABLES)


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


def _read_part(text: str) -> str:
    if text in PARTS:
        raise NotShownNow("data", PARTS[text][1])
    if text not in ("data", "audit", "short"):
        raise ValueError(text)
    return text


def _read_table(text: str) -> str:
    if text in OF_PAPERS:
        return text
    paper, is_figure, _ = text.partition("_figure")
    own = [f"{name}{number}" for name, number in TABLES if is_figure and name == paper]
    if own:
        raise NotShownNow(
            own[0],
            "Figures of papers are no longer shown; the paper's first table is shown instead.",
        )
    if text.startswith("textbook_example"):
        raise NotShownNow(OF_PAPERS[0], "The textbook's worked examples are on the page Textbook.")
    raise ValueError(text)


def _has_ends(holds: tuple[Hold, ...]) -> bool:
    """Whether a feature is held between two values."""
    return any(hold.low is not None for hold in holds)


@dataclass(frozen=True)
class View:
    """Settings that several pages share."""

    # Depth at which the trees are shown, None for the whole trees.
    depth: int | None = number(int, None, low=0, resets_with=DATA)
    # Features on the horizontal and the vertical axis, None for the first two.
    axes: tuple[str, str] | None = custom(
        None, lambda x, y: (x, y), tuple, link=("x", "y"), resets_with=DATA
    )
    # Row through which the plane is cut, None for the medians.
    at: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    # The row that is marked in all pictures.
    highlighted: int | None = number(
        int, None, low=0, counted_from_one=True, link="lit", resets_with=DATA
    )
    # Rows that the reader brushed, rising: they light up in all pictures. A generator's other
    # parameters or seed make other rows, which nobody brushed.
    brushed: tuple[int, ...] = custom(
        (),
        read_brushed,
        write_brushed,
        link="brush",
        resets_with=(*DATA, "params", "seed"),
        refused="The rows that the link selects are not known here; select them again.",
    )
    # The scene of the course that the reader goes through, and its step, counted from 1.
    course: tuple[str, int] | None = custom(None, read_place, write_place, link="scene")
    # What is asked before pages show what a model makes of the rows, None for nothing.
    ask: Ask | None = custom(
        None, Ask.parse, resets_with=DATA, refused="The link's {key} is not a question."
    )
    # Whether a frame on another site's page has the sidebar, too.
    steered: bool = flag(link="controls")


@dataclass(frozen=True)
class BoundariesView:
    """The page *boundaries*."""

    # {"notice", "classes", "rules", "how", "search", "differ", "stable"}: what stands below the
    # pictures.
    detail: str = word(("notice", "classes", "rules", "how", "search", "differ", "stable"))
    # The model that the first one is laid over, by place.
    against: int = number(int, 1, low=1, high=4, counted_from_one=True)
    # {"path", "plane"}: what is drawn of rows of pixels: one of them and its path, or a plane of
    # two pixels.
    pixels: str = word(("path", "plane"))
    # {"class", "certainty"}: what the tint of a region says: its class, or also how sure the tree
    # is of it.
    tint: str = word(("class", "certainty"))
    # {"m", "laplace", "raw"}: how shares of few rows are estimated.
    smoothing: str = word(("m", "laplace", "raw"))
    # How many rows the shares of all rows count for.
    smoothing_m: float = number(
        float,
        2.0,
        low=0.0,
        high=1000.0,
        slider=(0.0, 20.0, 0.5),
        label="m, rows that the shares of all rows count for",
    )


@dataclass(frozen=True)
class SplitsView:
    """The page *splits*."""

    split_view: str = word(("split", "near_best"))  # one split, or all near-best trees
    # Questions, and thresholds of a feature, of the near-best trees at most.
    near_depth: int = number(int, 2, low=2, high=3)
    near_thresholds: int = number(int, 20, low=1, high=100)
    # Their errors above the best, None for the tolerance, and their leaves at most.
    near_errors: int | None = number(int, None, low=0, resets_with=DATA)
    near_leaves: int = number(int, 8, low=2, high=8)
    # Features that they do not ask for ("stays"), or whose larger values never speak against the
    # class ("rises") or for it ("falls").
    near_holds: tuple[Hold, ...] = custom((), read_holds, write_holds, resets_with=DATA)
    # How many points the shares told the class may lie apart between groups of sensitive columns.
    near_gap: int | None = number(int, None, low=0, high=100, resets_with=DATA)
    near_tree: int = number(int, 0, low=0, resets_with=DATA)  # the one beside the current tree
    near_row: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    # The picked candidate of the node of the first model, by position.
    pick: int | None = number(int, None, low=0, counted_from_one=True, resets_with=TREES)
    # The feature of which all candidates are listed; None for the best of each.
    opened: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    criteria: str = word(("own", "all"))  # by which candidates are scored: the rule's, or all
    # Criteria whose score curves are drawn; empty for those that `criteria` says.
    curves: tuple[str, ...] = custom(
        (),
        _read_curves,
        ".".join,
        refused="The link asks for score curves that are not known here.",
    )
    # The reader's own selection rule.
    rule: OwnRule | None = custom(
        None, OwnRule.parse, refused="The link's selection rule “{text}” does not exist."
    )
    distances: str = word(("none", "bnm", "csn"))  # drawn into the plane of the split
    # What stands below the split.
    lab: str = word(
        (*("ranking", "landscape", "formulas", "agreement", "growth", "panels", "known"),)
    )
    # Whether split and tree are compared with better ones.
    better: bool = flag()
    # The criterion of the landscape of all lines; None for that of the rule.
    lines_by: str | None = custom(None, _read_criterion, link="by")
    # The picked line of the landscape: its direction in degrees and its rank.
    line: tuple[float, int] | None = custom(
        None,
        read_line,
        write_line,
        resets_with=(*TREES, "axes"),
        refused="The link's {key}={text} is not a line of the landscape.",
    )
    # Whether the rows of the node are shown in all features, or in those that tell most.
    every_feature: bool = flag()


@dataclass(frozen=True)
class LatentPageView:
    """The page *latent*."""

    # Latent components on the horizontal and the vertical axis; None for those of the split.
    components: tuple[int, int] | None = custom(None, read_pair, write_pair, resets_with=TREES)
    # {"notice", "best", "spaces", "labels", "numbers", "formula"}: what stands below the latent
    # view.
    space: str = word(("notice", "best", "spaces", "labels", "numbers", "formula"))


@dataclass(frozen=True)
class GrowthView:
    """The page *growth*."""

    # Step of the growth of the first model at which the reader stopped.
    step: int | None = number(int, None, low=0, resets_with=TREES)
    # {"auto", "plane", "values"}: what the growth of machines shows: a plane, or the decision
    # values of each class.
    picture: str = word(("auto", "plane", "values"))
    in_step: bool = flag()  # whether the second model grows beside the first, in step
    growth_view: str = word(
        ("played", "hand")
    )  # {"played", "hand"}: whether the reader builds the tree
    # The tree by hand, as edits of the first model's: where there is none, its algorithm goes on.
    hand: Edits = custom(
        (MadeLeaf(()),),
        read_hand,
        write_hand,
        resets_with=BY_HAND,
        refused="The link's {key}={text} is no tree by hand; build it anew.",
    )
    # The node of it that is looked at, as the path from the root.
    hand_at: Path = custom((), read_path, write_path, resets_with=BY_HAND)


@dataclass(frozen=True)
class RulesView:
    """The page *rules*."""

    # {"auto", "short", "rules", "row", "costs"}: which part of the page is shown; "auto": the one
    # that shows what else is chosen here, in short by itself; "costs": in short with its costs.
    rule_view: str = word(("auto", "short", "rules", "row", "costs"))
    # The values of a sample that the reader typed, see `.link_texts`; empty for none.
    typed: str = custom("", _read_typed, resets_with=DATA, private=bool)
    # {"flow", "icicle", "node-link"}: how the rule tree is laid out.
    drawing: str = word(("flow", "icicle", "node-link"))
    # {"training", "held_out", "new"}: whose rows the rule tree shows; new ones come in a file that
    # no link holds.
    rows_of: str = word(("training", "held_out", "new"))
    # Nodes with fewer rows are closed in the rule tree; None: as many as can be read.
    least: int | None = number(int, None, low=1, resets_with=DATA)
    # The class whose rules are listed, by index; None for all.
    only: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    # from_rows, from_confidence: least support (rows) and confidence (per cent) of the rules that
    # are listed
    from_rows: int = number(int, 0, low=0, resets_with=DATA)
    from_confidence: int = number(int, 0, low=0, high=100)
    # {"support", "confidence", "coverage", "length"}: of the rules that are listed.
    order: str = word(("support", "confidence", "coverage", "length"))
    # The class that the sample is to have, by index; None for the nearest other one.
    flip_to: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    flip_metric: str = word(("l1", "l2", "l0"))  # {"l1", "l2", "l0"}: how its change is measured
    # What its features may do, by name; those without one may do all.
    flip_holds: tuple[Hold, ...] = custom(
        (), read_holds, write_holds, resets_with=DATA, private=_has_ends
    )
    # Least training rows of the wanted class in the leaf that it ends in.
    flip_rows: int = number(int, 0, low=0, high=10_000_000, resets_with=DATA)
    # cost_miss, cost_alarm: what it costs to miss a row of the rarer of two classes, and to take
    # another for one
    cost_miss: float = number(float, 1.0, low=0.0, high=1e6, resets_with=DATA)
    cost_alarm: float = number(float, 1.0, low=0.0, high=1e6, resets_with=DATA)
    # Share (per cent) in a leaf from which a row is given the rarer class.
    cut: float = number(float, 50.0, low=0.0, high=100.0, resets_with=DATA)
    # Costs of errors between three classes or more, row by row: of a row of class i that is called
    # class j; empty where each costs 1.
    costs: tuple[float, ...] = custom((), read_costs, write_costs, resets_with=DATA)
    # The column (by position) whose values make groups of rows; None for that of the root.
    group_by: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    # The class whose errors are counted by group, by index; None for the rarest.
    group_class: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)

    @property
    def is_priced(self) -> bool:
        """Whether errors have costs or a line of the reader's."""
        return bool(self.costs) or (self.cost_miss, self.cost_alarm, self.cut) != (1.0, 1.0, 50.0)


@dataclass(frozen=True)
class PruningView:
    """The page *pruning*."""

    # {"cost_complexity", "entropy_cost", "replacement", "minimum_error"}: the pruner whose trees
    # are shown.
    pruner: str = word(
        ("cost_complexity", "entropy_cost", "replacement", "minimum_error"), link="prune"
    )
    # {"misclassification", "gini"}: what a leaf costs besides its price, by cost-complexity.
    leaf_cost: str = word(("misclassification", "gini"), label="Cost of a leaf")
    # The value of that pruner's parameter; None for a tree in between.
    cut_at: float | None = number(float, None, low=0.0, high=1e9, resets_with=TREES)
    # Parts of the training rows by which the trees are judged.
    folds: int = number(int, 10, low=2, high=50, label="Folds", slider=(2, 20, 1))
    # Pruners that are shown beside it.
    beside: tuple[str, ...] = custom(
        ("error_based", "pessimistic", "reduced_error", "entropy_cost"),
        read_list(",", MOST_PRUNERS),
        ",".join,
    )
    # The node of the grown tree that is weighed as a leaf and as a subtree; None: one that the rule
    # of one standard error cuts.
    weighed: int | None = number(int, None, low=0, resets_with=TREES)


@dataclass(frozen=True)
class MonotoneView:
    """The page *monotone*."""

    part: str = custom("data", _read_part)  # {"data", "audit", "short"}: what the page is about
    # The inclusion degree below which rows are marked.
    inclusion: float = number(float, 0.1, low=0.0, high=1.0)
    # The picked pair of rows that contradict each other, by its place in their list.
    pair: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)


@dataclass(frozen=True)
class TextbookView:
    """The page *textbook*."""

    # {"entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares"}: the part of the
    # textbook's chapter that is worked out.
    lesson: str = word(
        ("entropy", "gain", "ratio", "tree", "rules", "pruning", "gini", "squares"), "gain"
    )
    # Table 5.1 where it differs from the book's.
    loan: EditedRows | None = custom(None, EditedRows.parse, refused=NO_TABLE)
    # Table 5.2 where it differs from the book's.
    points: EditedPoints | None = custom(None, EditedPoints.parse, refused=NO_TABLE)
    # {"id3", "id3_ratio", "c45", "cart"}: what grows the tree of Table 5.1.
    grown: str = word(("id3", "id3_ratio", "c45", "cart"))
    # The inner node of that tree whose sums are worked out, None for the one of example 5.3.
    inner: int | None = number(int, None, low=0)
    # root, root2: the features of the two roots that are compared, by position
    root: int = number(int, 0, low=0)
    root2: int = number(int, 1, low=0)
    # Alpha of the entropy cost, bits a leaf.
    alpha: float = number(
        float, 7.5, low=0.0, high=1e6, link="leaf_price", label="α, cost per leaf"
    )
    # Leaves of the regression tree, None for the whole tree.
    pieces: int | None = number(int, None, low=1)


@dataclass(frozen=True)
class CompareView:
    """The page *compare*."""

    # The study that is looked at, by its name in the store, or the example; "" for the one that is
    # put together.
    study: str = custom("", _read_study)
    # compared, compared_on: algorithms and data sets that are put together, in the form of
    # `lastviz.ui.compare.study_data`; empty for the models and the data of the scene
    compared: tuple[str, ...] = custom((), read_list(",", MOST_COMPARED), ",".join)
    compared_on: tuple[str, ...] = custom((), read_list(",", MOST_COMPARED), ",".join)
    protocol: str = word(("fixed", "nested", "best_on_test"))  # {"fixed", "nested", "best_on_test"}
    # repeats, study_folds, inner_folds: divisions, folds of each, and folds of the training rows
    # for "nested"
    repeats: int = number(int, 1, low=1, high=100, label="Repeats")
    study_folds: int = number(int, 10, low=2, high=50, label="Folds")
    inner_folds: int = number(int, 4, low=2, high=20, label="Inner folds")
    metric: str = custom("", _read_typed)  # what is compared; "" for the first that there is
    # What is too small a difference to matter; None for what is usual of the metric.
    rope: float | None = number(float, None, low=0.0, high=1e6)
    # The two algorithms that are compared closely, by place; None for the two best.
    rivals: tuple[int, int] | None = custom(None, read_pair, write_pair, resets_with=DRAFT)
    # The cell that is looked at, by its number in the study.
    study_cell: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DRAFT)


@dataclass(frozen=True)
class PapersView:
    """The page *papers*."""

    paper_table: str = custom(OF_PAPERS[0], _read_table)  # str, such as "sodt2"
    # {"paper", "nested"}: which figures of ours stand beside the print: found as the paper did, or
    # with parameters chosen by the training rows alone.
    tuned: str = word(("paper", "nested"))


PAGES = {
    "view": View,
    "boundaries": BoundariesView,
    "splits": SplitsView,
    "latent": LatentPageView,
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
