"""Probes with numbers: the sum is easy, the surface is not (idle details, reversed time, words for digits, decimals, units, clocks)."""

from __future__ import annotations

from tasks.datasets.synthetic.draft import Draft, Draw, boolean, choice, number
from tasks.datasets.synthetic.words import DAYS, in_words


def idle_detail(draw: Draw) -> Draft:
    """A number that plays no part."""
    (who, other), (thing,), day = draw.people(2), draw.things(1), draw.number(0, 5)
    first, second, small, age = draw.number(12, 60), draw.number(12, 60), draw.number(2, 9), draw.number(6, 15)
    text = f"{who.name} collects {first} {thing.many} on {DAYS[day]} and {second} {thing.many} on {DAYS[day + 1]}. Of these, {small} are a bit smaller"
    asked = f"How many {thing.many} does {who.name} collect in total?"
    return number(f"{text} than the others. {other.name}, who is {age} years old, watches. {asked}", first + second)


def backwards(draw: Draw) -> Draft:
    """The story told from its end."""
    (who,), (thing,) = draw.people(1), draw.things(1)
    start, got, gave = draw.number(15, 40), draw.number(5, 25), draw.number(3, 14)
    text = f"{who.name} now has {start + got - gave} {thing.many}. Just before, {who.he} gave {gave} {thing.many} to a friend."
    asked = f"How many {thing.many} did {who.he} have at the start?"
    return number(f"{text} Before that, {who.he} bought {got} {thing.many}. {asked}", start)


def number_words(draw: Draw) -> Draft:
    """Numbers in words."""
    (who,), (thing,) = draw.people(1), draw.things(1)
    first, second, lost = draw.number(21, 58), draw.number(11, 38), draw.number(3, 19)
    text = f"{who.name} has {in_words(first)} {thing.many} and finds {in_words(second)} more. Then {who.he} loses {in_words(lost)} of them."
    return number(f"{text} How many {thing.many} does {who.name} have left?", first + second - lost)


def decimals(draw: Draw) -> Draft:
    """Decimals of unequal length."""
    whole, digit = draw.number(0, 3), draw.number(3, 8)
    tenths = 100 * digit
    parts = (tenths, tenths - 10 * draw.number(1, 9), tenths + 10 * draw.number(1, 9), draw.number(101, 199))
    amounts = [1000 * whole + part for part in parts]
    kind = draw.pick(("largest", "smallest"))
    right = max(amounts) if kind == "largest" else min(amounts)
    texts = {amount: f"{amount / 1000:.3f}".rstrip("0") for amount in amounts}
    wrong = [texts[amount] for amount in amounts if amount != right]
    drink = draw.pick(("juice", "milk", "water", "oil", "honey"))
    return choice(draw, f"Four jars hold different amounts of {drink}, measured in liters. Which of these amounts is the {kind}?", texts[right], wrong)


def clock(draw: Draw) -> Draft:
    """The end of something by the clock."""
    what = draw.pick(("film", "concert", "lesson", "game", "meeting", "play"))
    hour, minute, length = draw.number(8, 19), 5 * draw.number(3, 11), 5 * draw.number(13, 29)
    end = 60 * hour + minute + length
    careless = 60 * hour + minute + (length // 60) * 100 + length % 60
    wrong = [_time(at) for at in (end + 10, end - 60, careless)]
    text = f"A {what} starts at {_time(60 * hour + minute)} and lasts {length} minutes. At what time does it end?"
    return choice(draw, text, _time(end), wrong)


def _time(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def convert(draw: Draw) -> Draft:
    """Two units in one measure."""
    what, big, small, factor = draw.pick(
        (("rope", "meters", "centimeters", 100), ("film", "hours", "minutes", 60), ("path", "kilometers", "meters", 1000), ("song", "minutes", "seconds", 60))
    )
    units, parts = draw.number(2, 6), draw.number(2, 59)
    return number(f"A {what} is {units} {big} and {parts} {small} long. How many {small} is that in total?", units * factor + parts)


def parity(draw: Draw) -> Draft:
    """Whether a total is even."""
    (who,), (thing,) = draw.people(1), draw.things(1)
    first, second = draw.number(11, 79), draw.number(11, 79)
    if ((first + second) % 2 == 0) != draw.want:
        second += 1
    text = f"{who.name} puts {first} {thing.many} into one bag and {second} {thing.many} into another."
    return boolean(f"{text} Is the total number of {thing.many} even?", (first + second) % 2 == 0)


def turned_product(draw: Draw) -> Draft:
    """Rows and columns exchanged: the same number, or nearly."""
    (one, two), (thing,) = draw.people(2), draw.things(1)
    rows, each = draw.several(range(3, 13), 2)
    other = rows if draw.want else rows + draw.pick((-1, 1))
    text = f"{one.name} has {rows} bags with {each} {thing.many} in each bag. {two.name} has {each} bags with {other} {thing.many} in each bag."
    return boolean(f"{text} Do they have the same number of {thing.many}?", rows * each == each * other)


def not_multiple(draw: Draw) -> Draft:
    """The one that breaks a rule."""
    base = draw.number(3, 9)
    good = [base * factor for factor in draw.several(range(4, 20), 3)]
    bad = base * draw.number(4, 19) + draw.number(1, base - 1)
    text = f"In a locker room, every key number must be a multiple of {base}. Which of these numbers is not allowed?"
    return choice(draw, text, str(bad), [str(value) for value in good])
