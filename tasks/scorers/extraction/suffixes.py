"""What follows a digit run and belongs to it: exponent, fraction, mixed number, magnitude, percent, ordinal, variable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from tasks.scorers.extraction.digits import Digits
from tasks.scorers.extraction.number_words import PARTS, SCALES

MAX_EXPONENT = 400

_EXPONENT = re.compile(r"[eE](?P<inner>(?!))?(?P<bare>[+-]?\d{1,4})(?![\w.]?\d|[A-Za-z])")
_TIMES_TEN = re.compile(r"\s{0,2}[×xX*·]\s{0,2}10\s?(?:\^|\*\*)\s?(?:\((?P<inner>[+-]?\d{1,5})\)|(?P<bare>[+-]?\d{1,5})(?!\d))")
_TEN_POWER = re.compile(r"\s?(?:\^|\*\*)\s?(?:\((?P<inner>[+-]?\d{1,5})\)|(?P<bare>[+-]?\d{1,5}))(?!\s?[\^*\d])")
_SLASH = re.compile(r"\s{0,2}/\s{0,2}(\d{1,18})(?![\d/]|[.,]\d)")
_MIXED = re.compile(r"(?: {1,2}|-(?=\d{1,2}/\d{1,2}(?!\s?[=\d/^*+-]))| and | & | ?\+ ?(?=\d/\d{1,3}\b))(\d{1,6}) ?/ ?(\d{1,6})(?![\d/]|[.,]\d)")
_AND_PART = re.compile(r"(?: and (?:an?|one|(?P<count>two|three|four|five|seven)) |-and-a-)(?P<part>" + "|".join(PARTS) + r")\b", re.IGNORECASE)
_PART = re.compile(r"[ -](?P<part>thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?|hundredths?|halves)\b(?! of a)", re.IGNORECASE)
_DOZEN = re.compile(r"[ -]?dozens?\b", re.IGNORECASE)
_SCALE = re.compile(r"[ -]?(?P<word>hundred|dozen|thousand|lakh|million|crore|billion|trillion|mn|bn|tn|mln|bln)s?\b", re.IGNORECASE)
_LETTER_SCALE = re.compile(r"(?:(?P<k>[kK])|(?P<m>M)|(?P<b>B)|(?P<t>T))(?![A-Za-z0-9])")
_MONEY_SCALE = re.compile(r"m(?![A-Za-z0-9])")
_SHORT = {"mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12, "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
_PERCENT = re.compile(r"\s{0,2}\$?(?:%|percent\b|per cent\b|pct\b|percentage points?\b)", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_VARIABLE = re.compile(r"\s?[xyznπ√](?![A-Za-z])|!{1,9}\s?[=/*×+^]|[eE][+-]?\d|i(?![A-Za-z])")
_EURO = re.compile(r"\s?(?:€|euros?\b|EUR\b)")
_CENTS = re.compile(r"(?: dollars?| euros?| pounds?),? (?:and )?(\d{1,2}) (?:cents?|pence)\b", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "seven": 7}


@dataclass(frozen=True)
class Tail:
    """A quantity's value once what follows it is read, and where it ends."""

    end: int
    value: Fraction
    decimals: int | None
    percent: bool = False
    ordinal: bool = False
    variable: bool = False
    euro: bool = False
    alternative: Fraction | None = None
    """Second reading: `7 dozen` as 7 where dozens are asked for, `7 quarters` as coins."""


def read_tail(text: str, part: Digits) -> Tail:
    """Value and end of the quantity that starts with `part`."""
    end, value, decimals = _power(text, part)
    alternative = None
    whole = decimals == 0 and end == part.end
    if whole:
        end, value, decimals = _parts(text, part)
        if _PART.match(text, part.end):
            alternative, value = (part.value, value) if value < 1 else (value, part.value)
            decimals = None if value < 1 else 0
    if _DOZEN.match(text, end):
        alternative = value
    end, scale = _scale(text, end)
    if scale > 1 and decimals is not None:
        decimals = 0 if (value * scale).denominator == 1 else decimals
    value *= scale
    percent = _PERCENT.match(text, end)
    end = percent.end() if percent else end
    ordinal, variable = bool(whole and _ORDINAL.match(text, end)), bool(_VARIABLE.match(text, end))
    return Tail(end, value, decimals, bool(percent), ordinal, variable, bool(_EURO.match(text, end)), alternative)


def _power(text: str, part: Digits) -> tuple[int, Fraction, int | None]:
    match = _EXPONENT.match(text, part.end) or _TIMES_TEN.match(text, part.end)
    base = part.value
    if match is None and part.value == 10 and part.decimals == 0:
        match, base = _TEN_POWER.match(text, part.end), Fraction(1)
    exponent = int(match["inner"] or match["bare"]) if match else 0
    if match is None or abs(exponent) > MAX_EXPONENT:
        return part.end, part.value, part.decimals
    return match.end(), base * Fraction(10) ** exponent, max(0, part.decimals - exponent)


def _parts(text: str, part: Digits) -> tuple[int, Fraction, int | None]:
    slash = _SLASH.match(text, part.end)
    if slash and int(slash[1]):
        return slash.end(), part.value / int(slash[1]), None
    mixed = _MIXED.match(text, part.end)
    if mixed and 0 < int(mixed[1]) < int(mixed[2]):
        return mixed.end(), part.value + Fraction(int(mixed[1]), int(mixed[2])), None
    if cents := _CENTS.match(text, part.end):
        return cents.end(), part.value + Fraction(int(cents[1]), 100), 2 if int(cents[1]) else 0
    if worded := _AND_PART.match(text, part.end):
        count = _COUNTS.get((worded["count"] or "").lower(), 1)
        return worded.end(), part.value + Fraction(count, PARTS[worded["part"].lower()]), None
    if piece := _PART.match(text, part.end):
        return piece.end(), part.value / PARTS[piece["part"].lower()], None
    return part.end, part.value, part.decimals


def _scale(text: str, end: int) -> tuple[int, int]:
    match = _SCALE.match(text, end)
    if match:
        word = match["word"].lower()
        further, scale = _scale(text, match.end()) if word in ("hundred", "dozen") else (match.end(), 1)
        return further, scale * (SCALES.get(word) or _SHORT[word])
    match = _LETTER_SCALE.match(text, end)
    if match:
        return match.end(), _SHORT[next(name for name, text_ in match.groupdict().items() if text_)]
    money = _MONEY_SCALE.match(text, end)
    if money and re.search(r"[$€£¥₹]\s?[\d.,]{1,15}$", text[max(0, end - 18) : end]):
        return money.end(), 10**6
    return end, 1
