"""Word problems of two to four steps, with their worked solutions."""

from __future__ import annotations

from tasks.datasets.synthetic.draft import Draft, Draw, Steps, number
from tasks.datasets.synthetic.words import DAYS, an


def packs_shared(draw: Draw) -> Draft:
    """Multiply, then divide."""
    (who,), (thing,), steps = draw.people(1), draw.things(1), Steps()
    children, each, packs = draw.number(2, 6), draw.number(2, 9), draw.number(2, 8)
    size = children * each
    total = steps(f"The packs hold {{}} {thing.many}.", packs, "*", size)
    share = steps(f"Each child gets {{}} {thing.many}.", total, "/", children)
    text = f"{who.name} buys {packs} packs of {thing.many}. Each pack holds {size} {thing.many}. {who.He} shares all of them equally among {children} children."
    return number(f"{text} How many {thing.many} does each child get?", share, steps)


def change(draw: Draw) -> Draft:
    """Two products, their sum, and the rest of a bill."""
    (who,), (first, second), steps = draw.people(1), draw.things(2), Steps()
    n, m, a, b = draw.number(2, 5), draw.number(2, 5), draw.number(2, 8), draw.number(2, 8)
    left = steps(f"The {first.many} cost {{}} dollars.", n, "*", a)
    right = steps(f"The {second.many} cost {{}} dollars.", m, "*", b)
    total = steps("Together they cost {} dollars.", left, "+", right)
    bill = next(note for note in (20, 50, 100) if note > total)
    rest = steps(f"{who.name} gets {{}} dollars back.", bill, "-", total)
    text = f"{who.name} buys {n} {first.many} for ${a} each and {m} {second.many} for ${b} each. {who.He} pays with a ${bill} bill."
    return number(f"{text} How many dollars does {who.he} get back?", rest, steps)


def times_as_many(draw: Draw) -> Draft:
    """Multiply, then add."""
    (one, two), (thing,), steps = draw.people(2), draw.things(1), Steps()
    times, few = draw.number(2, 6), draw.number(3, 25)
    many = steps(f"{one.name} has {{}} {thing.many}.", times, "*", few)
    both = steps(f"Together they have {{}} {thing.many}.", many, "+", few)
    text = f"{one.name} and {two.name} buy {thing.many}. {one.name} has {times} times as many {thing.many} as {two.name}. {two.name} has {thing.some(few)}."
    return number(f"{text} How many {thing.many} do they have together?", both, steps)


def bakery(draw: Draw) -> Draft:
    """Two products, their sum, less what is sold."""
    (who,), day, steps = draw.people(1), draw.number(0, 5), Steps()
    rate, first, second = draw.number(8, 24), draw.number(2, 6), draw.number(2, 6)
    a = steps(f"On {DAYS[day]} {who.name} bakes {{}} rolls.", rate, "*", first)
    b = steps(f"On {DAYS[day + 1]} {who.he} bakes {{}} rolls.", rate, "*", second)
    total = steps("That makes {} rolls in all.", a, "+", b)
    sold = draw.number(total // 3, total - 5)
    left = steps("After the sale {} rolls are left.", total, "-", sold)
    text = f"{who.name} bakes {rate} rolls an hour. {who.He} bakes for {first} hours on {DAYS[day]} and for {second} hours on {DAYS[day + 1]}."
    return number(f"{text} By the end of {DAYS[day + 1]}, {sold} of the rolls are sold. How many rolls are left?", left, steps)


def reading(draw: Draw) -> Draft:
    """Pages read, pages left, days still needed."""
    (who,), steps = draw.people(1), Steps()
    slow, days, fast, more = draw.number(8, 20), draw.number(3, 7), draw.number(10, 30), draw.number(2, 6)
    pages = slow * days + fast * more
    read = steps(f"{who.name} has read {{}} pages.", slow, "*", days)
    left = steps("That leaves {} pages.", pages, "-", read)
    need = steps(f"{who.He} needs {{}} more days.", left, "/", fast)
    text = f"{who.name} is reading a book of {pages} pages. For {days} days {who.he} reads {slow} pages a day. After that, {who.he} reads {fast} pages a day."
    return number(f"{text} How many more days does {who.he} need to finish the book?", need, steps)


def bus(draw: Draw) -> Draft:
    """Passengers over two stops."""
    steps = Steps()
    start, off, on, late = draw.number(20, 45), draw.number(3, 12), draw.number(4, 15), draw.number(2, 8)
    after = steps("After the first exit there are {} passengers.", start, "-", off)
    first = steps("After the first stop there are {} passengers.", after, "+", on)
    double = steps("At the second stop {} passengers get on.", late, "*", 2)
    second = steps("Now there are {} passengers.", first, "+", double)
    end = steps("In the end there are {} passengers.", second, "-", late)
    text = f"In the morning, a bus leaves the depot with {start} passengers. At the first stop, {off} people get off and {on} people get on."
    return number(f"{text} At the second stop, {late} people get off and twice as many get on. How many passengers are on the bus now?", end, steps)


def savings(draw: Draw) -> Draft:
    """Money saved and spent."""
    (who,), steps = draw.people(1), Steps()
    start, weekly, weeks = draw.number(5, 40), draw.number(3, 15), draw.number(3, 10)
    saved = steps(f"{who.name} saves {{}} dollars.", weekly, "*", weeks)
    total = steps(f"With the money from before {who.he} has {{}} dollars.", start, "+", saved)
    price = draw.number(8, total - 3)
    left = steps(f"{who.name} has {{}} dollars left.", total, "-", price)
    gift = an(draw.pick(("scarf", "umbrella", "kite", "lamp", "atlas", "backpack", "board game")))
    text = f"{who.name} has ${start} and saves ${weekly} every week for {weeks} weeks. Then {who.he} spends ${price} on {gift}."
    return number(f"{text} How many dollars does {who.name} have left?", left, steps)
