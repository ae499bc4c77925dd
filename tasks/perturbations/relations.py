"""The word lists of `relations.txt`: what others may not change, and what a typing error may not hit."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tasks.perturbations.synonym import lexicon


@cache
def lines(section: str) -> tuple[str, ...]:
    """Lines of a section: kept, opposites, units, measures or general."""
    text = (Path(__file__).parent / "relations.txt").read_text(encoding="utf-8")
    parts = re.split(r"^== (\w+).*\n", text, flags=re.MULTILINE)[1:]
    return tuple(dict(zip(parts[::2], parts[1::2], strict=True))[section].splitlines())


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """Name of a relation -> what expresses it."""
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in (line.split(" = ", 1) for line in lines("kept"))}


@cache
def opposites() -> tuple[tuple[list[str], list[str]], ...]:
    """Pairs of word lists of which none may take the place of the other."""
    return tuple((left.split(), right.split()) for left, right in (line.split(" | ") for line in lines("opposites")))


@cache
def spellings(section: str) -> dict[str, str]:
    """Spelling -> name, of units or measures."""
    return {word: line.split()[0] for line in lines(section) for word in line.split()}


@cache
def alike() -> frozenset[frozenset[str]]:
    """Pairs of single nouns that `lexicon.csv` lets stand for each other."""
    nouns = ((lemma, entry) for (family, lemma), entries in lexicon().items() if family == "NOUN" for entry in entries)
    return frozenset(frozenset({lemma, other}) for lemma, entry in nouns for other in entry.substitutes)


@cache
def bearing() -> frozenset[str]:
    """Words that bear the sense of a question: units, measures and words with an opposite."""
    opposed = {word for pair in opposites() for side in pair for word in side}
    return frozenset({*spellings("units"), *spellings("measures"), *opposed, "times"})
