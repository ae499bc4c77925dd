"""What a template is given and what it returns. Golds are computed by the template from the values it drew, never typed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tasks.datasets.choices import LETTERS
from tasks.datasets.synthetic.words import PEOPLE, THINGS, Person, Thing

T = TypeVar("T")


@dataclass(frozen=True)
class Draft:
    """One item as a template makes it."""

    question: str
    answer_type: str
    gold: str
    choices: tuple[str, ...] = ()
    solution: str | None = None


@dataclass(frozen=True)
class Draw:
    """The draw of one item: a seeded source, and `turn`, the item's number within its template, by which templates balance their golds."""

    rng: random.Random
    turn: int

    @property
    def want(self) -> bool:
        """The truth a yes/no template should aim for: each in turn."""
        return self.turn % 2 == 0

    def number(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
        return self.rng.randint(low, high)

    def pick(self, values: Sequence[T]) -> T:
        """One of `values`."""
        return self.rng.choice(values)

    def several(self, values: Sequence[T], count: int) -> list[T]:
        """`count` different ones of `values`, in random order."""
        return self.rng.sample(list(values), count)

    def people(self, count: int) -> list[Person]:
        """`count` different people."""
        return self.several(PEOPLE, count)

    def things(self, count: int) -> list[Thing]:
        """`count` different things."""
        return self.several(THINGS, count)


Template = Callable[[Draw], Draft]


@dataclass
class Steps:
    """A worked solution under way: each call computes one operation and writes its line."""

    lines: list[str] = field(default_factory=list)

    def __call__(self, line: str, left: int, operation: str, right: int) -> int:
        """Compute `left operation right`, write `line` with the equation in place of `{}`, and return the result.

        Raises:
            ValueError: a division that leaves a remainder.
        """
        if operation == "/" and left % right:
            raise ValueError(f"{left} / {right} leaves a remainder")
        result = {"+": left + right, "-": left - right, "*": left * right, "/": left // right if right else 0}[operation]
        self.lines.append(line.format(f"{left} {operation} {right} = {result}"))
        return result

    def text(self) -> str:
        """The solution, one step a line."""
        return "\n".join(self.lines)


def number(question: str, value: int, steps: Steps | None = None) -> Draft:
    """An item whose answer is an integer."""
    return Draft(question, "number", str(value), solution=steps.text() if steps else None)


def boolean(question: str, truth: bool) -> Draft:
    """An item whose answer is yes or no."""
    return Draft(question, "boolean", "yes" if truth else "no")


def fixed(question: str, options: Sequence[str], right: str) -> Draft:
    """A choice among options whose order is part of the question."""
    return Draft(question, "choice", LETTERS[list(options).index(right)], tuple(options))


def choice(draw: Draw, question: str, right: str, wrong: Sequence[str]) -> Draft:
    """A choice whose options are shuffled, the right one in each place in turn."""
    options = draw.several(wrong, len(wrong))
    options.insert(draw.turn % (len(wrong) + 1), right)
    return fixed(question, options, right)
