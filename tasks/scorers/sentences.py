"""Where sentences end within a line of reasoning: not at decimals, abbreviations, initials, ellipses or list markers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.scorers.word_sets import words

_CANDIDATE = re.compile(r"""(?P<mark>[.!?…]+|[。！？]+)(?P<close>["'”’)\]*_`»]*(?:\$(?!\d))?)(?P<gap>\s+|(?=[A-Z][a-z]+(?:[\s,'’]|$))|(?<=[。！？])|$)""")
_TITLES = words(
    "mr mrs ms mx dr prof st gen rep sen rev capt lt col sgt cpl maj gov pres hon mt ft no nos fig figs eq eqs sec ch pp vs v cf al viz approx",
    "est ca",
)
_MIDDLE = words(
    "e.g i.e eg ie a.k.a etc esp incl excl resp min max avg temp dept ex est approx ave blvd rd sq cu in ft yd mi oz lb lbs hr hrs mins sec secs",
    "wk wks mo mos yr yrs yr yrs gal pt qt cm mm km kg mg ml pg pgs vol jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu",
    "thurs fri sat sun inc co ltd corp jr sr",
)
_MONTHS = words("jan feb mar apr jun jul aug sep sept oct nov dec")
_NEVER = words("e.g i.e eg ie a.k.a vs")
_STARTERS = words(
    "the so then therefore thus this that these those it she he they we i you there here in on at for from if when since because after before now",
    "next finally finally hence however but and also to let let's each every his her their our its a an one as by with while what how first",
    "second third total step since given",
)
_WORD_BEFORE = re.compile(r"[\w.'’-]*$")
_INITIAL = re.compile(r"[A-Z]\.\s")
_FIRST_WORD = re.compile(r"[\"'“‘(\[*_]*([A-Za-z][\w'’]*)")


def sentence_ends(text: str, start: int, end: int, safe: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Positions inside [start, end) where a sentence begins after another ended; none inside a `safe` span."""
    spans = [span for span in safe if span[1] > start and span[0] < end] if len(safe) < 8 else _overlapping(safe, start, end)
    index = 0
    for match in _CANDIDATE.finditer(text, start, end):
        while index < len(spans) and spans[index][1] <= match.start():
            index += 1
        inside = index < len(spans) and spans[index][0] <= match.start() and match.end("close") < spans[index][1]
        if match.end() < end and not inside and _is_end(text[max(start, match.start() - 60) : match.start()], match, text[match.end() : match.end() + 40]):
            yield match.end()


def _overlapping(safe: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    from bisect import bisect_left, bisect_right

    low = bisect_right(safe, start, key=lambda span: span[1])
    high = bisect_left(safe, end, key=lambda span: span[0])
    return list(safe[low:high])


def _is_end(before: str, match: re.Match[str], after: str) -> bool:
    mark, gap = match["mark"], match["gap"]
    if mark[0] in "。！？":
        return True
    following = after[:1]
    if not following:
        return False
    word = _first_word(before)
    if not gap:
        return mark == "." and "." not in word and "@" not in before[-30:] and "/" not in word
    if mark != ".":
        return not following.islower() and following not in "=+-*/×÷<>)≈,;" and not (mark == "!" and following in "=/")
    return _full_stop(word, before, after)


def _first_word(before: str) -> str:
    found = _WORD_BEFORE.search(before)
    return found.group().lstrip("'’.-") if found else ""


def _full_stop(word: str, before: str, after: str) -> bool:
    lower, following = word.lower(), after[:1]
    if following in "=+*/×÷<>)≈,;" or lower in _NEVER:
        return False
    starter = _FIRST_WORD.match(after)
    begins = starter is not None and starter[1].lower() in _STARTERS and starter[1][:1].isupper()
    if lower in _TITLES and not (begins and lower in ("st", "no", "ft", "sec", "est", "approx", "mt", "v", "al")):
        return lower == "no" and not following.isdigit()
    if re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return begins or (lower in ("a.m", "p.m") and following.isupper())
    if len(word) == 1 and word.isupper():
        if _INITIAL.match(after):
            return False
        previous = _first_word(before[: len(before) - 1].rstrip())
        opens = not before[: len(before) - 1].strip()
        return begins or not (following.isupper() and (opens or previous.endswith(".") or previous[:1].isupper()))
    if lower in _MONTHS and following.isdigit():
        return False
    if following.islower():
        return lower not in _MIDDLE and len(word) > 1
    return True
