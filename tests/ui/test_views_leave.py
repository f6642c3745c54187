"""Every view of every page leaves as it is seen: its slide and its report are those of no other."""

import re
from html import unescape

import pytest
from streamlit.delta_generator import DeltaGenerator

from lastviz.export.mathml import mathml
from lastviz.host.jobs import Working
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.page_file import page_of, ready_scene, reports
from lastviz.ui.sheet import sheet
from lastviz.ui.state import session
from lastviz.ui.state.selection import FIELDS, PAGE_OF
from lastviz.ui.story.rendering import PICTURED
from tests.patience import until
from tests.sentences.rows import selected

from .conftest import sampled

TWO = "data=moons&m=cart&m2=oc1&m.max_depth=3&node=1&node2=1"
NUMBERS = "data=breast_cancer&m=cart&m.max_depth=3"
RULES = f"{NUMBERS}&rule_view=rules"
ROW = f"{NUMBERS}&rule_view=row&lit=21"
IRIS = "data=iris&m=cart&m2=c45"
XOR = "data=xor&n_samples=60&m=cart&m2=c45&m.max_depth=2&m2.max_depth=2"
NEAR = "data=moons&n_samples=150&noise=0.3&m=cart&m.max_depth=2&split_view=near_best"
MANY = "data=iris&m=cart&m.max_depth=2&split_view=near_best"
ORDER = "data=monotone&n_samples=60&label_noise=0.1&m=cart"
STUDY = "study=example"
# What Markdown and LaTeX are written in, which nobody is to read.
MARKUP = re.compile(r"\\[^\w\s]|\*\*|[_^]\{|\\[a-z]+\{|\$[^$]{1,40}\$")
# Field of a page -> a scene in which it says something, and what a link says for another value of
# it; without that, each of its words is tried.
VIEWS = {
    "detail": (TWO,),
    "against": (f"{TWO}&m3=c45&detail=differ", "against=3"),
    "pixels": ("data=digits&m=cart&m.max_depth=3",),
    "tint": (TWO,),
    "smoothing": (f"{TWO}&tint=certainty",),
    "smoothing_m": (f"{TWO}&tint=certainty", "smoothing_m=9"),
    "split_view": (XOR,),
    "near_depth": (NEAR, "near_depth=3"),
    "near_thresholds": (NEAR, "near_thresholds=4"),
    "near_errors": (NEAR, "near_errors=0"),
    "near_leaves": (f"{NEAR}&near_depth=3", "near_leaves=7"),
    "near_holds": (NEAR, "near_holds=x2:f"),
    "near_gap": (f"{NEAR}&roles=s2", "near_gap=95"),
    "near_tree": (MANY, "near_tree=1"),
    "near_row": (MANY, "near_row=5"),
    "pick": (IRIS, "pick=3"),
    "opened": (IRIS, "opened=2"),
    "criteria": (IRIS,),
    "curves": (IRIS, "curves=csn"),
    "rule": (IRIS, "rule=csn"),
    "distances": (XOR,),
    "lab": (XOR,),
    "better": (XOR, "better=true"),
    "lines_by": (f"{XOR}&lab=landscape", "by=gain_ratio"),
    "line": (f"{XOR}&lab=landscape", "line=45_30"),
    "every_feature": (NUMBERS, "every_feature=true"),
    "components": ("data=iris&m=gsodt", "components=2.3"),
    "space": ("data=iris&m=gsodt",),
    "step": ("data=moons&m=cart", "step=2"),
    "picture": ("data=iris&m=svm_tree",),
    "in_step": (IRIS, "in_step=true"),
    "growth_view": ("data=moons&m=cart",),
    "hand": ("data=moons&m=cart&growth_view=hand", "hand=T1_0.5~0L~1L"),
    "hand_at": ("data=moons&m=cart&growth_view=hand&hand=T1_0.5~0L~1L", "hand_at=1"),
    "rule_view": (NUMBERS,),
    "drawing": (RULES,),
    "rows_of": (RULES, "rows_of=held_out"),
    "least": (RULES, "least=100"),
    "only": (RULES, "only=2"),
    "from_rows": (RULES, "from_rows=50"),
    "from_confidence": (RULES, "from_confidence=95"),
    "order": (RULES,),
    "flip_to": ("data=iris&m=cart&rule_view=row&lit=21", "flip_to=3"),
    "flip_metric": (ROW.replace("=3", "=4"),),
    "flip_holds": (ROW, "flip_holds=worst%20area:s"),
    "flip_rows": (ROW, "flip_rows=150"),
    "cost_miss": (NUMBERS, "cost_miss=9"),
    "cost_alarm": (NUMBERS, "cost_alarm=9"),
    "cut": (NUMBERS, "cut=20"),
    "costs": ("data=iris&m=cart", "costs=0,1,5,1,0,1,9,1,0"),
    "group_by": (NUMBERS, "group_by=3"),
    "group_class": (NUMBERS, "group_class=1"),
    "pruner": (IRIS,),
    "leaf_cost": (IRIS,),
    "cut_at": (IRIS, "cut_at=0"),
    "folds": (IRIS, "folds=4"),
    "beside": (IRIS, "beside=pessimistic"),
    "weighed": (IRIS, "weighed=2"),
    "part": (ORDER, "part=audit"),
    "inclusion": (ORDER, "inclusion=0.9"),
    "pair": (ORDER, "pair=3"),
    "lesson": ("",),
    "loan": ("", "loan=01120.21001"),
    "points": ("lesson=squares", "points=1~4.5_2~4.75_3~8"),
    "grown": ("lesson=tree",),
    "inner": ("lesson=tree", "inner=0"),
    "root": ("", "root=2"),
    "root2": ("", "root2=3"),
    "alpha": ("lesson=pruning", "leaf_price=1"),
    "pieces": ("lesson=squares", "pieces=2"),
    "metric": (STUDY, "metric=leaves"),
    "rope": (STUDY, "rope=0.2"),
    "rivals": (STUDY, "rivals=1.3"),
    "study_cell": (STUDY, "study_cell=3"),
    "paper_table": ("paper_table=svm_tree1", "paper_table=sodt2"),
    "tuned": ("paper_table=bnm_csn2",),
}
NO_VIEWS = {
    "typed": "it is in no link: a sample that somebody typed is their own business",
    "study": "a study is data: another one is another scene",
    "compared": "a study that is put together has no results yet",
    "compared_on": "as compared",
    "protocol": "as compared",
    "repeats": "as compared",
    "study_folds": "as compared",
    "inner_folds": "as compared",
}


def scenes(name):
    """The scene of a field, and the others that differ in it alone."""
    query, *other = VIEWS[name]
    if other:
        return selected(query), [selected(f"{query}&{other[0]}")]
    words = [word for word in FIELDS[name].param.choices if word != "auto"]  # it is one of them
    first, *others = [selected(query).change(**{name: word}) for word in words]
    return first, others


def waited_for(make):
    """What a function returns once no job is needed for it any more."""
    while True:
        try:
            return make()
        except Working as working:
            until(lambda job=working.job: job.look("a test").is_over)


@pytest.fixture
def leaves(monkeypatch):
    """The slide and the report of a scene on a page; neither is drawn by Streamlit."""
    enqueue = DeltaGenerator._enqueue

    def enqueued(*args, **more):
        assert sheet() is None, args
        return enqueue(*args, **more)

    monkeypatch.setattr(DeltaGenerator, "_enqueue", enqueued)

    def both(page, selection):
        module, work = PICTURED[page], Work(selection)
        ready = waited_for(lambda: ready_scene(work, page, module, (), {}, own_files=True))
        assert not ready.lacks
        here = session.current
        with pytest.MonkeyPatch.context() as there:
            there.setattr(session, "current", lambda: selection if sheet() is None else here())
            report = waited_for(lambda: module.report(None)) if reports(work, module) else None
        return page_of([ready.slide], "a", turns=True), report

    return both


def words_of(page):
    """What a reader of a page sees of its words."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.S)
    return unescape(re.sub("<[^>]+>", " ", body))


def test_every_field_of_a_page_is_a_view_or_has_a_reason():
    assert {name for name, page in PAGE_OF.items() if page in PICTURED} == {*VIEWS, *NO_VIEWS}
    assert not {*VIEWS} & {*NO_VIEWS}


@pytest.mark.parametrize("name", sampled(VIEWS, ["detail", "lab", "space", "lesson", "order"]))
def test_a_view_leaves_as_it_is_seen(name, leaves):
    base, others = scenes(name)
    page = PAGE_OF[name]
    found = [leaves(page, each) for each in (base, *others)]
    slides, reports = zip(*found, strict=True)
    apart = list(range(len(found)))  # the first place of each is its own
    assert [slides.index(each) for each in slides] == apart
    assert reports[0] is None or [reports.index(each) for each in reports] == apart
    for text in (*slides, *filter(None, reports)):
        assert MARKUP.findall(words_of(text)) == []


@pytest.mark.parametrize(
    ("latex", "seen"),
    [
        (r"\tfrac12 x_i^2", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"
         "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\max_{c} \sqrt{a - 1{,}234.5}", "<munder><mo>max</mo><mrow><mi>c</mi></mrow></munder>"
         "<msqrt><mrow><mi>a</mi><mo>−</mo><mn>1,234.5</mn></mrow></msqrt>"),
        (r"\text{a\_b < \textbackslash{}c} \mathsf T \left( \bar x \right)",
         "<mtext>a_b &lt; \\c</mtext><mtext>T</mtext><mo>(</mo>"
         "<mover><mi>x</mi><mo>¯</mo></mover><mo>)</mo>"),
    ],
)  # fmt: skip
def test_formulas_are_drawn_without_latex(latex, seen):
    assert mathml(latex, "inline") == f'<math display="inline"><mrow>{seen}</mrow></math>'


def test_lines_of_a_formula_are_rows():
    rows = mathml(r"\begin{aligned}a & = b \\[2pt]& = c\end{aligned}").split("<mtr>")[1:]
    seen = [re.sub("<[^>]+>", "", row) for row in rows]
    assert seen == ["a=b", "=c"]
