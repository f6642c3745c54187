"""Slow, obvious twins of the hybrid criteria, per candidate and straight from the formulas."""

import math
from itertools import combinations, pairwise

import numpy as np

from tests import naive, naive_monotone


def normalise(X):
    out = np.zeros(X.shape)
    for f in range(X.shape[1]):
        low, high = X[:, f].min(), X[:, f].max()
        half = 0.5 if math.isinf(float(high) - float(low)) else 1.0
        if high > low:
            out[:, f] = (X[:, f] * half - low * half) / (high * half - low * half)
    return out


def candidates(X, y, n_classes):
    """(feature, value, left rows) of every distinct value but the largest, of every feature."""
    for feature in range(X.shape[1]):
        for value in np.unique(X[:, feature])[:-1]:
            yield feature, value, X[:, feature] <= value


def squared(a, b):
    return sum((p - q) ** 2 for p, q in zip(a.tolist(), b.tolist(), strict=True))


def bnm5(Z, y, left, root=False):
    terms = []
    for c in set(y.tolist()):
        if (left & (y == c)).any() and (~left & (y == c)).any():
            d = squared(Z[left & (y == c)].mean(axis=0), Z[~left & (y == c)].mean(axis=0))
            terms.append(math.sqrt(d) if root else d)
    return sum(terms) / len(terms) if terms else 0.0


def charged(y, left, apart):
    """The mean over the classes of each child of how near others come to them, summed."""
    total = 0.0
    for side in (left, ~left):
        present = set(y[side].tolist())
        if len(present) > 1:
            parts = [apart(side & (y == c), side & (y != c)) for c in present]
            total += sum(parts) / len(parts)
    return total


def penalty(z, y, left, threshold):
    def nearest(rows):
        return min(abs(v - threshold) for v in z[rows].tolist())

    return charged(y, left, lambda own, others: nearest(own) + nearest(others))


def exact_penalty(Z, y, left):
    def nearest(own, others):
        return min(math.sqrt(squared(a, b)) for a in Z[own] for b in Z[others])

    return charged(y, left, nearest)


def dichotomies(present, ecoc):
    """Pairs of groups of classes."""
    if len(present) == 2:
        return [((present[0],), (present[1],))]
    if ecoc == "one_vs_one":
        return [((a,), (b,)) for a, b in combinations(present, 2)]
    if ecoc == "one_vs_rest":
        return [((c,), tuple(o for o in present if o != c)) for c in present]
    first, rest = present[0], present[1:]
    out = []
    for size in range(len(rest)):
        for with_first in combinations(rest, size):
            others = tuple(c for c in rest if c not in with_first)
            out.append(((first, *with_first), others))
    return out


def child_csn(Z, y, ecoc):
    present = sorted(set(y.tolist()))
    if len(present) < 2:
        return 0.0
    middle = {c: Z[y == c].mean(axis=0) for c in present}
    within = sum(squared(row, middle[c]) for row, c in zip(Z, y.tolist(), strict=True))
    between = sum(
        squared(Z[np.isin(y, a)].mean(axis=0), Z[np.isin(y, b)].mean(axis=0))
        for a, b in dichotomies(present, ecoc)
    )
    return within / between if between > 1e-14 else math.inf


def csn(Z, y, left, ecoc="one_vs_rest"):
    n = len(y)
    return sum(side.sum() / n * child_csn(Z[side], y[side], ecoc) for side in (left, ~left))


def segments(values, y):
    along = [c for _, c in sorted(zip(values.tolist(), y.tolist(), strict=True))]
    return 1 + sum(a != b for a, b in pairwise(along))


def children_segments(X, y, left, feature, minimum):
    along = range(X.shape[1]) if minimum else [feature]
    return [min(segments(X[side, f], y[side]) for f in along) for side in (left, ~left)]


def hellinger(left, right):
    best = 0.0
    for c in range(len(left)):
        ours, rest = left[c] + right[c], sum(left) + sum(right) - left[c] - right[c]
        if ours and rest:
            parts = [
                (math.sqrt(side[c] / ours) - math.sqrt((sum(side) - side[c]) / rest)) ** 2
                for side in (left, right)
            ]
            best = max(best, math.sqrt(sum(parts)))
    return best


def table(X, y, n_classes, *, penalty_of="approximate", ecoc="one_vs_rest", minimum=False,
          root=False, ranked=False):  # fmt: skip
    """Every candidate with its columns, a list of dicts; `ranked` adds those of ordered classes."""
    Z = normalise(X)
    out = []
    for feature, value, left in candidates(X, y, n_classes):
        L = np.bincount(y[left], minlength=n_classes).tolist()
        R = np.bincount(y[~left], minlength=n_classes).tolist()
        threshold = Z[left, feature].max()
        charge = {
            "approximate": lambda v=(feature, left, threshold): penalty(Z[:, v[0]], y, v[1], v[2]),
            "exact": lambda v=left: exact_penalty(Z, y, v),
            "none": lambda: 0.0,
        }[penalty_of]()
        gain = naive.gain(L, R, naive.entropy)
        first, second = children_segments(X, y, left, feature, minimum)
        row = {
            "feature": feature, "threshold": value, "n_left": sum(L), "n_right": sum(R),
            "gini": naive.gain(L, R, naive.gini), "gain": gain,
            "gain_ratio": gain / naive.entropy([sum(L), sum(R)]),
            "hellinger": hellinger(L, R),
            "segments": (sum(L) * first + sum(R) * second) / len(y),
            "segment_sum": first + second, "ratio": min(first, second) / max(first, second),
            "bnm5": bnm5(Z, y, left, root), "penalty": charge, "csn": csn(Z, y, left, ecoc),
        }  # fmt: skip
        row["bnm"] = row["bnm5"] - row["penalty"]
        if ranked:
            for name, dominance in (("rmi", "ascending"), ("rmi_descending", "descending")):
                row[name] = naive_monotone.information(left, y, dominance, 1)
            row["rmi_mean"] = (row["rmi"] + row["rmi_descending"]) / 2
        out.append(row)
    return out


def ordered_in_groups(rows, score):
    """Rows best first: what ties with the best one left comes in the order of the table."""
    left, out = list(rows), []
    while left:
        best = max(score(r) for r in left)
        tied = [r for r in left if score(r) >= best - naive.TIE * max(1.0, abs(best))]
        out += tied
        left = [r for r in left if r not in tied]
    return out


def least(rows, score):
    """All rows that tie with the smallest."""
    low = min(score(r) for r in rows)
    return [r for r in rows if score(r) <= low + naive.TIE * max(1.0, abs(low))]


def choose(rows, criterion, *, w1=1.0, w2=0.02, k=3, alpha=0.5):
    """The winning row under one of the hybrid criteria."""
    if criterion in ("gini", "csn"):
        first = ordered_in_groups(rows, lambda r: r["gini"])
    elif criterion in ("bnm", "bnm+csn"):
        first = ordered_in_groups(rows, lambda r: w1 * r["gini"] + w2 * r["bnm"])
    elif criterion == "spce":
        first = ordered_in_groups(rows, lambda r: r["hellinger"])
    else:
        first = ordered_in_groups(rows, lambda r: r["gain_ratio"])
    if criterion in ("gini", "bnm", "gain_ratio_raw"):
        return first[0]
    top = first[:k]
    if criterion.endswith("csn"):
        return least(top, lambda r: r["csn"])[0]
    if criterion == "segment":
        return least(top, lambda r: r["segments"])[0]
    if criterion == "spce":
        return ordered_in_groups(least(top, lambda r: r["segment_sum"]), lambda r: r["ratio"])[0]
    low, high = (f(r["segments"] for r in top) for f in (min, max))
    span = high - low or 1.0
    few = {id(r): 1 - (r["segments"] - low) / span for r in top}
    return ordered_in_groups(top, lambda r: alpha * r["gain_ratio"] + (1 - alpha) * few[id(r)])[0]
