"""The course as values: scenes in teaching order, each with guided steps.

A step is a link that sets the whole state, the page that shows it, a text with named places, and
the picture that it points at. The places are filled by :mod:`lastviz.ui.compute.course_facts` with
numbers of that very state: none is written into a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from urllib.parse import parse_qsl

from . import session
from .codec import decode
from .link_texts import write_place
from .selection import Selection

TEACH, DEBUG, DEMO = USES = ("Teach", "Debug", "Demo")


def places_of(text: str) -> tuple[str, ...]:
    """Names of the places in a text, each once."""
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name))


@dataclass(frozen=True)
class CourseStep:
    """One step of a scene."""

    page: str  # the page that shows it, by the name of its file
    link: str  # the query string that sets its state
    text: str  # what the picture shows, in English, with places such as `{leaves}`
    points_at: str  # the key of the container or chart that it is about

    @property
    def query(self) -> dict[str, str]:
        """The link, part by part."""
        return dict(parse_qsl(self.link))

    def selection(self) -> Selection:
        """Selection of the link."""
        return decode(self.query, session.data_params, session.model_params)[0]


@dataclass(frozen=True)
class CourseScene:
    """A question with the steps that answer it."""

    key: str
    question: str
    line: str  # one line with a number of its first step, in English, with places
    use: str  # {"Teach", "Debug", "Demo"}
    minutes: int  # what it takes to go through it
    steps: tuple[CourseStep, ...]  # three to five

    @property
    def page(self) -> str:
        """The page of the first step."""
        return self.steps[0].page

    @property
    def query(self) -> dict[str, str]:
        """The link that opens the first step, part by part."""
        return self.query_of(1)

    def query_of(self, step: int) -> dict[str, str]:
        """Link that opens a step, counted from 1, part by part."""
        return self.steps[step - 1].query | {"scene": write_place((self.key, step))}

    def selection(self) -> Selection:
        """Selection of the first step."""
        return self.steps[0].selection()

    def at(self, step: int) -> Selection:
        """State of a step, counted from 1, with its place in the course."""
        return self.steps[step - 1].selection().change(course=(self.key, step))


# ---- The first lessons of the course: questions, what tells most, when to stop


CLOUDS = "data=blobs&n_samples=200&held=0&m=cart"
OVERLAP = "data=gauss_2d&n_samples=1000"
NO_MDL = "mdl_correction=false"
GROWN_AND_PRUNED = f"{OVERLAP}&m=c45&m.pruning=none&m.{NO_MDL}&m2=c45&m2.{NO_MDL}"

FIRST_LESSONS = (
    CourseScene(
        "split",
        "What is a split?",
        "Three clouds: {inner} questions, {leaves} leaves",
        TEACH,
        5,
        (
            CourseStep(
                "splits",
                CLOUDS,
                "A tree asks one yes or no question at a time. For these {rows} rows there are "
                "{candidates} different questions; the curves around the picture score every one "
                "of them.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                CLOUDS,
                "The strongest line is the best: {test}. It sends {yes} rows to yes and {no} to "
                "no, and lowers the Gini impurity of {impurity} by {best_gini}.",
                "lab_plot",
            ),
            CourseStep(
                "growth",
                CLOUDS,
                "Each side is split again, on its own, until nothing is left to split. Play it: "
                "{inner} questions, {leaves} leaves.",
                "growth",
            ),
        ),
    ),
    CourseScene(
        "information_gain",
        "Which question is most informative?",
        "Fifteen loans: {test}",
        TEACH,
        6,
        (
            CourseStep(
                "splits",
                "data=loan&held=0&m=id3",
                "{rows} applications for a loan, four things known of each. ID3 looks for "
                "what is most informative about the decision: the feature with the longest bar, "
                "here {test}.",
                "tests",
            ),
            CourseStep(
                "textbook",
                "data=xor&lesson=gain",
                "The same sums written out: the entropy of the decision, what is left of it after "
                "each question, and the difference, which is the information gain. Change a cell "
                "of the table and every number follows.",
                "lesson-body",
            ),
            CourseStep(
                "textbook",
                "data=xor&lesson=tree",
                "The tree that grows from these sums. A click on a node shows the sums of its own "
                "rows.",
                "lesson-body",
            ),
        ),
    ),
    CourseScene(
        "greedy",
        "Why does a curve become a staircase?",
        "Three spirals: {leaves_2} leaves, each a box",
        TEACH,
        4,
        (
            CourseStep(
                "boundaries",
                "data=three_spirals&m=cart&m.max_leaf_nodes=20&m2=cart",
                "Every question is about one feature, so every border is parallel to an axis. "
                "With {leaves} leaves (left) the spirals are still cut through: accuracy "
                "{accuracy} % on rows held out.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=three_spirals&m=cart&m.max_leaf_nodes=20&m2=cart",
                "Without a limit (right) {leaves_2} boxes follow the curves: accuracy "
                "{accuracy_2} % on held-out rows, and a tree that nobody can read.",
                "plane1",
            ),
            CourseStep(
                "boundaries",
                "data=three_spirals&m=svm_tree&m.sigma=18&m.C=100&m2=cart",
                "The curve is in the data, the staircase in the kind of question: an SVM tree, "
                "which asks with curves, needs {inner} questions for an accuracy of {accuracy} %.",
                "plane0",
            ),
        ),
    ),
    CourseScene(
        "overfitting",
        "What was noise, what was structure?",
        "Two classes that overlap: {leaves} leaves, {leaves_2} after pruning",
        TEACH,
        7,
        (
            CourseStep(
                "boundaries",
                GROWN_AND_PRUNED,
                "Left, C4.5 as it was grown: {leaves} leaves, accuracy {training} % on the "
                "training rows and only {accuracy} % on held-out rows.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                GROWN_AND_PRUNED,
                "Right, what pruning leaves of it: {leaves_2} leaves. Its accuracy in "
                "training fell to {training_2} %, that on new rows went from {accuracy} to "
                "{accuracy_2} %. What can be pruned without a loss on new rows was noise.",
                "plane1",
            ),
            CourseStep(
                "growth",
                f"{OVERLAP}&m=c45&m.{NO_MDL}",
                "Step by step: first every split, then every branch that pruning removes or "
                "raises, each with its reason. {grown_leaves} leaves were grown, {leaves} remain.",
                "growth",
            ),
            CourseStep(
                "pruning",
                f"{OVERLAP}&m=c45&m.{NO_MDL}",
                "How far back is far enough? C4.5 grew {grown_leaves} leaves; every dot is a "
                "smaller tree. Move alpha, the price of a leaf, and watch which borders "
                "disappear first.",
                "pruning_curve",
            ),
        ),
    ),
    CourseScene(
        "nominal",
        "How does a tree ask about words?",
        "Nominal features: {leaves} rules for {rows} rows",
        TEACH,
        4,
        (
            CourseStep(
                "splits",
                "data=loan&held=0&m=c45&m.min_samples_leaf=1&m.pruning=none",
                "There are no numbers here, only yes and no and three ages. A test of a nominal "
                "feature makes a branch for every value. C4.5 divides the gain by the split "
                "information, so that many values are no advantage; it asks {test} first.",
                "tests",
            ),
            CourseStep(
                "rules",
                "data=loan&held=0&m=c45&m.min_samples_leaf=1&m.pruning=none&rule_view=rules",
                "Read as {leaves} rules, each a path from the root to a leaf, with the rows that "
                "it classifies correctly.",
                "rules_plot",
            ),
            CourseStep(
                "textbook",
                "data=xor&lesson=ratio",
                "The two gain ratios of the literature on the same table, written out: they "
                "divide by different things, and the ranking may differ.",
                "lesson-body",
            ),
        ),
    ),
)
