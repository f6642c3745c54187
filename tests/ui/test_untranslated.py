"""Everything that pages send, refuse and hand out is translated; they speak :mod:`.made_up`."""

import itertools
import json
import re
from contextlib import closing

import pytest

from lastviz._sentences import Statement
from lastviz.datasets import read_file
from lastviz.estimators import ESTIMATORS
from lastviz.host import language
from lastviz.ui import text
from lastviz.ui.boundaries.page import report as boundaries_report
from lastviz.ui.compare.report import study_report
from lastviz.ui.compare.scene import compare_scene
from lastviz.ui.compute import studies
from lastviz.ui.compute.work import Work
from lastviz.ui.data.page import report as data_report
from lastviz.ui.data.score_rows import score_file
from lastviz.ui.latent.page import report as latent_report
from lastviz.ui.monotone.page import report as monotone_report
from lastviz.ui.pruning.page import report as pruning_report
from lastviz.ui.rules.page import report as rules_report
from lastviz.ui.shared.page_file import page_of
from lastviz.ui.splits.page import report as splits_report
from lastviz.ui.state import session
from lastviz.ui.state.fields import fields_of
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.pages import PAGES as VIEWS
from lastviz.ui.state.quiz_codes import Slide
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.story.rendering import ready_slide
from tests.credit import write_credit
from tests.openml_stand_in import BROKEN, stand_in
from tests.tables.zoo import zoo
from tests.ui.conftest import rerun_until

from .conftest import entered, opened, sampled, with_tables
from .made_up import MADE_UP, foreign, made_up_language, names_of, untranslated
from .sent_texts import TAGS
from .test_compare import TOKEN, StudyStore, address_of_store, compute
from .test_every_page import DATA, WITH_MODELS
from .test_own_model import WINE, on_wine, tree_file
from .test_story_page import PARTS

OPTIONS = [
    (page, field.name, field.link[0], choice)
    for page, record in VIEWS.items()
    for field in fields_of(record)
    if page != "view" and field.param is not None
    for choice in field.param.choices or ()
    if choice != field.default
]
STEPS = [(scene, n) for scene in SCENES for n in range(1, len(scene.steps) + 1)]


@pytest.fixture(autouse=True, scope="module")
def made_up(tmp_path_factory):
    with made_up_language(tmp_path_factory.mktemp("catalogues")):
        yield


folder = with_tables(write_credit)


def seen(page, **query):
    return untranslated(opened(page, lang=MADE_UP, **query))


PAIRS = [
    (page, list(ESTIMATORS)[(3 * i + 2 * j) % len(ESTIMATORS)], data)
    for (i, page), (j, data) in itertools.product(enumerate(WITH_MODELS), enumerate(DATA))
]
WHOLE = sorted(set(itertools.product(WITH_MODELS, ESTIMATORS, DATA)))


@pytest.mark.parametrize(("page", "key", "data"), sampled(WHOLE, PAIRS[::5]))
def test_a_page_with_a_model_is_translated(page, key, data):
    assert seen(page, m=key, **DATA[data]) == set()


@pytest.mark.parametrize(("page", "name", "link", "choice"), sampled(OPTIONS, OPTIONS[::4]))
def test_a_part_of_a_page_is_translated(page, name, link, choice):
    assert seen(page, **{link: choice}) == set()


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "n"), STEPS, ids=lambda each: getattr(each, "key", each))
def test_every_step_of_the_course_is_translated(scene, n):
    assert seen(scene.steps[n - 1].page, **dict(scene.query_of(n))) == set()


REPORTS = {
    "boundaries": boundaries_report, "data": data_report, "pruning": pruning_report,
    "rules": rules_report, "splits": splits_report,
}  # fmt: skip
REPORTED = [
    (page, data, key)
    for page in REPORTS
    for data, key in (("wine", "cart"), ("loan", "c45"), ("monotone", "remt"), ("iris", "svm_tree"))
    if (page, key) != ("pruning", "svm_tree")
]
REPORTS |= {"latent": latent_report, "monotone": monotone_report}
REPORTED += [("latent", "iris", "gsodt"), ("monotone", "monotone", "remt")]
LINKS = {
    page: [name for field in fields_of(record) for name in field.link]
    for page, record in VIEWS.items()
}
OF_THE_VIEW = LINKS.pop("view")
REFUSED = [
    ("boundaries", {"m": "oc1", "n_samples": 50, "m.n_restarts": 10_000, "m.n_jumps": 5_000}),
    ("boundaries", {"m": "mcdf", "data": "monotone", "m.monotone": "true", "m.vote": "plurality"}),
    ("boundaries", {"m": "hybrid", "data": "digits", "m.ecoc": "exhaustive"}),
    ("boundaries", {"data": "monotone", "m": "mcdf", "m.subset_size": 99_999}),
    ("boundaries", {"data": "xor", "m": "cart", "held": 0.99, "n_samples": 10}),
    ("boundaries", {"data": "loan", "m": "gsodt"}),
    ("boundaries", {"data": "friedman", "m": "remt"}),
    ("splits", {"data": "friedman"}),
    ("growth", {"data": "monotone", "m": "monotone_boosting"}),
    ("growth", {"data": "friedman", "m": "c45"}),
    ("latent", {"data": "wine", "m": "cart"}),
    ("rules", {"data": "wine", "m": "cart", "typed": "a,b,c,d,e,f,g,h,i,j,k,l,m"}),
    ("rules", {"data": "wine", "m": "cart", "typed": ",,,,,,,,,,,,"}),
    ("monotone", {"data": "wine"}),
    ("pruning", {"data": "iris", "m": "svm_tree"}),
    ("compare", {"compared": "cart,c45", "compared_on": "loan", "study_folds": 20}),
    ("compare", {"compared": "cart,id3", "compared_on": "wine,iris", "study": "0123456789ab"}),
    ("compare", {"compared": "cart,cart", "compared_on": "openml.999,folder.gone"}),
    ("quiz", {"room": "QQQQQQ"}),
    ("textbook", {"table": "zz"}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """The language outside of pages, stores of the test's own, and nobody who computes."""
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setattr(studies.COMPUTING, "ensure", lambda: None)
    language.speak(MADE_UP)
    yield
    language.speak("en")


def reached(page, **query):
    """A page in the made-up language; faults are what is looked for, exceptions are none."""
    app = entered(page, {"lang": MADE_UP, **query})
    assert not app.exception
    return app


def told(app):
    language.speak(MADE_UP)  # the run of the page has left its own
    return untranslated(app)


@pytest.mark.parametrize("page", sampled(LINKS, [*LINKS][:4]))
def test_a_link_that_says_nothing_is_told(page):
    query = dict.fromkeys([*LINKS[page], *OF_THE_VIEW], "§1,x~")
    query |= {"data": "nothing", "held": "9", "seed": "x", "m": "none", "m.max_depth": "deep"}
    app = reached(page, **query)
    assert told(app) == set()


@pytest.mark.parametrize(("page", "query"), sampled(REFUSED, REFUSED[::3]))
def test_what_is_refused_is_told(page, query):
    assert told(reached(page, **query)) == set()


WRONG = [animal for animal in zoo() if animal.X is None]
NEW_ROWS = {
    "no column": b"x1,x2\n1,2\n",
    "no number": b"x1,x2,x3,x4,x5,x6,x7,x8,x9,x10\n1,2,two,4,5,6,7,8,9,10\n",
    "empty": b"",
}
MODELS = {
    "nothing": lambda model: model.clear(),
    "another format": lambda model: model.update(format="other"),
    "no trees": lambda model: model.update(trees=[]),
    "no list": lambda model: model.update(features=7),
    "other features": lambda model: model.update(features=[f"f{i}" for i in range(13)]),
    "other classes": lambda model: model.update(classes=["a", "b", "c"]),
    "no such node": lambda model: model["trees"][0]["nodes"]["first_child"].append(10**6),
    "no such decision": lambda model: model.update(decision="dice"),
}
ASKED = ["404", str(BROKEN), "../x", "9", "10"]


def quoted(sentence):
    """Yield what a sentence repeats: of the file, of its parser."""
    for value in sentence.values.values():
        if isinstance(value, Statement):
            yield from quoted(value)
        else:
            yield value


@pytest.mark.parametrize("animal", WRONG, ids=lambda animal: animal.name)
def test_a_file_that_cannot_be_read_says_so(animal):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (its words are looked at)
        read_file(animal.data, name="a.csv", reading=animal.reading, task="auto")
    said = text.translate(caught.value)
    for value in quoted(caught.value.sentence):
        said = said.replace(str(value), " ").replace(repr(value), " ")
    assert list(foreign(said, ["Excel", "SPSS", "Weka", "SQLite", "Stata", "Numbers"])) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", b"a,b\n1,x\n2,x\n"), ("a.lastviz", b"PK"), ("a.json", b"{}"), ("a.xlsx", b"PK")],
)
def test_an_upload_that_is_refused_is_told(name, content):
    app = reached("data", data="iris")
    app.file_uploader(key="upload_field").set_value([(name, content, "text/plain")]).run()
    assert app.error
    assert told(app) == set()


@pytest.mark.parametrize("content", [b"{", b"[]", b"7"])
def test_a_model_that_is_none_is_told(content):
    app = reached("data", data="iris")
    app.file_uploader(key="own_model_field").set_value(("a.json", content, "text/json")).run()
    assert app.error
    assert told(app) == set()


@pytest.mark.parametrize("spoil", MODELS.values(), ids=MODELS)
def test_a_model_that_does_not_fit_is_told(spoil):
    model = json.loads(tree_file()[1])
    spoil(model)
    with pytest.raises(text.CannotShow) as caught:
        on_wine(json.dumps(model))
    assert list(foreign(str(caught.value), names_of(WINE))) == []


@pytest.mark.parametrize("content", NEW_ROWS.values(), ids=NEW_ROWS)
def test_new_rows_that_are_refused_are_told(content):
    with pytest.raises(text.CannotShow) as caught:
        score_file(Work(DEFAULT.having(data="friedman")), content, "new.csv")
    assert list(foreign(str(caught.value))) == []


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED)
def test_a_set_of_openml_that_cannot_be_had_is_told(asked, tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_OPENML_FOLDER", str(tmp_path / "sets"))
    with stand_in() as address:
        monkeypatch.setenv("LASTVIZ_OPENML", address)
        app = reached("data", data="moons")
        app.text_input(key="openml_field").set_value(asked).run()
        rerun_until(app, lambda app: app.session_state["openml_asked"] is None)
    assert app.error
    assert told(app) == set()


def foreign_in(page, data):
    """What of a page of html is in another language, but for programs and names."""
    names = names_of(Work(DEFAULT.having(data=data)).data.dataset)
    bare = re.sub(r"<(br|td|th|p|li|h\d|div|span)\b", r"\n<\1", TAGS.sub(" ", page))
    return {words for line in bare.split("\n") for words in foreign(line, names)}


@pytest.mark.parametrize(("page", "data", "key"), sampled(REPORTED, REPORTED[::3]))
def test_a_report_is_translated(page, data, key, monkeypatch):
    selection = DEFAULT.having(data=data, models=(Model(key),))
    monkeypatch.setattr(session, "current", lambda: selection)
    assert foreign_in(REPORTS[page]("https://example.org/"), data) == set()


@pytest.mark.parametrize(("page", "scene"), sampled(PARTS, PARTS[::9]))
def test_a_slide_is_translated(page, scene):
    found = ready_slide(Slide(page, scene), "https://example.org/", own_files=False)
    saved = page_of([found.slide], "", turns=True)
    assert foreign_in(saved, scene.split("&")[0].removeprefix("data=")) == set()


@pytest.mark.slow
def test_the_report_of_a_study_is_translated():
    asked = {"compared": "cart,k_nn,random_forest", "compared_on": "iris,wine", "study_folds": "3"}
    app = entered("compare", {"lang": MADE_UP, **asked}, visitor=TOKEN)
    app = app.button(key="study_begin").click().run()
    compute()
    language.speak(MADE_UP)
    study_id = app.session_state["selection"].compare.study
    with closing(StudyStore(address_of_store())) as line:
        study = line.study(study_id, TOKEN)
        scene = compare_scene(DEFAULT.change(study=study_id), study, TOKEN, "light")
    assert foreign_in(study_report(scene), "iris") == set()
