from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz._params import Param
from lastviz.datasets import DATASETS
from lastviz.estimators import ESTIMATORS, CARTRegressor
from lastviz.ui.state.codec import RESERVED, SEED_NAME, decode, encode
from lastviz.ui.state.fields import KINDS, LESSONS, ORDERS, write_typed
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection, Upload, changed
from lastviz.ui.state.session import data_params, model_params
from lastviz.ui.state.values import MOST_ROWS, EditedPoints, EditedRows

names = st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable())


def values(param: Param) -> st.SearchStrategy:
    if param.kind is bool:
        legal = st.booleans()
    elif param.kind is str:
        legal = st.sampled_from(param.choices)
    elif param.kind is int:
        low = 0 if param.low is None else int(param.low)
        legal = st.integers(low, low + 500 if param.high is None else int(param.high))
    else:
        low = -1e6 if param.low is None else param.low
        high = 1e6 if param.high is None else param.high
        legal = st.floats(low, high, exclude_min=param.low_open)
    return legal | st.none() if param.none else legal


rows = st.tuples(*[st.integers(-1, 9)] * 5)
edited_rows = st.builds(EditedRows, st.lists(rows, max_size=MOST_ROWS).map(tuple))
cells = st.text(max_size=20).map(EditedPoints.cell)
edited_points = st.builds(
    EditedPoints, st.lists(st.tuples(cells, cells), max_size=MOST_ROWS).map(tuple)
)


@st.composite
def pairs(draw, declared):
    chosen = ()
    for param in declared:
        if param.name != SEED_NAME and draw(st.booleans()):
            chosen = changed(chosen, param, draw(values(param)))
    return chosen


@st.composite
def models(draw):
    key = draw(st.sampled_from(sorted(ESTIMATORS)))
    picked = st.none() | st.integers(0, 10**6)
    return Model(key, draw(pairs(model_params(key))), draw(picked), draw(picked))


@st.composite
def selections(draw):
    if draw(st.booleans()):
        data = draw(st.sampled_from(sorted(DATASETS)))
        source = {"data": data, "params": draw(pairs(data_params(data)))}
    else:
        upload = Upload(draw(st.text("0123456789abcdef", min_size=12, max_size=12)),
                        draw(names), draw(st.integers(1, 200_000)))  # fmt: skip
        source = {"data": UPLOAD, "upload": upload, "target": draw(st.none() | names)}
    columns = draw(st.sets(st.integers(0, 200), max_size=40))
    kinds = draw(st.dictionaries(st.integers(0, 99), st.sampled_from(KINDS), max_size=5))
    return Selection(
        **source,
        columns=tuple(sorted(columns)),
        kinds=tuple(sorted(kinds.items())),
        numbers=draw(pairs(CARTRegressor.PARAMS)),
        scaling=draw(st.sampled_from(["none", "standard", "min-max"])),
        classes=tuple(draw(st.permutations(range(draw(st.integers(0, 9)))))),
        one=draw(st.none() | st.integers(0, 63)),
        held=draw(st.floats(0, 0.9)),
        seed=draw(st.integers(0, 2**31 - 1)),
        models=tuple(draw(st.lists(models(), min_size=1, max_size=4))),
        depth=draw(st.none() | st.integers(0, 99)),
        axes=draw(st.none() | st.tuples(names, names)),
        at=draw(st.none() | st.integers(0, 200_000)),
        unlabelled=draw(st.booleans()),
        lit=draw(st.none() | st.integers(0, 200_000)),
        components=draw(st.sampled_from([None, (1, 0), (3, 12)])),
        ordered=draw(st.booleans()),
        directions=draw(st.sampled_from(["", "r", "rfn", "nnf"])),
        part=draw(st.sampled_from(["data", "node", "audit"])),
        inclusion=draw(st.floats(0, 1)),
        pair=draw(st.none() | st.integers(0, 999)),
        price=draw(st.booleans()),
        bins=draw(st.none() | st.integers(2, 20)),
        levels=draw(st.sampled_from([(), ((1, (2, 0, 1)),), ((0, (1, 0)), (7, (0, 2, 1)))])),
        typed=write_typed(draw(st.lists(st.text(max_size=8), max_size=4))),
        drawing=draw(st.sampled_from(["flow", "icicle"])),
        least=draw(st.none() | st.integers(1, 5000)),
        only=draw(st.none() | st.integers(0, 63)),
        from_rows=draw(st.integers(1, 5000)),
        from_confidence=draw(st.integers(0, 100)),
        order=draw(st.sampled_from(ORDERS)),
        loan=draw(st.none() | edited_rows),
        points=draw(st.none() | edited_points),
        lesson=draw(st.sampled_from(LESSONS)),
        leaf_price=draw(st.floats(0, 1e6)),
        root=draw(st.integers(0, 9)),
    )


def read(link: str) -> tuple[Selection, tuple[str, ...]]:
    return decode(dict(parse_qsl(link, keep_blank_values=True)), data_params, model_params)


@settings(max_examples=200)
@given(selections())
def test_a_link_says_the_whole_selection(selection):
    assert read(urlencode(encode(selection))) == (selection, ())


def test_what_has_its_default_is_left_out_but_data_is_always_said():
    assert encode(DEFAULT) == {"data": "xor"}
    assert read("") == read("data=xor") == (DEFAULT, ())


def test_links_are_short_and_readable():
    selection = Selection(
        data="xor",
        params=(("noise", 0.25),),
        held=0.4,
        columns=(0, 1, 2, 6),
        models=(Model("cart", (("max_depth", 4),)), Model("c45", (), 3)),
        at=16,
    )
    assert urlencode(encode(selection)) == (
        "data=xor&noise=0.25&columns=1-3.7&held=0.4&at=17&m=cart&m.max_depth=4&m2=c45&node2=3"
    )


def test_a_large_scene_stays_below_two_kilobytes():
    everything = tuple((p.name, p.default) for p in model_params("c45"))
    selection = Selection(
        data=UPLOAD,
        upload=Upload("0" * 12, "a file with a rather long name, 2026-11-21.csv", 200_000),
        target="name of the class column",
        columns=tuple(range(0, 250, 2)),
        kinds=tuple((i, "nominal") for i in range(10)),
        classes=tuple(reversed(range(64))),
        models=tuple(Model("c45", everything, 9999) for _ in range(4)),
        axes=("sepal length in centimetres", "petal width in centimetres"),
    )
    assert len(urlencode(encode(selection))) < 2048


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("data=xor&noise=-3", "noise must be a finite number >= 0.01"),
        ("data=xor&noise=wide", "noise must be a finite number"),
        ("data=xor&noise=nan", "noise must be a finite number"),
        ("data=xor&m=cart&m.max_depth=0", "m.max_depth must be an integer >= 1 or None"),
        ("data=xor&m=c45&m.pruning=hard", "m.pruning must be one of 'error_based'"),
        ("data=xor&m=c45&m.subtree_raising=1", "m.subtree_raising must be True or False"),
        ("held=1.5", "held must be a finite number >= 0 and <= 0.9"),
        ("seed=-1", "seed must be an integer >= 0"),
        ("scaling=log", "scaling must be one of 'none', 'standard', 'min-max'"),
        ("node=first", "node must be an integer >= 0"),
        ("at=0", "at must be an integer >= 1"),
        ("columns=3-1", "columns=3-1 cannot be read"),
        ("columns=0", "columns=0 cannot be read"),
        ("classes=1.3", "classes=1.3 cannot be read"),
        ("kinds=1red", "kinds=1red cannot be read"),
        ("data=nothing&noise=1", "There is no data set “nothing”"),
        ("data=upload&file=a.csv", "does not say which file"),
        ("m=forest&m.trees=3", "There is no algorithm “forest”"),
        ("loan=0112", "loan=0112 is no table; the book's is shown"),
        ("points=1~2~3", "points=1~2~3 is no table"),
        ("leaf_price=-1", "leaf_price must be a finite number >= 0 and <= 1e+06"),
        ("lesson=9", "lesson must be one of 'entropy'"),
        ("colour=red", "“colour” is not known"),
        ("x=x1", "“x” is not known"),
    ],
)
def test_a_wrong_part_is_explained_and_the_rest_is_used(link, sentence):
    selection, problems = read(link + "&depth=2")
    assert len(problems) == 1
    assert sentence in problems[0]
    assert selection.change(depth=None) == DEFAULT.change(models=selection.models)
    assert selection.depth == 2


def test_wrong_parameters_keep_the_right_ones_beside_them():
    selection, problems = read("data=xor&noise=0.3&m=c45&m.confidence=7&m.min_samples_leaf=5")
    assert selection.params == (("noise", 0.3),)
    assert selection.models == (Model("c45", (("min_samples_leaf", 5),)),)
    assert len(problems) == 1


def test_long_nonsense_is_not_repeated_in_full():
    _, problems = read("seed=" + "9" * 5000)
    assert len(problems[0]) < 200


def test_no_generator_takes_a_key_of_ours():
    taken = {param.name for entry in DATASETS.values() for param in entry.PARAMS}
    assert not (taken - {SEED_NAME}) & RESERVED
    assert not any("." in name for name in taken)


def test_directions_that_order_nothing_are_refused():
    for text in ("rup", "nnn"):
        selection, problems = read(f"data=iris&directions={text}")
        assert selection.directions == ""
        assert problems == (f"The link's directions={text} cannot be read.",)
