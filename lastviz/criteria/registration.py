"""Criteria from outside the package, and who offers which criterion."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from reprlib import repr as short
from threading import current_thread, main_thread
from weakref import WeakSet

import numpy as np

from lastviz._deadline import Deadline, Overdue, TooLong
from lastviz._sentences import Refusal

from . import cards
from .impurity import gini
from .registry import CRITERIA, Criterion

Score = Callable[[np.ndarray, np.ndarray], np.ndarray]
Impurity = Callable[[np.ndarray], np.ndarray]

# Families of estimators that can do with a Python function.
_FAMILIES = ("c45", "sodt", "cart", "hybrid")
_most_seconds = [inf]  # of a call of a function that is not of the package
_overdue: set[str] = set()  # those that took longer once
_KEY = re.compile(r"[a-z][a-z0-9_]*")


class Offered(list):
    """Criteria that a family of estimators offers, by their current names.

    Parameters
    ----------
    family : str or None
        As in :attr:`Criterion.offered_by`; None: whoever reads any column, so every criterion
        that needs no order of the classes, by its key.
    first : tuple of str
        Words that the family takes besides, which name no criterion.
    """

    __hash__ = object.__hash__  # it stands in frozen records

    def __init__(self, family: str | None, first: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._family, self._first = family, first
        self.renew()
        _offers.add(self)

    def renew(self) -> None:
        """Take the words of the criteria that there are now."""
        family = self._family
        if family is None:
            self._keys = {key: key for key, c in CRITERIA.items() if not c.ordered_classes}
        else:
            offers = {key: c.offered_by for key, c in CRITERIA.items() if family in c.offered_by}
            self._keys = {words[family]: key for key, words in offers.items()}
        self[:] = (*self._first, *self._keys)

    def key(self, word: str) -> str:
        """Key of CRITERIA that a word of the family means."""
        return self._keys[word]

    def __repr__(self) -> str:
        """Words as a tuple shows them."""
        return repr(tuple(self))


_offers: WeakSet[Offered] = WeakSet()


def register_criterion(
    key: str,
    score: Score,
    *,
    title: str,
    short: str | None = None,
    formula: str = "",
    unit: str = "",
    smaller_is_better: bool = False,
    impurity: Impurity | None = None,
    impurity_title: str | None = None,
) -> Criterion:
    """Add a criterion that is a Python function of the class counts of two children.

    CART, C4.5, GSODT, LSODT and hybrid trees then take `key` as their `criterion`, and
    :func:`lastviz.inspection.candidate_table` scores every candidate by it. These trees grow
    node by node, not in compiled code.

    Parameters
    ----------
    key : str
        Its name in parameters and links: small letters, digits and underscores.
    score : callable
        ``score(left, right)``: two arrays of float64, shape (n_candidates, n_classes), with the
        rows (or their weights) of each class in the two children -> the scores, shape
        (n_candidates,). No child is empty. NaN and -inf mean: not admissible.
    title : str
        What people call it.
    short : str, optional
        The same in the head of a column; default: `title`.
    formula : str, default ""
        LaTeX, in general form.
    unit : str, default ""
    smaller_is_better : bool, default False
    impurity : callable, optional
        Class counts (n_nodes, n_classes) -> the impurity shown beside each node; default: Gini.
    impurity_title : str, optional
        What people call it; default: "impurity", or "Gini impurity" for Gini.

    Returns
    -------
    Criterion
        The row that is now in :data:`lastviz.criteria.CRITERIA`.

    Raises
    ------
    ValueError
        If the key is no such name or is taken. While a tree grows: if `score` raises, or returns
        another shape, no real numbers, +inf, or NaN for all candidates of a node.

    Examples
    --------
    >>> import numpy as np
    >>> from lastviz.criteria import impurity_decrease
    >>> def dkm(counts):
    ...     p = counts / counts.sum(axis=-1, keepdims=True)
    ...     return np.sqrt(p * (1 - p)).sum(axis=-1)
    >>> row = register_criterion("dkm", lambda a, b: impurity_decrease(a, b, dkm), title="DKM")
    >>> unregister_criterion("dkm")
    """
    if not _KEY.fullmatch(key):
        raise ValueError(
            f"key must be small letters, digits and underscores, first a letter, got {key!r}"
        )
    if key in CRITERIA:
        raise ValueError(f"there is a criterion {key!r} already; take another key")
    checked = _checked_score(key, score)
    CRITERIA[key] = Criterion(
        title=title,
        short=title if short is None else short,
        unit=unit,
        formula=formula,
        card=cards.plain_card(checked),
        impurity=gini if impurity is None else _checked_impurity(key, impurity),
        impurity_title=impurity_title or ("Gini impurity" if impurity is None else "impurity"),
        code=None,
        offered_by=dict.fromkeys(_FAMILIES, key),
        smaller_is_better=smaller_is_better,
        score=checked,
    )
    _renew_offers()
    return CRITERIA[key]


def limit_criteria(seconds: float) -> None:
    """Limit the seconds of each call of a registered criterion, in this process.

    A server has others to look after; who grows a tree in Python can wait, or interrupt it.
    """
    _most_seconds[0] = seconds


def unregister_criterion(key: str) -> None:
    """Take a registered criterion away again.

    Raises
    ------
    ValueError
        If there is none of this key, or it belongs to the package.
    """
    if key not in CRITERIA or CRITERIA[key].code is not None:
        raise ValueError(f"{key!r} is no registered criterion")
    del CRITERIA[key]
    _overdue.difference_update((key, f"{key}'s impurity"))
    _renew_offers()


def _renew_offers() -> None:
    for offered in list(_offers):
        offered.renew()


def admissible(key: str, scores: np.ndarray) -> np.ndarray:
    """Node's scores by a registered criterion with -inf where it returned NaN.

    Raises
    ------
    ValueError
        If no candidate that it was asked about has a score.
    """
    unknown = np.isnan(scores)
    if unknown.any() and not (scores > -np.inf).any():
        raise Refusal("criterion {key!r} returned NaN for every candidate of a node", key=key)
    return np.where(unknown, -np.inf, scores)


def _checked_score(key: str, score: Score) -> Score:
    def checked(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        first, second = (np.array(side, dtype=np.float64, ndmin=2) for side in (left, right))
        if not len(first):
            return np.empty(0)
        found = _numbers(key, len(first), score, first, second)
        return found if np.ndim(left) > 1 else found[0]

    return checked


def _checked_impurity(key: str, impurity: Impurity) -> Impurity:
    """Impurity of any counts, 0 where there are no rows."""

    def checked(counts: np.ndarray) -> np.ndarray:
        counts = np.asarray(counts, dtype=np.float64)
        rows = counts.reshape(-1, counts.shape[-1])
        present = rows.sum(axis=1) > 0
        out = np.zeros(len(rows))
        if present.any():
            name = f"{key}'s impurity"
            out[present] = _numbers(name, int(present.sum()), impurity, rows[present])
        return out.reshape(counts.shape[:-1])

    return checked


def _numbers(name: str, n: int, function: Callable, *counts: np.ndarray) -> np.ndarray:
    """Scores of `n` rows of counts by a registered function.

    Its failures become sentences.
    """
    try:
        if name in _overdue:
            raise Overdue
        with Deadline(_most_seconds[0]):
            found = function(*counts)
    except Overdue:
        _overdue.add(name)
        sentence = "criterion {name!r} took longer than {n:g} seconds and is asked no more"
        raise Refusal(sentence, name=name, n=_most_seconds[0]) from None
    except BaseException as error:
        is_ended = isinstance(error, KeyboardInterrupt) and current_thread() is main_thread()
        if is_ended or isinstance(error, TooLong):  # from without: it is not the criterion's own
            raise
        raise Refusal(
            "criterion {name!r} failed with {kind}: {why}",
            name=name,
            kind=type(error).__name__,
            why=short(str(error)),
        ) from error
    try:
        numbers = np.array(found, dtype=None if np.iscomplexobj(found) else np.float64)
        numbers = numbers.astype(np.float64, casting="same_kind")  # complex ones are none
    except Exception:
        raise Refusal(
            "criterion {name!r} must return numbers, got {found}", name=name, found=short(found)
        ) from None
    if numbers.shape != (n,):
        raise Refusal(
            "criterion {name!r} must return one number for each of the {n} rows of counts, "
            "shape ({n},), got shape {shape}",
            name=name,
            n=n,
            shape=numbers.shape,
        )
    if np.isposinf(numbers).any():
        raise Refusal(
            "criterion {name!r} returned +inf; scores are finite, or NaN or -inf where a candidate "
            "is not admissible",
            name=name,
        )
    return numbers
