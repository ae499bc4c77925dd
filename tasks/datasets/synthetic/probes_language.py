"""Probes of wording: invented nouns, stacked negations, seats, lists, comparisons told in either direction."""

from __future__ import annotations

from itertools import permutations

from tasks.datasets.synthetic.draft import Draft, Draw, boolean, choice, fixed
from tasks.datasets.synthetic.words import COLOURS, DAYS, an

_INVENTED = ("wug", "blick", "dax", "tove", "fep", "gorp", "lorn", "mib", "nark", "plim", "rill", "snay", "trab", "vunk", "zonk")
_NAMES = ("Tiko", "Bamu", "Ruvo", "Jalo", "Meko", "Pilu", "Soda", "Wano")
_SHOPPING = ("milk", "bread", "eggs", "salt", "tea", "rice", "soap", "honey", "cheese", "flour", "butter", "pasta", "apples", "carrots")


def invented_nouns(draw: Draw) -> Draft:
    """A chain of rules about things that do not exist."""
    a, b, c = draw.several(_INVENTED, 3)
    name, last = draw.pick(_NAMES), draw.want
    rule = f"Every {b} is {an(c)}" if last else f"No {b} is {an(c)}"
    kinds = {a, b} | ({c} if last else set())
    return boolean(f"Every {a} is {an(b)}. {rule}. {name} is {an(a)}. Is {name} {an(c)}?", c in kinds)


def negations(draw: Draw) -> Draft:
    """Up to two negations around one comparison."""
    (one, two), thing = draw.several(COLOURS, 2), draw.pick(("car", "lamp", "chair", "suitcase", "statue", "table"))
    word = draw.pick(("heavier", "older", "bigger", "cheaper"))
    outer = draw.pick((True, False))
    inner = outer if draw.want else not outer
    claim = f"the {one} {thing} is {'not ' if inner else ''}{word} than the {two} {thing}"
    said = f"It is false that {claim}." if outer else f"It is true that {claim}."
    return boolean(f"Two {thing}s stand in a shop. {said} Is the {one} {thing} {word} than the {two} {thing}?", outer == inner)


def seats(draw: Draw) -> Draft:
    """Three people on a bench."""
    people = draw.people(3)
    places = list(permutations(people))[draw.number(0, 5)]
    left, middle, right = places
    facts = draw.several((f"{left.name} sits to the left of {middle.name}.", f"{right.name} sits to the right of {middle.name}."), 2)
    where, who = draw.pick((("in the middle", middle), ("at the left end", left), ("at the right end", right)))
    names = [person.name for person in draw.several([person for person in people if person is not who], 2)]
    return choice(draw, f"In a shop, three people wait on a bench. As seen from the front, {' '.join(facts)} Who sits {where}?", who.name, names)


def place_in_list(draw: Draw) -> Draft:
    """Counting along a list."""
    words = draw.several(_SHOPPING, 6)
    start, step, back = draw.number(1, 2), draw.number(2, 3), draw.pick((True, False))
    at = (5 - start - step) if back else (start + step)
    origin = words[5 - start] if back else words[start]
    side = "before" if back else "after"
    text = f"A shopping list names six things in this order: {', '.join(words)}. Which thing stands exactly {step} places {side} {origin}?"
    wrong = draw.several([word for word in words if word not in (words[at], origin)], 3)
    return choice(draw, text, words[at], wrong)


def either_direction(draw: Draw) -> Draft:
    """A comparison told one way and asked the other."""
    one, two, three = draw.people(3)
    up, down, what = draw.pick((("taller", "shorter", "heights"), ("older", "younger", "ages"), ("faster", "slower", "speed")))
    rank = {one: 3, two: 2, three: 1}
    asked = (three, one) if draw.want else (one, three)
    text = f"Three students compare their {what}. {one.name} is {up} than {two.name}. {three.name} is {down} than {two.name}."
    return boolean(f"{text} Is {asked[0].name} {down} than {asked[1].name}?", rank[asked[0]] < rank[asked[1]])


def counted_list(draw: Draw) -> Draft:
    """Who has the most, told by differences."""
    one, two, three = draw.people(3)
    (thing,) = draw.things(1)
    base, more, fewer = draw.number(10, 30), draw.number(2, 9), draw.number(2, 9)
    count = {two: base, one: base + more, three: base - fewer}
    kind = draw.pick(("most", "fewest"))
    right = max(count, key=lambda who: count[who]) if kind == "most" else min(count, key=lambda who: count[who])
    text = f"On {draw.pick(DAYS)}, three friends collect {thing.many}. {two.name} has {base}."
    text = f"{text} {one.name} has {more} more than {two.name}, and {three.name} has {fewer} fewer than {two.name}."
    others = [person.name for person in (one, two, three) if person is not right]
    options = others[: draw.turn % 3] + [right.name] + others[draw.turn % 3 :]
    return fixed(f"{text} Who has the {kind} {thing.many}?", options, right.name)
