"""What a model puts around the question that it was asked to reword: taken off where it is a fixed wrapper, left for the gate to refuse where it is not."""

from __future__ import annotations

import re

from tasks.perturbations.language import LONGEST

_NAMING = r"re-?(?:word|phras|writ)|paraphras|question|version|here"
_PREAMBLE = r"re-?(?:word|phras|writ)\w*|paraphras\w*|questions?|version|original|here(?:['’]s)?|is|are|the|a|an|of|my|your|in|other|words|this|that|below|one"
WRAPPERS = (
    (re.compile(r"\A(?:sure|certainly|of course|absolutely|okay|ok|great)\b(?:[!.,]|(?=:))\s*", re.I), ""),
    (re.compile(rf"\A(?=[^:\n]{{0,80}}(?:{_NAMING}))[*_#\s]*(?:(?:{_PREAMBLE})\b[\s,]*){{1,12}}[*_]*:[*_]*\s*", re.I), ""),
    (re.compile(r"\A```\w*\n(.*)\n```\Z", re.S), r"\1"),
    (re.compile(r"\A>\s?(?=[^\n]*\Z)"), ""),
    (re.compile(r"\A\*\*([^*]+)\*\*\Z"), r"\1"),
    (re.compile(r"\A\"([^\"]+)\"\Z|\A“([^”]+)”\Z"), r"\1\2"),
)
"""Assent, a line that names what follows, fences, a mark of quotation, stars or quotation marks around the whole."""


def unwrapped(reply: str, question: str) -> str:
    """A model's reply without the fixed wrappers that `question` itself does not have; empty where nothing else is there."""
    text = reply.strip()
    if len(text) > 2 * LONGEST:
        return text
    for _ in range(3):
        for pattern, inner in WRAPPERS:
            found = pattern.search(text)
            if found and not pattern.search(question):
                text = (found.expand(inner) + text[found.end() :]).strip()
    return text
