"""Yes or no: whole words only, `not true` is no, `not false` is yes, hedges are no answer. True and false fold to yes and no."""

from __future__ import annotations

import re

from tasks.scorers.extraction.boolean_patterns import (
    ARTICLE,
    ATTRIBUTED,
    BOTH,
    BUT,
    CALLED_WRONG,
    CHOICE_OF_BOTH,
    CLAIM,
    CONCLUSION,
    DECLARED,
    DENIAL,
    ELLIPSIS,
    EMBEDDED,
    ENDS,
    FOLLOWS,
    HEDGE,
    LABELLED,
    NEGATOR,
    NO_CLAUSE,
    NOUN,
    OF_A_CLAUSE,
    POSITIVE,
    PREDICATE,
    VERDICT,
    WORD,
)
from tasks.scorers.extraction.found import CORRECTION, EXACT, POLARITY, REVERSED, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.polarity_words import foreign_polarity
from tasks.scorers.extraction.prose import correction, sentences

_PAIRS = (("true", "false"), ("1", "0"), ("y", "n"), ("t", "f"), ("correct", "incorrect"))
_FORMS = {word: pair for pair in _PAIRS for word in pair}
_NO_FORMS = frozenset({"no", "false", "0", "n", "f", "incorrect", "wrong", "0.0"})
_YES_FORMS = frozenset({"yes", "true", "1", "y", "t", "correct", "right", "1.0"})


def judge(answer: bool, gold: str) -> tuple[bool, str]:
    """Whether `answer` is the gold's, and the answer in the gold's form (`true`, `Yes`, `1` ...)."""
    bare = gold.strip().strip(".\"'")
    word = bare.casefold()
    if (answer and word in _YES_FORMS) or (not answer and word in _NO_FORMS):
        return True, gold.strip()
    value = _FORMS.get(word, ("yes", "no"))[0 if answer else 1]
    return False, value.upper() if bare.isupper() and len(bare) > 1 else value.capitalize() if bare[:1].isupper() else value


def find(text: str, *, partial: bool) -> Found[bool] | None:
    """The polarity that `text` (normalised) answers with; `partial`: it was cut, so only the whole response or a marker counts."""
    return _exact(text) or _marked(text, partial) or (None if partial else _typed(text))


def _found(word: str, answer: bool, strategy: str, ambiguous: bool = False) -> Found[bool]:
    return Found(word.strip(), answer, "yes" if answer else "no", strategy, ambiguous)


def _exact(text: str) -> Found[bool] | None:
    bare = re.fullmatch(
        r"[\W_]*(yes|yep|yeah|yup|y|true|t|correct|right|affirmative|1|no|nope|nah|n|false|f|incorrect|wrong|negative|untrue|0)[\W_]*", text, re.IGNORECASE
    )
    if bare:
        return _found(bare[1], bare[1].casefold() in {*POSITIVE, "y", "t", "1"}, EXACT)
    denied = re.fullmatch(r"[\W_]*not (true|correct|right|false|incorrect|wrong|yes|no|untrue)[\W_]*", text, re.IGNORECASE)
    if denied:
        return _found(denied[0], denied[1].casefold() not in POSITIVE, EXACT)
    foreign = foreign_polarity(text, 0, len(text))
    return _found(foreign[0], foreign[1], EXACT) if foreign and not re.search(r"\w", text[foreign[2] :]) else None


def _polarity(text: str, match: re.Match[str]) -> bool:
    positive = match["word"].casefold() in POSITIVE
    before = text[max(0, match.start() - 100) : match.start()]
    clause = re.split(r"[.;!?\n,:]", before)[-1]
    denied = bool(NEGATOR.search(clause) or DENIAL.search(clause))
    return (positive != denied) != bool(CALLED_WRONG.match(text, match.end()))


def _usable(text: str, match: re.Match[str]) -> bool:
    """Whether a polarity word is one: not a determiner (`no penguin`), an attribute (`correct answer`) or half of `true or false`."""
    if EMBEDDED.search(text[max(0, match.start() - 100) : match.start()]):
        return False
    declared = DECLARED.search(text, max(0, match.start() - 40), match.start())
    if declared and (CLAIM.match(text, match.end()) or match["word"].casefold() in ("yes", "no") and re.match(r" from\b", text[match.end() :])):
        return True
    if NOUN.match(text, match.end()) or (ARTICLE.search(text, max(0, match.start() - 4), match.start()) and ATTRIBUTED.match(text, match.end())):
        return False
    if match["word"].casefold() == "no":
        return bool(NO_CLAUSE.match(text, match.end()))
    return not re.match(r"\s{1,2}(?:or|and)\s{1,2}(?:false|no|not|incorrect|true)\b", text[match.end() : match.end() + 16], re.IGNORECASE) and not re.search(
        r"\b(?:yes|true|correct) (?:or|and) $", text[max(0, match.start() - 14) : match.start()], re.IGNORECASE
    )


def _marked(text: str, partial: bool) -> Found[bool] | None:
    for marker in reversed(markers(text)):
        hit = None if marker.kind == REVERSED and text.startswith(" is", marker.position) is False else _region(text, marker)
        if hit is not None:
            word, answer, end = hit
            corrected = None if partial else _corrected(text, max(end, marker.position))
            return corrected or _found(word, answer, marker.kind)
    return None


def _region(text: str, marker: Marker) -> tuple[str, bool, int] | None:
    begin, end = (max(marker.begin, marker.position - 200), marker.position) if marker.kind == REVERSED else (marker.begin, min(marker.end, marker.begin + 400))
    spans = sentences(text[begin:end])
    if not spans:
        return None
    start, stop = spans[-1] if marker.kind == REVERSED else spans[0]
    sentence = text[begin + start : begin + stop]
    if BOTH.search(sentence):
        return None
    if marker.kind != REVERSED:
        number = re.match(r"\W*(?:([01yntf]))(?:\W|$)", sentence, re.IGNORECASE)
        if number and len(re.findall(r"\w+", sentence)) == 1:
            return number[1], number[1].casefold() in "1yt", begin + stop
    for match in WORD.finditer(text, begin + start, begin + stop):
        if marker.kind == REVERSED and match["word"].casefold() not in ("yes", "no", "true", "false"):
            continue
        direct = not re.search(r"\w", text[begin + start : match.start()])
        if _usable(text, match) or (direct and match["word"].casefold() == "no" and not NOUN.match(text, match.end())):
            return match[0], _polarity(text, match), match.end()
    follows = FOLLOWS.search(sentence)
    if follows:
        return follows[0], bool(follows["yes"]), begin + stop
    return foreign_polarity(text, begin + start, begin + stop)


def _corrected(text: str, position: int) -> Found[bool] | None:
    start = correction(text, position)
    if start is None:
        return None
    asked = text[:start].rstrip().endswith("?")
    words = [
        m
        for m in WORD.finditer(text, start)
        if _usable(text, m) and m["word"].casefold() in ("yes", "no", "true", "false") and (m.start() > start or m["word"].casefold() != "no" or asked)
    ]
    stated = [
        m
        for m in words
        if re.search(
            r"(?:\b(?:wait|actually|is|be|so|meant|mean|correction|make that|oops|sorry)|[:,.?])\W*$", text[max(0, m.start() - 20) : m.start()], re.IGNORECASE
        )
    ]
    return _found(stated[-1][0], _polarity(text, stated[-1]), CORRECTION, ambiguous=True) if stated else None


def _typed(text: str) -> Found[bool] | None:
    spans = sentences(text)
    first = _leading(text)
    for start, end in reversed(spans):
        if (
            CONCLUSION.match(text, start, end)
            or VERDICT.search(text, start, end)
            or re.search(r"\b(?:so|therefore|thus|hence)\b", text[start:end], re.IGNORECASE)
        ) and not text[start:end].rstrip().endswith("?"):
            hit = _predicated(text, start, end)
            if hit and not (first and _beside(text, hit, start, end)):
                return hit
    if first:
        return _corrected(text, len(first.extracted)) or first
    for start, end in reversed(spans):
        if text[start:end].rstrip().endswith("?"):
            continue
        hedge = HEDGE.search(text, start, end)
        hit = _predicated(text, hedge.end() if hedge else start, end)
        if hit:
            return hit
    if spans and len(spans) <= 2:
        short = _elliptic(text, *spans[-1]) or _elliptic(text, *spans[0])
        return _found(short[0], bool(short["yes"]), POLARITY) if short else None
    return None


def _elliptic(text: str, start: int, end: int) -> re.Match[str] | None:
    """An answer without its word (`Of course not`), also after a hedge (`I am not sure, but probably not`)."""
    hedge = HEDGE.search(text, start, end)
    but = BUT.match(text, hedge.end(), end) if hedge else None
    return ELLIPSIS.fullmatch(text, but.end() if but else start, end)


def _beside(text: str, hit: Found[bool], start: int, end: int) -> bool:
    """Whether a conclusion after a leading yes or no is about something else: `it is false that they are`, or a word but yes and no in that first sentence."""
    last = max(text.rfind(hit.extracted, start, end), start)
    first_sentence = not re.search(r"\w", text[:start])
    return bool(OF_A_CLAUSE.match(text, last + len(hit.extracted))) or first_sentence and hit.extracted.casefold() not in ("yes", "no")


def _leading(text: str) -> Found[bool] | None:
    foreign = foreign_polarity(text, 0, min(len(text), 40))
    if foreign:
        return _found(foreign[0], foreign[1], POLARITY)
    match = WORD.search(text, 0, 40)
    if match is None or re.search(r"\w", text[: match.start()]) or not _usable(text, match) or BOTH.match(text, match.start()):
        return None
    if text[match.end() : match.end() + 1] == "?" or LABELLED.fullmatch(text):
        return None
    if match["word"].casefold() in ("right", "ok", "okay", "agree", "valid", "accurate", "negative", "wrong") and not re.match(
        r"\s{0,2}(?:[.,;:!\n]|$)", text[match.end() : match.end() + 3]
    ):
        return None
    return _found(match[0], match["word"].casefold() in POSITIVE, POLARITY)


def _said(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the word is said of something; yes and no also where they end their clause (`I guess yes`)."""
    if re.search(r"\b(?:some|others|sometimes|partly)(?: say)?\s$", text[max(0, match.start() - 14) : match.start()], re.IGNORECASE):
        return False
    if match["word"].casefold() in ("yes", "no") and ENDS.match(text, match.end()):
        return True
    return bool(PREDICATE.search(text[max(start, match.start() - 60) : match.start()]))


def _predicated(text: str, start: int, end: int) -> Found[bool] | None:
    """The last polarity word of a sentence that is said of something, or that stands alone in its clause."""
    both = BOTH.search(text, start, end)
    if both:
        answered = CHOICE_OF_BOTH.match(text, both.end(), end)
        return _predicated(text, answered.end(), end) if answered else None
    if LABELLED.fullmatch(text, start, end):
        return None
    words = [m for m in WORD.finditer(text, start, end) if _usable(text, m) and _said(text, start, m)]
    if words:
        return _found(words[-1][0], _polarity(text, words[-1]), POLARITY, ambiguous=len({_polarity(text, m) for m in words}) > 1)
    follows = FOLLOWS.search(text, start, end)
    return _found(follows[0], bool(follows["yes"]), POLARITY) if follows else None
