"""What an operator is: a name, a version and a rule that proposes texts; the gate picks the first that may stand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from schemas.keys import seed_of
from schemas.records import Item, Rewording
from tasks.perturbations import gate, outside
from tasks.perturbations.language import LONGEST

Propose = Callable[[Item, random.Random], Iterator[str]]


@dataclass(frozen=True)
class Operator:
    """One perturbation operator.

    `propose` yields candidate texts, best first, from the item and a generator seeded by (seed, operator, question); the same on every machine.
    `version` rises with every change of its rules or word lists.
    """

    name: str
    version: str
    propose: Propose
    surface: bool = False
    """Whether a change of case or spacing is the change it makes."""

    def reword(self, item: Item, seed: int, taken: Sequence[str] = ()) -> Rewording:
        """The first proposal that passes the gate: `applied`; none passed: `rejected` with the first reason; none made: `unavailable`.

        A rewording of the user's own on the item takes the operator's place and passes the gate for texts by others.
        """
        own = next((text for name, text in item.perturbations if name == self.name), None)
        rng = random.Random(seed_of(seed, self.name, item.question))
        reason = None
        proposals = self.propose(item, rng) if len(item.question) <= LONGEST else iter(())
        for text in [own] if own is not None else proposals:
            judge = gate.verdict if own is None or own in proposals else outside.verdict  # what our rules made may be given back as it is
            finding = judge(item, text, taken=taken, surface=self.surface)
            if finding is None:
                return Rewording(self.name, "applied", None, text, item.choices, self.version if own is None else "user")
            reason = reason or finding
        status = "rejected" if reason else "unavailable"
        return Rewording(self.name, status, reason or f"no rule of {self.name!r} fits this question", None, (), self.version if own is None else "user")
