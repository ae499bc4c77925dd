"""A verdict per option, line by line (`A. iron: incorrect`, `| B | ✓ |`): the one option found right is the answer."""

from __future__ import annotations

import re

from tasks.scorers.extraction.choice_reading import Reading
from tasks.scorers.extraction.options import Mention
from tasks.scorers.extraction.prose import sentences

_LINE = re.compile(r"^[^\n]*\S", re.MULTILINE)
_LEAD = re.compile(r"[\s|>•–—-]{0,8}(?:\d{1,2}[.)]\s{0,3})?(?:options?\s)?", re.IGNORECASE)
_RIGHT, _WRONG = r"correct|right|true|yes", r"incorrect|wrong|false|no|not (?:correct|right|true)"
_MARK = re.compile(r"(?P<right>[✅✓✔☑])|(?P<wrong>[❌✗✘×])")
_NEXT = re.compile(rf"[\s)\].:|?–—-]{{0,8}}\(?(?:this |it )?(?:is )?(?:(?P<wrong>{_WRONG})|(?P<right>{_RIGHT}))\b(?! (?:answer )?if\b)", re.IGNORECASE)
_LAST = re.compile(rf"[:(|–—-]\s{{0,3}}(?:(?P<wrong>{_WRONG})|(?P<right>{_RIGHT}))[\s.)!|]*$", re.IGNORECASE)


def judged(reading: Reading) -> Mention | None:
    """The only option that a list of verdicts finds right, at least one other found wrong."""
    right: dict[str, Mention] = {}
    wrong = set()
    lines = [match.span() for match in _LINE.finditer(reading.text)]
    for begin, end in lines if len(lines) > 1 else sentences(reading.text):
        mention, after = _option(reading, begin, end)
        verdict = mention and (_last(_MARK, reading.text, after, end) or _NEXT.match(reading.text, after, end) or _ending(reading, after, end))
        if mention and verdict and verdict["right"]:
            right[mention.letter] = mention
        elif mention and verdict:
            wrong.add(mention.letter)
    return next(iter(right.values())) if len(right) == 1 and wrong - set(right) else None


def _option(reading: Reading, begin: int, end: int) -> tuple[Mention | None, int]:
    """The option a line opens with, by letter, text or both, and where that ends."""
    lead = _LEAD.match(reading.text, begin, end)
    start = lead.end() if lead else begin
    letter = next((m for m in reading.letters if start <= m.start <= start + 1 and m.end <= end), None)
    after = letter.end if letter else start
    text = next((m for m in reading.texts if after <= m.start <= after + 4 and m.end <= end and not re.search(r"\w", reading.text[after : m.start])), None)
    if letter and text and letter.letter != text.letter:
        return None, after
    return letter or text, text.end if text else after


def _last(pattern: re.Pattern[str], text: str, begin: int, end: int) -> re.Match[str] | None:
    found = list(pattern.finditer(text, begin, end))
    return found[-1] if found else None


def _ending(reading: Reading, begin: int, end: int) -> re.Match[str] | None:
    return _LAST.search(reading.text[:end], max(begin - 1, end - 40))
