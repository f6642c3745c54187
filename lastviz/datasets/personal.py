"""Names of columns that describe who a person is: age, sex, origin, belief, disability."""

from __future__ import annotations

import re
from unicodedata import normalize

SURE = {
    *("sex", "gender", "race", "racial", "ethnicity", "ethnic", "nationality", "citizenship"),
    *("religion", "religious", "caste", "marital", "disability", "disabled", "handicap", "dob"),
    *("birthdate", "birthday", "birthplace", "birthyear", "foreign", "foreigner", "immigrant"),
    *("geschlecht", "ethnie", "nationalität", "nationalitaet", "staatsangehörigkeit"),
    *("staatsangehoerigkeit", "konfession", "familienstand", "zivilstand", "geburtsdatum"),
    *("geburtsjahr", "geburtsort", "geburtsland", "geburtstag", "behinderung", "schwerbehindert"),
    *("schwerbehinderung", "ausländer", "auslaender"),
}
"""Words that are about a person whatever stands beside them."""
DOUBTFUL = {"age", "born", "birth", "native", "civil", "alter", "jahrgang"}
"""Words that may be about a thing as well: only beside each other and NEUTRAL ones."""
NEUTRAL = {
    *("of", "in", "at", "the", "year", "years", "month", "day", "date", "place", "country", "land"),
    *("group", "class", "category", "cat", "band", "range", "bin", "code", "status", "patient"),
    *("customer", "client", "applicant", "person", "employee", "student", "jahre", "jahren"),
}
CHINESE = ("年龄", "性别", "民族", "种族", "国籍", "宗教", "婚姻", "出生", "生日", "残疾")
_HUMP = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])")
_WORD = re.compile(r"[^\W\d_]+")


def is_personal(name: str) -> bool:
    """Whether the name of a column says that it is about who somebody is.

    Whole words count, in English and German ("personal_status_sex", "MaritalStatus", "Alter"); in
    Chinese, which has no gaps between words, their signs.
    """
    name = normalize("NFC", name)
    words = {word.casefold() for word in _WORD.findall(_HUMP.sub(" ", name))}
    doubtful = bool(words & DOUBTFUL) and words <= DOUBTFUL | NEUTRAL
    return bool(words & SURE) or doubtful or any(sign in name for sign in CHINESE)
