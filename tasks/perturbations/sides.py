"""The two sides of a comparison or a ratio: they keep their places, unless the comparison is turned as well ("A is heavier than B", "B is lighter than A")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tasks.perturbations import relations
from tasks.perturbations.language import parse, sentences

BESIDE = {"NOUN", "PROPN", "NUM", "ADJ"}
RATIO = re.compile(r"\bratios? (?:of|between) (.+?) (?:to|and) (.+?)(?= in\b| is\b|[,.?;:]|$)", re.I)


class Sides(NamedTuple):
    """What stands on either side, and the word that compares ("heavier"; "" for a ratio)."""

    word: str
    left: frozenset[str]
    right: frozenset[str]


def sides_exchanged(before: str, after: str) -> str | None:
    """A reason where what stood on the left stands on the right, and what stood on the right on the left."""
    old, new = _sides(before), _sides(after)
    if len(old) != len(new):
        return None
    for one, other in zip(old, new, strict=True):
        to_right, to_left = (one.left - one.right) & (other.right - other.left), (one.right - one.left) & (other.left - other.right)
        if to_right and to_left and not _opposed(one.word, other.word):
            return f"exchanged: {min(to_right)} and {min(to_left)}, on either side"
    return None


def turned(before: str, after: str) -> bool:
    """Whether `after` is the one comparison of `before`, seen from the other side, and nothing else."""
    if len(list(sentences(before))) != 1 or len(list(sentences(after))) != 1:
        return False
    old, new = _sides(before), _sides(after)
    if not len(old) == len(new) == 1:
        return False
    (one,), (other,) = old, new
    if _bearing(before) - {one.word} != _bearing(after) - {other.word}:
        return False
    return (one.left, one.right) == (other.right, other.left) and one.left != one.right and _opposed(one.word, other.word)


def _bearing(text: str) -> set[str]:
    return {t.lower_ for t in parse(text)} & relations.bearing()


def _opposed(word: str, other: str) -> bool:
    return any((word in left and other in right) or (word in right and other in left) for left, right in relations.opposites())


def _sides(text: str) -> list[Sides]:
    return [sides for sentence in sentences(text) for sides in (*_compared(sentence.text), *_ratios(sentence.text))]


def _compared(sentence: str) -> Iterator[Sides]:
    words = list(parse(sentence)) if " than " in sentence else []
    for at, token in enumerate(words):
        if token.lower_ == "than" and at and words[at - 1].lower_ not in {"rather", "other"}:
            *_, by = [-1, *(n for n in range(at) if words[n].lower_ in relations.bearing())]
            yield Sides(words[by].lower_ if by >= 0 else "", _named(t for t in words[:at] if t.i != by), _named(words[at:]))


def _ratios(sentence: str) -> Iterator[Sides]:
    for match in RATIO.finditer(sentence):
        yield Sides("", *(_named(parse(part)) for part in match.groups()))


def _named(tokens: Iterable[Any]) -> frozenset[str]:
    return frozenset(t.lemma_.lower() for t in tokens if t.pos_ in BESIDE)
