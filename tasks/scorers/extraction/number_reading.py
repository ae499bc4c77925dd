"""Numbers in their sentences: which may be answers, which side of an equation, which stand in a list, which are circumstances."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction

from tasks.scorers.extraction.found import Found
from tasks.scorers.extraction.prose import negated
from tasks.scorers.extraction.quantities import Quantity, scan

_EQUALS = re.compile(
    r"=>|→|->|=|≈|\b(?:equals|is equal to|makes|gives(?: us)?|leaves|yields|comes to|adds up to|totals?|amounts to|which is|that is"
    r"|rounds? (?:up |down |off )?to)\b",
    re.IGNORECASE,
)
_AFTER_EQUALS = re.compile(r"[\s($\[{\"':]*(?:(?:approximately|about|around|roughly|exactly|a total of|in)\s)?[($\"']*", re.IGNORECASE)
_ABOUT = re.compile(r"[)$]{0,2},?\s?(?:\(?(?:or |which is )?(?:about|approximately|roughly|around)|≈)\s?[($]{0,2}", re.IGNORECASE)
_ADJUNCT = re.compile(
    r"(?:\b(?:after|in|within|per|every|each|for|during|by|among|between|since|until|over|from|at|with|the|these|those|all|out of"
    r"|compared (?:with|to)|to (?:reach|get to|afford|complete|fill|cover))(?: the| these"
    r"| those| his| her| their| all| another)?|(?:for|per|during|after) (?:the|an?|each|every|his|her|their)"
    r" (?!(?:total|sum|amount|price|cost|fee|rate|value|average)\b)[a-z]{1,15} of|\b(?:left|remaining|remains) (?:out )?of(?: the)?"
    r"|(?:[\d%]|\d [a-z]{2,15}) of(?: (?:the|his|her|their|its|my|our|your|these|those|all))?)\s?$",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom\s(?:[$€£]?[\d.,]{1,9}%?\sto\s)?$", re.IGNORECASE)
_OUT_OF = re.compile(r"\b(?:out of(?: the| his| her| their| all| these| those)?|from (?:his|her|their|its|my|our|your))\s?$", re.IGNORECASE)
_TIME_TO = re.compile(
    r"\b(?:takes?|took|taking|needs?|needed|requires?|required|spends?|spent)\b[^.,;:\n]{0,30}?[\d.,]{1,9} (?:seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|years?|trips?|rounds?|turns?) to \w+(?: (?:the|all|his|her|their|its|these|those)){0,2}\s?$",
    re.IGNORECASE,
)
"""`10 days to read 300 pages`: what the time is needed for."""
_JUSTIFIES = re.compile(r"\b(?:because|since)\b|, as\s", re.IGNORECASE)
_WORKS = re.compile(r"\s(?:\w+ )?(?:works|checks out|satisfies)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s(?:[$€£]?[\d.,]{1,9}%?\s(?:and|to)\s)?$")
_RANGE = re.compile(
    r"(?:^|\n|\b(?:is|are|was|were|about|around|approximately|roughly|takes?|costs?|needs?|has|have)\s)[$€£]?[\d.,]{1,9}%?\s(?:to|-)\s[$€£]?$", re.IGNORECASE
)
_ENDS_WITH = re.compile(
    r"\b(?:leav(?:e|es|ing)|left|end(?:s|ed|ing)? up|remain(?:s|ed|ing)?|finish(?:es|ed)?|is|are|now|go(?:es)? home"
    r"|come(?:s)? (?:up|out|away))\s(?:\w+\s){0,2}with\s?$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s{0,2}(?P<unit>[A-Za-z°]{1,15}\s?)?(?:,|\band\b|\bor\b|&|,\s?(?:and|or)\b)\s{0,2}[($]{0,2}", re.IGNORECASE)
_MEASURE = (
    r"(?P<unit>seconds?|minutes?|hours?|days?|weeks?|months?|years?|[cmk]?m"
    r"|inch(?:es)?|feet|foot|yards?|miles?|k?g|(?:kilo)?grams?|pounds?|ounces?|m?l|lit(?:er|re)s?|cents?|dollars?)\b"
)
_UNIT = re.compile(rf"\s{{0,2}}{_MEASURE}", re.IGNORECASE)
_OR_UNIT = re.compile(rf"\d\s{{0,2}}{_MEASURE},? or (?:about |roughly )?\$?$", re.IGNORECASE)
_NAME = re.compile(r"\s{0,2}[A-Za-z][A-Za-z_]{0,15}\s{0,2}(?:[.)\n]|$)")


class Reading:
    """A response with its quantities and sentences, read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.quantities = scan(text)
        self.starts = [quantity.start for quantity in self.quantities]

    def within(self, begin: int, end: int) -> list[Quantity]:
        """Quantities that lie in text[begin:end]."""
        first = bisect_left(self.starts, begin)
        last = bisect_left(self.starts, end)
        return [quantity for quantity in self.quantities[first:last] if quantity.end <= end]

    def stands(self, quantity: Quantity) -> bool:
        """Whether the quantity may be an answer: usable and not denied."""
        return quantity.usable and not negated(self.text, quantity.start, quantity.end, words=0)


def found(reading: Reading, quantity: Quantity, strategy: str, ambiguous: bool = False) -> Found[Quantity]:
    """What was found by `strategy`."""
    return Found(reading.text[quantity.start : quantity.end].strip(), quantity, quantity.canonical(), strategy, ambiguous or quantity.unsure)


def equated_in(reading: Reading, begin: int, end: int) -> Quantity | None:
    """The number right of the last equals sign (or its kin) of a stretch that has one."""
    for match in reversed(list(_EQUALS.finditer(reading.text, begin, end))):
        gap = _AFTER_EQUALS.match(reading.text, match.end(), end)
        position = gap.end() if gap else match.end()
        for quantity in reading.within(match.end(), end)[:1]:
            if quantity.start <= position and quantity.usable:
                return exact_of(reading, quantity)
        if match[0] == "=" and _NAME.match(reading.text, match.end(), end):
            before = [q for q in reading.within(begin, match.start())[-1:] if q.usable and not reading.text[q.end : match.start()].strip(" )")]
            if before:
                return before[0]
    return None


def exact_of(reading: Reading, quantity: Quantity) -> Quantity:
    """The fraction right before, of which the quantity is said to be the rounding (`1/3, about 0.33`); else the quantity itself.

    Not a division (`100 / 3 ≈ 33.33`) and not a percentage or a sum of money, which were asked for where they are given.
    """
    index = bisect_left(reading.starts, quantity.start)
    exact = reading.quantities[index - 1] if index else quantity
    if exact.decimals is not None or not reading.stands(exact) or re.search(r"\s/|/\s", reading.text[exact.start : exact.end]):
        return quantity
    if not quantity.decimals or quantity.percent or quantity.money or not _ABOUT.fullmatch(reading.text, exact.end, quantity.start):
        return quantity
    return exact if abs(exact.value - quantity.value) * 2 * 10**quantity.decimals <= 1 else quantity


def justified(reading: Reading, begin: int, end: int) -> int:
    """Where a stretch's justification (`6, since 2 * 6 = 12`) begins after a number that stands; else `end`."""
    reason = _JUSTIFIES.search(reading.text, begin + 1, end)
    return reason.start() if reason and any(reading.stands(q) for q in reading.within(begin, reason.start())) else end


def shown_to_work(reading: Reading, begin: int, end: int) -> Quantity | None:
    """The number a sentence opens with and calls fitting (`4 works: 3 * 4 = 12`)."""
    first = next(iter(reading.within(begin, end)), None)
    opens = first is not None and first.usable and not re.search(r"\w", reading.text[begin : first.start])
    return first if first is not None and opens and _WORKS.match(reading.text, first.end) else None


def is_listed(reading: Reading, lead: Quantity, inside: list[Quantity], *, units: bool = True) -> bool:
    """Whether the number is one of several given side by side (`12 and 15`, `3, 4`): no single answer."""
    index = inside.index(lead)
    following = inside[index + 1] if index + 1 < len(inside) else None
    joined = _JOINED.fullmatch(reading.text, lead.end, following.start) if following else None
    if joined and following and (joined[0].startswith(", or") and reading.text.startswith(",", following.end) or _converted(reading.text, following)):
        return False
    return (
        following is not None
        and following.value != lead.value
        and joined is not None
        and (units or not joined["unit"])
        and following.usable
        and not is_circumstance(reading.text, lead)
        and reading.stands(following)
    )


def _converted(text: str, quantity: Quantity) -> bool:
    """Whether the number only repeats the one before it in another unit (`2 hours, or 120 minutes`)."""
    own, unit = _OR_UNIT.search(text, max(0, quantity.start - 40), quantity.start), _UNIT.match(text, quantity.end)
    return bool(own and unit and own["unit"].rstrip("s") != unit["unit"].rstrip("s"))


def is_circumstance(text: str, quantity: Quantity) -> bool:
    """`in 3 days`, `for 5 friends`, `20 of 100`: a circumstance, not the thing counted."""
    before = text[max(0, quantity.start - 32) : quantity.start]
    if _FROM_TO.search(before) or _BETWEEN.search(before):
        return True
    if _ENDS_WITH.search(text[max(0, quantity.start - 40) : quantity.start]):
        return False
    if _TIME_TO.search(text[max(0, quantity.start - 80) : quantity.start]):
        return True
    if quantity.money:
        return bool(_OUT_OF.search(before))
    return not (quantity.percent and before.endswith("by ")) and bool(_ADJUNCT.search(before))


def is_remark(text: str, quantity: Quantity) -> bool:
    """Whether the number stands inside a bracket that something precedes in its line, or only converts: `2.5 hours (150 minutes)`."""
    if _converted(text, quantity):
        return True
    before = text[max(0, quantity.start - 80) : quantity.start].rpartition("\n")[2]
    opened = before.rfind("(")
    return opened > before.rfind(")") and bool(re.search(r"\w", before[:opened]))


def is_bound(text: str, quantity: Quantity) -> bool:
    """`between 20 and 40`, `20 to 40`: an end of a range."""
    before = text[max(0, quantity.start - 40) : quantity.start]
    return bool(_BETWEEN.search(before) or _RANGE.search(before))


def zero(start: int, end: int) -> Quantity:
    """The quantity 0, said in words (`none left`)."""
    return Quantity(start, end, Fraction(0))
