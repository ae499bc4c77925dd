"""One-step items that a model of 135 million parameters can get right. Drawn only when a run file asks for `subjects: [easy]`; no part of the 250."""

from __future__ import annotations

from tasks.datasets.synthetic.draft import Draft, Draw, Steps, boolean, choice, number
from tasks.datasets.synthetic.words import COLOURS, DAYS, an, listed

_ANIMALS = ("cat", "dog", "horse", "cow", "rabbit", "duck", "sheep", "goat", "fox", "lion")
_FOODS = ("bread", "cheese", "rice", "butter", "cake", "ham", "pasta", "honey")
_TOOLS = ("hammer", "saw", "drill", "ladder", "shovel", "wrench")


def sum_of_two(draw: Draw) -> Draft:
    """One addition."""
    (who,), (thing,), steps = draw.people(1), draw.things(1), Steps()
    have, more = draw.number(2, 9), draw.number(1, 9)
    total = steps(f"{who.name} has {{}} {thing.many}.", have, "+", more)
    return number(f"{who.name} has {have} {thing.many}. {who.He} gets {more} more. How many {thing.many} does {who.name} have now?", total, steps)


def taken_away(draw: Draw) -> Draft:
    """One subtraction."""
    (who,), (thing,), steps = draw.people(1), draw.things(1), Steps()
    have = draw.number(5, 10)
    left = steps(f"{who.name} has {{}} {thing.many} left.", have, "-", draw.number(1, 3))
    return number(f"{who.name} has {have} {thing.many}. {who.He} loses {have - left} of them. How many {thing.many} does {who.name} have left?", left, steps)


def doubled(draw: Draw) -> Draft:
    """Two of the same."""
    (thing,), steps, each = draw.things(1), Steps(), draw.number(2, 10)
    total = steps(f"The two bags hold {{}} {thing.many}.", 2, "*", each)
    return number(f"There are 2 bags on the table. Each bag holds {each} {thing.many}. How many {thing.many} are in the 2 bags?", total, steps)


def counting_on(draw: Draw) -> Draft:
    """The next number."""
    (who,), step, start = draw.people(1), draw.pick((1, 2, 5, 10)), draw.number(1, 6)
    shown = [start * step + step * n for n in range(4)]
    return number(f"In class, {who.name} counts for {who.his} teacher. {who.He} says {', '.join(map(str, shown))}. Which number comes next?", shown[-1] + step)


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
    (thing, other), (colour, second, third) = draw.several(("ball", "hat", "cup", "door", "car", "chair", "boat"), 2), draw.several(COLOURS, 3)
    return choice(draw, f"A shop sells {an(colour)} {thing} and {an(second)} {other}. What color is the {thing}?", colour, [second, third])


def the_animal(draw: Draw) -> Draft:
    """Which word names an animal."""
    animal, food, tool = draw.pick(_ANIMALS), draw.pick(_FOODS), draw.pick(_TOOLS)
    (who,) = draw.people(1)
    return choice(draw, f"{who.name} learns three new words. Which of these words is the name of an animal?", animal, [food, tool])


def first_in_line(draw: Draw) -> Draft:
    """Who stands first."""
    one, two, three = draw.people(3)
    text = f"Three children wait in line at a shop. {one.name} is first, {two.name} is second and {three.name} is third."
    text = f"{text} Who is {draw.pick(('at the front', 'first'))}?"
    return choice(draw, text, one.name, [two.name, three.name])
