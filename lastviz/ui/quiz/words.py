"""Questions and the verdicts on their answers, in sentences and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from lastviz.plots import largest_first
from lastviz.plots.visuals.words import exact_number, numbers_of
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.headline import class_sign, table_html
from lastviz.ui.text import number, percent, plural, t

from .scene import (
    NOWHERE,
    AnswerVerdict,
    ClassQuestion,
    NodeQuestion,
    NumberQuestion,
    PosedQuestion,
    SplitQuestion,
    letter,
    place_of,
)

KIND_TITLES = {
    "split": "Where would it split first?",
    "class": "Which class is predicted here?",
    "node": "Which node is wrong?",
    "errors": "How many rows does it get wrong?",
}
LEFT_OUT = {
    "best_within_feature": "another threshold of the same feature comes before it",
    "positive": "it gains nothing",
    "at_least": "it gains less than the least that is asked for",
    "at_least_mean": "it gains less than the mean of the features' best",
    "top_k": "it is not among the {k} candidates shortlisted in step 1",
}
OWN_BEST = "best_within_feature"  # says no more than the scores, unless they say otherwise
MOST_RANGES = 8  # that answers of numbers are counted in
MIDDLE = 0.25  # of the rows, that are on each side of a cut through the middle
MOST_VALUES = 12  # of a row, that are listed


def heading(posed: PosedQuestion) -> str:
    """Question itself, about its algorithm or in the teacher's own words."""
    ask = posed.work.selection.view.ask
    if ask is not None and ask.text:
        return ask.text
    texts = {
        "split": t("Where would {algorithm} split first?", algorithm=posed.title),
        "class": t("Which class does {algorithm} predict here?", algorithm=posed.title),
        "node": t("Which node of this tree by {algorithm} is wrong?", algorithm=posed.title),
        "errors": t("How many rows does {algorithm} get wrong?", algorithm=posed.title),
    }
    return texts[posed.question.kind]


def alt_of(posed: PosedQuestion) -> str:
    """Alternative text of the picture of a question."""
    if isinstance(posed, NodeQuestion):
        return t("A tree whose inner nodes have the same letters as in the table.")
    return t("The training rows of {name} by class.", name=t(posed.dataset.name))


def choices_of(posed: ClassQuestion | NodeQuestion | NumberQuestion) -> dict[str, str]:
    """Possible answers, with the labels of their buttons; those of a number as ranges."""
    if isinstance(posed, ClassQuestion):
        return {str(k): name for k, name in enumerate(posed.class_names)}
    if isinstance(posed, NumberQuestion):
        return {f"{a}-{b}": t("{low} to {high} rows", low=a, high=b) for a, b in _ranges(posed)}
    return {str(node): letter(place) for place, node in enumerate(posed.inner)}


def answer_words(posed: PosedQuestion, answer: str) -> str:
    """Answer as plain text."""
    if isinstance(posed, SplitQuestion):
        place = place_of(answer, len(posed.names))
        if place is None:
            return t("Nowhere: it stays one leaf")
        return f"{posed.names[place[0]]} ≤ {exact_number(place[1])}"
    if isinstance(posed, NumberQuestion) and answer.isdecimal():
        return plural(int(answer), "{n} row", "{n} rows")
    name = choices_of(posed).get(answer, "–")
    if isinstance(posed, NodeQuestion) and answer in choices_of(posed):
        return t("{name}: {about}", name=name, about=posed.test(int(answer)))
    return name


def groups(posed: PosedQuestion, answers: Mapping[str, int]) -> dict[str, int]:
    """Number of times each answer was given, by label; thresholds by feature."""
    if isinstance(posed, SplitQuestion):
        found = dict.fromkeys([*posed.names, t("Nowhere: it stays one leaf")], 0)
        names = list(found)
        for answer, n in answers.items():
            place = place_of(answer, len(posed.names))
            found[names[-1] if place is None else names[place[0]]] += n
        return found if len(found) <= 9 else {name: n for name, n in found.items() if n}
    found = dict.fromkeys(choices_of(posed), 0)
    for answer, n in answers.items():
        if (choice := choice_of(posed, answer)) in found:
            found[choice] += n
    return {answer_words(posed, answer): n for answer, n in found.items()}


def _ranges(posed: NumberQuestion) -> list[tuple[int, int]]:
    """Ranges that answers fall into, eight at most."""
    width = max(-(-(posed.n + 1) // MOST_RANGES), 2)
    return [(low, low + width - 1) for low in range(0, posed.n + 1, width)]


def choice_of(posed: PosedQuestion, answer: str) -> str:
    """Choice that an answer counts as: itself, or the range that a number lies in."""
    if not isinstance(posed, NumberQuestion) or not answer.isdecimal():
        return answer
    return next(f"{a}-{b}" for a, b in _ranges(posed) if a <= int(answer) <= b)


def crowd_words(posed: PosedQuestion, answers: Mapping[str, int]) -> str:
    """Sentence that counts the answers of a class once the algorithm's is shown."""
    is_cut = isinstance(posed, SplitQuestion)
    fits = _cuts_through_the_middle if is_cut else is_right
    n = sum(times for answer, times in answers.items() if fits(posed, answer))
    return t(
        "{n} of {all} cut through the middle: at least a quarter of the rows on each side."
        if is_cut else "{n} of {all} are right.",
        n=number(n), all=number(sum(answers.values())),
    )  # fmt: skip


def _cuts_through_the_middle(posed: SplitQuestion, answer: str) -> bool:
    place = place_of(answer, len(posed.names))
    if place is None:
        return False
    first = np.mean(posed.division.values[posed.rows, place[0]] <= place[1])
    return bool(MIDDLE <= first <= 1 - MIDDLE)


def bars(counts: Mapping[str, int], right: str = "") -> str:
    """Distribution of answers as bars with their numbers; the `right` one in ink."""
    largest, total = max(counts.values(), default=0), sum(counts.values())
    rows = []
    for name, n in counts.items():
        width = 100 * n / largest if largest else 0
        share = t("{n} of {all}", n=number(n), all=number(total))
        style = ' class="lv-right"' if name == right else ""
        rows.append(
            f"<tr{style}><th>{escape(name)}</th><td><i style='width:{width:.1f}%'></i></td>"
            f"<td>{share}</td></tr>"
        )
    label = escape(t("Answers of the class"))
    return (
        f'<table class="lv-quiz-bars" aria-label="{label}"><tbody>{"".join(rows)}</tbody></table>'
    )


# A split is right if it separates the rows as the tree does.
def is_right(posed: PosedQuestion, answer: str) -> bool:
    """Whether an answer is right."""
    if isinstance(posed, NumberQuestion):
        return answer.isdecimal() and abs(int(answer) - int(posed.answer)) <= posed.tolerance
    if isinstance(posed, SplitQuestion) and answer != NOWHERE and posed.answer != NOWHERE:
        return posed.verdict(answer).is_best
    return answer == posed.answer


def reveal_answer(posed: PosedQuestion, answer: str | None) -> str:
    """Answer of the algorithm beside the reader's, with the numbers, as html."""
    if isinstance(posed, SplitQuestion):
        return _split_revealed(posed, answer)
    if isinstance(posed, ClassQuestion):
        return _class_revealed(posed, answer)
    if isinstance(posed, NumberQuestion):
        return _number_revealed(posed, answer)
    return _node_revealed(posed, answer)


def _card(lines: Sequence[str], table: str = "") -> str:
    inside = "".join(f"<p>{line}</p>" for line in lines if line)
    return f'<div class="lv-quiz-card" role="status">{inside}{table}</div>'


def _split_revealed(posed: SplitQuestion, answer: str | None) -> str:
    if posed.answer == NOWHERE:
        truth = t("<b>Nowhere</b>: the root stays a leaf. {why}", why=escape(posed.reason))
    else:
        test = escape(answer_words(posed, posed.answer))
        truth = t("{algorithm} takes <b>{test}</b>.", algorithm=escape(posed.title), test=test)
    if answer is None:
        return _card([truth])
    verdict = posed.verdict(answer)
    if verdict is None:
        return _card([truth, _yours(posed, answer)])
    return _card([truth, *verdict_lines(posed, verdict)], _scores(verdict))


def verdict_lines(posed: SplitQuestion, verdict: AnswerVerdict) -> list[str]:
    """Gap between a split and the algorithm's, in words, as html."""
    if verdict.candidate < 0:
        return [t("Yours separates nothing: all rows lie on one side of it.")]
    if verdict.is_best:
        return [t("Yours divides the rows in the same way: it is the best of {n} candidates.",
                  n=number(verdict.n))]  # fmt: skip
    lines = []
    if verdict.rank == 0:
        lines.append(t("Yours is not admissible: one of its children would be too small."))
    elif verdict.best >= 0:
        lines.append(
            t("By the deciding criterion yours is number {rank} of {n} candidates.",
              rank=number(verdict.rank), n=number(verdict.n))
        )  # fmt: skip
    stage = None if verdict.left_out is None else posed.search.rule.stages[verdict.left_out]
    if stage is not None and (stage.keeps != OWN_BEST or verdict.score >= verdict.best_score):
        why = t(LEFT_OUT.get(stage.keeps, LEFT_OUT["positive"]), k=number(stage.k or 1))
        lines.append(t("The rule excludes it before its last step: {why}.", why=why))
    return lines


def _scores(verdict: AnswerVerdict, mine: str = "", other: str = "") -> str:
    """Criteria that the rule reads, of both splits, as a table."""
    titles = t("criterion"), mine or t("yours"), other or t("the algorithm's")
    rows = (
        f"<tr><th>{escape(column_title(name))}</th><td>{_score(own)}</td><td><b>{_score(best)}</b>"
        "</td></tr>"
        for name, own, best in verdict.columns
    )
    return table_html("lv-quiz-scores", titles, rows)


def _score(value: float) -> str:
    return number(value) if np.isfinite(value) else "–"


def _class_revealed(posed: ClassQuestion, answer: str | None) -> str:
    predicted, true = (
        f"{class_sign(k, posed.theme)} {escape(posed.class_names[k])}"
        for k in (posed.prediction, int(posed.division.y[posed.row]))
    )
    title = escape(posed.title)
    lines = [t("{algorithm} says <b>{name}</b>.", algorithm=title, name=predicted)]
    if answer is not None:
        lines.append(_yours(posed, answer))
    lines.append(t("The true class of the row is {name}.", name=true))
    steps = "".join(f"<li>{step}</li>" for step in posed.path)
    path = f"<p>{t('Its path:')}</p><ol>{steps}</ol>" if steps else ""
    return _card(lines, path + _shares(posed))


def _shares(posed: ClassQuestion) -> str:
    """Support for each class: votes of a forest, else class supports."""
    head = t("Votes of the trees:") if posed.is_forest else t("Class supports where it ends:")
    top, others = largest_first(posed.votes, 5)
    parts = [f"{escape(posed.class_names[k])} {percent(posed.votes[k])} %" for k in top]
    parts += [f"{t('other classes')} {percent(others)} %"] * bool(others)
    return f"<p>{head} {t(', ').join(parts)}</p>" if parts else ""


def _number_revealed(posed: NumberQuestion, answer: str | None) -> str:
    truth = t(
        "{algorithm} gets <b>{wrong} of {n}</b> held-out rows wrong."
        if len(posed.division.held_out_rows)
        else "{algorithm} gets <b>{wrong} of {n}</b> training rows wrong.",
        algorithm=escape(posed.title), wrong=posed.answer, n=number(posed.n),
    )  # fmt: skip
    lines = [truth] if answer is None else [truth, _yours(posed, answer)]
    near = t("Up to {n} off is near enough.", n=number(posed.tolerance))
    return _card([*lines, near] if posed.tolerance else lines)


def _node_revealed(posed: NodeQuestion, answer: str | None) -> str:
    place = posed.inner.index(posed.altered)
    lines = [
        t(
            "<b>{letter}</b> is wrong: it shows {test}, but the node's own search selects "
            "<b>{best}</b>.",
            letter=letter(place),
            test=escape(posed.test(posed.altered)),
            best=escape(posed.best_test(posed.altered)),
        )
    ]
    if answer is not None:
        lines.append(_yours(posed, answer))
    verdict = posed.verdict(posed.altered)
    return _card(lines, _scores(verdict, t("what stands there"), t("what it takes")))


def _yours(posed: PosedQuestion, answer: str) -> str:
    return t("Your answer: {answer}", answer=escape(answer_words(posed, answer)))


def table_of(posed: PosedQuestion) -> str:
    """Numbers that a question is answered by, as html; "" where the picture says all."""
    if isinstance(posed, NodeQuestion):
        return node_table(posed)
    return row_table(posed) if isinstance(posed, ClassQuestion) else ""


def node_table(posed: NodeQuestion) -> str:
    """Inner nodes with their letters, tests and class counts, as html."""
    names = "".join(f"<th>{class_sign(k, posed.theme)} {escape(name)}</th>"
                    for k, name in enumerate(posed.class_names))  # fmt: skip
    head = f"<tr><th>{t('node')}</th><th>{t('test')}</th><th>{t('answer')}</th>{names}</tr>"
    rows = []
    for place, node in enumerate(posed.inner):
        for branch, child in enumerate(posed.tree.children(node)):
            counts = "".join(f"<td>{number(float(n))}</td>" for n in posed.tree.value[child])
            first = ""
            if branch == 0:
                test = escape(posed.test(node))
                first = f'<th rowspan="2">{letter(place)}</th><th rowspan="2">{test}</th>'
            answer = t("yes") if branch == 0 else t("no")
            rows.append(f"<tr>{first}<td>{answer}</td>{counts}</tr>")
    return (
        f'<div class="lv-scroll"><table class="lv-quiz-nodes"><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def row_table(posed: ClassQuestion) -> str:
    """Values of the row in question, as html; "" where the picture says them."""
    x = posed.division.X.iloc[posed.row]
    if len(x) <= 2 and not posed.plane.is_banded:
        return ""
    rows = "".join(
        f"<tr><th>{escape(str(name))}</th><td>{_value(value, posed.division.X[name])}</td></tr>"
        for name, value in list(x.items())[:MOST_VALUES]
    )
    more = len(x) - MOST_VALUES
    note = plural(more, "{n} more feature", "{n} more features") if more > 0 else ""
    foot = f"<caption>{note}</caption>" if note else ""
    return f'<table class="lv-quiz-scores"><tbody>{rows}</tbody>{foot}</table>'


def _value(value: object, column: pd.Series) -> str:
    if value is None or value != value:
        return t("missing")
    is_number = isinstance(value, float | int | np.number)
    return numbers_of(column.to_numpy(), [value])[0] if is_number else escape(str(value))
