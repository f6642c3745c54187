"""Everything that the reader has chosen, as one frozen value.

A page is a function of the :class:`Selection`; widgets, links and the back button only
exchange one selection for another. Parameters are kept where they differ from their defaults,
so that two selections that mean the same are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lastviz._params import Param
from lastviz.estimators import REGRESSOR
from lastviz.host.store import Upload
from lastviz.tables import AS_FOUND, Reading
from lastviz.tree import Tree

from .edit_codes import Edits, read_labels
from .fields import DATA, LARGEST, Field, custom, fields_of, flag, number, word
from .link_texts import (
    Levels,
    Roles,
    is_long_painting,
    read_class_weight,
    read_columns,
    read_directions,
    read_held_by,
    read_kinds,
    read_levels,
    read_order,
    read_painting,
    read_roles,
    write_columns,
    write_kinds,
    write_levels,
    write_order,
    write_roles,
)
from .pages import (
    PAGES,
    BoundariesView,
    CompareView,
    GrowthView,
    LatentPageView,
    MonotoneView,
    PapersView,
    PruningView,
    QuizView,
    RulesView,
    SplitsView,
    StoryView,
    TextbookView,
    View,
)

Pairs = tuple[tuple[str, object], ...]
UPLOAD = "upload"  # the data key of a file of the reader's own
TABLES = ("folder.", "openml.")  # how the data keys of other tables begin
MAX_MODELS = 4
# Fields without a text of their own in links, and what makes them meaningless.
PLAIN_RESETS = {"params": ("data", "upload"), "upload": ("data",), "target": ("data", "upload")}
# Then a number means another feature, or a threshold something else.
OTHER_FEATURES = {*DATA, "columns", "weight", "kinds", "levels", "bins", "scaling"}
AT_NUMBERS = -1  # place of the regressor
LEAVE_TREES = {"models", "regressor", "labels", "roles"}  # fields that change while the trees stay


@dataclass(frozen=True)
class Model:
    """One algorithm with its parameters and the node picked in its tree."""

    key: str  # key of the registry of estimators
    # tuple of (str, object), parameters that differ from their defaults, by name.
    params: Pairs = ()
    node: int | None = None  # number of the picked node, None if none is
    move: int | None = None  # picked move of that node's search for a hyperplane, None for the best
    # Which tree of a forest is shown, counted from 0; None for the forest as a whole.
    tree: int | None = None
    # tuple of Edit, what is changed in its tree by hand, in the order and form of `.edit_codes`.
    edits: Edits = ()
    # Whether that tree takes the place of the forest, as on pages about single trees; in no link.
    alone: bool = field(default=False, repr=False)

    def node_in(self, tree: Tree) -> int | None:
        """Picked node if `tree` has it, None otherwise."""
        return self.node if self.node is not None and self.node < tree.n_nodes else None


@dataclass(frozen=True)
class Selection:
    """Whole scene: the data, the models, and the user's view of each page.

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
    reading : Reading
        How that file is read, where the reader of this page has chosen it.
    columns : tuple of int
        Features in use, by position; empty for those that are proposed: all, but of a table
        (see :func:`is_table`) not those that name rows or moments. ALL_COLUMNS for all.
    kinds : tuple of (int, str)
        Features (by position) that are read as another kind than proposed.
    levels : tuple of (int, tuple of int)
        Order of the values of features (by position) that are not numeric, by position in
        their own order.
    roles : tuple of (str, tuple of int)
        Columns (by position) in each role that the reader has confirmed; the others are guessed,
        see :func:`lastviz.datasets.guessed_roles`.
    bins : int or None
        Numeric features are cut into so many intervals; None: they stay numbers.
    scaling : {"none", "standard", "min-max"}
    labels : str
        What the reader calls columns, values and classes, in the form of :mod:`.link_labels`.
    painted : str
        The rows that the reader painted, as a :class:`lastviz.datasets.Painting` says them; "" for
        none. Many are in no link, as typed values are: see :mod:`.private`.
    classes : tuple of int
        Order of the classes, by position in the data's own order; empty for that order.
    ordered : bool
        Whether the reader says that the order of the classes has a meaning, where the data do not.
    directions : str
        One letter for each feature in use or not: "r", the class rises with it, "f", falls, "n",
        neither; empty for what the data say.
    weight : int or None
        The column (by position) that says how often each row counts; it is no feature then.
    class_weight : str
        How often rows count by their class: "balanced", or one weight a class in their order, as
        ``5_1``; "" for once each.
    one : int or None
        The class that is set against the rest, by the same position.
    held : float
        Share of the rows held out of training.
    held_by : str
        In which whole units they are held out, see :func:`.link_texts.held_parts`; "" for rows
        drawn at random.
    seed : int
        Seed of the generator, of the division and of the algorithms.
    unlabelled : bool
        Whether the rows held out take part without their classes, where that is possible.
    models : tuple of Model
        One to four, from left to right.
    regressor : Model
        What predicts where the target is a number.
    view : View
        What several pages look at.
    boundaries, splits, ..., quiz, story : record
        What the reader looks at on the page of that name, see :mod:`.pages`.
    """

    data: str = "xor"
    params: Pairs = ()
    upload: Upload | None = None
    target: str | None = None
    reading: Reading = custom(
        AS_FOUND,
        Reading.parse,
        resets_with=("data", "upload"),
        refused="The link's {key}={text} does not describe how to read a file.",
    )
    columns: tuple[int, ...] = custom((), read_columns, write_columns, resets_with=DATA)
    kinds: tuple[tuple[int, str], ...] = custom((), read_kinds, write_kinds, resets_with=DATA)
    levels: Levels = custom((), read_levels, write_levels, resets_with=DATA)
    roles: Roles = custom((), read_roles, write_roles, resets_with=DATA)
    classes: tuple[int, ...] = custom((), read_order, write_order, resets_with=DATA)
    directions: str = custom("", read_directions, resets_with=DATA)
    labels: str = custom("", read_labels, resets_with=("data", "upload"))
    painted: str = custom(
        "",
        read_painting,
        resets_with=("data",),
        refused="The link's {key} does not describe a painting.",
        private=is_long_painting,
    )
    bins: int | None = number(
        int,
        None,
        low=2,
        high=20,
        resets_with=DATA,
        none_word="not cut",
        slider=(2, 10, 1),
        label="Cut numeric features into",
        unit="intervals",
        help="Each of about equally many rows, in order; for algorithms that read categories.",
    )
    scaling: str = word(("none", "standard", "min-max"), label="Scaling of numeric features")
    ordered: bool = flag(resets_with=DATA)
    one: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    weight: int | None = number(int, None, low=0, counted_from_one=True, resets_with=DATA)
    class_weight: str = custom(
        "", read_class_weight, resets_with=(*DATA, "classes", "one", "ordered")
    )
    held: float = number(float, 0.3, low=0.0, high=0.9)
    held_by: str = custom("", read_held_by, resets_with=DATA)
    seed: int = number(int, 1, low=0, high=LARGEST)
    unlabelled: bool = flag()
    models: tuple[Model, ...] = (Model("cart"), Model("c45"))
    regressor: Model = Model(REGRESSOR.key)
    view: View = field(default_factory=View)
    boundaries: BoundariesView = field(default_factory=BoundariesView)
    splits: SplitsView = field(default_factory=SplitsView)
    latent: LatentPageView = field(default_factory=LatentPageView)
    growth: GrowthView = field(default_factory=GrowthView)
    rules: RulesView = field(default_factory=RulesView)
    pruning: PruningView = field(default_factory=PruningView)
    monotone: MonotoneView = field(default_factory=MonotoneView)
    textbook: TextbookView = field(default_factory=TextbookView)
    compare: CompareView = field(default_factory=CompareView)
    papers: PapersView = field(default_factory=PapersView)
    quiz: QuizView = field(default_factory=QuizView)
    story: StoryView = field(default_factory=StoryView)

    def value(self, name: str) -> object:
        """Value of a field by its name, whichever record it belongs to."""
        page = PAGE_OF.get(name)
        return getattr(self if page is None else getattr(self, page), name)

    def having(self, **changes: object) -> Selection:
        """Selection with fields exchanged by name, and nothing reset."""
        own = {name: new for name, new in changes.items() if name not in PAGE_OF}
        pages: dict[str, dict[str, object]] = {}
        for name in changes.keys() - own.keys():
            pages.setdefault(PAGE_OF[name], {})[name] = changes[name]
        records = {page: replace(getattr(self, page), **new) for page, new in pages.items()}
        return replace(self, **own, **records)

    # Models of other pages wait for those; they must leave no trace on this one.
    def first_models(self, n: int) -> Selection:
        """Selection without the models after the first `n`: the part that a page shows."""
        return self if len(self.models) <= n else replace(self, models=self.models[:n])

    def model(self, place: int) -> Model:
        """Model at a place: 0, 1, ... from left to right, AT_NUMBERS for the regressor."""
        return self.regressor if place == AT_NUMBERS else self.models[place]

    def change(self, **changes: object) -> Selection:
        """Selection with fields replaced, and the fields made meaningless by them reset."""
        real = {name: new for name, new in changes.items() if self.value(name) != new}
        causes = set(real)
        if any(name not in PAGE_OF and name not in LEAVE_TREES for name in real):
            causes.add("trees")
        start = {name: default for name, default, resets in RESETS if not causes.isdisjoint(resets)}
        if "trees" in causes:
            bare: dict[str, object] = {"node": None, "move": None, "tree": None}
            if not OTHER_FEATURES.isdisjoint(real):
                bare["edits"] = ()
            start["models"] = tuple(replace(m, **bare) for m in self.models)
            start["regressor"] = replace(self.regressor, **bare)
        return self.having(**(start | changes))

    def change_model(self, place: int, **changes: object) -> Selection:
        """Selection with the model at `place` exchanged in part; see :meth:`model`.

        Another algorithm starts from its defaults and without edits; another tree has no picked
        node, unless one is named.
        """
        model = self.model(place)
        pick, line, step = self.splits.pick, self.splits.line, self.growth.step
        if (
            place == 0
            and changes.keys() != {"move"}
            and (changes.keys() != {"params"} or model.node)
        ):
            pick = line = None  # other rows have other candidates
        cut_at, weighed = self.pruning.cut_at, self.pruning.weighed
        if place == 0 and changes.keys() - {"node", "move"}:
            step = None  # another tree comes to be in other steps
            cut_at = weighed = None  # and is cut back at other values
        if changes.get("key", model.key) != model.key:
            changes = {"params": (), "tree": None, "edits": (), **changes}
        if changes.keys() - {"node", "move"}:
            changes = {"node": None, **changes}
        if changes.keys() - {"move"}:
            changes = {"move": None, **changes}
        if place == AT_NUMBERS:
            return self.having(regressor=replace(model, **changes))
        models = list(self.models)
        models[place] = replace(model, **changes)
        components = self.latent.components if place or models[0] == model else None
        return self.having(
            models=tuple(models),
            pick=pick,
            line=line,
            components=components,
            step=step,
            cut_at=cut_at,
            weighed=weighed,
        )


FIELDS: dict[str, Field] = {
    declared.name: declared
    for record in (Selection, *PAGES.values())
    for declared in fields_of(record)
}
"""Every field with a text of its own in links, by name."""

PAGE_OF = {declared.name: page for page, record in PAGES.items() for declared in fields_of(record)}
"""Field of a page's record -> the attribute of the selection that holds the record."""

DEFAULT = Selection()
RESETS = (
    *((name, getattr(DEFAULT, name), resets) for name, resets in PLAIN_RESETS.items()),
    *((name, declared.default, declared.resets_with) for name, declared in FIELDS.items()),
)


def is_table(data: str) -> bool:
    """Whether a data key names a table that somebody brought, and none of ours."""
    return data == UPLOAD or data.startswith(TABLES)


def with_param(pairs: Pairs, param: Param, value: object) -> Pairs:
    """Pairs with the parameter `param` set to `value`, left out if it is the default."""
    values: Mapping[str, object] = {**dict(pairs), param.name: value}
    if value == param.default:
        values = {name: other for name, other in values.items() if name != param.name}
    return tuple(sorted(values.items()))
