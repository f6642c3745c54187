"""Statements about tables and about order in them: counted over by pandas, and pair by pair."""

from functools import cache

import numpy as np
import pandas as pd

from lastviz.plots import number
from lastviz.ui.boundaries.details import plane_words
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.data.findings import findings
from lastviz.ui.data.report import report_of
from lastviz.ui.monotone.scene import audit_scene
from lastviz.ui.monotone.words import what_was_compared
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests import naive_monotone
from tests.sentences.rows import Kind, Look, count, percent, selected


@cache
def frame(fault, seed):
    """A table with a fault: two numbers, a colour and a class that goes with them."""
    rng = np.random.default_rng(seed)
    n = 150 + 10 * seed
    table = pd.DataFrame(rng.normal(size=(n, 2)).round(3), columns=["width", "height"])
    table["colour"] = rng.choice(["red", "green", "blue"], n)
    cut = 1.3 if fault == "rare" else 0.0
    grows = table["width"] + rng.normal(size=n) > cut
    table["class"] = np.where(grows, "yes", "no")
    extra = {
        "nearly": lambda: np.where(np.arange(n) == seed, 8, 7),
        "sparse": lambda: [f"text {k}" for k in rng.integers(0, n, n)],
        "id": lambda: [f"row {k}" for k in rng.permutation(n)],
        "recoded": lambda: np.where(grows, "ja", "nein"),
    }
    if fault in extra:
        table.insert(0, "more", extra[fault]())
    again = table.head({"repeats": 9, "named": 9, "contradicts": 5}.get(fault, 0) * seed)
    if fault == "contradicts":
        again = again.assign(**{"class": again["class"].map({"yes": "no", "no": "yes"})})
    table = pd.concat([table, again], ignore_index=True)
    if fault == "named":
        table.insert(0, "more", [f"row {k}" for k in rng.permutation(len(table))])
    return table


def of_table(fault, seed):
    table = frame(fault, seed)
    file = uploads.keep(f"{fault}{seed}.csv", table.to_csv(index=False).encode(), len(table))
    return DEFAULT.change(data=UPLOAD, upload=file)


def look_at(scene):
    selection = of_table(*scene)
    whole = Work(selection).data.full
    return [each.sentence for each in findings(report_of(selection, whole), whole, Work(selection))]


def named(fault, share):
    def twin(scene):
        return [{"name": "more"} | share(frame(*scene)["more"])] if scene[0] == fault else []

    return twin


def nearly(column):
    values = column.value_counts(normalize=True)
    return {"value": number(values.index[0]), "share": percent(values.iloc[0])}


def contradicting(scene):
    """Rows that are like another in all but the class, each looked for among all others."""
    rows = [tuple(row) for row in frame(*scene).to_numpy().tolist()]
    n = sum(any(a[:-1] == b[:-1] and a[-1] != b[-1] for b in rows) for a in rows)
    return [{"n": number(n), "share": percent(n / len(rows))}] if n else []


def repeating(scene):
    rows = [tuple(row) for row in frame(*scene).to_numpy().tolist()]
    n = sum(row in rows[:place] for place, row in enumerate(rows))
    return [{"n": number(n), "share": percent(n / len(rows))}] if n else []


def told_apart(scene):
    """Rows repeat an earlier one but for a column that names them."""
    table = frame(*scene)
    own = table["more"].nunique() == len(table) if "more" in table else False
    return [{"names": "“more”"}] if own and table.drop(columns="more").duplicated().any() else []


def seen_before(scene):
    rows = [tuple(row) for row in frame(*scene).to_numpy().tolist()]
    divided = Work(of_table(*scene)).first.division
    learnt = {rows[i] for i in divided.train_rows}
    n = sum(rows[i] in learnt for i in divided.held_out_rows)
    return [{"n": number(n)}] if n else []


def rare(scene):
    counts = frame(*scene)["class"].value_counts()
    if counts.iloc[-1] * 3 >= counts.iloc[0]:
        return []
    label, n = counts.index[-1], int(counts.iloc[-1])
    share = percent(n / sum(counts))
    return [{"label": label, "rows": count(n, "row", "rows"), "share": share}]


# Order


def boxes(look):
    """The leaves as boxes, by going down from the whole space."""
    tree, found = look.tree, []

    def down(node, low, high):
        if not tree.n_children[node]:
            found.append((low, high, int(tree.prediction[node])))
            return
        f, cut, first = tree.feature[node], tree.threshold[node], int(tree.first_child[node])
        down(first, low, [min(h, cut) if i == f else h for i, h in enumerate(high)])
        down(first + 1, [max(x, cut) if i == f else x for i, x in enumerate(low)], high)

    n = look.values.shape[1]
    down(0, [-np.inf] * n, [np.inf] * n)
    return found


@cache
def leaf_pairs(scene):
    """How many leaves, pairs of which a point can lie beyond the other's, and contradictions."""
    look = Look(scene)
    if look.tree is None:
        return 0, 0, 0
    found = boxes(look)
    low, high, label = zip(*found, strict=True)
    return len(found), *naive_monotone.comparable_boxes(low, high, label, [1] * len(low[0]))


def compared(scene):
    leaves, n, _ = leaf_pairs(scene)
    return [{"leaves": count(leaves, "leaf", "leaves"), "n": number(n)}] if leaves else []


def audited(scene):
    return [what_was_compared(audit_scene(Work(selected(scene))))]


FOUND, NOTES = "ui/data/findings.py::", "ui/monotone/words.py::"
PLAIN = ("plain", 1)


def in_plane(scene):
    return plane_words(plane_of(Work(selected(scene))))


def at_a_place(scene):
    look, plane = Look(scene), plane_of(Work(selected(scene)))
    rows = [tuple(row[f] for f in plane.features) for row in look.values.tolist()]
    mean = len(rows) / len(set(rows))
    return [{"n": number(float(f"{mean:.3g}"))}] if mean >= 3 else []


def of_fault(unit, text, fault, twin, never=PLAIN):
    return Kind(f"{FOUND}{unit}", text, look_at, twin, tuple((fault, k) for k in (1, 2, 3)), never)


CLEAN = "data=monotone&n_samples=100"
NOISY = f"{CLEAN}&label_noise=0.1&m=remt"
SMALL = "data=monotone&n_samples=60&m=remt&m.max_depth=1"
FIVE = "data=five_rows&held=0&m=remt&m.min_gain=0"
ROWS = [
    of_fault("_uninformative", "of the rows that have it", "nearly", named("nearly", nearly)),
    of_fault("_uninformative", "different texts", "sparse",
             named("sparse", lambda column: {"n": number(column.nunique())})),
    of_fault("_rows", "row ({share} %) contradicts|rows ({share} %) contradict", "contradicts",
             contradicting),
    of_fault("_rows", "row ({share} %) repeats|rows ({share} %) repeat", "repeats", repeating),
    of_fault("_rows", "held-out row also|held-out rows also", "repeats", seen_before),
    of_fault("_rows", "Not compared: {names}.", "named", told_apart, [("id", 1), ("repeats", 1)]),
    of_fault("_class", "is rare", "rare", rare),
    Kind("ui/shared/figures.py::apart_words", "Each grid point holds", in_plane, at_a_place,
         ("data=digits&m=cart", "data=digits&m=cart&x=pixel+1+1&y=pixel+4+4",
          "data=digits&m=cart&x=pixel+2+2&y=pixel+6+5"), "data=iris&m=cart"),
    Kind(f"{NOTES}what_was_compared", "A tree is constant in each of its boxes", audited, compared,
         (NOISY, f"{CLEAN}&m=remt", FIVE), f"{CLEAN}&m=mcdf"),
]  # fmt: skip
