"""The leaves of a threshold tree as boxes low < x <= high, and the order between them.

rising and falling (n_features,) say along which features a box must not lie above or below;
a feature with both must meet, one with neither plays no part.
"""

from lastviz._numba import inline_kernel, kernel


@inline_kernel
def _may_lie_below(low_one, high_one, low_other, high_other, rising, falling):
    """Whether a point of one box is dominated by a point of the other."""
    for f in range(rising.shape[0]):
        if rising[f] and low_one[f] >= high_other[f]:
            return False
        if falling[f] and low_other[f] >= high_one[f]:
            return False
    return True


@kernel
def box_violations(low, high, label, rising, falling, pairs):
    """Count the ordered pairs of boxes with points x <= z.

    Also count those of them with a falling label.

    pairs (n, 2) receives the first of these. Returns the number of pairs of different labels
    and of violating ones. O(n_boxes^2 n_features).
    """
    n_comparable = 0
    n_violating = 0
    for i in range(label.shape[0]):
        for j in range(label.shape[0]):
            if label[i] == label[j]:
                continue
            if _may_lie_below(low[i], high[i], low[j], high[j], rising, falling):
                n_comparable += 1
                if label[i] > label[j]:
                    if n_violating < pairs.shape[0]:
                        pairs[n_violating, 0] = i
                        pairs[n_violating, 1] = j
                    n_violating += 1
    return n_comparable, n_violating


@kernel
def envelope(X, low, high, label, rising, falling, lowest, highest):
    """Bound the labels of a monotone function by those of the boxes; label is sorted.

    highest (n) receives for each row of X the largest label of a box with a point that the row
    dominates, lowest (n) the smallest label of a box with a point that dominates the row. Every
    row must lie in a box. O(n n_boxes n_features).
    """
    n_boxes = label.shape[0]
    for i in range(X.shape[0]):
        x = X[i]
        for j in range(n_boxes - 1, -1, -1):
            below = True
            for f in range(rising.shape[0]):
                if (rising[f] and low[j, f] >= x[f]) or (falling[f] and x[f] > high[j, f]):
                    below = False
                    break
            if below:
                highest[i] = label[j]
                break
        for j in range(n_boxes):
            above = True
            for f in range(rising.shape[0]):
                if (rising[f] and x[f] > high[j, f]) or (falling[f] and low[j, f] >= x[f]):
                    above = False
                    break
            if above:
                lowest[i] = label[j]
                break
