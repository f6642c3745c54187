"""The words of the pages, each with a definition and, where there is one, its formula."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from lastviz.criteria import CRITERIA, Candidate, Criterion
from lastviz.criteria.expression import tex_number
from lastviz.estimators import TreeClassifier
from lastviz.inspection import candidate_table, card_candidate, split_geometry
from lastviz.plots import number
from lastviz.ui.sheet import st
from lastviz.ui.text import join_names, paragraph, percent, plain, t

SCALED = "Each feature is scaled to 0..1 by its range over the rows of the node."
MARGIN = (
    "$m_l^{(c)}$ and $m_r^{(c)}$: means of the rows of class $c$ on the left and on the right; "
    "$C$: number of classes with rows on both sides. Each feature is scaled to 0..1 by its range "
    "over the rows of the node."
)
ON_ONE_SIDE = (
    "$x_l^{(p)}$: a row of class $p$ on the left, $x_l^{(\\neq p)}$: one of another class there; "
    "$C_l$: number of classes there; $Q$ is the same on the right. A side with one class counts 0."
)
THRESHOLD = (
    "$t$: the largest value of the feature on the left, also where the tree cuts halfway to the "
    "next value."
)
WITHIN = (
    "$D_i$: rows of one side; $k$: a class there, $m_k$ the mean of its rows; $A|B$: {groups}, "
    "$m_A$ the mean of all rows of $A$. Of two classes $A|B$ is that pair; a side with one class "
    "counts 0."
)
GROUPS = {
    "one_vs_rest": "each class against all others of the side together",
    "one_vs_one": "each pair of classes of the side",
    "exhaustive": "each division of the classes of the side into two groups",
}


def letters(formula: str, ecoc: str = "one_vs_rest") -> list[str]:
    """Explanations of the letters in a formula that measures the rows themselves."""
    lines = []
    if "m_l" in formula:
        lines.append(t(MARGIN))
    if "(P + Q)" in formula:
        lines.append(t("$P + Q$: the penalty of BNM."))
    if "C_l" in formula:
        lines += [t(ON_ONE_SIDE), *([t(THRESHOLD)] if "- t" in formula else []), t(SCALED)]
    if "A|B" in formula:
        lines += [t(WITHIN, groups=t(GROUPS[ecoc])), t(SCALED)]
    return lines


def general_formula(name: str, candidate: Candidate, ecoc: str = "one_vs_rest") -> None:
    """Draw the measured formula of criterion `name`, and explain its letters."""
    criterion = CRITERIA[name]
    own = criterion.card(candidate).formula
    shown = (criterion.formula, *own) if criterion.ordered_classes or not own else own
    for formula in filter(None, shown):
        st.latex(formula)
    for line in letters(" ".join(shown), ecoc):
        st.caption(line)
    if criterion.reads == "order":
        st.caption(t("A segment is a run of rows of one class along the split feature."))
    if criterion.ordered_classes:
        st.caption(
            t(
                "$n$ rows in the node, $n_R$ of them on the upper side of the cut and $n_L$ on the "
                "lower; $T_k$, $R_k$ and $L_k$ are those of class $k$, and $T_{\\ge k}$ those of "
                "class $k$ or a higher one. In nats."
            )
        )


def with_numbers(name: str, candidate: Candidate, score: float) -> None:
    """Draw the formula with the numbers of a candidate, and the resulting score."""
    if np.isfinite(score):
        st.latex(CRITERIA[name].card(candidate).latex(score))
    else:
        st.latex(rf"\text{{{t(CRITERIA[name].short)}}} = {tex_number(score)}")


# ---------------------------------------------------------------- glossary


@dataclass(frozen=True)
class Term:
    """A word of the pages."""

    name: str  # in English
    definition: str  # in English
    formula: str = ""  # LaTeX; empty if there is none
    symbols: str = ""  # what its letters mean, in English with LaTeX; see `symbols_of`
    criterion: str = ""  # its key, of a criterion
    stands_for: str = ""  # what the name is short for


WORDS = (
    Term("accuracy", "The share of rows whose class is predicted correctly. On held-out rows "
                     "it estimates the accuracy on new rows; on training rows it does not.",
         r"\frac{1}{n}\sum_i [\hat{y}_i = y_i]"),
    Term("alpha", "The price of a leaf in cost-complexity pruning: a subtree stays as long as it "
         "saves more risk than alpha for each of its leaves.",
         r"R_\alpha(T) = R(T) + \alpha\,|\tilde{T}|"),
    Term("baseline", "The result of always predicting the majority class of the training rows, on "
                     "the same rows as the model."),
    Term("Bayes error", "The expected error of the best possible rule, which knows how the data "
         "are made; no classifier can do better on new rows."),
    Term("candidate", "A place where a node could be split: a feature and a threshold, a grouping "
         "of categories, or a hyperplane."),
    Term("class share", "The share of a node's training rows that have a class.",
         r"p_k = \frac{n_k}{n}"),
    Term("confidence", "Of a rule: the share of its rows that have the class that it predicts."),
    Term("coverage", "Of a rule: the share of all rows of a class that it classifies correctly."),
    Term("depth", "How many questions lie between the root and a node; of a tree, the most."),
    Term("entropy", "How mixed the classes of some rows are, in bits: 0 if there is one class.",
         r"H = -\sum_k p_k \log_2 p_k"),
    Term("feature", "A column of the table that the tree may ask about."),
    Term("Gini impurity", "How often two rows drawn at random from a node have different classes.",
         r"G = 1 - \sum_k p_k^2"),
    Term("greedy", "Taking the best split of a node at once, without looking at what could be "
         "split below it."),
    Term("held out", "Rows that take no part in training and are used to evaluate the model."),
    Term("hyperplane", "A straight border in several features at once: a weighted sum compared "
                       "with a threshold.", r"w_1 x_1 + \dots + w_m x_m \leq t"),
    Term("leaf", "A node without a question; it predicts a class, or a number."),
    Term("misclassified", "The predicted class is not the true one."),
    Term("monotone", "Growing with a feature: a row that is at least as high in all features does "
         "not get a lower class."),
    Term("node", "A set of training rows that gave the same answers to the same tests."),
    Term("oblique", "A test of several features at once, by a hyperplane."),
    Term("overfitting", "Learning what holds for the training rows alone: accuracy rises on them "
         "and falls on rows held out."),
    Term("path", "The questions from the root to a node, with their answers."),
    Term("pruning", "Cutting a grown tree back, or stopping its growth, so that it predicts new "
         "rows better or is easier to read."),
    Term("pure", "A node whose rows all have the same class."),
    Term("root", "The first node; it holds all training rows."),
    Term("root mean squared error (RMSE)", "How far predicted numbers are off, large errors "
         "counting more; in the unit of the numbers.",
         r"\sqrt{\frac{1}{n}\sum_i (y_i - \hat{y}_i)^2}"),
    Term("slice", "A picture of two features with all others fixed: exact, but only for rows that "
         "have these other values."),
    Term("split", "A test that divides the rows of a node: yes to one child, no to the other, or "
                  "one child for each category."),
    Term("support", "Of a rule: how many training rows meet it."),
    Term("support vector", "A training row on the edge of an SVM's margin, inside it or on the "
                           "wrong side: the SVM is a sum over these rows."),
    Term("threshold", "The number that a feature's value is compared with.", r"x \leq t"),
    Term("training rows", "The rows that the tree is grown from."),
    Term("variance explained (R²)", "The share of the squared deviations from the mean that the "
         "prediction takes away.",
         r"R^2 = 1 - \frac{\sum_i (y_i - \hat{y}_i)^2}{\sum_i (y_i - \bar{y})^2}"),
)  # fmt: skip

LARGE = "A criterion that scores splits; large is better."
SMALL = "A criterion that scores splits; small is better."


def _of_criterion(key: str, row: Criterion) -> Term:
    idea = row.idea or (SMALL if row.smaller_is_better else LARGE)
    return Term(row.title, idea, row.formula, row.symbols, key, row.stands_for)


TERMS = tuple(
    sorted(
        (*WORDS, *(_of_criterion(key, row) for key, row in CRITERIA.items())),
        key=lambda term: term.name.casefold(),
    )
)
# The example of all criteria: rows in the order of a feature, split in the middle.
EXAMPLE_CLASSES, EXAMPLE_THRESHOLD = "AAABABBB", 4.5


# The numbers are those of a split.
def symbols_of(term: Term) -> list[str]:
    """Explanations of the letters in a term's formula, as shown beside its numbers."""
    if term.criterion and CRITERIA[term.criterion].reads == "geometry":
        return letters(term.formula)
    return [t(term.symbols)] if term.symbols else []


@cache
def example_scores() -> dict[str, tuple[Candidate, float]]:
    """Example as the card of each criterion reads it, and the criterion's score."""
    values = np.arange(1.0, len(EXAMPLE_CLASSES) + 1)[:, None]
    classes = np.array([ord(name) - ord("A") for name in EXAMPLE_CLASSES])
    rows, keys = np.arange(len(classes)), tuple(k for k, row in CRITERIA.items() if row.idea)
    table = candidate_table(values, classes, rows, 2, criteria=keys)
    half = len(classes) // 2
    here = int(np.flatnonzero(table.left_counts.sum(axis=1) == half)[0])
    geometry = split_geometry(values, classes, rows, 0, EXAMPLE_THRESHOLD)
    candidate = card_candidate(table, here, geometry=geometry)
    return {key: (candidate, float(table.columns[key][here])) for key in keys}


FIELD = "glossary_search"


def terms_with(text: str) -> tuple[Term, ...]:
    """Terms whose name or definition has a text, in the reader's language."""
    wanted = text.strip().casefold()
    return tuple(
        term
        for term in TERMS
        if wanted in t(term.name).casefold() or wanted in t(term.definition).casefold()
    )


def glossary_button() -> None:
    """Draw the button that opens the glossary over the page."""
    if st.button(t("Glossary"), key="glossary", type="tertiary", icon=":material/menu_book:"):
        st.dialog(t("Glossary"), width="large")(_glossary)()


def _glossary() -> None:
    text = st.text_input(t("Search the glossary"), key=FIELD)
    found = terms_with(text)
    if not found:
        st.caption(t("No term matches this search."))
    for term in found:
        name = f"**{plain(t(term.name))}**"
        if term.stands_for:
            name += f" ({plain(t(term.stands_for))})"
        lines = [name, plain(t(term.definition)), f"${term.formula}$" if term.formula else ""]
        if symbols := symbols_of(term):
            lines += [*symbols, *_example(term.criterion)]
        st.markdown("  \n".join(filter(None, lines)))


def _example(key: str) -> tuple[str, str]:
    candidate, score = example_scores()[key]
    sentence = t(
        "Example: {n} rows with x = 1, ..., {n} of the classes {classes}, split at x ≤ "
        "{threshold}:",
        n=len(EXAMPLE_CLASSES),
        classes=", ".join(EXAMPLE_CLASSES),
        threshold=number(EXAMPLE_THRESHOLD),
    )
    return sentence, f"${CRITERIA[key].card(candidate).latex(score)}$"


# ---- What is said of the settings of an SVM tree: what they are, and where they come from


def settings_words(model: TreeClassifier) -> str:
    """Width of the kernel, the price of slack and the scaling of a fitted tree."""
    return f"{_choice(model)} {_scaling(model)}"


def _choice(model: TreeClassifier) -> str:
    found, linear = model.cross_validation_, model.kernel == "linear"
    values = {"sigma": number(model.sigma_), "price": number(model.C_)}
    taken = t("C is {price}." if linear else "Sigma is {sigma} and C is {price}.", **values)
    if found is None and (model.C == "auto" or (model.sigma == "auto" and not linear)):
        return paragraph([taken, t("Every class has a single training row: none could be held out "
                                   "to choose by.")])  # fmt: skip
    if found is None:
        return taken
    names = [] if linear or model.sigma != "auto" else ["sigma"]
    names += ["C"] if model.C == "auto" else []
    chosen = t(
        "Chosen by {folds}-fold cross-validation on {n} of the {m} training rows ({share} % right "
        "when held out): {names}.",
        names=join_names(names),
        folds=found.n_folds,
        n=number(found.n_rows),
        m=number(int(model.grown_tree_.n_node_samples[0])),
        share=percent(found.accuracy),
    )
    return paragraph([taken, chosen])


def _scaling(model: TreeClassifier) -> str:
    if model.standardises:
        return t("The features are standardised by the training rows: mean 0, standard "
                 "deviation 1.")  # fmt: skip
    return t("The features are not scaled.")
