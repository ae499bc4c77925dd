"""The number a response gives: whole response, last marker that parses, else what its prose states."""

from __future__ import annotations

import re

from tasks.scorers.extraction.found import BOXED, CORRECTION, CUE, EXACT, HASH, JSON, REVERSED, TAG, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.number_prose import typed
from tasks.scorers.extraction.number_reading import Reading, equated_in, found, is_circumstance, is_listed, justified, zero
from tasks.scorers.extraction.prose import correction, restates, sentences
from tasks.scorers.extraction.quantities import Quantity

_UNIT = re.compile(r"[\s.,;:!?()\[\]{}$\"'\\|*°=%/^-]*(?:[A-Za-zµ°²³€£]{1,4}(?:/[A-Za-z]{1,4})?)?[\s.,;:!?()\[\]{}$\"'\\|*°²³^23]*")
_LEAD = re.compile(r"[\s($\[{\"'|≈=:\\*.>-]*")
_FILLER = re.compile(
    r"[\s:($\[{\"'|≈=\\*>-]*(?:(?:approximately|about|around|roughly|exactly|just|simply|only|a total of|equal to|x|[a-z] ?=|therefore"
    r"|thus|now)[\s:=$(]+){0,2}",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"[.)]\s+[A-Za-z(]")
_SUM = re.compile(r"^[^(;.,]{0,40}?(?:[+*/×÷]|\s-\s)[^(;.]{0,80}$")
_NONE = re.compile(r"[\s:\"'(]*(?:none|nothing|nil)\b(?! of| certain| else| to)", re.IGNORECASE)


def find(text: str, *, partial: bool) -> Found[Quantity] | None:
    """The number that `text` (normalised) gives; `partial`: it was cut, so only the whole response or an explicit marker counts."""
    reading = Reading(text)
    stated = _exact(reading) or _marked(reading, partial)
    if stated or partial or _spoilt(text):
        return stated
    said = typed(reading)
    return said and (_corrected(reading, said.value.end) or said)


def _spoilt(text: str) -> bool:
    """Whether an explicit place for the answer holds something that is no number: then no number of the prose is the answer."""
    return any(marker.kind in (BOXED, TAG, JSON) and re.search(r"[\w∞]", text[marker.begin : marker.end]) for marker in markers(text))


def _exact(reading: Reading) -> Found[Quantity] | None:
    if len(reading.quantities) == 1 and reading.quantities[0].usable:
        quantity = reading.quantities[0]
        if _LEAD.fullmatch(reading.text, 0, quantity.start) and _UNIT.fullmatch(reading.text, quantity.end):
            return found(reading, quantity, EXACT)
    return None


def _marked(reading: Reading, partial: bool) -> Found[Quantity] | None:
    if partial and _unsettled(reading):
        return None
    for marker in reversed(markers(reading.text)):
        hit = _before(reading, marker) if marker.kind == REVERSED else _after(reading, marker)
        if hit is None or (partial and _cut_short(reading.text, hit[0])):
            continue
        quantity, ambiguous = hit
        return (None if partial else _corrected(reading, quantity.end)) or found(reading, quantity, marker.kind, ambiguous)
    return None


def _unsettled(reading: Reading) -> bool:
    """Whether the markers of a cut response went round in circles: three different values or more under `####`."""
    hits = [_after(reading, marker) for marker in markers(reading.text)[-8:] if marker.kind == HASH]
    return len({hit[0].value for hit in hits if hit}) > 2


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
            return zero(position + start, position + end), False
        hit = _value(reading, position + start, position + end, direct=False)
        if hit:
            return hit
        inside = reading.within(position + start, position + end)
        if any(not q.usable for q in inside) or (not inside and re.search(r"\w{3}", reading.text[position + start : position + end])):
            return None
    return None


def _value(reading: Reading, begin: int, end: int, *, direct: bool) -> tuple[Quantity, bool] | None:
    """The value a marker's stretch states: the last side of an equation, else the first number; a list has none."""
    end = justified(reading, begin, end)
    inside = reading.within(begin, end)
    first = inside[0] if inside else None
    if first is None:
        return None
    if direct and (not _FILLER.fullmatch(reading.text, begin, first.start) or _NUMBERING.match(reading.text, first.end)):
        return None
    equated = equated_in(reading, begin, end)
    standing = [q for q in inside if reading.stands(q)]
    lead = next((q for q in standing if not q.weak), standing[0] if standing else None)
    if lead is not None and is_circumstance(reading.text, lead) and reading.text.startswith(",", _unit_end(reading.text, lead)):
        lead = next((q for q in standing if q.start > lead.end and not is_circumstance(reading.text, q)), lead)
    if lead is not None and (
        equated is None
        or equated.start < lead.start
        or "=" not in reading.text[begin : lead.end + 3]
        and lead is first
        and not _SUM.search(reading.text[lead.end : equated.start])
    ):
        listed = is_listed(reading, lead, inside, units=False)
        return None if listed else (lead, len({q.value for q in standing}) > 1)
    return (equated, False) if equated else None


def _unit_end(text: str, quantity: Quantity) -> int:
    """Where the noun counted by the quantity ends."""
    unit = re.compile(r"(?: [a-z]{1,15})?").match(text, quantity.end)
    return unit.end() if unit else quantity.end


def _corrected(reading: Reading, position: int) -> Found[Quantity] | None:
    """The last value stated after the writer took something back; None where nothing is restated."""
    start = correction(reading.text, position)
    if start is None:
        return None
    restated = [
        q
        for q in reading.within(start, len(reading.text))
        if reading.stands(q) and restates(reading.text, start, q.start) and not reading.text.startswith(" of ", q.end)
    ]
    return found(reading, restated[-1], CORRECTION, ambiguous=True) if restated else None
