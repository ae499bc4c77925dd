"""The exact check of every "a op b = c" in a step: true, false, or not decidable. Fractions throughout; text is never evaluated.

Both sides of every equals sign are read outwards from it: the longest run of tokens that is arithmetic. An equation counts if
one side has an operator. It is true if some honest reading of it holds (a percent sign as hundredths or as a unit, a result
rounded to the decimals it is written with), false if none does, undecidable if it holds an unknown or converts a unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.records import ScorerCard
from tasks.scorers.equations_sides import converts, has_unknown, holds, is_cut, left_sides, right_sides, unknown_left
from tasks.scorers.equations_tokens import Token, clean, marks, tokens

CARD = ScorerCard(stage="equations", name="equations", version="1")

WINDOW = 120
"""Tokens read on each side of an equals sign."""
STEP_CHARS = 200_000
"""Characters of a step that are read."""
TRUE, FALSE, UNDECIDABLE = "true", "false", "undecidable"


@dataclass(frozen=True)
class Equations:
    """Counts of a step's equations, and the false ones as read."""

    n: int
    n_true: int
    n_false: int
    n_undecidable: int
    false: tuple[str, ...]


def check(step: str) -> Equations:
    """Check every equation of `step`. The same equation in a calculator mark and in the text counts once."""
    found = verdicts(step)
    count = {wanted: sum(verdict == wanted for _, verdict in found) for wanted in (TRUE, FALSE, UNDECIDABLE)}
    return Equations(len(found), count[TRUE], count[FALSE], count[UNDECIDABLE], tuple(text for text, verdict in found if verdict == FALSE))


def verdicts(step: str) -> list[tuple[str, str]]:
    """(equation as read, verdict) of every distinct equation of `step`, in order."""
    return list(dict(_verdicts(step[:STEP_CHARS])).items())


def _verdicts(step: str) -> Iterator[tuple[str, str]]:
    for text in (*marks(step), step):
        found = list(tokens(clean(text)))
        signs = [i for i, token in enumerate(found) if token.kind == "eq"]
        for before, sign, after in zip([-1, *signs], signs, [*signs[1:], len(found)], strict=False):
            left = found[max(before + 1, sign - WINDOW) : sign]
            verdict = _verdict(_after_stop(left), found[sign], _before_stop(found[sign + 1 : min(after, sign + 1 + WINDOW)]))
            if verdict is not None:
                yield verdict


def _verdict(left: Sequence[Token], sign: Token, right: Sequence[Token]) -> tuple[str, str] | None:
    lefts, rights = left_sides(left), right_sides(right)
    if not lefts and rights and unknown_left(left):
        return f"{_text(left[-4:])} {sign.text} {rights[0].text}", UNDECIDABLE
    if not lefts or not rights:
        return None
    name = f"{lefts[0].text} {sign.text} {rights[0].text}"
    cut = is_cut(left, right, lefts[0], rights[0])
    if max(side.operators for side in (*lefts, *rights)) == 0:
        return (name, UNDECIDABLE) if cut else None
    if cut:
        return name, UNDECIDABLE
    if any(holds(a, b, sign.text == "≈") for a in lefts for b in rights):
        return name, TRUE
    stated = len(sign.text) > 2 and lefts[0].operators == 1 and "/" in lefts[0].text  # "2/5 is equal to 12 acres" restates a share
    unsure = stated or converts(lefts[0], rights[0]) or has_unknown(left, right, lefts[0], rights[0])
    return name, UNDECIDABLE if unsure else FALSE


def _after_stop(side: Sequence[Token]) -> Sequence[Token]:
    stops = [i for i, token in enumerate(side) if token.kind == "stop"]
    return side[stops[-1] + 1 :] if stops else side


def _before_stop(side: Sequence[Token]) -> Sequence[Token]:
    stops = (i for i, token in enumerate(side) if token.kind == "stop")
    return side[: next(stops, len(side))]


def _text(side: Sequence[Token]) -> str:
    return " ".join(token.text for token in side)
