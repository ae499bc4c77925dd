"""Perturbation operators: text to text, seeded, pure. One file per operator, one registry line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemas.errors import UnknownName
from schemas.records import Item, Rewording
from tasks.perturbations import paraphrase, reorder, surface, synonym
from tasks.perturbations.base import Operator

PERTURBATIONS: dict[str, Operator] = {
    "synonym": Operator("synonym", "3", synonym.propose),
    "reorder": Operator("reorder", "3", reorder.propose),
    "paraphrase": Operator("paraphrase", "3", paraphrase.propose),
    "contractions": Operator("contractions", "2", surface.contractions),
    "typos": Operator("typos", "2", surface.typos),
    "lower_case": Operator("lower_case", "2", surface.lower_case, surface=True),
    "extra_spaces": Operator("extra_spaces", "2", surface.extra_spaces, surface=True),
}
"""Name -> operator. The first three are the suite's default; the others change the surface only. To add one: a file with `propose`, a line here, a test."""


def known_operators(items: Iterable[Item]) -> set[str]:
    """The operators that may be asked for on `items`: ours, and those of the user's own rewordings."""
    return {*PERTURBATIONS, *(name for item in items for name, _ in item.perturbations)}


def reword_all(item: Item, operators: Sequence[str], seed: int) -> list[Rewording]:
    """One rewording per operator, in the order asked; the applied ones differ from the item and from each other.

    Args:
        item: the original; a user's own texts on it (`Item.perturbations`) replace the operators' and may bring operators of their own name.
        operators: names in `PERTURBATIONS`, or names among the item's own perturbations.
        seed: the suite's seed; with the question and the operator it fixes the text.

    Raises:
        UnknownName: an operator that neither the registry nor the item knows.
    """
    rewordings: list[Rewording] = []
    for name in operators:
        operator = PERTURBATIONS.get(name)
        if operator is None:
            if name not in dict(item.perturbations):
                raise UnknownName("operator", name, PERTURBATIONS)
            operator = Operator(name, "user", lambda *_: iter(()))
        taken = [r.question for r in rewordings if r.question is not None]
        rewordings.append(operator.reword(item, seed, taken))
    return rewordings
