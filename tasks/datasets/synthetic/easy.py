"""One-step items that a model of 135 million parameters can get right. Drawn only when a run file asks for `subjects: [easy]`; no part of the 250."""

from __future__ import annotations

from tasks.datasets.synthetic.draft import Draft, Draw, Steps, boolean, choice, number
from tasks.datasets.synthetic.words import COLOURS, DAYS, an, listed

_ANIMALS = ("cat", "dog", "horse", "cow", "rabbit", "duck", "sheep", "goat", "fox", "lion")
_LEGS = {"cat": 4, "dog": 4, "horse": 4, "cow": 4, "rabbit": 4, "sheep": 4, "goat": 4, "fox": 4, "lion": 4, "duck": 2, "hen": 2, "spider": 8}
_SIDES = {"triangle": "three", "square": "four", "pentagon": "five", "hexagon": "six"}
_FOODS = ("bread", "cheese", "rice", "butter", "cake", "ham", "pasta", "honey")
_TOOLS = ("hammer", "saw", "drill", "ladder", "shovel", "wrench")


def plus(draw: Draw) -> Draft:
    """One addition."""
    steps, have, more = Steps(), draw.number(2, 9), draw.number(2, 9)
    total = steps("{}", have, "+", more)
    return number(f"What is {have} plus {more}?", total, steps)


def taken_away(draw: Draw) -> Draft:
    """One subtraction."""
    (who,), (thing,), steps = draw.people(1), draw.things(1), Steps()
    have = draw.number(5, 10)
    left = steps(f"{who.name} has {{}} {thing.many} left.", have, "-", draw.number(1, 3))
    return number(f"{who.name} has {have} {thing.many}. {who.He} loses {have - left} of them. How many {thing.many} does {who.name} have left?", left, steps)


def times_two(draw: Draw) -> Draft:
    """Two of the same."""
    steps, each = Steps(), draw.number(2, 15)
    total = steps("{}", 2, "*", each)
    return number(f"What is two times {each}?", total, steps)


def legs_of(draw: Draw) -> Draft:
    """How many legs an animal has."""
    (who,), animal = draw.people(1), draw.pick(tuple(_LEGS))
    return number(f"{who.name} draws {an(animal)}. How many legs does {an(animal)} have?", _LEGS[animal])


def has_more(draw: Draw) -> Draft:
    """Who has more."""
    (one, two), (thing,) = draw.people(2), draw.things(1)
    small = draw.number(2, 5)
    large = small + draw.number(3, 9)
    a, b = (large, small) if draw.want else (small, large)
    text = f"On {draw.pick(DAYS)}, {one.name} collects {a} {thing.many}. {two.name} collects {b}."
    return boolean(f"{text} Does {one.name} have more {thing.many} than {two.name}?", a > b)


def in_the_basket(draw: Draw) -> Draft:
    """Whether something is in a list."""
    first, second, third, other = draw.several(_FOODS, 4)
    asked = draw.pick((first, second, third)) if draw.want else other
    return boolean(f"A basket contains {listed([first, second, third])}, and nothing else. Is there {asked} in the basket?", asked in (first, second, third))


def same_colour(draw: Draw) -> Draft:
    """Whether two things have one color."""
    one, two = draw.several(COLOURS, 2)
    a, b = draw.several(("ball", "hat", "cup", "door", "car", "chair"), 2)
    other = one if draw.want else two
    return boolean(f"A shop sells {an(one)} {a} and {an(other)} {b}. Is the color of the {a} the same as the color of the {b}?", one == other)


def right_sum(draw: Draw) -> Draft:
    """Whether a small sum is right."""
    (who,) = draw.people(1)
    a, b = draw.number(1, 9), draw.number(1, 9)
    shown = a + b + (0 if draw.want else draw.number(1, 3))
    return boolean(f"{who.name}'s teacher asks for the sum of {a} and {b}. {who.name} says that it is {shown}. Is this answer right?", a + b == shown)


def largest(draw: Draw) -> Draft:
    """The largest of three numbers."""
    (who,), values = draw.people(1), draw.several(range(1, 60), 3)
    top = max(values)
    text = f"{who.name}'s teacher writes three numbers on a board. Which number is the largest?"
    return choice(draw, text, str(top), [str(value) for value in values if value != top])


def colour_of(draw: Draw) -> Draft:
    """What was just said."""
    thing, (colour, other) = draw.pick(("ball", "hat", "cup", "door", "car", "chair", "boat")), draw.several(COLOURS, 2)
    return choice(draw, f"The {thing} is {colour}. What color is the {thing}?", colour, [other])


def the_animal(draw: Draw) -> Draft:
    """Which word names an animal."""
    animal, tool, (who,) = draw.pick(_ANIMALS), draw.pick(_TOOLS), draw.people(1)
    return choice(draw, f"{who.name} learns two new words. Which of these is an animal?", animal, [tool])


def sides_of(draw: Draw) -> Draft:
    """How many sides a shape has."""
    (who,), shape = draw.people(1), draw.pick(tuple(_SIDES))
    wrong = [words for name, words in _SIDES.items() if name != shape]
    return choice(draw, f"{who.name} draws {an(shape)}. How many sides does {an(shape)} have?", _SIDES[shape], draw.several(wrong, 2))
