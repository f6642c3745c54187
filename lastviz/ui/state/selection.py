"""Everything that the reader has chosen, as one frozen value.

A page is a function of the :class:`Selection`; widgets, links and the back button only
exchange one selection for another. Parameters are kept where they differ from their defaults,
so that two selections that mean the same are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from lastviz._params import Param

from .values import EditedPoints, EditedRows, OwnRule

__all__ = ["DEFAULT", "MAX_MODELS", "UPLOAD", "Model", "Pairs", "Selection", "Upload", "changed"]

Pairs = tuple[tuple[str, object], ...]

UPLOAD = "upload"  # the data key of a file of the reader's own
MAX_MODELS = 4

ORDER = ("classes", "ordered", "directions")  # what is known of the order of classes and values

KINDS = ("kinds", "levels", "bins")  # what kind of column each feature is

# A new value on the left makes what was chosen on the right meaningless.
RESETS = {
    "data": ("params", "upload", "target", "columns", *KINDS, *ORDER, "one"),
    "upload": ("params", "target", "columns", *KINDS, *ORDER, "one"),
    "target": ("columns", *KINDS, *ORDER, "one"),
}
VIEW_OF_DATA = (
    *("axes", "at", "depth", "pick", "opened", "components", "lit", "step"),
    *("pair", "typed", "least", "only", "from_rows"),
)
# These fields can change while the trees stay the same, node numbers included.
LEAVES_TREES = {
    *("models", "axes", "at", "depth", "detail"),
    *("pick", "opened", "curves", "rule", "distances", "lab"),
    *("components", "lit", "space", "step", "picture", "sets"),
    *("part", "inclusion", "pair", "price", "numbers"),
    *("typed", "drawing", "least", "only", "from_rows", "from_confidence", "order"),
    *("lesson", "loan", "points", "grown", "inner", "root", "root2", "leaf_price", "pieces"),
}


@dataclass(frozen=True)
class Upload:
    """What a link can say about a file that it does not contain."""

    digest: str
    name: str
    rows: int


@dataclass(frozen=True)
class Model:
    """One algorithm with its parameters and the node picked in its tree.

    Attributes
    ----------
    key : str
        Key of the registry of estimators.
    params : tuple of (str, object)
        Parameters that differ from their defaults, by name.
    node : int or None
        Number of the picked node, None if none is.
    move : int or None
        Picked move of that node's search for a hyperplane, None for the best.
    tree : int or None
        Which tree of a forest is shown, counted from 0; None for the forest as a whole.
    """

    key: str
    params: Pairs = ()
    node: int | None = None
    move: int | None = None
    tree: int | None = None


@dataclass(frozen=True)
class Selection:
    """The whole scene.

    Attributes
    ----------
    data : str
        Key of the registry of data sets, or ``"upload"``.
    params : tuple of (str, object)
        The generator's parameters that differ from their defaults, by name.
    upload : Upload or None
        The reader's own file; given exactly when `data` is ``"upload"``.
    target : str or None
        The class column of that file, None for the one the reader of files proposes.
    columns : tuple of int
        Features in use, by position; empty for all.
    kinds : tuple of (int, str)
        Features (by position) that are read as another kind than proposed.
    levels : tuple of (int, tuple of int)
        Order of the values of features (by position) that are not numeric, by position in
        their own order.
    bins : int or None
        Numeric features are cut into so many intervals; None: they stay numbers.
    scaling : {"none", "standard", "min-max"}
    classes : tuple of int
        Order of the classes, by position in the data's own order; empty for that order.
    ordered : bool
        Whether the reader says that the order of the classes has a meaning, where the data do not.
    directions : str
        One letter for each feature in use or not: "r", the class rises with it, "f", falls, "n",
        neither; empty for what the data say.
    one : int or None
        The class that is set against the rest, by the same position.
    held : float
        Share of the rows held out of training.
    seed : int
        Seed of the generator, of the division and of the algorithms.
    models : tuple of Model
        One to four, from left to right.
    numbers : tuple of (str, object)
        Parameters of what learns numbers (CART) that differ from their defaults, by name.
    depth : int or None
        Depth at which the trees are shown, None for the whole trees.
    axes : tuple of (str, str) or None
        Features on the horizontal and the vertical axis, None for the first two.
    at : int or None
        Row through which the plane is cut, None for the medians.
    detail : {"notice", "classes", "rules", "how", "search"}
        What stands below the pictures.
    pick : int or None
        The picked candidate of the node of the first model, by position.
    opened : int or None
        The feature of which all candidates are listed; None for the best of each.
    curves : tuple of str
        Criteria whose score curves are drawn; empty for those of the rule.
    rule : OwnRule or None
        The reader's own rule of choice.
    distances : {"none", "bnm", "csn"}
        What is drawn into the plane of the split.
    lab : {"ranking", "formulas", "agreement", "growth", "panels", "known"}
        What stands below the split.
    unlabelled : bool
        Whether the rows held out take part, without their classes, where an algorithm can use
        such rows (transduction).
    components : tuple of (int, int) or None
        Latent components on the horizontal and the vertical axis; None for those of the split.
    lit : int or None
        The row that is marked in all pictures.
    space : {"notice", "best", "spaces", "labels", "numbers", "formula"}
        What stands below the latent view.
    step : int or None
        Step of the growth of the first model at which the reader stopped.
    picture : {"auto", "plane", "values"}
        What the growth of machines shows: a plane, or the decision values of each class.
    part : {"data", "node", "forest", "audit", "comparison"}
        What the page *monotone* is about.
    inclusion : float
        The inclusion degree below which rows are marked.
    pair : int or None
        The picked pair of rows that contradict each other, by its place in their list.
    price : bool
        Whether the price of monotonicity is worked out.
    sets : tuple of str
        Data sets on which forests are compared; empty for the four of the paper.
    typed : str
        The values of a sample that the reader typed, see :mod:`.fields`; empty for none.
    drawing : {"flow", "icicle"}
        How the rule tree is laid out.
    least : int or None
        Nodes with fewer rows are closed in the rule tree; None: as many as can be read.
    only : int or None
        The class whose rules are listed, by index; None for all.
    from_rows, from_confidence : int
        Least support (rows) and confidence (per cent) of the rules that are listed.
    order : {"support", "confidence", "coverage", "length"}
        Of the rules that are listed.
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
    leaf_price : float
        alpha of the entropy cost, bits a leaf.
    pieces : int or None
        Leaves of the regression tree, None for the whole tree.
    """

    data: str = "xor"
    params: Pairs = ()
    upload: Upload | None = None
    target: str | None = None
    columns: tuple[int, ...] = ()
    kinds: tuple[tuple[int, str], ...] = ()
    levels: tuple[tuple[int, tuple[int, ...]], ...] = ()
    bins: int | None = None
    scaling: str = "none"
    classes: tuple[int, ...] = ()
    ordered: bool = False
    directions: str = ""
    one: int | None = None
    held: float = 0.3
    seed: int = 1
    models: tuple[Model, ...] = (Model("cart"), Model("c45"))
    numbers: Pairs = ()
    depth: int | None = None
    axes: tuple[str, str] | None = None
    at: int | None = None
    detail: str = "notice"
    pick: int | None = None
    opened: int | None = None
    curves: tuple[str, ...] = ()
    rule: OwnRule | None = None
    distances: str = "none"
    lab: str = "ranking"
    unlabelled: bool = False
    components: tuple[int, int] | None = None
    lit: int | None = None
    space: str = "notice"
    step: int | None = None
    picture: str = "auto"
    part: str = "data"
    inclusion: float = 0.1
    pair: int | None = None
    price: bool = False
    sets: tuple[str, ...] = ()
    typed: str = ""
    drawing: str = "flow"
    least: int | None = None
    only: int | None = None
    from_rows: int = 0
    from_confidence: int = 0
    order: str = "support"
    lesson: str = "gain"
    loan: EditedRows | None = None
    points: EditedPoints | None = None
    grown: str = "id3"
    inner: int | None = None
    root: int = 0
    root2: int = 1
    leaf_price: float = 7.5
    pieces: int | None = None

    def first_models(self, n: int) -> Selection:
        """Return the selection without the models behind the first `n`: what a page shows of it.

        Models of other pages wait for those; they must leave no trace on this one.
        """
        return self if len(self.models) <= n else replace(self, models=self.models[:n])

    def change(self, **changes: object) -> Selection:
        """Return the selection with fields exchanged and what they make meaningless reset."""
        real = {name: new for name, new in changes.items() if getattr(self, name) != new}
        reset = {name for cause in RESETS if cause in real for name in RESETS[cause]}
        if reset:
            reset.update(VIEW_OF_DATA)
        start = {field.name: field.default for field in fields(self) if field.name in reset}
        if set(real) - LEAVES_TREES:
            start["pick"] = start["components"] = start["step"] = None
            bare = {"node": None, "move": None, "tree": None}
            start["models"] = tuple(replace(m, **bare) for m in self.models)
        return replace(self, **(start | changes))

    def change_model(self, place: int, **changes: object) -> Selection:
        """Return the selection with the model at `place` (0, 1, ...) exchanged in part.

        Another algorithm starts from its defaults; another tree has no picked node.
        """
        model, pick, step = self.models[place], self.pick, self.step
        if (
            place == 0
            and changes.keys() != {"move"}
            and (changes.keys() != {"params"} or model.node)
        ):
            pick = None  # other rows have other candidates
        if place == 0 and changes.keys() - {"node", "move"}:
            step = None  # another tree comes to be in other steps
        if changes.get("key", model.key) != model.key:
            changes = {"params": (), "tree": None, **changes}
        if changes.keys() - {"node", "move"}:
            changes = {"node": None, **changes}
        if changes.keys() - {"move"}:
            changes = {"move": None, **changes}
        models = list(self.models)
        models[place] = replace(model, **changes)
        components = self.components if place or models[0] == model else None
        own = {"pick": pick, "components": components, "step": step}
        return replace(self, models=tuple(models), **own)


DEFAULT = Selection()


def changed(pairs: Pairs, param: Param, value: object) -> Pairs:
    """Return `pairs` with the parameter `param` at `value`, which is left out if the default."""
    values: Mapping[str, object] = {**dict(pairs), param.name: value}
    if value == param.default:
        values = {name: kept for name, kept in values.items() if name != param.name}
    return tuple(sorted(values.items()))
