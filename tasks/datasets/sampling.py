"""The seeded order in which items are drawn. A limit takes a prefix of it, so a greater limit only adds items.

Items are spread by subject, then by answer type, then over templates; within those, the order is that of a digest of (seed, item_id). At each level the j-th
item of a group stands at (j + 1/2) / weight: the Sainte-Laguë apportionment, in proportion to the groups' sizes, or equal (mmlu's 9 x 25) where asked.
Unlike largest remainders it never takes an item away when the limit grows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from schemas.keys import digest
from schemas.records import Item

_Level = tuple[Callable[[Item], str], bool]


def ordered(items: Sequence[Item], seed: int, *, equal_subjects: bool = False) -> list[Item]:
    """All of `items`, in the order in which they are drawn."""
    levels: list[_Level] = [
        (lambda item: item.subject or "", equal_subjects),
        (lambda item: item.answer_type, False),
        (lambda item: item.template or item.item_id, True),
    ]
    return _spread(items, levels, seed)


def _spread(items: Sequence[Item], levels: Sequence[_Level], seed: int) -> list[Item]:
    if not levels:
        return sorted(items, key=lambda item: digest(seed, item.item_id))
    name, equal = levels[0]
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[name(item)].append(item)
    placed = []
    for group, members in groups.items():
        tie = digest(seed, group)
        weight = 1 if equal else len(members)
        placed += [((j + 0.5) / weight, tie, j, item) for j, item in enumerate(_spread(members, levels[1:], seed))]
    return [item for *_, item in sorted(placed, key=lambda entry: entry[:3])]
