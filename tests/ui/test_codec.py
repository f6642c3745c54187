from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastviz.criteria import CRITERIA
from lastviz.datasets import DATASETS
from lastviz.datasets.labels import Labels, checked_labels
from lastviz.datasets.painted import Painting
from lastviz.estimators import ESTIMATORS, CARTRegressor
from lastviz.host.security import is_name, name_of
from lastviz.host.store import Upload
from lastviz.pruning import PRUNERS
from lastviz.tables import DATE_ORDERS, READ_AS, Reading
from lastviz.ui.state.codec import (
    RESERVED,
    SEED_NAME,
    decode,
    encode,
    nothing_private,
    private_texts,
    without_private,
)
from lastviz.ui.state.edit_codes import pack_labels, read_edits, read_hand
from lastviz.ui.state.fields import MOST_ROWS, EditedPoints, EditedRows, OwnRule
from lastviz.ui.state.link_texts import (
    KINDS,
    MOST_BYTES,
    Hold,
    packed_text,
    unpacked_text,
    write_typed,
)
from lastviz.ui.state.moved import AHEAD
from lastviz.ui.state.pages import OF_PAPERS
from lastviz.ui.state.quiz_codes import (
    CLASS,
    ERRORS,
    MOST_QUESTIONS,
    MOST_SLIDES,
    NODE,
    SPLIT,
    Ask,
    Question,
    Slide,
)
from lastviz.ui.state.selection import DEFAULT, FIELDS, UPLOAD, Model, with_param
from lastviz.ui.state.session import data_params, model_params

names = st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable())


def values(param):
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


edits_of_a_tree = st.sampled_from(
    ["", "T3_2.45", "C2_1a~0L~1P", "O3_0.5_4_-1.25_0.75~1X1_4~1Y2~10K~zS1_3"]
).map(lambda text: read_edits(text)[0])
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
            chosen = with_param(chosen, param, draw(values(param)))
    return chosen


@st.composite
def models(draw):
    key = draw(st.sampled_from(sorted(ESTIMATORS)))
    picked = st.none() | st.integers(0, 10**6)
    params = draw(pairs(model_params(key)))
    return Model(key, params, draw(picked), draw(picked), edits=draw(edits_of_a_tree))


WRITTEN = {
    "columns": st.sets(st.integers(0, 200), max_size=40).map(lambda some: tuple(sorted(some))),
    "kinds": st.dictionaries(st.integers(0, 99), st.sampled_from(KINDS), max_size=5).map(
        lambda found: tuple(sorted(found.items()))
    ),
    "hand": st.sampled_from(["L", "none", "T1_0.5~0L~1L2", "C3_1~0L~1T2_-1e-05"]).map(read_hand),
    "hand_at": st.lists(st.integers(0, 1), max_size=5).map(tuple),
    "roles": st.sampled_from([(), (("fixed", (0, 2, 3)), ("time", ())), (("names", (7,)),)]),
    "held_by": st.sampled_from(["", "last", "blocks", "last3", "groups12"]),
    "levels": st.sampled_from([(), ((1, (2, 0, 1)),), ((0, (1, 0)), (7, (0, 2, 1)))]),
    "classes": st.integers(0, 9).flatmap(lambda n: st.permutations(range(n))).map(tuple),
    "directions": st.sampled_from(["", "r", "rfn", "nnf"]),
    "class_weight": st.sampled_from(["", "balanced", "5_1", "0.25_1_30", "1234567.5_0.12345678"]),
    "painted": st.integers(0, 600).map(
        lambda n: str(Painting(*np.random.default_rng(n).integers(0, 8, (3, n))))
    ),
    "labels": st.dictionaries(names, names, max_size=4).map(
        lambda found: pack_labels(checked_labels(Labels(names=found, values={"y": found})))
    ),
    "axes": st.none() | st.tuples(names, names),
    "brushed": st.sets(st.integers(0, 20_000), max_size=400).map(lambda some: tuple(sorted(some))),
    "lines_by": st.none() | st.sampled_from(sorted(CRITERIA)),
    "line": st.sampled_from([None, (0.0, 1), (42.94, 308), (179.99, 2)]),
    "curves": st.sets(st.sampled_from(sorted(CRITERIA)), max_size=4).map(tuple),
    "rule": st.none() | st.builds(OwnRule, st.sampled_from(sorted(CRITERIA)), st.just("bnm"),
                                  st.just(0.25), st.integers(1, 9), st.just("csn")),
    "components": st.sampled_from([None, (1, 0), (3, 12)]),
    "typed": st.lists(st.text(max_size=8), max_size=4).map(write_typed),
    "near_holds": st.dictionaries(names, st.sampled_from(["stays", "rises", "falls"]), max_size=4)
    .map(lambda found: tuple(Hold(name, found[name]) for name in sorted(found))),
    "flip_holds": st.dictionaries(
        names, st.sampled_from([("stays",), ("rises",), ("falls",), ("within", -1.5, 2e-05)]),
        max_size=4,
    ).map(lambda found: tuple(Hold(name, *found[name]) for name in sorted(found))),
    "reading": st.builds(
        Reading,
        part=st.none() | st.text(max_size=5),
        header=st.none() | st.integers(0, 99),
        separator=st.sampled_from([None, ";", "\t", ","]),
        decimal=st.sampled_from([None, "."]),
        thousands=st.sampled_from([None, "", ",", " "]),
        encoding=st.sampled_from([None, "gb18030"]),
        dates=st.sampled_from([None, *DATE_ORDERS]),
        columns=st.dictionaries(names, st.sampled_from(list(READ_AS)), max_size=4).map(
            lambda found: tuple(found.items())
        ),
    ),
    "beside": st.lists(st.sampled_from(list(PRUNERS)), unique=True).map(tuple),
    "study": st.sampled_from(["", "0c0714c2f32d"]),
    "compared": st.sampled_from([(), ("k_nn~n_neighbors=1|3", "c45"), ("svc~gamma=none",)]),
    "compared_on": st.sampled_from([(), ("xor~n_samples=200", "table.0c0714c2f32d0c07")]),
    "metric": st.sampled_from(["", "accuracy", "leaves"]),
    "rivals": st.sampled_from([None, (1, 0), (3, 12)]),
    "costs": st.sampled_from([(), (0.0, 1.0, 9.0, 3.0, 0.0, 2.0, 0.5, 1e6, 0.0)]),
    "part": st.sampled_from(("data", "audit", "short")),
    "paper_table": st.sampled_from(OF_PAPERS),
    "ask": st.none() | st.one_of(
        st.builds(Ask, st.sampled_from([SPLIT, ERRORS]), st.text(max_size=20),
                  st.integers(0, 3), st.none() | st.integers(0, 99)),
        st.builds(Ask, st.just(CLASS), st.text(max_size=20), st.integers(0, 3),
                  st.integers(0, 999)),
    ),
    "course": st.sampled_from([None, ("xor", 1), ("bnm_fails", 9)]),
    "slides": st.lists(
        st.builds(Slide, st.just("splits"), *[st.text(max_size=20)] * 4), max_size=MOST_SLIDES
    ).map(tuple),
    "room": st.sampled_from(["", "KRXWMA"]),
    "questions": st.lists(
        st.one_of(
            st.builds(Question, st.sampled_from([SPLIT, NODE]), st.text(max_size=20)),
            st.builds(Question, st.just(CLASS), st.text(max_size=20), st.integers(0, 999)),
        ),
        max_size=MOST_QUESTIONS,
    ).map(tuple),
    "loan": st.none() | edited_rows,
    "points": st.none() | edited_points,
}  # fmt: skip


def of_field(declared):
    if declared.param is None:
        return WRITTEN[declared.name]
    if not declared.counted_from_one:
        return values(declared.param)
    return values(declared.param).map(lambda value: None if value is None else value - 1)


@st.composite
def selections(draw):
    if draw(st.booleans()):
        data = draw(st.sampled_from(sorted(DATASETS)))
        source = {"data": data, "params": draw(pairs(data_params(data)))}
    else:
        upload = Upload(draw(st.text("0123456789abcdef", min_size=12, max_size=12)),
                        draw(names), draw(st.integers(1, 200_000)),
                        draw(st.none() | names))  # fmt: skip
        source = {"data": UPLOAD, "upload": upload, "target": draw(st.none() | names)}
    some = draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=12))
    return DEFAULT.having(
        **source,
        **{name: draw(of_field(FIELDS[name])) for name in sorted(some)},
        regressor=Model(
            "cart_regressor",
            draw(pairs(CARTRegressor.PARAMS)),
            draw(st.none() | st.integers(0, 10**6)),
            edits=draw(edits_of_a_tree),
        ),
        models=tuple(draw(st.lists(models(), min_size=1, max_size=4))),
    )


def read(link, kept=nothing_private):
    query = dict(parse_qsl(link, keep_blank_values=True))
    return decode(query, data_params, model_params, private_text=kept)


def kept_of(selection):
    return {name_of(text): text for text in private_texts(selection)}.get


# Drawing a selection takes long where the machine is busy, which is no fault.
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(selections())
def test_a_link_says_the_whole_selection(selection):
    assert read(urlencode(encode(selection)), kept_of(selection)) == (selection, ())
    assert read(urlencode(encode(selection, named=False))) == (selection, ())


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(selections())
def test_what_is_private_is_in_no_address(selection):
    query = encode(selection)
    for text in private_texts(selection):
        assert text not in query.values()
        assert name_of(text) in query.values()
        assert is_name(name_of(text))
    public = encode(without_private(selection))
    assert not any(map(is_name, public.values()))
    assert without_private(without_private(selection)) == without_private(selection)


def test_a_name_that_stands_for_nothing_here_is_said_and_the_rest_is_used():
    selection = DEFAULT.having(typed="148,,sunny", seed=4)
    found, problems = read(urlencode(encode(selection)))
    assert found == DEFAULT.having(seed=4)
    assert ["do not contain typed values" in problem for problem in problems] == [True]


def test_a_typed_sample_of_an_old_link_is_read_and_does_not_stay_in_the_address():
    found, problems = read("data=xor&typed=0.5%2C0.25")
    assert (found.rules.typed, problems) == ("0.5,0.25", ())
    assert "0.5" not in urlencode(encode(found))


def test_holds_are_private_where_they_have_ends():
    plain = DEFAULT.having(flip_holds=(Hold("age", "stays"),))
    ends = DEFAULT.having(flip_holds=(Hold("age", "within", 18.0, 61.0625),))
    assert encode(plain)["flip_holds"] == "age:s"
    assert private_texts(plain) == ()
    assert "61.0625" not in urlencode(encode(ends))  # two digits alone may stand in its name


def test_what_has_its_default_is_left_out_but_data_is_always_said():
    assert encode(DEFAULT) == {"data": "xor"}
    assert read("") == read("data=xor") == (DEFAULT, ())


def test_links_are_short_and_readable():
    selection = DEFAULT.having(
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
    selection = DEFAULT.having(
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


@pytest.mark.every
@pytest.mark.parametrize(("link", "sentence"), [
    ("data=xor&noise=-3", "noise must be a finite number >= 0.01"),
    ("data=xor&noise=wide", "noise must be a finite number"),
    ("data=xor&noise=nan", "noise must be a finite number"),
    ("data=xor&m=cart&m.max_depth=0",
     "must be a whole number >= 1 or none (no limit); none is used"),
    ("data=xor&m=c45&m.pruning=hard", "m.pruning must be one of 'error_based'"),
    ("data=xor&m=c45&m.subtree_raising=1", "subtree_raising must be true or false; true"),
    ("held=1.5", "held must be a finite number >= 0 and <= 0.9"),
    ("seed=-1", "seed must be a whole number >= 0"),
    ("scaling=log", "scaling must be one of 'none', 'standard', 'min-max'"),
    ("node=first", "node must be a whole number >= 0"),
    ("at=0", "at must be a whole number >= 1"),
    ("columns=3-1", "columns=3-1 cannot be read"),
    ("columns=0", "columns=0 cannot be read"),
    ("classes=1.3", "classes=1.3 cannot be read"),
    ("kinds=1red", "kinds=1red cannot be read"),
    ("data=nothing&noise=1", "There is no data set “nothing”"),
    ("data=upload&file=a.csv", "names no file"),
    ("share=gone", "This code does not exist or has expired"),
    ("share=", "This code does not exist or has expired"),
    ("m=forest&m.trees=3", "There is no algorithm “forest”"),
    ("loan=0112", "loan=0112 is not a table; the book's is shown"),
    ("points=1~2~3", "points=1~2~3 is not a table"),
    ("leaf_price=-1", "leaf_price must be a finite number >= 0 and <= 1e+06"),
    ("lesson=9", "lesson must be one of 'entropy'"),
    ("m=cart&m2=c45&e2=T1_x", "The link's e2 has “T1_x”, which is not an edit"),
    *((f"cut={n}", "cut") for n in (120, "x")),
    *((f"cost_miss={n}", "cost_miss") for n in (-1, "inf")),
    *((f"flip_holds={text}", "cannot be read") for text in ("age", "age:x", "age:w3", "age:w5_1",
     "age:s5", ":s", "a:w1_inf")),
    *((f"flip_rows={n}", "flip_rows") for n in (20000000, -1, "x")),
    *((f"line={text}", "is not a line of the landscape") for text in ("200_4", "12", "nan_3", "4_0",
     "-3_9")),
    ("by=beauty", "beauty"),
    *((text, "The link has ") for text in ("cut_at=-1", "prune=axe", "folds=1", "weighed=x")),
    *((f"class_weight={text}", f"class_weight={text} cannot be read") for text in ("5_x", "-1_1",
     "0_0")),
    ("weight=0", "weight=0"),
    *((f"components={text}", "components") for text in ("2", "0.1", "2.2", "a.b", "1.2.3")),
    ("colour=red", "“colour” is not known"),
    ("x=x1", "“x” is not known"),
])  # fmt: skip
def test_a_wrong_part_is_explained_and_the_rest_is_used(link, sentence):
    selection, problems = read(link + "&depth=2")
    assert len(problems) == 1
    assert sentence in problems[0]
    assert selection.change(depth=None) == DEFAULT.change(models=selection.models)
    assert selection.view.depth == 2


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


LINKS_OF_THE_FIRST_RELEASE = {
    "columns=1-3.7": ("columns", (0, 1, 2, 6)),
    "kinds=2nominal.7ordinal": ("kinds", ((1, "nominal"), (6, "ordinal"))),
    "levels=2-3.1.2": ("levels", ((1, (2, 0, 1)),)),
    "classes=3.1.2": ("classes", (2, 0, 1)),
    "directions=rfn": ("directions", "rfn"),
    "bins=5": ("bins", 5),
    "scaling=min-max": ("scaling", "min-max"),
    "ordered=true": ("ordered", True),
    "one=2": ("one", 1),
    "held=0.4": ("held", 0.4),
    "seed=7": ("seed", 7),
    "unlabelled=true": ("unlabelled", True),
    "depth=3": ("depth", 3),
    "x=x2&y=x1": ("axes", ("x2", "x1")),
    "at=17": ("at", 16),
    "lit=21": ("highlighted", 20),
    "detail=rules": ("detail", "rules"),
    "pick=4": ("pick", 3),
    "opened=2": ("opened", 1),
    "curves=gini.bnm": ("curves", ("gini", "bnm")),
    "rule=gini%2B0.1*bnm,7,csn": ("rule", OwnRule("gini", "bnm", 0.1, 7, "csn")),
    "distances=csn": ("distances", "csn"),
    "pixels=plane": ("pixels", "plane"),
    "lab=agreement": ("lab", "agreement"),
    "components=2.1": ("components", (1, 0)),
    "space=spaces": ("space", "spaces"),
    "step=12": ("step", 12),
    "picture=values": ("picture", "values"),
    "typed=148,,sunny": ("typed", "148,,sunny"),
    "drawing=icicle": ("drawing", "icicle"),
    "least=30": ("least", 30),
    "only=2": ("only", 1),
    "from_rows=5": ("from_rows", 5),
    "from_confidence=80": ("from_confidence", 80),
    "order=length": ("order", "length"),
    "part=audit": ("part", "audit"),
    "inclusion=0.2": ("inclusion", 0.2),
    "pair=3": ("pair", 2),
    "lesson=pruning": ("lesson", "pruning"),
    "loan=01120.2100-": ("loan", EditedRows(((0, 1, 1, 2, 0), (2, 1, 0, 0, -1)))),
    "points=1~4.5_2~4.75": ("points", EditedPoints((("1", "4.5"), ("2", "4.75")))),
    "grown=cart": ("grown", "cart"),
    "inner=2": ("inner", 2),
    "root=2": ("root", 2),
    "root2=3": ("root2", 3),
    "leaf_price=9": ("alpha", 9.0),
    "pieces=4": ("pieces", 4),
}


@pytest.mark.parametrize("link", LINKS_OF_THE_FIRST_RELEASE)
def test_links_of_the_first_release_stay_valid(link):
    name, value = LINKS_OF_THE_FIRST_RELEASE[link]
    selection, problems = read(f"data=iris&{link}")
    assert problems == ()
    assert selection.value(name) == value
    assert dict(parse_qsl(link)).items() <= encode(selection, named=False).items()


@pytest.mark.parametrize("part", ["lookahead", "prices"])
def test_links_to_what_became_one_fold_open_it_and_say_so(part):
    selection, problems = read(f"data=iris&lab={part}")
    assert problems == (AHEAD,)
    assert (selection.splits.better, selection.splits.lab) == (True, "ranking")
    assert read(urlencode(encode(selection))) == (selection, ())


def test_every_field_has_a_link_of_the_first_release_or_came_later():
    came_later = {
        "better", "against", "brushed", "rows_of", "flip_to", "flip_metric", "flip_holds",
        "flip_rows",
    }  # fmt: skip
    came_later |= {
        "cost_miss",
        "cost_alarm",
        "cut",
        "costs",
        "group_by",
        "group_class",
        "rule_view",
        "criteria",
        "split_view",
        "near_depth",
        "near_thresholds",
        "near_errors",
        "near_leaves",
        "near_holds",
        "near_gap",
        "near_tree",
        "near_row",
    }
    came_later |= {"tint", "smoothing", "smoothing_m"}
    came_later |= {"lines_by", "line"}
    came_later |= {"every_feature", "roles", "held_by", "growth_view", "hand", "hand_at"}
    came_later |= {"pruner", "leaf_cost", "cut_at", "folds", "beside", "weighed"}
    came_later |= {"study", "compared", "compared_on", "protocol", "repeats", "study_folds"}
    came_later |= {"inner_folds", "metric", "rope", "rivals", "study_cell"}
    came_later |= {"paper_table", "tuned"}
    came_later |= {
        "ask",
        "questions",
        "asked",
        "room",
        "slides",
        "staged",
        "slide",
        "course",
        "steered",
    }
    came_later |= {"in_step", "labels", "reading", "painted", "weight", "class_weight"}
    assert {name for name, _ in LINKS_OF_THE_FIRST_RELEASE.values()} == set(FIELDS) - came_later


@pytest.mark.parametrize("digits", [310, 4301])
@pytest.mark.parametrize(
    "link",
    [
        *("at={}", "components=1.{}", "rule=gini,{},bnm", "columns={}", "inclusion={}", "seed={}"),
        *("data=xor&n_samples={}", "m=cart&m.max_depth={}", "classes={}", "levels=1-{}"),
    ],
)
def test_numbers_of_hundreds_of_digits_are_refused_in_a_sentence(link, digits):
    selection, problems = read(link.format("9" * digits))
    assert len(problems) == 1
    assert len(problems[0]) < 300
    assert selection.having(models=DEFAULT.models) == DEFAULT


def test_a_code_alone_opens_what_is_shared_under_it():
    shared = Upload("0" * 12, "a.csv", 30, share="code")
    selection, problems = decode(
        {"share": "code", "seed": "7"}, data_params, model_params, {"code": shared}.get
    )
    assert problems == ()
    assert (selection.data, selection.upload, selection.seed) == (UPLOAD, shared, 7)
    assert encode(selection)["share"] == "code"


@pytest.mark.parametrize("field", [f for f in FIELDS.values() if f.counted_from_one and f.param])
def test_what_a_refused_place_is_replaced_by_can_be_sent_on(field):
    query = {"data": "moons", field.name: "0"}
    selection, sentences = decode(query, data_params, model_params)
    assert len(sentences) == 1
    again, more = decode(encode(selection) | {"data": "moons"}, data_params, model_params)
    assert (again, more) == (selection, ())


def test_a_packed_text_that_is_cut_off_or_too_long_is_refused():
    text = packed_text("a story of many words, " * 100)
    assert unpacked_text(text) == "a story of many words, " * 100
    for wrong in (text[:-4], packed_text("a" * (MOST_BYTES + 1))):
        with pytest.raises(ValueError, match="longer than it may be, or cut off"):
            unpacked_text(wrong)
