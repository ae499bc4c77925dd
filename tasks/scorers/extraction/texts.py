"""Free text: equal after folding case, accents, articles and punctuation; else the gold in the answer as whole words, not denied."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tasks.scorers.extraction import numbers
from tasks.scorers.extraction.found import CONTAINMENT, EXACT, REVERSED, SHORT, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.normal import normalise
from tasks.scorers.extraction.number_golds import equal
from tasks.scorers.extraction.prose import correction, negated, sentences
from tasks.scorers.extraction.text_clauses import answering, concludes, says

_ARTICLES = re.compile(r"\b(?:the|an?)\b")
_COPULA = re.compile(r"\b(?:is|are|was|were|be|called|named|known as|means|equals)\b|[:=]", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|cannot|neither|hardly)\b|n't\b", re.IGNORECASE)
_TRAILER = re.compile(r"\s*(?:,?\s(?:because|since|as|which|who|where)\b|\s\(|;|,\s(?:not|rather)\b).*$", re.IGNORECASE | re.DOTALL)
_ALTERNATIVE_AFTER = re.compile(r"[\"')]*,?\s+or\s+\w", re.IGNORECASE)
_ALTERNATIVE_BEFORE = re.compile(r"(?:\beither\s+(?:[\w']+\s+){0,3}|\w[\"')]*,?\s+or\s+)(?:the |an? )?[\"'(]*$", re.IGNORECASE)
_BESIDE = re.compile(r"\bwhether\b[^,.;\n]*$|\bthan (?:the |an? )?[\"'(]*$", re.IGNORECASE)
"""`whether it is Rome`, `shorter than Carl`: asked or compared with, not said."""
_REFUSED = re.compile(
    r"\b(?:i (?:do not|don't) know|not sure|cannot (?:be )?(?:determine|say|answer|tell)|can't (?:determine|say|answer|tell)|unknown|no idea)\w*\b",
    re.IGNORECASE,
)
MAX_WORDS = 60
"""A longer response is searched in its first and its last two sentences only: somewhere in a long text stands almost anything."""
SHORT_WORDS = 8


def fold(text: str) -> str:
    """Case and accents folded, canonical spelling."""
    bare = unicodedata.normalize("NFD", text.casefold().replace("&", " and "))
    return unicodedata.normalize("NFC", "".join(c for c in bare if unicodedata.category(c) != "Mn"))


def key(text: str) -> str:
    """What two texts must share to be the same answer; a text without words is compared without its spaces."""
    words = _ARTICLES.sub(" ", re.sub(r"[^\w\s]|_", " ", re.sub(r"(?<=\w)['.](?=\w)", "", fold(text))))
    symbols = re.search(r"[∞∪∩≤≥<>=+*/^\[\]()√π]", text) and not re.search(r"[^\W\d_]{3,}", text)
    return re.sub(r"[\s$.]+", "", fold(text)) if symbols or not words.strip() else " ".join(words.split())


def same(one: str, other: str) -> bool:
    """Whether two texts are the same answer, word breaks aside (`e-mail`, `email`)."""
    return key(one) == key(other) or key(one).replace(" ", "") == key(other).replace(" ", "") != ""


def find(text: str, gold: str, *, partial: bool, question: str = "") -> Found[str] | None:
    """The text that answers; `partial`: it was cut, so only the whole response or an explicit marker counts."""
    plain_gold = normalise(gold)
    if plain_gold and same(text, plain_gold):
        return Found(text, text, key(text), EXACT)
    marked = _marked(text, plain_gold, question)
    if marked is not None or partial:
        return marked
    return _contained(text, plain_gold, question) or _short(text, question)


def judge(answer: str, gold: str, question: str = "") -> tuple[bool, str]:
    """Whether `answer` gives the gold, and the answer in the gold's form."""
    plain = normalise(gold)
    right = bool(plain) and (same(answer, plain) or holds(answer, plain, question) or _same_number(answer, plain))
    return right, gold.strip() if right else answer


def holds(text: str, gold: str, question: str = "") -> bool:
    """Whether `gold` stands in what of `text` answers, as whole words, not denied and not as one of two alternatives."""
    pattern, folded = _pattern(key(gold)), fold(answering(text, question))
    if pattern is None:
        return False
    return any(_asserted(folded, match.start(), match.end()) for match in pattern.finditer(folded))


def _asserted(text: str, start: int, end: int) -> bool:
    alternative = _ALTERNATIVE_AFTER.match(text, end, min(len(text), end + 12)) or _ALTERNATIVE_BEFORE.search(text, max(0, start - 40), start)
    return not alternative and not negated(text, start, end) and not _BESIDE.search(text, max(0, start - 80), start)


@lru_cache(maxsize=4096)
def _pattern(gold_key: str) -> re.Pattern[str] | None:
    words = gold_key.split()
    if not words or not re.search(r"\w", gold_key):
        return None
    if not all(re.fullmatch(r"\w+", word) for word in words):
        return re.compile(re.escape(gold_key))
    return re.compile(r"(?<![\w-])(?<!\d[.,])" + r"[\W_]{1,4}(?:(?:the|an?)\s)?".join(map(_dotted, words)) + r"(?![\w-]|[.,]\d)")


def _dotted(word: str) -> str:
    """Word of a key as it may be written: an apostrophe or abbreviation dots may have been dropped from it."""
    return r"['.]?".join(map(re.escape, word)) if len(word) <= 12 else re.escape(word)


def _same_number(answer: str, gold: str) -> bool:
    wanted = numbers.find(gold, partial=True)
    if wanted is None or wanted.strategy != EXACT:
        return False
    found = numbers.find(answer, partial=False)
    return found is not None and equal(found.value, wanted.value)


def _marked(text: str, gold: str, question: str) -> Found[str] | None:
    for marker in reversed(markers(text)):
        region = _region(text, marker)
        if re.search(r"\w|[^\s.,:;\"'*]", region) and not _REFUSED.search(region):
            phrase = _phrase(region, question, cut=False)
            taken = _after_correction(text, marker, gold)
            extracted = taken or (region.strip() if holds(region, gold, question) else phrase)
            return Found(phrase if taken is None else taken, extracted, key(taken or phrase), marker.kind)
    return None


def _after_correction(text: str, marker: Marker, gold: str) -> str | None:
    start = correction(text, max(marker.position, marker.begin))
    rest = text[start:] if start is not None and marker.kind != REVERSED else ""
    return rest.strip() if rest and holds(rest, gold) else None


def _region(text: str, marker: Marker) -> str:
    if marker.kind == REVERSED:
        before = text[max(marker.begin, marker.position - 200) : marker.position]
        spans = sentences(before)
        return before[spans[-1][0] :] if spans else ""
    after = text[marker.begin : min(marker.end, marker.begin + 400)]
    spans = sentences(after)
    return after[slice(*spans[0])].strip(" \n:*\"'.!`,}") if spans else ""


def _contained(text: str, gold: str, question: str) -> Found[str] | None:
    spans = sentences(text)
    if len(text.split()) > MAX_WORDS and len(spans) > 3:
        spans = [spans[0], *spans[-2:]]
    concluded = False
    for start, end in reversed(spans):
        sentence = text[start:end].strip()
        if concluded and not says(sentence):
            continue
        concluded = concluded or concludes(sentence)
        if not sentence.endswith("?") and (holds(sentence, gold, question) or _same_number(sentence, gold)):
            phrase = _phrase(sentence, question)
            return Found(phrase, sentence, key(phrase), CONTAINMENT)
    return None


def _short(text: str, question: str) -> Found[str] | None:
    """A response of a few words, or one sentence that says what something is, is what the model answers, though it is not the gold."""
    phrase = _phrase(text, question)
    whole = _phrase(text, question, cut=False)
    brief = len(text.split()) <= SHORT_WORDS or len(sentences(text)) == 1 and phrase != whole and len(phrase.split()) <= SHORT_WORDS
    if not text or text.endswith("?") or not brief or _REFUSED.search(text) or not re.search(r"\w", text):
        return None
    return Found(phrase, phrase, key(phrase), SHORT)


def _phrase(sentence: str, question: str, *, cut: bool = True) -> str:
    """The answering part of a sentence: what follows its last copula, without the reasons."""
    told = answering(sentence, question).strip()
    bare = _TRAILER.sub("", told) or told
    if cut:
        parts = list(_COPULA.finditer(bare))
        if parts and bare[parts[-1].end() :].strip(" .!?\"'") and not _DENIES.search(bare[: parts[-1].end()]):
            bare = bare[parts[-1].end() :]
    return bare.strip(" \n.!?\"':;,")
