"""Walking from hyperplane to hyperplane: OC1's and CART-LC's searches of one node.

Both start from the best axis-parallel split and improve one coefficient after the other by
exact line searches. OC1 then jumps in random directions and starts anew from random
hyperplanes; CART-LC pivots each coefficient about three points and deletes what it can spare.
One step of the walk is a few line searches at most; the walk can be left after any step and
taken up again.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.goodness_kernels import minorities
from lastviz.criteria.ties_kernels import tie_ceiling, tie_floor
from lastviz.splitters.oblique.line_kernels import search_line
from lastviz.splitters.oblique.trajectory import Move

AXIS, RANDOM, COEFFICIENT = int(Move.AXIS), int(Move.RANDOM), int(Move.COEFFICIENT)
CONSTANT, JUMP, DELETION = int(Move.CONSTANT), int(Move.JUMP), int(Move.DELETION)
# Entries of Walk.state. PHASE is where the walk goes on, AT the coefficient in work; DELETED
# counts the features deleted, -1 once that is over; KIND is that of the last move.
PHASE, RESTART, AT, IMPROVED, CYCLE, JUMPS, DELETED = range(7)
N_MOVES, BEST_MOVE, AXIS_FEATURE, KIND = range(7, 11)
START_AXIS, START_RANDOM, DESCEND, LOCAL_OPTIMUM, FINISHED = 0, 1, 2, 3, 4
# Entries of Walk.goodness.
CURRENT, BEST, BEST_AXIS = 0, 1, 2

GAP = 1e-10  # see search_line: rows closer than this are not parted by an oblique hyperplane
FARTHEST = 1e9  # and a row that would change sides farther out stays on its side
MOST_CYCLES = 100
SMALLEST, LARGEST = 1e-6, 1e6  # the hyperplane is rescaled when its weights leave this range


class Walk(NamedTuple):
    """State of the search.

    A hyperplane is sum_j w_j z_j + w_m = 0.
    """

    weights: np.ndarray  # (m + 1,)
    V: np.ndarray  # (n,): its value at each row
    D: np.ndarray  # (n,): the direction in work
    trial: np.ndarray  # (n,): scratch values
    best: np.ndarray  # (m + 1,): the best hyperplane so far
    active: np.ndarray  # (m,) bool: features that may have a weight
    goodness: np.ndarray  # current, best, best of the axis-parallel ones
    state: np.ndarray  # (11,) int64


class SearchPlan(NamedTuple):
    """Parameters and random directions of the search."""

    n_restarts: int
    pivots: np.ndarray  # a coefficient is searched along z_j + pivot
    backward_deletion: float  # 0: none
    starts: np.ndarray  # (n_restarts, m) random weights; the first row is not used
    jumps: np.ndarray  # (n_restarts, n_jumps, m + 1) random directions


class Trace(NamedTuple):
    """A caller's record of the moves; those beyond its length are not written."""

    restart: np.ndarray  # (capacity,) int64
    kind: np.ndarray  # (capacity,) int64
    weights: np.ndarray  # (capacity, m + 1)
    goodness: np.ndarray  # (capacity,)


@inline_kernel
def _better(value, than):
    return value > than and (than == -np.inf or value > tie_ceiling(than))


@kernel
def _record(walk, trace):
    """Note the current hyperplane as the walk's next move, of the kind in its state."""
    state = walk.state
    move = state[N_MOVES]
    if move < trace.kind.shape[0]:
        trace.restart[move] = state[RESTART]
        trace.kind[move] = state[KIND]
        trace.weights[move] = walk.weights
        trace.goodness[move] = walk.goodness[CURRENT]
    state[N_MOVES] = move + 1


@kernel
def _add(total, factor, values, offset):
    """Total += factor * (values + offset), all of them one-dimensional."""
    for i in range(total.shape[0]):
        total[i] += factor * (values[i] + offset)


@kernel
def _keep_in_range(walk):
    """Rescale the hyperplane when its largest weight has become very small or large."""
    largest = 0.0
    for weight in walk.weights:
        largest = max(largest, abs(weight))
    if largest < SMALLEST or largest > LARGEST:
        for values in (walk.weights, walk.V):
            for i in range(values.shape[0]):
                values[i] /= largest


@kernel
def _move_constant(classes, scratch, walk):
    """Search the constant with the weights fixed.

    Returns the best goodness and its step.
    """
    walk.D[:] = -1.0
    return search_line(walk.V, walk.D, classes, scratch, GAP, FARTHEST)


@kernel
def _start_axis(space, classes, scratch, walk, trace):
    """Look at one feature's best threshold; after the last one, start from the best."""
    state = walk.state
    m = space.Z.shape[0]
    j = state[AT]
    if j < m:
        walk.D[:] = -1.0
        value, step = search_line(space.Z[j], walk.D, classes, scratch, 0.0, FARTHEST)
        if _better(value, walk.goodness[BEST_AXIS]):
            walk.goodness[BEST_AXIS] = value
            state[AXIS_FEATURE] = j
            walk.weights[m] = -step
        state[AT] = j + 1
        return
    feature = state[AXIS_FEATURE]
    if feature < 0:
        state[PHASE] = FINISHED
        return
    walk.weights[:m] = 0.0
    walk.weights[feature] = 1.0
    walk.V[:] = walk.weights[m]
    _add(walk.V, 1.0, space.Z[feature], 0.0)
    walk.goodness[CURRENT] = walk.goodness[BEST_AXIS]
    walk.state[KIND] = AXIS
    _record(walk, trace)
    _enter_descent(walk)


@kernel
def _start_random(space, classes, scratch, walk, plan, trace):
    """Start from a random direction with its best constant."""
    m = space.Z.shape[0]
    walk.V[:] = 0.0
    walk.weights[m] = 0.0
    for j in range(m):
        walk.weights[j] = plan.starts[walk.state[RESTART], j]
        _add(walk.V, walk.weights[j], space.Z[j], 0.0)
    value, step = _move_constant(classes, scratch, walk)
    if value == -np.inf:
        _next_restart(walk, plan)
        return
    walk.weights[m] = -step
    _add(walk.V, step, walk.D, 0.0)
    walk.goodness[CURRENT] = value
    walk.state[KIND] = RANDOM
    _record(walk, trace)
    _enter_descent(walk)


@inline_kernel
def _enter_descent(walk):
    walk.state[PHASE] = DESCEND
    walk.state[AT] = 0
    walk.state[IMPROVED] = 0
    walk.state[CYCLE] = 0


@kernel
def _next_restart(walk, plan):
    """Keep the current hyperplane if it is the best, and go on with the next restart."""
    state = walk.state
    if _better(walk.goodness[CURRENT], walk.goodness[BEST]):
        walk.goodness[BEST] = walk.goodness[CURRENT]
        walk.best[:] = walk.weights
        state[BEST_MOVE] = state[N_MOVES] - 1
    state[RESTART] += 1
    state[JUMPS] = 0
    walk.goodness[CURRENT] = -np.inf
    state[PHASE] = START_RANDOM if state[RESTART] < plan.n_restarts else FINISHED


@kernel
def _move_coefficient(space, classes, scratch, walk, plan, trace):
    """Improve the coefficient in work and pass on to the next.

    The last coefficient is the constant.
    """
    state, goodness = walk.state, walk.goodness
    m = space.Z.shape[0]
    j = state[AT]
    best, step, pivot = -np.inf, 0.0, 0.0
    if j == m:
        best, step = _move_constant(classes, scratch, walk)
    elif walk.active[j]:
        for p in range(plan.pivots.shape[0]):
            walk.D[:] = plan.pivots[p]
            _add(walk.D, 1.0, space.Z[j], 0.0)
            value, a = search_line(walk.V, walk.D, classes, scratch, GAP, FARTHEST)
            if _better(value, best):
                best, step, pivot = value, a, plan.pivots[p]
    if _better(best, goodness[CURRENT]):
        if j == m:
            walk.weights[m] -= step
            _add(walk.V, step, walk.D, 0.0)
        else:
            walk.weights[j] += step
            walk.weights[m] += step * pivot
            _add(walk.V, step, space.Z[j], pivot)
        goodness[CURRENT] = best
        state[IMPROVED] = 1
        _keep_in_range(walk)
        walk.state[KIND] = CONSTANT if j == m else COEFFICIENT
        _record(walk, trace)
    state[AT] = j + 1
    if state[AT] > m:
        state[AT] = 0
        state[CYCLE] += 1
        if state[IMPROVED] == 0 or state[CYCLE] >= MOST_CYCLES:
            state[PHASE] = LOCAL_OPTIMUM
        state[IMPROVED] = 0


@kernel
def _jump(space, classes, scratch, walk, plan, trace):
    """Search along a random direction; descend again if that improves the hyperplane."""
    state = walk.state
    m = space.Z.shape[0]
    direction = plan.jumps[state[RESTART], state[JUMPS]]
    state[JUMPS] += 1
    walk.D[:] = direction[m]
    for j in range(m):
        _add(walk.D, direction[j], space.Z[j], 0.0)
    value, step = search_line(walk.V, walk.D, classes, scratch, GAP, FARTHEST)
    if not _better(value, walk.goodness[CURRENT]):
        return
    _add(walk.weights, step, direction, 0.0)
    _add(walk.V, step, walk.D, 0.0)
    walk.goodness[CURRENT] = value
    _keep_in_range(walk)
    walk.state[KIND] = JUMP
    _record(walk, trace)
    _enter_descent(walk)


@kernel
def _delete_feature(space, classes, scratch, walk, share, trace):
    """Delete the feature whose loss costs least.

    Only if that is below `share` of the most costly loss.

    The constant is searched anew without the feature. Returns whether one was deleted.
    """
    m = space.Z.shape[0]
    walk.D[:] = -1.0
    least, most, spared, constant, best_goodness = np.inf, -np.inf, -1, 0.0, -np.inf
    n_active = 0
    for j in range(m):
        if walk.active[j] and walk.weights[j] != 0.0:
            n_active += 1
            walk.trial[:] = walk.V
            _add(walk.trial, -walk.weights[j], space.Z[j], 0.0)
            value, step = search_line(walk.trial, walk.D, classes, scratch, GAP, FARTHEST)
            loss = walk.goodness[CURRENT] - value
            most = max(most, loss)
            if spared < 0 or loss < tie_floor(least):
                least, spared, constant, best_goodness = loss, j, step, value
    if n_active < 2 or not least < share * most:
        return False
    _add(walk.V, -walk.weights[spared], space.Z[spared], 0.0)
    _add(walk.V, constant, walk.D, 0.0)
    walk.weights[m] -= constant
    walk.weights[spared] = 0.0
    walk.active[spared] = False
    walk.goodness[CURRENT] = best_goodness
    _keep_in_range(walk)
    walk.state[KIND] = DELETION
    _record(walk, trace)
    return True


@kernel
def _at_local_optimum(space, classes, scratch, walk, plan, trace):
    """Delete a feature, or descend after deletions, or jump, or start anew."""
    state = walk.state
    if plan.backward_deletion > 0.0 and state[DELETED] >= 0:
        if _delete_feature(space, classes, scratch, walk, plan.backward_deletion, trace):
            state[DELETED] += 1
            return
        deleted = state[DELETED]
        state[DELETED] = -1
        if deleted > 0:
            _enter_descent(walk)
            return
    if state[JUMPS] < plan.jumps.shape[1]:
        _jump(space, classes, scratch, walk, plan, trace)
    else:
        _next_restart(walk, plan)


@kernel
def _is_perfect(walk, classes, left):
    """Whether the current hyperplane leaves two pure sides."""
    left[:] = 0
    n_left = 0
    for i in range(walk.V.shape[0]):
        if walk.V[i] <= 0.0:
            left[classes.y[i]] += 1
            n_left += 1
    wrong = minorities(left, classes.counts, n_left, walk.V.shape[0])
    return wrong[0] + wrong[1] == 0


@kernel
def search_hyperplanes(space, classes, scratch, walk, plan, trace, budget):
    """Walk until the search is finished or about `budget` values have been searched.

    Returns whether it is finished; then walk.best is the winner and walk.goodness[BEST] its
    goodness, -inf if the node offers none.
    """
    state = walk.state
    n = walk.V.shape[0]
    spent = 0
    while state[PHASE] != FINISHED and spent < budget:
        before = state[N_MOVES]
        spent += n
        if state[PHASE] == START_AXIS:
            _start_axis(space, classes, scratch, walk, trace)
        elif state[PHASE] == START_RANDOM:
            _start_random(space, classes, scratch, walk, plan, trace)
        elif state[PHASE] == DESCEND:
            spent += n * (plan.pivots.shape[0] - 1)
            _move_coefficient(space, classes, scratch, walk, plan, trace)
        else:
            spent += n * (space.Z.shape[0] if plan.backward_deletion > 0.0 else 1)
            _at_local_optimum(space, classes, scratch, walk, plan, trace)
        moved = state[N_MOVES] > before and state[PHASE] == DESCEND
        if moved and _is_perfect(walk, classes, scratch.left):
            if plan.backward_deletion > 0.0:
                state[PHASE] = LOCAL_OPTIMUM
            else:
                _next_restart(walk, plan)
                state[PHASE] = FINISHED
    return state[PHASE] == FINISHED
