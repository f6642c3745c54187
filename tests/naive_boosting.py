"""Monotone boosting by its definition: a loop over rows, thresholds and borders."""

import math

LARGEST_STEP = 10.0


def steps(rows, slopes, bounds, penalty):
    """Return the Newton step of each border on some rows, within its bounds."""
    found = []
    for k, (low, high) in enumerate(bounds):
        slope = math.fsum(slopes[i][k][0] for i in rows)
        bend = math.fsum(slopes[i][k][1] for i in rows)
        found.append(min(max(-slope / (bend + penalty), low), high))
    return found


def loss(rows, slopes, bounds, penalty):
    """Return the change of the loss by these steps, in its quadratic approximation."""
    total = 0.0
    for k, step in enumerate(steps(rows, slopes, bounds, penalty)):
        slope = math.fsum(slopes[i][k][0] for i in rows)
        bend = math.fsum(slopes[i][k][1] for i in rows) + penalty
        total += slope * step + 0.5 * bend * step**2
    return total


def gains(X, rows, slopes, bounds, directions, penalty, min_rows):
    """Return (feature, largest value below the cut) -> decrease of the loss, if admissible."""
    found = {}
    for f, direction in enumerate(directions):
        for value in sorted({X[i][f] for i in rows})[:-1]:
            sides = [i for i in rows if X[i][f] <= value], [i for i in rows if X[i][f] > value]
            one, two = (steps(side, slopes, bounds, penalty) for side in sides)
            falls = any(direction * (b - a) < -1e-12 for a, b in zip(one, two, strict=True))
            if min(map(len, sides)) >= min_rows and not falls:
                below = sum(loss(side, slopes, bounds, penalty) for side in sides)
                found[f, value] = loss(rows, slopes, bounds, penalty) - below
    return found


def leaves(X, y, rows, slopes, directions, *, depth, penalty, min_rows, bounds=None):
    """Grow one tree; return [(rows of a leaf, step of each border)]."""
    if bounds is None:
        bounds = [(-LARGEST_STEP, LARGEST_STEP)] * len(slopes[0])
    found = gains(X, rows, slopes, bounds, directions, penalty, min_rows)
    most = max(found.values(), default=0.0)
    best = next((cut for cut, gain in found.items() if gain >= most - 1e-11), None)
    pure, small = len({y[i] for i in rows}) == 1, len(rows) < 2 * min_rows
    if depth == 0 or pure or small or best is None or found[best] <= 1e-12:
        return [(rows, steps(rows, slopes, bounds, penalty))]
    f, value = best
    sides = [i for i in rows if X[i][f] <= value], [i for i in rows if X[i][f] > value]
    one, two = (steps(side, slopes, bounds, penalty) for side in sides)
    inherited = [bounds, bounds]
    if directions[f]:
        middle = [(a + b) / 2 for a, b in zip(one, two, strict=True)]
        lower = [(low, m) for (low, _), m in zip(bounds, middle, strict=True)]
        upper = [(m, high) for (_, high), m in zip(bounds, middle, strict=True)]
        inherited = [lower, upper] if directions[f] > 0 else [upper, lower]
    return [
        leaf
        for side, inside in zip(sides, inherited, strict=True)
        for leaf in leaves(
            X, y, side, slopes, directions,
            depth=depth - 1, penalty=penalty, min_rows=min_rows, bounds=inside,
        )
    ]  # fmt: skip


def boosted(X, y, n_classes, directions, *, rounds, rate, depth, penalty, min_rows):
    """Return the scores of all rows after rounds on all rows."""
    n = len(y)
    odds = [sum(label > k for label in y) / sum(label <= k for label in y)
            for k in range(n_classes - 1)]  # fmt: skip
    scores = [[math.log(each) for each in odds] for _ in range(n)]
    for _ in range(rounds):
        share = [[1 / (1 + math.exp(-s)) for s in row] for row in scores]
        slopes = [
            [(p - (label > k), p * (1 - p)) for k, p in enumerate(row)]
            for row, label in zip(share, y, strict=True)
        ]
        tree = leaves(
            X, y, list(range(n)), slopes, directions,
            depth=depth, penalty=penalty, min_rows=min_rows,
        )  # fmt: skip
        for rows, step in tree:
            for i in rows:
                scores[i] = [s + rate * v for s, v in zip(scores[i], step, strict=True)]
    return scores
