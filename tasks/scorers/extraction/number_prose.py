"""The number a response without a marker states: in its last telling sentence, the last equality, else the number it is about."""

from __future__ import annotations

import re

from tasks.scorers.extraction.found import EQUALITY, SENTENCE, Found
from tasks.scorers.extraction.number_reading import Reading, equated_in, exact_of, found, is_bound, is_circumstance, is_listed, is_remark, shown_to_work, zero
from tasks.scorers.extraction.prose import Span, aside, declined, sentences
from tasks.scorers.extraction.quantities import Quantity

_ZERO = re.compile(
    r"\b(?:no \w+(?: \w+)? (?:left|remain(?:s|ing)?|over)|(?:has|have|are|is|leaves?|there(?:'s| is| are)) (?:none|nothing)(?: left"
    r"| remaining)?(?=[.!\s]*$)|none (?:left|remain(?:s|ing)?|are left|is left)"
    r"|none of (?:them|(?:the|his|her|their|these|those) \w+) (?:(?:is|are|was|were) left|remains?))\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\bbecause\b|\b(?:when|if) (?:you|we|i)\b|\s(?:is|are) (?:half|twice|double|\w+ times|a (?:third|quarter)) |\b(?:verification"
    r"|check(?:ing)?|proof):|, as\s|\bsince\s|, where\s|,? (?:as )?compared (?:with|to)\b|\b(?:after|before|by|when|while|once"
    r"|having) (?:\w+ )?\w+ing\b(?=[^,;:=]*$)"
    r"|, (?:which is )?(?:an?|one|two|three|\d/\d) ?(?:half|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)? of\b"
    r"|, (?:which is )?(?:half|twice|double)\b"
    r"|\s[—-]{1,2}\s?(?:that is|that's|which is|i\.e\.)\s|:\s(?=[$€£]?[\d.,]{1,9} (?:for each|each|per)\b)|\s\((?=[^()\n]*\)[\s.!]*$)",
    re.IGNORECASE,
)
_TOTAL_AS_RATE = re.compile(
    r"\b(?:total|sum|altogether|in all)\b[^;\n]{0,60}?\d[^,;\n]{0,20}(?P<rate>, (?:which is|that is|or) (?:about )?[$€£]?[\d.,]{1,9} (?:[a-z]{1,15} )?"
    r"(?:per|each|every|an?) [a-z])",
    re.IGNORECASE,
)
"""`The total is 7, which is 1 per day`: the total was asked for."""
_CONCLUDES = re.compile(r"=|\b(?:so|therefore|thus|hence|total|left|altogether|in all|equals|result|finally|wait|actually)\b", re.IGNORECASE)
_QUESTION = re.compile(r"(?:\b(?:what|which|who|whose|when|where|why|how)\b|^\W*(?:would|do|can|could|shall|should) (?:you|i|we)\b)[^?]*\?\W*$", re.IGNORECASE)
_ASKS = re.compile(r"\bhow (?:many|much)\b[^.!?\n]*\?\W*$", re.IGNORECASE)
_CODE = re.compile(
    r"\b(?:pow|print|alert|range|eval|exec|factorial)\(|\b\w{1,30}(?:\.\w{1,30}){1,4}\(|\b(?:import|eval|exec|lambda|system)\b\s?\("
    r"|\bimport [a-z]+\b|\blambda\b"
)


def typed(reading: Reading) -> Found[Quantity] | None:
    """The last sentence that states a value: its last equality, else its telling number; none where that sentence declines to answer."""
    spans = sentences(reading.text)
    if _ASKS.search(reading.text[-300:]):
        return None
    if headline := _headline(reading):
        return found(reading, headline, SENTENCE, ambiguous=len({q.value for q in reading.quantities}) > 1)
    for asides in (False, True):
        for start, end in reversed(spans):
            sentence = reading.text[start:end]
            asked = sentence.rstrip().endswith("?")
            if not asides and (aside(sentence) or asked) or _CODE.search(sentence) or asked and _QUESTION.search(sentence):
                continue
            start = declined(reading.text, start, end)
            if start == end:
                return None
            hit = _stated(reading, (start, end))
            if hit is not None:
                return hit
            if reading.within(start, end) and not asides:
                return None
    return None


def _headline(reading: Reading) -> Quantity | None:
    """The number that is all of the first paragraph, where what follows explains and concludes nothing (`20`, then `4 boxes of 5`)."""
    head, blank, rest = reading.text.partition("\n\n")
    quantities = reading.within(0, len(head))
    if not blank or len(quantities) != 1 or not quantities[0].usable or _CONCLUDES.search(rest):
        return None
    bare = head[: quantities[0].start] + head[quantities[0].end :]
    return quantities[0] if re.fullmatch(r"\W*(?:[A-Za-z°]{1,15}\W*)?", bare) else None


def _stated(reading: Reading, span: Span) -> Found[Quantity] | None:
    start, end = span
    if fits := shown_to_work(reading, start, end):
        return found(reading, fits, SENTENCE)
    rate = _TOTAL_AS_RATE.search(reading.text, start, end)
    end = rate.start("rate") if rate else end
    reason = _REASON.search(reading.text, start + 1, end)
    if reason and any(reading.stands(quantity) for quantity in reading.within(start, reason.start())):
        end = reason.start()
    equated = equated_in(reading, start, end)
    if equated is not None and reading.stands(equated):
        return found(reading, equated, EQUALITY)
    candidates = [q for q in reading.within(start, end) if reading.stands(q)]
    if not candidates:
        none = _ZERO.search(reading.text, start, end)
        return Found(none[0], zero(*none.span()), "0", SENTENCE) if none else None
    telling, known = _telling(reading, candidates, start)
    if not known and (is_bound(reading.text, telling) or _in_list(reading, telling, candidates)):
        return None
    return found(reading, telling, SENTENCE, ambiguous=len({q.value for q in candidates}) > 1)


def _telling(reading: Reading, candidates: list[Quantity], start: int) -> tuple[Quantity, bool]:
    """The number a sentence is about, and whether the last equality before `start` gave it: that one first, circumstances and ordinals last."""
    result = equated_in(reading, max(0, start - 600), start)
    firm = [q for q in candidates if not q.weak]
    known = [q for q in firm if result is not None and q.value == result.value]
    plain = [q for q in firm if not is_circumstance(reading.text, q)]
    outside = [q for q in plain if not is_remark(reading.text, q)]
    telling = exact_of(reading, (known or outside or plain or firm or candidates)[-1])
    return telling, bool(result is not None and telling.value == result.value)


def _in_list(reading: Reading, quantity: Quantity, candidates: list[Quantity]) -> bool:
    index = candidates.index(quantity)
    return any(is_listed(reading, lead, candidates[: index + 2]) for lead in candidates[max(0, index - 1) : index + 1])
