"""Options and the letter of the right one. A file names its right options in one way: by letter, by position from 0, or by the option's own text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tasks.datasets.rows import Row

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WAYS = ("letter", "position", "text")


def readings(answer: object, options: Sequence[str]) -> dict[str, str]:
    """Every way to read `answer` as one of `options`: way -> letter."""
    found: dict[str, str] = {}
    if isinstance(answer, bool) or not isinstance(answer, int | float | str):
        return found
    text = str(int(answer) if isinstance(answer, float) and answer.is_integer() else answer).strip()
    bare = text.strip("().: ").upper()
    if isinstance(answer, str) and len(bare) == 1 and bare in LETTERS[: len(options)]:
        found["letter"] = bare
    if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < len(options):
        found["position"] = LETTERS[int(text)]
    if list(options).count(text) == 1:
        found["text"] = LETTERS[list(options).index(text)]
    return found


def usual_ways(rows: Iterable[tuple[object, Sequence[str]]]) -> tuple[str, ...]:
    """The way that fits most rows of a file, or several that fit as many."""
    counts = Counter(way for answer, options in rows for way in readings(answer, options))
    return tuple(way for way in WAYS if counts and counts[way] == max(counts.values()))


def letter(row: Row, key: str, answer: object, options: Sequence[str], ways: Sequence[str] = WAYS) -> str:
    """Letter of the right option, read in one of `ways`.

    Raises:
        BadRow: out of range, no such option, given in another way than the file's other rows, or two ways that differ.
    """
    span = f"{len(options)} choices, A-{LETTERS[len(options) - 1]}"
    found = readings(answer, options)
    right = {found[way] for way in ways if way in found}
    if len(right) == 1:
        return right.pop()
    if right:
        raise row.bad(f"{key}: {answer!r} is {LETTERS.index(found['position'])} by position and another option by its text; give letters")
    if found:
        raise row.bad(f"{key}: {answer!r} names an option by {' or '.join(found)}, other rows by {' or '.join(ways)}; give letters")
    text = str(answer).strip()
    if len(text.strip("().:")) == 1 and text.strip("().:").isalpha():
        raise row.bad(f"{key}: option letter {text} is out of range; {span}")
    if text.lstrip("-").isdecimal():
        raise row.bad(f"{key}: option {text} is out of range; positions count from 0, {span}")
    raise row.bad(f"{key}: {text[:60]!r} is no option; give its letter, position from 0 or text ({span})" if text else f"{key}: empty")
