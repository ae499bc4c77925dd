"""Every quantity in a text, as a person reads it: value, written form, and what speaks against its being an answer.

An own grammar over digits, not an evaluator: nothing of the text is computed except a fraction, a mixed number, a magnitude
word and a power of ten, all of bounded size. math-verify is not used: it reads `2 2/3` as 2, needs signals (no threads) and
fails on the Unicode minus, and what remains for it, symbolic answers, no number gold has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from tasks.scorers.extraction.digits import BLOB, Digits, read_blob
from tasks.scorers.extraction.masks import masked
from tasks.scorers.extraction.number_words import Words, number_words
from tasks.scorers.extraction.suffixes import Tail, read_tail

_CURRENCY = r"(?:(?:US|CA|C|A|AU|NZ|HK|R|S)?[$€£¥₹₩₽฿₺₫₦]|(?:USD|EUR|GBP|CAD|AUD|INR|JPY|CNY|CHF|Rs\.?|RM|kr\.?)(?![A-Za-z]))"
_BEFORE = re.compile(rf"(?P<sign>[-+])?(?P<gap> ?)(?P<money>{_CURRENCY} ?)?(?P<inner>[-+] ?)?\Z")
_WORD_SIGN = re.compile(r"\b(?:minus|negative)\s{1,3}$", re.IGNORECASE)
_OPERATOR_BEFORE = re.compile(r"(?:[\d)%!}]|(?<![A-Za-z])[b-z](?=\s?[-+*/^]))\s{0,3}(?:[+*/×÷·^]|\*\*|-|(?<=\s)[xX](?=[\s(]))\s{0,3}[($]{0,2}$")
_OPENER_BEFORE = re.compile(r"(?:√|\b(?:sqrt|log|ln|sin|cos|tan|exp|mod)\b|\b[fgh](?=\())\s?[({]?\s?$")
_OPERATOR_AFTER = re.compile(
    r"\s{0,3}(?:\*\*|[+*×÷^√π∞]|·|/\s{0,3}(?=[($]?\s?\d)|-\s{0,3}(?=[($]?\s?\d)|[xX]\s{0,3}(?=[($]?\d)|(?<=\d)\((?=\d)|\s(?:plus|minus|times"
    r"|divided by|multiplied by)\s{1,2}(?=[($]?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"-(?:something|odd|ish)\b", re.IGNORECASE)
_UNIT_POWER = re.compile(r"[A-Za-z]{2}\^$|(?<![A-Za-z])[a-z]\^$")
_COMPARED = re.compile(
    r"(?:[<≤≥≠~±]|(?<![=-])>|\b(?:more|less|fewer|greater|larger|smaller|higher|lower|bigger|over|under|above|below)\s+(?:than\s+)?)\s?$", re.IGNORECASE
)
_AT_MOST = re.compile(r"\b(?:no|not)\s+(?:more|less|fewer|greater)\s+than\s?$", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\b(?:step|part|case|figure|fig\.|table|equation|eq\.|problem|example|line|note|page|chapter|section|round|method|approach|item"
    r"|rule|law)|(?<!#)#)\s?\(?$",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"-(?:year|day|week|month|hour|minute|mile|inch|foot|digit|sided|person|point|way|dollar|by|step|part|pound|page|piece|bedroom|time)", re.IGNORECASE
)


@dataclass(frozen=True)
class Quantity:
    """A number in a text. `decimals` is the count written after the point; None for fractions and mixed numbers."""

    start: int
    end: int
    value: Fraction
    decimals: int | None = 0
    percent: bool = False
    money: bool = False
    usable: bool = True
    """False for operands, labels, bounds (`<42`), arguments, parts of a range: never an answer."""
    weak: bool = False
    """An ordinal, a pronoun `one`, an attribute (`3-day`), a date's part: an answer only where nothing else is."""
    alternative: Fraction | None = None
    """A second reading of the unit (`7 dozen` where dozens are asked for)."""
    unsure: bool = False
    """The writing has two readings (`1.234 euro`)."""

    def written(self) -> str:
        """Plain spelling: an integer, a decimal as written, else `a/b`."""
        value = self.value
        if value.denominator == 1:
            return str(value.numerator)
        if self.decimals is None:
            return f"{value.numerator}/{value.denominator}"
        return decimal_text(value)

    def canonical(self) -> str:
        """The exact value, `a` or `a/b`; a percentage counts as its number."""
        return str(self.value)


def decimal_text(value: Fraction) -> str:
    """Exact decimal spelling of a fraction whose denominator divides a power of ten; else `a/b`."""
    places, rest = 0, value.denominator
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * (10**places // value.denominator)).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]


def scan(text: str) -> list[Quantity]:
    """Quantities of a normalised `text` in order. Linear in its length."""
    hidden = masked(text)
    found: list[Quantity] = []
    position = 0
    for match in BLOB.finditer(hidden):
        if match.start() < position:
            continue
        for part in read_blob(match, hidden):
            if part.start < position:
                continue
            quantity = _quantity(hidden, part, read_tail(hidden, part))
            if quantity is not None:
                found.append(quantity)
                position = quantity.end
    found += [_worded(hidden, words) for words in number_words(hidden) if not any_overlap(found, words) and not _VAGUE.match(hidden, words.end)]
    return sorted(found, key=lambda quantity: quantity.start)


def any_overlap(found: list[Quantity], words: Words) -> bool:
    """Whether the words are already part of a digit quantity (`1.5 million`, `3 and a half`)."""
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        if found[middle].end <= words.start:
            low = middle + 1
        else:
            high = middle
    return low < len(found) and found[low].start < words.end


def _quantity(text: str, part: Digits, tail: Tail) -> Quantity | None:
    start, sign, money = _prefix(text, part.start)
    head = text[max(0, start - 24) : start]
    previous = head[-1:]
    if money is None and (previous.isalpha() and previous.isascii() or previous in ("_", "\\") or _UNIT_POWER.search(head)):
        return None
    value = tail.value if sign > 0 else -tail.value
    operand = bool(_OPERATOR_BEFORE.search(head) or _OPERATOR_AFTER.match(text, tail.end))
    compared = _compared(text, head, tail.end)
    usable = not (operand or compared or part.broken or tail.variable or _OPENER_BEFORE.search(head) or _LABEL.search(head))
    weak = tail.ordinal or bool(_ATTRIBUTE.match(text, tail.end))
    unsure = part.unsure or bool(part.thousands_if_euro and (money or "").strip() == "€" or part.thousands_if_euro and tail.euro)
    if part.thousands_if_euro and unsure:
        value, tail = value * 1000, replace(tail, decimals=0)
    return Quantity(start, tail.end, value, tail.decimals, tail.percent, bool(money), usable, weak, tail.alternative, unsure)


def _compared(text: str, head: str, end: int) -> bool:
    """Whether the quantity that follows `head` and ends at `end` is a bound (`<42`, `more than 42`); `<42>` is none."""
    enclosed = head.endswith("<") and text.startswith(">", end)
    return bool(_COMPARED.search(head)) and not _AT_MOST.search(head) and not enclosed


def _prefix(text: str, start: int) -> tuple[int, int, str | None]:
    """Where the quantity with sign and currency begins, its sign, its currency."""
    match = _BEFORE.search(text, max(0, start - 12), start)
    word = _WORD_SIGN.search(text, max(0, start - 14), start)
    if word:
        return word.start(), -1, None
    if match is None:
        return start, 1, None
    sign, gap, money, inner = match["sign"], match["gap"], match["money"], match["inner"]
    first = match.start("sign") if sign else match.start("money") if money else start
    if inner and not money:
        first = match.start("inner")
        sign, gap, inner = inner[0], inner[1:], None
    if sign and not _is_sign(text[max(0, first - 4) : first], gap):
        return (match.start("money") if money else start), 1, money
    negative = (sign == "-") != bool(inner and inner[0] == "-")
    begin = first
    return begin, -1 if negative else 1, money


def _is_sign(before: str, gap: str) -> bool:
    """Whether a dash after `before` is a sign and not a subtraction, a range, a hyphen or a bullet."""
    bare = before.rstrip(" ")
    if bare[-1:].isalnum() and bare == before or bare[-1:] in (")", "%", "}", "-") and bare != "":
        return False
    if bare[-1:].isdigit():
        return False
    return not gap or bare[-1:] in ("=", ":", "(", "{", "≈", "$")


def _worded(text: str, words: Words) -> Quantity:
    head = text[max(0, words.start - 24) : words.start]
    tail = re.compile(r"\s{0,2}(?:%|percent\b|per cent\b)", re.IGNORECASE).match(text, words.end)
    operand = re.match(r"\s(?:plus|minus|times|divided by|multiplied by)\s", text[words.end : words.end + 16], re.IGNORECASE)
    usable = not (operand or _compared(text, head, words.end) or _LABEL.search(head))
    weak = words.weak or bool(_ATTRIBUTE.match(text, words.end))
    decimals = 0 if words.value.denominator == 1 else None
    if not words.fraction and words.value.denominator != 1:
        decimals = len(decimal_text(abs(words.value)).partition(".")[2])
    return Quantity(words.start, tail.end() if tail else words.end, words.value, decimals, bool(tail), False, usable, weak)
