"""Options and the letter of the right one."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.datasets.rows import Row

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(row: Row, key: str, answer: object, options: Sequence[str]) -> str:
    """Letter of the right option: `answer` is a letter, a position from 0, or the option's own text.

    Raises:
        BadRow: out of range, no such option, or two readings that differ.
    """
    span = f"{len(options)} choices, A-{LETTERS[len(options) - 1]}"
    if isinstance(answer, bool) or not isinstance(answer, int | str):
        raise row.bad(f"{key}: must be a letter, a position from 0 or the text of an option ({span})")
    readings = {LETTERS[n] for n, option in enumerate(options) if option == str(answer).strip()}
    if len(readings) > 1:
        raise row.bad(f"{key}: {answer!r} is the text of options {' and '.join(sorted(readings))}; give the letter")
    if isinstance(answer, int):
        return _position(row, key, answer, options, span)
    bare = answer.strip().strip("().:").upper()
    if len(bare) == 1 and bare in LETTERS:
        at = LETTERS.index(bare)
        if at < len(options):
            readings.add(bare)
        elif not readings:
            raise row.bad(f"{key}: option letter {bare} is out of range; {span}")
    if not readings:
        raise row.bad(f"{key}: {answer.strip()[:60]!r} is no option; give its letter ({span})" if answer.strip() else f"{key}: empty")
    if len(readings) > 1:
        raise row.bad(f"{key}: {answer!r} is both a letter and the text of another option; give the position from 0")
    return readings.pop()


def _position(row: Row, key: str, answer: int, options: Sequence[str], span: str) -> str:
    if not 0 <= answer < len(options):
        raise row.bad(f"{key}: option {answer} is out of range; positions count from 0, {span}")
    return LETTERS[answer]
