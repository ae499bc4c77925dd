"""A gold step made wrong in one way: what a judge of reasoning must catch."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from tasks.scorers.word_sets import words

ALTERATIONS = ("number", "negation", "swapped_entity", "other_item")

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w]|[.,]\d)")
_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|will|can|could|would|should|does|do|did|must|may)\b(?!\s+not\b)(?!n't)", re.IGNORECASE)
_NOT = re.compile(r"\b(is|are|was|were|has|have|had|will|can|could|would|should|does|do|did|must|may)\s+not\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
_NOT_NAMES = words(
    "the she her his they this that there then thus total each every after before since because when with for from and but how what which who",
    "first second next next finally therefore hence altogether half twice one two three four five six seven eight nine ten monday tuesday",
    "wednesday thursday friday saturday sunday january february march april may june july august september october november december english",
    "spanish french american",
)
NAMES = ("Priya", "Mateo", "Ingrid", "Kwame", "Yusuf", "Hana", "Dmitri", "Rosa")


def alter(alteration: str, step: str, *, question: str, others: Sequence[str], random: Random) -> str | None:
    """`step` altered in one way, or None where it holds nothing of that kind.

    Args:
        alteration: one of `ALTERATIONS`.
        step: a gold step.
        question: the item's question; tells names from other capitalised words.
        others: steps of other items.
        random: the source of every choice.
    """
    return _BY_NAME[alteration](step, question, others, random)


def _number(step: str, _question: str, _others: Sequence[str], random: Random) -> str | None:
    found = list(_NUMBER.finditer(step))
    if not found:
        return None
    match = found[-1]
    text = match.group().replace(",", "")
    whole, _, decimals = text.partition(".")
    value = int(whole) + random.choice([1, 2, 3, 5, 10, max(2, int(whole) // 2)])
    written = f"{value:,}" if "," in match.group() else str(value)
    return step[: match.start()] + written + (f".{decimals}" if decimals else "") + step[match.end() :]


def _negation(step: str, _question: str, _others: Sequence[str], _random: Random) -> str | None:
    if _NOT.search(step):
        return _NOT.sub(lambda m: m[1], step, count=1)
    if _AUXILIARY.search(step):
        return _AUXILIARY.sub(lambda m: f"{m[1]} not", step, count=1)
    return None


def _swapped_entity(step: str, question: str, _others: Sequence[str], random: Random) -> str | None:
    in_question = {name for name in _NAME.findall(question) if name.lower() not in _NOT_NAMES}
    names = [m for m in _NAME.finditer(step) if m.group() in in_question]
    if not names:
        return None
    old = names[0].group()
    rest = sorted(in_question - {old}) or [name for name in NAMES if name != old]
    new = random.choice(rest)
    return re.sub(rf"\b{old}\b", new, step)


def _other_item(_step: str, _question: str, others: Sequence[str], random: Random) -> str | None:
    return random.choice(others) if others else None


_BY_NAME: dict[str, Callable[[str, str, Sequence[str], Random], str | None]] = {
    "number": _number,
    "negation": _negation,
    "swapped_entity": _swapped_entity,
    "other_item": _other_item,
}
