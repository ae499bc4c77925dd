"""The number a response gives: whole response, last marker that parses, else the value its last telling sentence states."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction

from tasks.scorers.extraction.found import BOXED, CORRECTION, CUE, EQUALITY, EXACT, HASH, JSON, REVERSED, SENTENCE, TAG, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.prose import Span, aside, correction, negated, restates, sentences
from tasks.scorers.extraction.quantities import Quantity, scan

_UNIT = re.compile(r"[\s.,;:!?()\[\]{}$\"'\\|*°=%/^-]*(?:[A-Za-zµ°²³€£]{1,4}(?:/[A-Za-z]{1,4})?)?[\s.,;:!?()\[\]{}$\"'\\|*°²³^23]*")
_LEAD = re.compile(r"[\s($\[{\"'|≈=:\\*.>-]*")
_FILLER = re.compile(
    r"[\s:($\[{\"'|≈=\\*>-]*(?:(?:approximately|about|around|roughly|exactly|just|simply|only|a total of|equal to|x|[a-z] ?=|therefore"
    r"|thus|now)[\s:=$(]+){0,2}",
    re.IGNORECASE,
)
_EQUALS = re.compile(
    r"=>|→|->|=|≈|\b(?:equals|is equal to|makes|gives(?: us)?|leaves|yields|comes to|adds up to|totals?|amounts to|which is|that is"
    r"|rounds? (?:up |down |off )?to)\b",
    re.IGNORECASE,
)
_AFTER_EQUALS = re.compile(r"[\s($\[{\"':]*(?:(?:approximately|about|around|roughly|exactly|a total of|in)\s)?[($\"']*", re.IGNORECASE)
_ADJUNCT = re.compile(
    r"(?:\b(?:after|in|within|per|every|each|for|during|by|among|between|since|until|over|from|at|with|the|these|those|all)(?: the| these"
    r"| those| his| her| their| all| another)?|\bout of|[\d%] of)\s?$",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom\s(?:[$€£]?[\d.,]{1,9}%?\sto\s)?$", re.IGNORECASE)
_JOINED = re.compile(r"\s{0,2}(?:[A-Za-z°]{1,15}\s?)?(?:,|\band\b|\bor\b|&|,\s?(?:and|or)\b)\s{0,2}[($]{0,2}", re.IGNORECASE)
_NUMBERING = re.compile(r"[.)]\s+[A-Za-z(]")
_ZERO = re.compile(
    r"\b(?:no \w+(?: \w+)? (?:left|remain(?:s|ing)?|over)|(?:has|have|are|is|leaves?|there(?:'s| is| are)) (?:none|nothing)(?: left"
    r"| remaining)?(?=[.!\s]*$)|none (?:left|remain(?:s|ing)?|are left|is left))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\s{0,2}[A-Za-z][A-Za-z_]{0,15}\s{0,2}(?:[.)\n]|$)")
_SUM = re.compile(r"^[^(;.,]{0,40}?(?:[+*/×÷]|\s-\s)[^(;.]{0,80}$")
_REASON = re.compile(r"\bbecause\b|, (?:as|since)\s", re.IGNORECASE)
_CODE = re.compile(
    r"\b(?:pow|print|alert|range|eval|exec|factorial)\(|\b\w{1,30}(?:\.\w{1,30}){1,4}\(|\b(?:import|eval|exec|lambda|system)\b\s?\(" r"|\bimport [a-z]+\b"
)
_NONE = re.compile(r"[\s:\"'(]*(?:none|nothing|nil)\b(?! of| certain| else| to)", re.IGNORECASE)


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


def find(text: str, *, partial: bool) -> Found[Quantity] | None:
    """The number that `text` (normalised) gives; `partial`: it was cut, so only the whole response or an explicit marker counts."""
    reading = Reading(text)
    stated = _exact(reading) or _marked(reading, partial)
    return stated if stated or partial or _spoilt(text) else _typed(reading)


def _spoilt(text: str) -> bool:
    """Whether an explicit place for the answer holds something that is no number: then no number of the prose is the answer."""
    return any(marker.kind in (BOXED, TAG, JSON) and re.search(r"[\w∞]", text[marker.begin : marker.end]) for marker in markers(text))


def _found(reading: Reading, quantity: Quantity, strategy: str, ambiguous: bool = False) -> Found[Quantity]:
    return Found(reading.text[quantity.start : quantity.end].strip(), quantity, quantity.canonical(), strategy, ambiguous or quantity.unsure)


def _exact(reading: Reading) -> Found[Quantity] | None:
    if len(reading.quantities) == 1 and reading.quantities[0].usable:
        quantity = reading.quantities[0]
        if _LEAD.fullmatch(reading.text, 0, quantity.start) and _UNIT.fullmatch(reading.text, quantity.end):
            return _found(reading, quantity, EXACT)
    return None


def _marked(reading: Reading, partial: bool) -> Found[Quantity] | None:
    for marker in reversed(markers(reading.text)):
        hit = _before(reading, marker) if marker.kind == REVERSED else _after(reading, marker)
        if hit is None or (partial and _cut_short(reading.text, hit[0])):
            continue
        quantity, ambiguous = hit
        return (None if partial else _corrected(reading, quantity.end)) or _found(reading, quantity, marker.kind, ambiguous)
    return None


def _cut_short(text: str, quantity: Quantity) -> bool:
    """Whether the end of a cut response may have cut the number itself."""
    return bool(re.fullmatch(r"[ ]?[,/^×*-][ ]?", text[quantity.end :]))


def _before(reading: Reading, marker: Marker) -> tuple[Quantity, bool] | None:
    begin = max(marker.begin, marker.position - 200)
    spans = sentences(reading.text[begin : marker.position])
    if not spans:
        return None
    candidates = [q for q in reading.within(begin + spans[-1][0], marker.position) if reading.stands(q)]
    return (candidates[-1], len({q.value for q in candidates}) > 1) if candidates else None


def _after(reading: Reading, marker: Marker) -> tuple[Quantity, bool] | None:
    if marker.kind != CUE:
        return _value(reading, marker.begin, marker.end, direct=marker.kind == HASH)
    position = marker.begin
    for start, end in sentences(reading.text[position : min(marker.end, position + 600)])[:3]:
        if _NONE.match(reading.text, position + start) and start <= 2:
            return Quantity(position + start, position + end, _zero()), False
        hit = _value(reading, position + start, position + end, direct=False)
        if hit:
            return hit
        inside = reading.within(position + start, position + end)
        if any(not q.usable for q in inside) or (not inside and re.search(r"\w{3}", reading.text[position + start : position + end])):
            return None
    return None


def _value(reading: Reading, begin: int, end: int, *, direct: bool) -> tuple[Quantity, bool] | None:
    """The value a marker's stretch states: the last side of an equation, else the first number; a list has none."""
    inside = reading.within(begin, end)
    first = inside[0] if inside else None
    if first is None:
        return None
    if direct and (not _FILLER.fullmatch(reading.text, begin, first.start) or _NUMBERING.match(reading.text, first.end)):
        return None
    equated = _equated(reading, begin, end)
    standing = [q for q in inside if reading.stands(q)]
    lead = next((q for q in standing if not q.weak), standing[0] if standing else None)
    if lead is not None and (
        equated is None
        or equated.start < lead.start
        or "=" not in reading.text[begin : lead.end + 3]
        and lead is first
        and not _SUM.search(reading.text[lead.end : equated.start])
    ):
        listed = _listed(reading, lead, inside)
        return None if listed else (lead, len({q.value for q in standing}) > 1)
    return (equated, False) if equated else None


def _listed(reading: Reading, lead: Quantity, inside: list[Quantity]) -> bool:
    """Whether the number is one of several given side by side (`12 and 15`, `3, 4`): no single answer."""
    index = inside.index(lead)
    following = inside[index + 1] if index + 1 < len(inside) else None
    return (
        following is not None
        and following.value != lead.value
        and bool(_JOINED.fullmatch(reading.text, lead.end, following.start))
        and following.usable
        and not _adjunct(reading.text, lead)
        and reading.stands(following)
    )


def _in_list(reading: Reading, quantity: Quantity, candidates: list[Quantity]) -> bool:
    index = candidates.index(quantity)
    return any(_listed(reading, lead, candidates[: index + 2]) for lead in candidates[max(0, index - 1) : index + 1])


def _equated(reading: Reading, begin: int, end: int) -> Quantity | None:
    """The number right of the last equals sign (or its kin) of a stretch that has one."""
    for match in reversed(list(_EQUALS.finditer(reading.text, begin, end))):
        gap = _AFTER_EQUALS.match(reading.text, match.end(), end)
        position = gap.end() if gap else match.end()
        for quantity in reading.within(match.end(), end)[:1]:
            if quantity.start <= position and quantity.usable:
                return quantity
        if match[0] == "=" and _NAME.match(reading.text, match.end(), end):
            before = [q for q in reading.within(begin, match.start())[-1:] if q.usable and not reading.text[q.end : match.start()].strip(" )")]
            if before:
                return before[0]
    return None


def _corrected(reading: Reading, position: int) -> Found[Quantity] | None:
    """The last value stated after the writer took something back; None where nothing is restated."""
    start = correction(reading.text, position)
    if start is None:
        return None
    restated = [q for q in reading.within(start, len(reading.text)) if reading.stands(q) and restates(reading.text, start, q.start)]
    return _found(reading, restated[-1], CORRECTION, ambiguous=True) if restated else None


def _typed(reading: Reading) -> Found[Quantity] | None:
    """The last sentence that states a value: its last equality, else its telling number."""
    spans = sentences(reading.text)
    for asides in (False, True):
        for start, end in reversed(spans):
            sentence = reading.text[start:end]
            if not asides and (aside(sentence) or sentence.rstrip().endswith("?")) or _CODE.search(sentence):
                continue
            hit = _stated(reading, (start, end))
            if hit is not None:
                return hit
            if reading.within(start, end) and not asides:
                return None
    return None


def _stated(reading: Reading, span: Span) -> Found[Quantity] | None:
    start, end = span
    reason = _REASON.search(reading.text, start + 1, end)
    if reason and any(reading.stands(quantity) for quantity in reading.within(start, reason.start())):
        end = reason.start()
    equated = _equated(reading, start, end)
    if equated is not None and reading.stands(equated):
        return _found(reading, equated, EQUALITY)
    candidates = [q for q in reading.within(start, end) if reading.stands(q)]
    if not candidates:
        zero = _ZERO.search(reading.text, start, end)
        return Found(zero[0], Quantity(zero.start(), zero.end(), _zero()), "0", SENTENCE) if zero else None
    known = _earlier_results(reading, start)
    for keep in (lambda q: not q.weak and q.value in known, lambda q: not q.weak and not _adjunct(reading.text, q), lambda q: not q.weak, lambda q: True):
        kept = [q for q in candidates if keep(q)]
        if kept and kept[-1].value not in known and _in_list(reading, kept[-1], candidates):
            return None
        if kept:
            return _found(reading, kept[-1], SENTENCE, ambiguous=len({q.value for q in candidates}) > 1)
    return None


def _adjunct(text: str, quantity: Quantity) -> bool:
    """`in 3 days`, `for 5 friends`, `20 of 100`: a circumstance, not the thing counted."""
    before = text[max(0, quantity.start - 24) : quantity.start]
    if _FROM_TO.search(before):
        return True
    return not quantity.money and not (quantity.percent and before.endswith("by ")) and bool(_ADJUNCT.search(before))


def _earlier_results(reading: Reading, position: int) -> set[object]:
    equated = _equated(reading, max(0, position - 600), position)
    return {equated.value} if equated else set()


def _zero() -> Fraction:
    return Fraction(0)
