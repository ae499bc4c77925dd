"""People, things and number words that templates speak of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A name with its pronouns."""

    name: str
    he: str
    his: str

    @property
    def He(self) -> str:  # noqa: N802 - reads as it prints
        """The pronoun at the start of a sentence."""
        return self.he.capitalize()


@dataclass(frozen=True)
class Thing:
    """A countable noun."""

    one: str
    many: str

    def some(self, count: int) -> str:
        """`count` of it: `1 peach`, `3 peaches`."""
        return f"{count} {self.one if count == 1 else self.many}"


def an(noun: str) -> str:
    """`noun` with its indefinite article: `an apple`, `a unicorn`, `an hour`."""
    first = noun.split()[0].lower()
    vowel = (first[0] in "aeiou" and not first.startswith(("uni", "use", "eu", "one"))) or first.startswith(("hour", "honest", "heir"))
    return f"{'an' if vowel else 'a'} {noun}"


def listed(words: list[str], last: str = "and") -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def in_words(number: int) -> str:
    """An integer below one hundred in words."""
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SHE = "Maria Nora Aisha Ingrid Chloe Priya Elena Fatima Hannah Julia Keiko Lucia Mei Olga Rosa Sofia Tara Vera Yasmin Zoe"
_HE = "Tom Ahmed Boris Carlos David Emil Felix George Hugo Ivan Jamal Kenji Liam Marco Noah Omar Pedro Rafael Samuel Viktor"
PEOPLE = (*(Person(name, "she", "her") for name in _SHE.split()), *(Person(name, "he", "his") for name in _HE.split()))
_PLAIN = "apple pencil marble sticker book cookie shell coin button postcard candle balloon stamp bead muffin lemon pear ribbon magnet notebook orange crayon"
THINGS = (
    *(Thing(name, f"{name}s") for name in _PLAIN.split()),
    *(Thing(one, many) for one, many in (("peach", "peaches"), ("brush", "brushes"), ("cherry", "cherries"), ("berry", "berries"), ("tomato", "tomatoes"))),
)
PAINTED = tuple(
    thing
    for thing in THINGS
    if thing.one in ["pencil", "marble", "sticker", "button", "candle", "balloon", "bead", "ribbon", "magnet", "notebook", "crayon", "brush"]
)
"""Things that come in every color."""
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "purple", "brown")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
