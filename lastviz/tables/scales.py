"""Words with an order that everybody knows, from low to high, and pairs that mean no and yes."""

from __future__ import annotations

from collections.abc import Sequence

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

SCALES = (
    ("none", "very low", "low", "medium low", "medium", "medium high", "high", "very high"),
    ("vlow", "low", "med", "high", "vhigh"),
    ("low", "moderate", "high", "extreme"),
    ("low", "middle", "high"),
    ("never", "almost never", "rarely", "seldom", "occasionally", "sometimes", "often", "usually",
     "very often", "almost always", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "neutral", "somewhat agree", "agree",
     "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very bad", "bad", "average", "good", "very good", "excellent"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("unacceptable", "acceptable", "good", "very good"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("extra small", "small", "medium", "large", "extra large"),
    ("tiny", "small", "medium", "big", "huge"),
    ("none", "mild", "moderate", "severe", "critical"),
    ("none", "minor", "major", "critical"),
    ("freezing", "cold", "cool", "mild", "warm", "hot"),
    ("very young", "young", "middle-aged", "old", "very old"),
    ("very slow", "slow", "medium", "fast", "very fast"),
    ("first", "second", "third", "fourth", "fifth", "sixth"),
    ("1st", "2nd", "3rd", "4th", "5th", "6th"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("bronze", "silver", "gold", "platinum"),
    ("primary", "secondary", "tertiary"),
    tuple(month.casefold() for month in MONTHS),
    tuple(month[:3].casefold() for month in MONTHS),
    tuple(day.casefold() for day in WEEKDAYS),
    tuple(day[:3].casefold() for day in WEEKDAYS),
    ("sehr niedrig", "niedrig", "mittel", "hoch", "sehr hoch"),
    ("gering", "mittel", "hoch"),
    ("nie", "selten", "manchmal", "oft", "häufig", "meistens", "immer"),
    ("klein", "mittel", "groß"),
    ("schlecht", "mittel", "gut", "sehr gut"),
    ("低", "中", "高"),
    ("小", "中", "大"),
    ("差", "一般", "中", "良", "好", "优"),
    ("从不", "很少", "有时", "经常", "总是"),
)  # fmt: skip
"""Words of a scale, from low to high; a column need not have all of them."""

PAIRS = (
    *(("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"), ("nein", "ja"), ("non", "oui")),
    *(("no", "sí"), ("no", "si"), ("nej", "ja"), ("não", "sim"), ("否", "是"), ("off", "on")),
    *(("absent", "present"), ("negative", "positive"), ("ne", "da"), ("нет", "да")),
)
"""No and yes."""


def in_order(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return words from low to high, None if no scale has all of them or there are fewer than two.

    Upper and lower case are alike; two words that differ in nothing else have no order.
    """
    plain = {word.casefold().replace("_", " "): word for word in words}
    if len(plain) < max(2, len(words)):
        return None
    for scale in SCALES:
        known = [word.casefold() for word in scale]
        if plain.keys() <= set(known):
            return tuple(plain[word] for word in known if word in plain)
    return None


def is_yes_no(words: Sequence[str]) -> bool:
    """Tell whether words are the two of a pair, in whatever upper and lower case."""
    return {word.casefold() for word in words} in [set(pair) for pair in PAIRS]


def no_and_yes(words: Sequence[str]) -> tuple[str, str]:
    """Return the word for no and that for yes; the order of other words is the alphabet's."""
    plain = sorted({word.casefold() for word in words})
    for pair in PAIRS:
        if set(plain) == set(pair):
            return pair
    return plain[0], plain[-1]
