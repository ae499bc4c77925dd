"""The option a response chooses: whole response, last marker that parses, else what its prose concludes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.scorers.extraction.choice_prose import typed
from tasks.scorers.extraction.choice_reading import Reading, found
from tasks.scorers.extraction.found import BOXED, CORRECTION, CUE, EXACT, JSON, REVERSED, TAG, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.options import LOOKALIKES, Mention, letter_mentions, letter_of, same_text
from tasks.scorers.extraction.prose import correction, restates, sentences

_BARE = re.compile(r"[\W_]*(?:(?:option|choice|answer)\W{0,3})?([A-Za-z])[\W_]*", re.IGNORECASE)
_LEADING_ARTICLE = re.compile(r"^\W*(?:the|an?)\b(?![.):])", re.IGNORECASE)
_DIRECT = re.compile(
    r"[\s:=*>\"'($\[{|-]*(?:(?:option|choice|letter|answer|answers?:|most likely|probably|clearly|definitely|likely|therefore|thus|simply"
    r"|actually|indeed|still|really|obviously|the|to be|number|text|is|then|now)[\s:,\"'($\[{]+){0,4}",
    re.IGNORECASE,
)
_VERDICT_ON = re.compile(r"\s?is the (?:correct (?!(?:answer|choice|option|one|letter)s?\b)[a-z]|one that\b)", re.IGNORECASE)
"""`This is the correct fallacy`: said of one option on the way; in a response cut there, others were still to come."""
_LOWER = re.compile(r"[\s:*\"'($]*([a-z])(?=\W|$)")


def find(text: str, choices: Sequence[str], *, partial: bool) -> Found[str] | None:
    """The option letter that `text` (normalised) chooses; `partial`: it was cut, so only the whole response or a marker counts."""
    reading = Reading(text, choices)
    stated = _exact(reading) or _marked(reading, partial)
    return stated if stated or partial or _spoilt(reading) else typed(reading)


def judge(letter: str, gold: str, choices: Sequence[str]) -> tuple[bool, str]:
    """Whether `letter` is the gold option, and the letter in the gold's form."""
    wanted = letter_of(gold, choices)
    if wanted == letter:
        return True, gold.strip()
    bare = gold.strip()
    if len(bare) > 1 and any(bare.casefold() == choice.strip().casefold() for choice in choices):
        return False, choices[ord(letter) - ord("A")]
    return False, letter.lower() if len(bare) == 1 and bare.islower() else letter


def _spoilt(reading: Reading) -> bool:
    """Whether an explicit place for the answer holds no option or several: then no option of the prose is the answer."""
    for marker in markers(reading.text):
        stretch = reading.text[marker.begin : marker.end]
        if marker.kind in (BOXED, TAG, JSON) and re.search(r"\w", stretch):
            return True
        first = sentences(stretch[:400])[:1]
        if marker.kind == CUE and any(reading.joined(reading.within(marker.begin + start, marker.begin + end)) for start, end in first):
            return True
    return False


def _exact(reading: Reading) -> Found[str] | None:
    text = reading.text
    bare = _BARE.fullmatch(text.translate(LOOKALIKES))
    if bare and bare[1].upper() in {m.letter for m in letter_mentions(f"({bare[1]})", reading.choices)}:
        return Found(bare[1], bare[1].upper(), bare[1].upper(), EXACT)
    whole = same_text(text, reading.choices)
    if whole:
        return Found(text, whole, whole, EXACT)
    option = reading.texts[0] if reading.texts else None
    if option and not re.search(r"\w", _LEADING_ARTICLE.sub("", text[: option.start] + text[option.end :])):
        return found(reading, option, EXACT)
    letter = reading.letters[0] if reading.letters else None
    if letter and option and len(reading.texts) == 1 and not re.search(r"\w", text[: letter.start] + text[letter.end : option.start] + text[option.end :]):
        return found(reading, letter, EXACT, ambiguous=option.letter != letter.letter)
    return None


def _marked(reading: Reading, partial: bool) -> Found[str] | None:
    for marker in reversed(markers(reading.text)):
        if partial and marker.kind == REVERSED and _VERDICT_ON.match(reading.text, marker.position):
            continue
        hit = _before(reading, marker) if marker.kind == REVERSED else _after(reading, marker)
        if hit is not None:
            corrected = None if partial else _corrected(reading, max(hit[0].end, marker.position))
            return corrected or found(reading, hit[0], marker.kind, hit[1])
    return None


def _same(reading: Reading, begin: int, end: int) -> Mention | None:
    """The option whose text is all of a stretch."""
    letter = same_text(reading.text[begin:end], reading.choices)
    return Mention(begin, end, letter, True, text=True) if letter else None


def _before(reading: Reading, marker: Marker) -> tuple[Mention, bool] | None:
    begin = max(marker.begin, marker.position - 200)
    spans = sentences(reading.text[begin : marker.position])
    start = begin + spans[-1][0] if spans else begin
    ending = [t for t in reading.texts if t.start < start and t.end >= marker.position - 2 and t.end <= marker.position]
    if whole := next(iter(ending), None) or _same(reading, start, marker.position):
        return whole, False
    for texts in (False, True):
        named = reading.within(start, marker.position, texts=texts)
        if named and not reading.joined(named):
            return named[-1], len({m.letter for m in named}) > 1
    return None


def _after(reading: Reading, marker: Marker) -> tuple[Mention, bool] | None:
    limit = min(marker.end, marker.begin + 600)
    for index, (start, end) in enumerate(sentences(reading.text[marker.begin : limit])[:3]):
        begin, finish = marker.begin + start, marker.begin + end
        hit = _chosen(reading, begin, finish)
        if hit is not None:
            return hit
        denied = any(begin <= m.start < finish and reading.denied(m) for m in reading.letters + reading.texts)
        if not denied and (index or re.search(r"\w", reading.text[begin:finish])):
            return None
    return None


def _chosen(reading: Reading, begin: int, end: int) -> tuple[Mention, bool] | None:
    """The option a marker's sentence names: its first word, else an option's text, else a letter in brackets, else any letter."""
    if whole := _same(reading, begin, end):
        return whole, False
    letters, texts = reading.within(begin, end), reading.within(begin, end, texts=True)
    opening = [t for t in reading.texts if begin <= t.start < end < t.end and _direct(reading, begin, t)]
    if opening:
        return opening[0], False
    order = [m for m in letters if _direct(reading, begin, m)][:1]
    if reading.joined(letters, *order) or (not letters and reading.joined(texts)):
        return None
    order += _lower_direct(reading, begin, end)
    order += [t for t in texts if _direct(reading, begin, t)][:1]
    order += [m for m in letters if m.strong][:1] + texts[:1] + letters[:1]
    return (order[0], len({m.letter for m in letters + texts}) > 1) if order else None


def _direct(reading: Reading, begin: int, mention: Mention) -> bool:
    return bool(_DIRECT.fullmatch(reading.text, begin, mention.start))


def _lower_direct(reading: Reading, begin: int, end: int) -> list[Mention]:
    """`answer: b` - a lower-case letter right after the marker; `a` only where nothing follows it."""
    match = _LOWER.match(reading.text, begin, end)
    if match is None or (match[1] in "ai" and not re.match(r"[\W_]*$|[.,;:)]", reading.text[match.end() : end])):
        return []
    known = letter_mentions(f"({match[1]})", reading.choices)
    return [Mention(match.start(1), match.end(), known[0].letter, True)] if known else []


def _corrected(reading: Reading, position: int) -> Found[str] | None:
    start = correction(reading.text, position)
    if start is None:
        return None
    for texts in (False, True):
        restated = [m for m in reading.within(start, len(reading.text), texts=texts) if restates(reading.text, start, m.start)]
        if restated:
            return found(reading, restated[-1], CORRECTION, ambiguous=True)
    return None
