"""More word problems: rows, ages, percentages, journeys, tickets, exchanges, boxes."""

from __future__ import annotations

from tasks.datasets.synthetic.draft import Draft, Draw, Steps, number
from tasks.datasets.synthetic.words import DAYS


def garden(draw: Draw) -> Draft:
    """Rows of flowers, some wilted, the rest in bunches."""
    steps = Steps()
    flower = draw.pick(("tulips", "roses", "daisies", "lilies", "sunflowers"))
    rows, each, bunches = draw.number(4, 9), draw.number(6, 12), draw.number(3, 6)
    planted = steps(f"There are {{}} {flower}.", rows, "*", each)
    wilted = bunches + planted % bunches
    good = steps(f"Of these, {{}} {flower} are good.", planted, "-", wilted)
    size = steps(f"Each bunch has {{}} {flower}.", good, "/", bunches)
    text = f"A garden has {rows} rows of {flower} with {each} {flower} in each row. After a storm, {wilted} {flower} are broken."
    return number(f"{text} The others are tied into {bunches} equal bunches. How many {flower} are in each bunch?", size, steps)


def ages(draw: Draw) -> Draft:
    """Ages of three people, years from now."""
    (one, two, three), steps = draw.people(3), Steps()
    young, older, times, later = draw.number(4, 12), draw.number(2, 9), draw.number(2, 3), draw.number(2, 12)
    second = steps(f"{two.name} is {{}} years old.", young, "+", older)
    third = steps(f"{three.name} is {{}} years old.", second, "*", times)
    end = steps(f"{three.name} will be {{}} years old.", third, "+", later)
    text = f"{one.name} is {young} years old. {two.name} is {older} years older than {one.name}. {three.name} is {times} times as old as {two.name}."
    return number(f"{text} How old will {three.name} be in {later} years?", end, steps)


def percent_sold(draw: Draw) -> Draft:
    """A percentage, then a plain number, taken off a stock."""
    (thing,), steps = draw.things(1), Steps()
    stock, percent = 20 * draw.number(4, 20), 5 * draw.number(2, 12)
    product = steps("To take the percentage, multiply first: {}.", stock, "*", percent)
    sold = steps(f"On Monday {{}} {thing.many} are sold.", product, "/", 100)
    rest = steps(f"That leaves {{}} {thing.many}.", stock, "-", sold)
    more = draw.number(2, rest - 1)
    left = steps(f"After Tuesday {{}} {thing.many} are left.", rest, "-", more)
    text = f"A shop has {stock} {thing.many}. On Monday, it sells {percent}% of them. On Tuesday, it sells {more} more."
    return number(f"{text} How many {thing.many} does the shop have left?", left, steps)


def journey(draw: Draw) -> Draft:
    """Two days at two speeds."""
    (who,), steps = draw.people(1), Steps()
    fast, slow, long, short = draw.number(14, 24), draw.number(6, 12), draw.number(2, 5), draw.number(2, 4)
    first = steps("On Saturday the distance is {} kilometers.", fast, "*", long)
    second = steps("On Sunday the distance is {} kilometers.", slow, "*", short)
    total = steps("In total that is {} kilometers.", first, "+", second)
    text = f"On Saturday, {who.name} cycles for {long} hours at {fast} kilometers per hour."
    more = f"On Sunday, {who.he} cycles for {short} hours at {slow} kilometers per hour."
    return number(f"{text} {more} How many kilometers does {who.he} cycle in total?", total, steps)


def tickets(draw: Draw) -> Draft:
    """Tickets of two kinds with a discount."""
    steps, place = Steps(), draw.pick(("zoo", "museum", "swimming pool", "theater", "castle"))
    adult, child = draw.number(9, 18), draw.number(4, 8)
    adults, children, off = draw.number(2, 5), draw.number(3, 9), draw.number(2, 10)
    first = steps("The adults pay {} dollars.", adults, "*", adult)
    second = steps("The children pay {} dollars.", children, "*", child)
    total = steps("Without the discount that is {} dollars.", first, "+", second)
    due = steps("With the discount it is {} dollars.", total, "-", off)
    text = f"At the {place}, a ticket costs ${adult} for an adult and ${child} for a child. A group of {adults} adults and {children} children"
    return number(f"{text} gets a discount of ${off} on the whole bill. How many dollars does the group pay?", due, steps)


def exchange(draw: Draw) -> Draft:
    """One gives to the other: who has how many more."""
    (one, two), (thing,), day, steps = draw.people(2), draw.things(1), draw.pick(DAYS), Steps()
    given, few = draw.number(3, 9), draw.number(4, 14)
    many = draw.number(few, 20) + given
    lack = steps(f"{one.name} has {{}} {thing.many} left.", few + given, "-", given)
    have = steps(f"{two.name} now has {{}} {thing.many}.", many, "+", given)
    more = steps(f"{two.name} has {{}} {thing.many} more.", have, "-", lack)
    text = f"{one.name} has {few + given} {thing.many} and {one.his} friend {two.name} has {many} {thing.many}."
    text = f"{text} On {day}, {one.name} gives {given} {thing.many} to {two.name}."
    return number(f"{text} How many more {thing.many} does {two.name} have than {one.name} now?", more, steps)


def boxes(draw: Draw) -> Draft:
    """Full boxes and what does not fit."""
    (who,), (thing,), day, steps = draw.people(1), draw.things(1), draw.pick(DAYS), Steps()
    size, full = draw.number(6, 12), draw.number(3, 9)
    first, rest = draw.number(5, size * full // 2), draw.number(2, size - 1)
    second = size * full + rest - first
    total = steps(f"There are {{}} {thing.many}.", first, "+", second)
    packed = steps(f"The full boxes hold {{}} {thing.many}.", size, "*", full)
    left = steps(f"Left over are {{}} {thing.many}.", total, "-", packed)
    text = f"{who.name} has {first} {thing.many} in one bag and {second} {thing.many} in another."
    text = f"{text} On {day}, {who.he} fills {full} boxes with {size} {thing.many} each."
    return number(f"{text} How many {thing.many} are left over?", left, steps)
