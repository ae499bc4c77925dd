"""Number words: `one hundred and five`, `twenty-one`, `two thirds`, `half a dozen`, `three point five`. English, as benchmarks are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
UNITS: dict[str, int] = {word: value for value, word in enumerate(_ONES)}
TENS = {word: 10 * value for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)} | {"fourty": 40}
SCALES: dict[str, int] = {"hundred": 100, "dozen": 12, "thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9, "trillion": 10**12}
_ORDINAL_PARTS = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12}
_PARTS = {"half": 2, "quarter": 4, "hundredth": 100, "thousandth": 1000} | _ORDINAL_PARTS
PARTS = _PARTS | {f"{word}s": value for word, value in _PARTS.items() if word != "half"} | {"halves": 2}

_CARDINAL = "|".join(sorted([*UNITS, *TENS, *SCALES, "dozens?", "hundreds?", "thousands?", "millions?"], key=len, reverse=True))
_PART = "|".join(sorted(PARTS, key=len, reverse=True))
MAX_WORDS = 30
"""A longer run of number words is noise."""
_WORDS = re.compile(
    rf"\b(?:(?:an?|{_CARDINAL})(?=[ -](?:{_CARDINAL}|{_PART})\b)|(?:{_CARDINAL})\b|half\b(?! of\b))(?:(?:[ -]| and |-and-"
    rf"|, )(?:an? )?(?:{_CARDINAL}|{_PART}|point)\b)*",
    re.IGNORECASE,
)
_SIGN = re.compile(r"(?:minus|negative)\s{1,3}$", re.IGNORECASE)
_PRONOUN_BEFORE = re.compile(r"\b(?:no|this|that|the|each|every|any|which|other|another|some|last|next|right|only|first|correct|wrong)[ -]$", re.IGNORECASE)
_PRONOUN_AFTER = re.compile(r"(?:\s+(?:of|more|by|can|could|would|should|might|must|way|day|another|who|that|day's)\b|'s\b|-)", re.IGNORECASE)


@dataclass(frozen=True)
class Words:
    """A run of number words: where, what, whether it is a fraction, whether it may be a pronoun."""

    start: int
    end: int
    value: Fraction
    fraction: bool
    weak: bool


def number_words(text: str) -> list[Words]:
    """Every run of number words in `text` that makes one number."""
    found = []
    for match in _WORDS.finditer(text):
        read = _read(re.findall(r"[a-z]+", match[0].lower()))
        if read is None:
            continue
        start = match.start()
        if match[0].lower() == "one" and text[max(0, start - 3) : start].lower() in ("no ", "no-"):
            continue
        sign = _SIGN.search(text, max(0, start - 14), start)
        value = -read[0] if sign else read[0]
        found.append(Words(sign.start() if sign else start, match.end(), value, read[1], _weak(text, match)))
    return found


def _weak(text: str, match: re.Match[str]) -> bool:
    if match[0].lower() == "half":
        return True
    if match[0].lower() != "one":
        return False
    return bool(_PRONOUN_BEFORE.search(text, max(0, match.start() - 10), match.start()) or _PRONOUN_AFTER.match(text, match.end()))


def _read(words: list[str]) -> tuple[Fraction, bool] | None:
    """The value of a run of words and whether it is a fraction; None where it is no single number (`one two three`)."""
    if len(words) > MAX_WORDS:
        return None
    if len(words) > 2 and words[-1] in SCALES and words[0] != "half" and ("point" in words or any(word in PARTS for word in words)):
        inner = _read(words[:-1])
        return None if inner is None else (inner[0] * SCALES[words[-1]], False)
    if "point" in words:
        cut = words.index("point")
        whole, digits = _integer(words[:cut]), [UNITS.get(word, 10) for word in words[cut + 1 :]]
        if whole is None or not digits or max(digits) > 9:
            return None
        return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits)), False
    if words[0] == "half":
        rest = _integer([word for word in words[1:] if word not in ("a", "an")]) if len(words) > 1 else Fraction(1)
        return None if rest is None else (rest / 2, len(words) == 1)
    if words[-1] in PARTS:
        return _fraction(words)
    whole = _integer(words)
    return None if whole is None else (whole, False)


def _fraction(words: list[str]) -> tuple[Fraction, bool] | None:
    head = words[:-1]
    if "and" in head:
        cut = len(head) - 1 - head[::-1].index("and")
        whole, count = _integer(head[:cut]), _integer(head[cut + 1 :])
    else:
        whole, count = Fraction(0), _integer(head)
    return None if whole is None or count is None else (whole + count / PARTS[words[-1]], True)


def _integer(words: list[str]) -> Fraction | None:
    total, group, last = 0, 0, 10**15
    if not words:
        return None
    for word in words:
        name = word.removesuffix("s") if word.removesuffix("s") in SCALES else word
        if name == "and":
            continue
        if name in ("a", "an"):
            value = 1
        elif name in SCALES:
            scale = SCALES[name]
            if scale in (12, 100):
                group = max(group, 1) * scale
            else:
                total, group = total + max(group, 1) * scale, 0
            last = scale
            continue
        elif name in UNITS or name in TENS:
            value = UNITS.get(name, TENS.get(name, 0))
        else:
            return None
        if last <= value or (last < 20 and last != 12):
            return None
        group, last = group + value, value if name in UNITS or name in ("a", "an") else 10
        if name in TENS:
            last = 20
    return Fraction(total + group)
