"""Reading a number gold, and whether an answer equals it: exactly, as a percentage of it, or by rounding to its decimals."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tasks.scorers.extraction import numbers
from tasks.scorers.extraction.found import EXACT, MARKERS
from tasks.scorers.extraction.normal import normalise
from tasks.scorers.extraction.quantities import Quantity, scan


@lru_cache(maxsize=4096)
def read_gold(gold: str) -> Quantity | None:
    """The quantity a gold writes (`$1,200`, `71/6`, `5.0`, `#### -3`); None where it is no number."""
    text = normalise(gold)
    found = numbers.find(text, partial=False)
    sure = found is not None and (found.strategy in (EXACT, *MARKERS) or len(scan(text)) == 1)
    return found.value if found is not None and sure else None


def judge(answer: Quantity, gold: str) -> tuple[bool, str]:
    """Whether `answer` equals `gold`, and the answer in the gold's form: the gold itself where equal."""
    target = read_gold(gold)
    if target is not None and equal(answer, target):
        return True, gold.strip()
    return False, answer.written() + ("%" if answer.percent and target is not None and target.percent else "")


def equal(answer: Quantity, gold: Quantity) -> bool:
    """METRICS.md, CQ: equality of values; a percentage equals its number and the fraction it is; decimals of the gold allow rounding."""
    if _same(answer.value, answer.decimals, gold) or answer.alternative == gold.value:
        return True
    if answer.percent and not gold.percent and gold.value.denominator != 1:
        return _same(answer.value / 100, None if answer.decimals is None else answer.decimals + 2, gold)
    return gold.percent and not answer.percent and answer.value.denominator != 1 and answer.value == gold.value / 100


def _same(value: Fraction, decimals: int | None, gold: Quantity) -> bool:
    if value == gold.value:
        return True
    if not gold.decimals or gold.value.denominator == 1:
        return False
    more = decimals is None or decimals > gold.decimals
    return more and abs(value - gold.value) * 2 * 10**gold.decimals <= 1
