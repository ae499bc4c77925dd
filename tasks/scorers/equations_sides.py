"""The two sides of an equals sign: found by reading outwards from it, compared under every honest reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tasks.scorers.equations_tokens import Token
from tasks.scorers.equations_values import READINGS, Parser, Reading, Unreadable

FAMILIES = (
    "second sec minute min hour hr day week month year decade",
    "$ ¢ cent dollar buck quarter dime nickel penny pennie euro € £ pound p",
    "inch inche in foot feet ft yard yd mile mm cm m meter metre km kilometer",
    "ounce oz pound lb ton gram g kg kilogram mg",
    "ml milliliter l liter litre gallon quart pint cup",
    "dozen pair score",
)
_FAMILY = {word: number for number, words in enumerate(FAMILIES) for word in words.split()}
APPROXIMATE = Fraction(1, 50)
"""How far the two sides of '≈' may lie apart, relative."""
_STARTS = ("num", "lp", "money")


@dataclass(frozen=True)
class Side:
    """One side under one reading: its value (None after a division by zero), operators, decimals as written, units, and the tokens [start, stop) it spans."""

    value: Fraction | None
    operators: int
    decimals: int
    units: frozenset[str]
    start: int
    stop: int
    text: str


def left_sides(side: Sequence[Token]) -> list[Side]:
    """Readings of the longest arithmetic that ends `side`; and of shorter ones after a dash that may be prose."""
    found: list[Side] = []
    for start, token in enumerate(side):
        if not (token.kind in _STARTS or (token.kind == "op" and token.text in "+-" and not found)):
            continue
        if found and not _after_dash(side, start):
            continue
        found += [read for reading in READINGS if (read := _read(side, start, reading)) is not None and read.stop == len(side)]
    return found


def _after_dash(side: Sequence[Token], start: int) -> bool:
    """Whether a dash before `start` can be prose: it opens the side or follows a word."""
    return start > 0 and side[start - 1].text == "-" and (start == 1 or side[start - 2].kind == "word")


def right_sides(side: Sequence[Token]) -> list[Side]:
    """Readings of the longest arithmetic that begins `side`; and of shorter ones before an operator that follows a word."""
    found: list[Side] = []
    ends = [len(side)] + [i for i, token in enumerate(side) if i and token.kind == "op" and side[i - 1].kind == "word"]
    for end in ends[:4]:
        found += [read for reading in READINGS if (read := _read(side[:end], 0, reading)) is not None]
    return found


def _read(side: Sequence[Token], start: int, reading: Reading) -> Side | None:
    parser = Parser(side, reading, start)
    try:
        value = parser.expression()
    except Unreadable:
        return None
    text = " ".join(token.text for token in side[start : parser.position])
    return Side(None if parser.undefined else value, parser.operators, parser.decimals, frozenset(parser.units), start, parser.position, text)


def is_cut(left: Sequence[Token], right: Sequence[Token], a: Side, b: Side) -> bool:
    """Whether an operator at the outer end of a side leads to something that could not be read."""
    before = list(left[max(0, a.start - 3) : a.start])
    if before and before[-1].kind == "word" and left[a.start].kind == "op":
        return True
    if before and before[-1].kind == "op" and not (before[-1].text == "-" and _after_dash(left, a.start)):
        return True
    if any(token.kind == "op" and token.text != "-" for token in before[:-1]) and all(token.kind in ("op", "word") for token in before):
        return True  # "25 classmates + his 1 teacher"
    after = right[b.stop : b.stop + 2]
    return len(after) == 2 and after[0].kind == "op" and right[b.stop - 1].kind != "word" and after[1].kind in ("word", "lp")


def has_unknown(left: Sequence[Token], right: Sequence[Token], a: Side, b: Side) -> bool:
    """Whether a single letter stands in or right beside the sides: an unknown, or a unit that cannot be told from one."""
    near = (*left[max(0, a.start - 1) :], *right[: b.stop + 2])
    return any(token.kind == "word" and len(token.text) == 1 and token.text not in "aAI" for token in near)


def unknown_left(side: Sequence[Token]) -> bool:
    """Whether an unreadable left side is arithmetic with an unknown ('2x', '3(y + 1)') and not words."""
    tail = side[-4:]
    return any(t.kind == "num" for t in tail) and any(t.kind == "word" and len(t.text) == 1 for t in tail) and tail[-1].kind in ("word", "rp", "num")


def holds(a: Side, b: Side, approximate: bool) -> bool:
    """Whether the sides are equal: exactly, to the decimals of a lone result, as cents and dollars, or nearly where '≈' says so."""
    if a.value is None or b.value is None:
        return False
    if a.value == b.value or _rounds(a.value, b.value, b) or _rounds(b.value, a.value, a):
        return True
    if approximate:
        return abs(a.value - b.value) <= max(abs(b.value) * APPROXIMATE, Fraction(1, 2 * 10**b.decimals))
    money = [bool(side.units & {"$", "dollar"}) - bool(side.units & {"¢", "cent"}) for side in (a, b)]
    return (money == [1, -1] and a.value * 100 == b.value) or (money == [-1, 1] and a.value == b.value * 100)


def _rounds(exact: Fraction, value: Fraction, written: Side) -> bool:
    """Whether `value`, a lone number `written` with decimals, is `exact` rounded, or cut where it never ends."""
    if written.operators or not written.decimals:
        return False
    unit = Fraction(1, 10**written.decimals)
    if abs(exact - value) <= unit / 2:
        return True
    return _endless(exact) and exact * value > 0 and 0 <= abs(exact) - abs(value) < unit


def _endless(value: Fraction) -> bool:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest != 1


def converts(a: Side, b: Side) -> bool:
    """Whether the sides speak of different units of one kind (hours and minutes), or a lone quantity is restated as an expression."""
    if a.operators == 0 and a.units - b.units - {"$"}:
        return True
    kinds = [{_FAMILY[u] for u in side.units if u in _FAMILY} for side in (a, b)]
    return bool(kinds[0] & kinds[1]) and not (a.units & b.units)
