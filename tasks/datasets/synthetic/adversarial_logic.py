"""Invalid inferences and contradictions among statements. Golds come from trying every case: truth tables, small worlds, all orders, all culprits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from tasks.datasets.synthetic.draft import Draft, Draw, boolean, choice, fixed
from tasks.datasets.synthetic.words import Person, listed

_GROUPS = ("painters", "swimmers", "dancers", "gardeners", "cyclists", "singers", "chess players", "doctors", "climbers", "poets", "sailors", "bakers")
_KINDS = [bits for bits in product((False, True), repeat=3) if any(bits)]
_Claim = tuple[str, int, int]
_World = tuple[tuple[bool, ...], ...]


def _holds(claim: _Claim, world: _World) -> bool:
    quantifier, a, b = claim
    both = any(kind[a] and kind[b] for kind in world)
    only = any(kind[a] and not kind[b] for kind in world)
    return {"all": not only, "no": not both, "some": both}[quantifier]


_WORLDS: list[_World] = [tuple(kind for kind, there in zip(_KINDS, mask, strict=True) if there) for mask in product((False, True), repeat=len(_KINDS))]
"""Every world of three groups: which kinds of people there are."""
_PEOPLED = [world for world in _WORLDS if all(any(kind[group] for kind in world) for group in range(3))]
"""Those in which no group is empty."""


def _follows(premises: Sequence[_Claim], conclusion: _Claim, worlds: Sequence[_World]) -> bool:
    return all(_holds(conclusion, world) for world in worlds if all(_holds(premise, world) for premise in premises))


def syllogism(draw: Draw) -> Draft:
    """Two premises about groups: does a third statement follow? Forms whose answer hangs on a group being empty are passed over."""
    groups = draw.several(_GROUPS, 3)
    while True:
        premises = [(draw.pick(("all", "no", "some")), 0, 1), (draw.pick(("all", "no", "some")), *draw.pick(((1, 2), (2, 1))))]
        conclusion = (draw.pick(("all", "no", "some")), *draw.pick(((0, 2), (2, 0))))
        valid = _follows(premises, conclusion, _WORLDS)
        if valid == _follows(premises, conclusion, _PEOPLED) == draw.want:
            break
    first, second, third = (f"{quantifier} {groups[a]} are {groups[b]}" for quantifier, a, b in (*premises, conclusion))
    return boolean(f"In a certain town, {first}, and {second}. Does it follow that {third}?", valid)


_RULES = (
    ("it rains", "the match is canceled", "it rained", "it did not rain", "the match was canceled", "the match was not canceled"),
    ("the alarm rings", "the gate closes", "the alarm rang", "the alarm did not ring", "the gate closed", "the gate did not close"),
    ("the oven is too hot", "the bread burns", "the oven was too hot", "the oven was not too hot", "the bread burned", "the bread did not burn"),
    ("the train is late", "Nora misses her lesson", "the train was late", "the train was not late", "Nora missed her lesson", "Nora did not miss her lesson"),
    ("the museum is closed", "the group visits the park", "the museum was closed", "the museum was not closed", "the group visited the park",
     "the group did not visit the park"),
    ("the wind is strong", "the boats stay in the harbor", "the wind was strong", "the wind was not strong", "the boats stayed in the harbor",
     "the boats did not stay in the harbor"),
    ("the store is open", "the children buy bread", "the store was open", "the store was not open", "the children bought bread",
     "the children did not buy bread"),
)  # fmt: skip


def conditional(draw: Draw) -> Draft:
    """A rule and an observation: which way may one reason?"""
    cause, effect, *told = draw.pick(_RULES)
    while True:
        seen, asked = draw.pick(((0, 1), (1, 0)))
        value, claim = draw.pick((True, False)), draw.pick((True, False))
        cases = [case for case in product((True, False), repeat=2) if (not case[0] or case[1]) and case[seen] == value]
        certain = all(case[asked] == claim for case in cases)
        if certain == draw.want and value == claim:
            break
    observed, asserted = told[2 * seen + (not value)], told[2 * asked + (not claim)]
    return boolean(f"Whenever {cause}, {effect}. Yesterday {observed}. Does it follow that {asserted}?", certain)


def _orders(people: list[Person], facts: list[tuple[Person, Person]]) -> list[tuple[Person, ...]]:
    """Every order of `people` in which each fact's first stands before its second."""
    return [order for order in permutations(people) if all(order.index(a) < order.index(b) for a, b in facts)]


def cycle(draw: Draw) -> Draft:
    """Comparisons that may run in a circle."""
    people, (word, what) = draw.people(4), draw.pick((("taller", "heights"), ("older", "ages"), ("faster", "speed"), ("stronger", "strength")))
    opening = f"In a {draw.pick(('school', 'club', 'team'))}, four students compare their {what}."
    facts = list(zip(people, people[1:], strict=False))
    facts.append((people[0], people[3]) if draw.want else draw.pick(((people[3], people[0]), (people[2], people[0]), (people[3], people[1]))))
    told = [f"{a.name} is {word} than {b.name}." for a, b in draw.several(facts, len(facts))]
    return boolean(f"{opening} {' '.join(told)} Can all of these statements be true at the same time?", bool(_orders(people, facts)))


def must_be_false(draw: Draw) -> Draft:
    """Results of a race, and four claims of which one cannot be."""
    people = draw.people(4)
    facts = [(people[0], people[1]), (people[1], people[2])]
    orders = _orders(people, facts)
    claims = [pair for pair in permutations(people, 2) if pair not in facts and (pair[1], pair[0]) not in facts]
    impossible = [pair for pair in claims if not any(order.index(pair[0]) < order.index(pair[1]) for order in orders)]
    possible = [pair for pair in claims if pair not in impossible]
    text = [f"{a.name} finished before {b.name}" for a, b in (*facts, draw.pick(impossible), *draw.several(possible, 3))]
    return choice(draw, f"{text[0]} in the race. {text[1]}. There were no ties. Which of these statements must be false?", text[2], text[3:])


def culprit(draw: Draw) -> Draft:
    """Three statements of which exactly one is true."""
    people, prize = draw.people(3), draw.pick(("the last cookie", "the missing key", "the silver spoon", "the red umbrella", "the old map"))
    while True:
        claims = [(draw.pick([other for other in people if other is not speaker]), draw.pick((True, False))) for speaker in people]
        guilty = [one for one in people if sum((who is one) == took for who, took in claims) == 1]
        if len(guilty) == 1 and guilty[0] is people[draw.turn % 3]:
            break
    said = [(speaker.name, who.name, "took" if took else "did not take") for speaker, (who, took) in zip(people, claims, strict=True)]
    told = " ".join(f"{speaker} says that {who} {verb} it." for speaker, who, verb in said)
    names = [person.name for person in people]
    text = f"Only one of {listed(names)} took {prize}. {told} Exactly one of these three statements is true. Who took {prize}?"
    return fixed(text, names, guilty[0].name)
