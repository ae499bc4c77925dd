"""Arithmetic read exactly from tokens: recursive descent over fractions, with bounds; no evaluation of text.

A percent sign and a magnitude word can be read in two ways ('20%' as 1/5 or as 20, '2 million' as 2 or 2,000,000), so an
expression has a set of readings. Units are words that follow a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tasks.scorers.equations_tokens import Token
from tasks.scorers.word_sets import words

MAGNITUDES = {"dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "m": 10**6, "billion": 10**9, "b": 10**9}
_FRACTION_WORDS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "twice": Fraction(2)}
_STOPPERS = words(
    "is are was were be has had have and or but so then he she they it we i you to which that because if when gives give makes make costs cost",
    "get gets got there this who since thus therefore hence while leaving meaning after before next we'll let now also for from with",
)
UNIT_WORDS = 8
DEPTH = 30
LARGEST_POWER = 40


class Unreadable(Exception):
    """The tokens are no arithmetic, or arithmetic with an unknown."""


@dataclass(frozen=True)
class Reading:
    """How to read what can be read in two ways."""

    percent: bool = True
    magnitude: bool = False
    tight: bool = False
    """'1/2' without spaces is one number: '3 / 1/2' is 6."""


READINGS = (Reading(), Reading(percent=False), Reading(magnitude=True), Reading(percent=False, magnitude=True), Reading(tight=True))


@dataclass
class Parser:
    """Reads an expression from `tokens[position:]`. Afterwards `position` is the first token not read."""

    tokens: Sequence[Token]
    reading: Reading
    position: int = 0
    operators: int = 0
    decimals: int = 0
    units: set[str] = field(default_factory=set)
    depth: int = 0
    undefined: bool = False
    """Something was divided by zero: no value, so nothing it equals."""

    def expression(self) -> Fraction:
        """Sum of terms."""
        value = self._term()
        while (operator := self._operator("+-")) is not None:
            mark = self._mark()
            self.position += 1
            try:
                operand = self._term()
            except Unreadable:
                self._back(mark)
                break
            self.operators += 1
            value = value + operand if operator == "+" else value - operand
        return value

    def _term(self) -> Fraction:
        value = self._power()
        while (operator := self._operator("*/") or self._implied()) is not None:
            mark = self._mark()
            self.position += operator in "*/"
            try:
                operand = self._power()
            except Unreadable:
                self._back(mark)
                break
            self.operators += 1
            if operator == "/" and operand == 0:
                self.undefined = True
            elif operator == "/":
                value = value / operand
            else:
                value = value * operand
        return value

    def _power(self) -> Fraction:
        base = self._operand()
        if self._operator("^") is None:
            return base
        self.position += 1
        self.operators += 1
        exponent = self._operand()
        if exponent.denominator != 1 or abs(exponent) > LARGEST_POWER or (base == 0 and exponent < 0):
            raise Unreadable
        return base ** int(exponent)

    def _operand(self) -> Fraction:
        token = self._peek()
        if token is None:
            raise Unreadable
        if token.kind == "op" and token.text in "+-":
            self.position += 1
            following = self._peek()
            if following is None or following.kind == "op":
                raise Unreadable
            value = self._operand()
            return -value if token.text == "-" else value
        if token.kind == "money":
            self.units.add(token.text)
            self.position += 1
            return self._operand()
        if token.kind == "lp":
            return self._units(self._bracket())
        if token.kind != "num" or token.value is None:
            raise Unreadable
        self.position += 1
        self.decimals = max(self.decimals, token.decimals)
        return self._units(self._fraction(self._mixed(token.value)))

    def _bracket(self) -> Fraction:
        self.position += 1
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable
        value = self.expression()
        closing = self._peek()
        if closing is None or closing.kind != "rp":
            raise Unreadable
        self.position += 1
        self.depth -= 1
        return value

    def _mixed(self, whole: Fraction) -> Fraction:
        """'2 1/2' is two and a half."""
        after = self.tokens[self.position : self.position + 3]
        if [t.kind for t in after] == ["num", "op", "num"] and after[1].text == "/" and whole.denominator == 1:
            top, bottom = after[0].value, after[2].value
            if top is not None and bottom is not None and 0 < top < bottom and top.denominator == bottom.denominator == 1:
                self.position += 3
                return whole + top / bottom
        return whole

    def _fraction(self, top: Fraction) -> Fraction:
        """'1/2' as one number, where the reading says so."""
        slash, below = self._peek(), self._peek(1)
        if not self.reading.tight or slash is None or below is None or slash.text != "/" or not (slash.glued and below.glued) or not below.value:
            return top
        self.position += 2
        self.operators += 1
        return top / below.value

    def _units(self, value: Fraction) -> Fraction:
        """Read what may follow a number: percent, magnitude, units, 'of'."""
        token = self._peek()
        if token is not None and token.kind == "pct":
            return self._percent(value)
        if token is not None and token.kind == "money" and token.glued:
            self.units.add(token.text)
            self.position += 1
        if token is not None and token.kind == "word" and token.text.lower() in MAGNITUDES and (token.glued or len(token.text) > 1):
            self.position += 1
            value = value * MAGNITUDES[token.text.lower()] if self.reading.magnitude else value
        self._unit_words()
        return value

    def _unit_words(self) -> None:
        for _ in range(UNIT_WORDS):
            if not self._unit_word():
                break

    def _percent(self, value: Fraction) -> Fraction:
        self.position += 1
        following = self._peek()
        if following is not None and following.kind == "num" and not following.glued:
            raise Unreadable  # modulo, or prose
        self.units.add("%")
        self.decimals += 2 if self.reading.percent and self.decimals else 0
        self._unit_words()
        return value / 100 if self.reading.percent else value

    def _unit_word(self) -> bool:
        token, following = self._peek(), self._peek(1)
        if token is None:
            return False
        if token.kind == "op" and token.text == "/" and following is not None and following.kind == "word":
            self.position += 2
            return True
        if token.kind == "lp" and following is not None and following.kind == "word":
            closing = self._peek(2)
            if closing is not None and closing.kind == "rp":
                self.position += 3
                return True
            return False
        if token.kind != "word" or token.text.lower() in _STOPPERS or (token.text.lower() == "of" and self._number_after(1)):
            return False
        if len(token.text) == 1 and token.text.lower() not in "aglhms":
            raise Unreadable  # an unknown
        self.units.add(token.text.lower().rstrip("s"))
        self.position += 1
        return True

    def _number_after(self, ahead: int) -> bool:
        token = self._peek(ahead)
        return token is not None and token.kind in ("num", "money", "lp")

    def _implied(self) -> str | None:
        """'5(3)' and '20% of 50' multiply."""
        token = self._peek()
        before = self.tokens[self.position - 1]
        if token is None or before.kind not in ("num", "rp", "pct") or not self._number_after(1):
            return None
        inner = self._peek(2)
        if token.kind == "lp" and (token.glued or (inner is not None and inner.kind in ("op", "rp"))):
            return "implied"
        if token.kind == "word" and token.text.lower() == "of":
            self.position += 1
            return "implied"
        return None

    def _operator(self, among: str) -> str | None:
        token = self._peek()
        return token.text if token is not None and token.kind == "op" and token.text in among else None

    def _peek(self, ahead: int = 0) -> Token | None:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def _mark(self) -> tuple[int, int, int, int]:
        return self.position, self.operators, self.decimals, self.depth

    def _back(self, mark: tuple[int, int, int, int]) -> None:
        self.position, self.operators, self.decimals, self.depth = mark
