"""Stories whose numbers contradict each other, or whose speaker reasons wrongly. Golds are recomputed from the story's own numbers."""

from __future__ import annotations

from fractions import Fraction

from tasks.datasets.synthetic.draft import Draft, Draw, Steps, boolean, choice, fixed, number
from tasks.datasets.synthetic.words import COLOURS, DAYS, PAINTED, an


def total_mismatch(draw: Draw) -> Draft:
    """Parts that may not add up to the whole."""
    thing, (one, two, three) = draw.pick(PAINTED), draw.several(COLOURS, 3)
    a, b, c = draw.number(4, 20), draw.number(4, 20), draw.number(6, 20)
    total = a + b + c + (0 if draw.want else draw.pick((-3, -2, -1, 1, 2, 3)))
    text = f"A box holds exactly {total} {thing.many}. Of these, {a} are {one}, {b} are {two} and the other {c} are {three}."
    return boolean(f"{text} Can all of these numbers be right?", a + b + c == total)


def undetermined(draw: Draw) -> Draft:
    """A question about the thing whose number is told, or about the one whose number is not."""
    (who,), (told, untold), unknown = draw.people(1), draw.things(2), "It cannot be determined"
    have, given = draw.number(20, 60), draw.number(2, 9)
    numbers = {told: have - given}
    asked = told if draw.turn % 4 < 2 else untold
    right = str(numbers[asked]) if asked in numbers else unknown
    wrong = [option for option in (str(have - given), str(have + given), str(given), unknown) if option != right]
    text = f"{who.name} buys {have} {told.many} and some {untold.many}. {who.He} gives away {given} of the {told.many} and keeps all the {untold.many}."
    return choice(draw, f"{text} How many {asked.many} does {who.name} have now?", right, wrong)


def percent_undone(draw: Draw) -> Draft:
    """A rise and a fall that cancel out, or only seem to."""
    item = draw.pick(("coat", "bicycle", "umbrella", "tent", "guitar", "lamp", "oven", "watch"))
    up, down = draw.pick(((25, 20), (100, 50), (300, 75), (150, 60))) if draw.want else (draw.pick((10, 20, 25, 30, 40, 50)),) * 2
    price = Fraction(20 * draw.number(2, 20))
    end = price * (100 + up) / 100 * (100 - down) / 100
    text = f"{an(item).capitalize()} costs ${price}. The price rises by {up}%. Later, the new price falls by {down}%."
    return boolean(f"{text} Is the final price the same as the price at the start?", end == price)


def machines(draw: Draw) -> Draft:
    """Rates: more machines for more toys take no more time."""
    (who,), few = draw.people(1), draw.number(3, 9)
    part, each = draw.pick((("machine", "toy"), ("printer", "poster"), ("baker", "cake"), ("oven", "loaf"), ("robot", "lamp"))), draw.number(2, 9)
    many = few * draw.number(3, 12)
    product = "loaves" if part[1] == "loaf" else f"{part[1]}s"
    made_a_minute = Fraction(few, few * each)
    minutes = many / (many * made_a_minute)
    text = f"{few} {part[0]}s make {few} {product} in {each} minutes. {who.name} concludes that {many} {part[0]}s need {many * each // few} minutes"
    return number(f"{text} to make {many} {product}, but this is wrong. How many minutes do they really need?", int(minutes))


def bat_and_ball(draw: Draw) -> Draft:
    """Two prices by sum and difference, after the tempting answer."""
    (who,), (dear, cheap) = draw.people(1), draw.several(("notebook", "pen", "ruler", "eraser", "stamp", "sticker", "card", "ribbon"), 2)
    small = 5 * draw.number(1, 9)
    gap = 10 * draw.number(5, 20)
    total = 2 * small + gap
    text = f"{an(dear).capitalize()} and {an(cheap)} cost {total} cents together. The {dear} costs {gap} cents more than the {cheap}."
    wrong = f"{who.name} concludes that the {cheap} costs {total - gap} cents, which is a mistake."
    return number(f"{text} {wrong} How many cents does the {cheap} cost?", (total - gap) // 2)


def overlap(draw: Draw) -> Draft:
    """Two groups in one class: must they share a member?"""
    first, second = draw.several(("play chess", "sing in the choir", "play football", "learn the piano", "paint", "speak French"), 2)
    a, b = draw.number(10, 20), draw.number(10, 20)
    size = a + b - draw.number(1, 5) if draw.want else a + b + draw.number(0, 6)
    text = f"There are {size} students in a class. Of these, {a} {first} and {b} {second}."
    return boolean(f"{text} Must at least one student do both?", max(0, a + b - size) > 0)


def first_error(draw: Draw) -> Draft:
    """Three lines of a calculation, at most one of them wrong in itself."""
    (who,), steps, wrong_at = draw.people(1), Steps(), draw.turn % 4
    value, lines, slips = draw.number(6, 20), [], []
    for place, operation in enumerate("+*-"):
        operand = draw.number(2, 5) if operation == "*" else draw.number(3, 9)
        true = steps("{}", value, operation, operand)
        shown = true + (draw.pick((-2, -1, 1, 2)) if place == wrong_at else 0)
        lines.append(f"Step {place + 1}: {value} {operation} {operand} = {shown}.")
        slips.append(shown != true)
        value = shown
    options = ["Step 1", "Step 2", "Step 3", "None of the steps"]
    right = options[slips.index(True)] if any(slips) else options[-1]
    return fixed(f"{who.name} writes down a calculation. {' '.join(lines)} Which step contains a mistake?", options, right)


def weekday_claim(draw: Draw) -> Draft:
    """A claim about the day of the week some days ahead."""
    (who,), today, ahead = draw.people(1), draw.number(0, 6), draw.number(8, 60)
    day = (today + ahead + (0 if draw.want else draw.number(1, 6))) % 7
    text = f"Today is {DAYS[today]}. {who.name} says that {ahead} days from now it will be {DAYS[day]}."
    return boolean(f"{text} Is {who.name} right?", (today + ahead) % 7 == day)
