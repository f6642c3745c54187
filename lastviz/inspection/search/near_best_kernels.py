"""Costs, counts and walks of all trees of depth two of a node.

The codes of the features that occur in a node are numbered through, "bins": those of feature g lie
from start[g] to start[g + 1]. A first question moves rows from the no side to the yes side, bin by
bin; a table of rows by bin and class, of all features, follows.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

NEVER = 1 << 40  # above every cost


@inline_kernel
def _bins_of(code, y, rows, n_classes):
    """First bins of features, codes of bins, bins of rows, rows by bin and class."""
    m, n = code.shape[0], rows.shape[0]
    highest = 0
    for g in range(m):
        for j in range(n):
            highest = max(highest, code[g, rows[j]])
    seen = np.empty(highest + 1, dtype=np.int32)
    start = np.zeros(m + 1, dtype=np.int64)
    name = np.empty(n * m, dtype=np.int64)
    bins = np.empty((n, m), dtype=np.int32)
    total = np.zeros((n * m, n_classes), dtype=np.int32)
    size = 0
    for g in range(m):
        seen[:] = -1
        for j in range(n):
            seen[code[g, rows[j]]] = 0
        for c in range(highest + 1):
            if seen[c] == 0:
                seen[c] = size
                name[size] = c
                size += 1
        for j in range(n):
            bins[j, g] = seen[code[g, rows[j]]]
            total[bins[j, g], y[rows[j]]] += 1
        start[g + 1] = size
    return start, name, bins, total[:size]


@inline_kernel
def _bound(start, total, yes, T, a, least):
    """Fill in the fewest errors of any stump, by side and feature.

    total, yes (bins, K): rows of the node and those of the yes side; T (2, K): rows of the sides.
    """
    K = T.shape[1]
    for g in range(start.shape[0] - 1):
        h0, l0, h1, l1 = 0, 0, 0, 0
        if K == 2:  # extremes of prefix sums: a row of class 0 counts 1, one of class 1 -1
            s0, s1 = 0, 0
            for p in range(start[g], start[g + 1]):
                v = yes[p, 0] - yes[p, 1]
                s0 += v
                s1 += total[p, 0] - total[p, 1] - v
                h0, l0, h1, l1 = max(h0, s0), min(l0, s0), max(h1, s1), min(l1, s1)
            least[0, g] = min(T[0, 0] - h0, T[0, 1] + l0)
            least[1, g] = min(T[1, 0] - h1, T[1, 1] + l1)
        else:
            a[:] = 0
            for p in range(start[g], start[g + 1]):
                x0, x1, y0, y1 = 0, 0, 0, 0  # rows of the largest classes before and after the cut
                for k in range(K):
                    a[0, k] += yes[p, k]
                    a[1, k] += total[p, k] - yes[p, k]
                    x0, x1 = max(x0, a[0, k]), max(x1, a[1, k])
                    y0, y1 = max(y0, T[0, k] - a[0, k]), max(y1, T[1, k] - a[1, k])
                h0, h1 = max(h0, x0 + y0), max(h1, x1 + y1)
            least[0, g] = T[0].sum() - h0
            least[1, g] = T[1].sum() - h1


@inline_kernel
def _place(X, own, g, rows, order, first, end, bins, none_above):
    """Bin of a row, whose value of feature g is `own`, among some rows of a node.

    The threshold of a cut lies halfway between the nearest values of those rows.
    """
    low, high, below, above = -np.inf, np.inf, 0, none_above
    for i in range(first, end):
        value = X[g, rows[order[i]]]
        if low < value <= own:
            low, below = value, bins[order[i], g]
        elif own < value < high:
            high, above = value, bins[order[i], g]
    middle = low / 2 + high / 2
    if not low <= middle < high:
        middle = low
    return below if np.isinf(low) or (not np.isinf(high) and own <= middle) else above


@inline_kernel
def _tally(
    first, end, total, yes, other, there, side, T, S, limit, price, small, at, klass, a, b, h
):
    """Count a side's stumps of one feature by cost; the least cost.

    at: bin of a row that must be called `klass`, -1 for none. Where `other` and `there`, as total
    and yes but by the classes that another tree says, are not empty, h gets the most rows of which
    a stump of that cost says another class. T, S (K): the side's rows by either class.
    """
    K, n = T.shape[0], T.sum()
    c, best = 0, NEVER
    if K == 2 and other.shape[0] == 0:
        # The same by d, how many more rows of class 0 than of class 1 lie before the cut: the
        # leaves say 0 and 1 from `high` on, at a cost of T[0] - d, or 1 and 0 up to `low`, of
        # T[1] + d.
        high = max(0, T[0] - T[1] + 1, T[0] + price - limit)
        low = min(-1, T[0] - T[1], limit - price - T[1])
        d = 0
        for p in range(first, end):
            v, w = yes[p, 0], yes[p, 1]
            if side == 1:
                v, w = total[p, 0] - v, total[p, 1] - w
            d += v - w
            c += v + w
            if d < high and d > low:
                continue
            called = at < 0 or (at <= p) == ((d >= high) == (klass == 0))
            if called and v + w > 0 and min(c, n - c) >= small:
                e = (T[0] - d if d >= high else T[1] + d) + price
                h[e] += 1
                best = min(best, e)
        return best
    a[:] = 0
    b[:] = 0
    for p in range(first, end):
        before, u, w = c, 0, 0  # u, w: the classes of the leaves
        for k in range(K):
            v = yes[p, k] if side == 0 else total[p, k] - yes[p, k]
            a[k] += v
            c += v
            u = k if a[k] > a[u] else u
            w = k if T[k] - a[k] > T[w] - a[w] else w
            if other.shape[0] > 0:
                b[k] += there[p, k] if side == 0 else other[p, k] - there[p, k]
        if c > before and u != w:
            e = n - a[u] - T[w] + a[w] + price
            called = at < 0 or (u if at <= p else w) == klass
            if e <= limit and min(c, n - c) >= small and called:
                if other.shape[0] > 0:
                    h[e] = max(h[e], n - b[u] - S[w] + b[w])
                else:
                    h[e] += 1
                best = min(best, e)
    return best


@inline_kernel
def _tally_side(s, X, x, rows, order, first, end, bins, start, least, known, total, yes, other,
                there, T, S, limit, price, small, klass, a, h, stump):  # fmt: skip
    """Count a side's stumps of the features whose bounds are within the limit.

    order[first:end] are the side's rows; known: whether the row x that must be called `klass` is
    there.
    """
    for g in range(stump.shape[1]):
        at, stump[s, g] = -1, NEVER
        if least[s, g] + price > limit:
            continue
        if known:
            at = _place(X, x[g], g, rows, order, first, end, bins, start[g + 1])
        stump[s, g] = _tally(
            start[g], start[g + 1], total, yes, other, there, s, T[s], S[s], limit, price, small,
            at, klass, a[0], a[1], h[s],
        )  # fmt: skip


@inline_kernel
def _join(hl, hr, el, er, differ, sl, sr, b, price, out):
    """Add the trees of a question by leaves - 1 and cost.

    el, er: costs of the sides as leaves, hl, hr: their stumps by cost, from sl, sr on.
    """
    if differ and el + er <= b:
        out[1, el + er + price] += 1
    for e in range(sr, b - el + 1):
        out[2, e + el + price] += hr[e]
    for e in range(sl, b - er + 1):
        out[2, e + er + price] += hl[e]
    for d in range(sl, b - sr + 1):
        for e in range(sr, b - d + 1):
            out[3, d + e + price] += hl[d] * hr[e]


@inline_kernel
def _raise(cost, rows, f, c, most, where):
    """Note a question whose tree of that cost differs on more rows than those before."""
    if rows > most[cost]:
        most[cost] = rows
        where[cost, 0] = f
        where[cost, 1] = c


@inline_kernel
def _join_farthest(hl, hr, el, er, dl, dr, differ, b, price, f, c, most, where):
    """Raise the most rows that trees of a question call otherwise, by cost.

    el, er and dl, dr: costs and differences of the sides as leaves; hl, hr: of their stumps.
    """
    if differ and el + er <= b:
        _raise(el + er + price, dl + dr, f, c, most, where)
    for e in range(b - el + 1):
        if hr[e] >= 0:
            _raise(e + el + price, dl + hr[e], f, c, most, where)
    for d in range(b - er + 1):
        if hl[d] >= 0:
            _raise(d + er + price, hl[d] + dr, f, c, most, where)
    for d in range(hl.shape[0]):
        for e in range(min(b - d + 1, hr.shape[0]) if hl[d] >= 0 else 0):
            if hr[e] >= 0:
                _raise(d + e + price, hl[d] + hr[e], f, c, most, where)


@inline_kernel
def _move(rows, y, order, i, end, bins, T, yes):
    """Move the rows order[i:end] to the yes side."""
    while i < end:
        j = order[i]
        k = y[rows[j]]
        T[0, k] += 1
        T[1, k] -= 1
        for g in range(bins.shape[1]):
            yes[bins[j, g], k] += 1
        i += 1


@inline_kernel
def _note_prices(f, el, er, same, stump, price, using, without):
    """Lower the least costs with and without each feature by those of a question."""
    fl, fr = stump[0].argmin(), stump[1].argmin()
    sl, sr = stump[0, fl], stump[1, fr]
    bl, br = min(el, sl), min(er, sr)
    both = min(sl + br, bl + sr) if same else bl + br
    using[f] = min(using[f], both + price)
    nl, nr = el, er  # least costs without the side's best feature
    for g in range(stump.shape[1]):
        using[g] = min(using[g], min(stump[0, g] + br, bl + stump[1, g]) + price)
        nl = min(nl, NEVER if g == fl else stump[0, g])
        nr = min(nr, NEVER if g == fr else stump[1, g])
    for g in range(stump.shape[1]):
        if g != f:
            both = (nl if g == fl else bl) + (nr if g == fr else br)
            without[g] = min(without[g], both + price)


@inline_kernel
def _name(cost, label, x, is_here, klass):
    """Cost of a side as a leaf, NEVER if it calls a row there otherwise."""
    return NEVER if x.shape[0] > 0 and is_here and label != klass else cost


@inline_kernel
def _count_classes(rows, y, bins, n_classes, total):
    """Rows by bin and class, added to `total`; by class."""
    counts = np.zeros(n_classes, dtype=np.int64)
    for j in range(rows.shape[0]):
        k = y[rows[j]]
        counts[k] += 1
        for g in range(bins.shape[1] if total.shape[0] > 0 else 0):
            total[bins[j, g], k] += 1
    return counts


@inline_kernel
def _find(counts, f, c, asked, found):
    """Note the trees that a question has just reached; how many they are."""
    n = 0
    for q in range(asked.shape[0]):
        so_far = counts[0, asked[q, 0], asked[q, 1]]
        if found[q, 0] < 0 and asked[q, 2] < so_far:
            found[q, 0], found[q, 1], found[q, 2] = f, c, asked[q, 2] - asked[q, 3]
            n += 1
        asked[q, 3] = so_far
    return n


@inline_kernel
def _order(rows, f, bins, start, total, ends, order):
    """Fill in the rows in the order of a feature, and where each of its bins ends."""
    ends[start[f]] = 0
    for p in range(start[f], start[f + 1]):
        ends[p + 1] = ends[p] + total[p].sum()
    for j in range(rows.shape[0]):
        order[ends[bins[j, f]]] = j
        ends[bins[j, f]] += 1  # in the end: where the bin ends


@kernel
def depth_two(  # noqa: PLR0915
    X, code, y, rows, n_classes, budget, price, small, floor, x, klass, predicted,
    counts, using, without, most, where, asked, found,
):  # fmt: skip
    """Sweep all first questions of a node; the least cost of its trees.

    The least cost is a bound above `budget` where it is more than that.

    floor >= 0: nothing is counted, and the sweep ends where the least cost reaches it. Else
    counts (m, 4, budget + 1) gets the trees by first question, leaves - 1 and cost (a leaf in line
    0), using and without (m) the least cost of a tree with and without each feature. These obey
    `small`, the fewest rows of a leaf, the least cost of the node does not.

    x (m): values of a row that must be called `klass`; empty without one. predicted (n_samples):
    classes that another tree says of all rows, or empty; with it most (budget + 1) gets the most
    rows of which a tree with a question says another class, -1 for none, where (budget + 1, 2) that
    question.

    asked (q, 4): leaves - 1, cost, number and 0, of trees to find; counts has one line then and
    found (q, 3) gets the first question's feature and code, and the number among its trees.

    O(n m^2) for moving rows, O(m) bins a cut, O(w^2) a cut within the budget, w costs wide.
    """
    m, n, b = code.shape[0], rows.shape[0], budget - price
    start, name, bins, total = _bins_of(code, y, rows, n_classes)
    far, left = predicted.shape[0] > 0, asked.shape[0]
    nothing = np.zeros((0, n_classes), dtype=np.int32)
    other = np.zeros_like(total) if far else nothing
    there, yes = np.zeros_like(other), np.zeros_like(total)
    T, S = np.zeros((2, n_classes), dtype=np.int64), np.zeros((2, n_classes), dtype=np.int64)
    counts_of_all = _count_classes(rows, y, bins, n_classes, nothing)
    all_predicted = _count_classes(rows, predicted if far else y, bins, n_classes, other)
    leaf = n - counts_of_all.max()
    best = min(leaf, budget + 1)
    budget = best - 1 if floor >= 0 else budget
    named = leaf <= budget and (x.shape[0] == 0 or counts_of_all.argmax() == klass)
    if floor < 0 and n >= small and named:
        counts[0, 0, leaf] += 1
        without[:] = np.minimum(without, leaf)
    if budget < price or n < 2 or best <= floor:
        return best
    h, a = np.zeros((2, budget + 1), dtype=np.int64), np.empty_like(T)
    least, stump = np.empty((2, m), dtype=np.int64), np.empty((2, m), dtype=np.int64)
    ends, order = np.zeros(start[m] + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
    for f in range(m):
        _order(rows, f, bins, start, total, ends, order)
        yes[:], there[:] = 0, 0
        T[0], T[1], S[0], S[1] = 0, counts_of_all, 0, all_predicted
        wait, i, has_row = 0, 0, x.shape[0] > 0
        here = _place(X, x[f], f, rows, order, 0, n, bins, start[f + 1]) if has_row else -1
        for p in range(start[f], start[f + 1] - 1):
            wait -= ends[p] - i
            _move(rows, y, order, i, ends[p], bins, T, yes)
            if far:
                _move(rows, predicted, order, i, ends[p], bins, S, there)
            i = ends[p]
            if wait > 0 or (floor < 0 and (i < small or n - i < small)):
                continue
            kl, kr = T[0].argmax(), T[1].argmax()
            el, er = i - T[0, kl], n - i - T[1, kr]
            _bound(start, total, yes, T, a, least)
            bl, br = min(el, least[0].min() + price), min(er, least[1].min() + price)
            best = min(best, bl + br + price)
            budget = best - 1 if floor >= 0 else budget
            if best <= floor:
                return best
            wait = bl + br + price - budget  # a row that moves changes a least cost by one at most
            if wait > 0:
                continue
            is_here = here <= p
            el, er = _name(el, kl, x, is_here, klass), _name(er, kr, x, not is_here, klass)
            for s in range(2):
                limit = b - (br if s == 0 else bl)
                known = has_row and is_here == (s == 0)
                first, end = (0, i) if s == 0 else (i, n)
                h[s, : limit + 1] = -1 if far else 0
                _tally_side(
                    s, X, x, rows, order, first, end, bins, start, least, known, total, yes, other,
                    there, T, S, limit, price, small, klass, a, h, stump,
                )  # fmt: skip
            if far:
                _join_farthest(
                    h[0, : b - br + 1], h[1, : b - bl + 1], el, er, i - S[0, kl], n - i - S[1, kr],
                    kl != kr, b, price, f, name[p], most, where,
                )  # fmt: skip
                continue
            line, sl, sr = f % counts.shape[0], stump[0].min(), stump[1].min()
            _join(h[0], h[1], el, er, kl != kr, sl, sr, b, price, counts[line])
            left -= _find(counts, f, name[p], asked, found)
            if left == 0 and asked.shape[0] > 0:
                return best
            _note_prices(f, el, er, kl == kr, stump, price, using, without)
    return best


@kernel
def stumps_of(code, y, rows, n_classes, price, small):
    """All stumps of a node, (q, 3): feature, code and cost."""
    start, name, _, total = _bins_of(code, y, rows, n_classes)
    out, q = np.empty((total.shape[0], 3), dtype=np.int64), 0
    counts_of_all = total[: start[1]].sum(0)
    for g in range(code.shape[0]):
        x = np.zeros(n_classes, dtype=np.int64)
        for p in range(start[g], start[g + 1] - 1):
            x += total[p]
            rest = counts_of_all - x
            if min(x.sum(), rest.sum()) >= small and x.argmax() != rest.argmax():
                out[q, 0], out[q, 1] = g, name[p]
                out[q, 2] = rows.shape[0] - x.max() - rest.max() + price
                q += 1
    return out[:q]
