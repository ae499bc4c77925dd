"""Options in their sentences: which are denied, which stand side by side."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tasks.scorers.extraction.found import Found
from tasks.scorers.extraction.options import Mention, letter_mentions, text_mentions
from tasks.scorers.extraction.prose import denial, negated_before

_LISTED_AFTER = re.compile(r"(?:\s{0,2}(?:,\s?(?:and|n?or)\b|,|\band\b|\bn?or\b|&)\s{0,2}(?:options? )?\(?[A-Z]\)?(?![A-Za-z])){1,9}")
_LISTED_BEFORE = re.compile(r"(?:\(?\b[A-Z]\b\)?\s{0,2}(?:,\s?(?:and|or|nor)\b|,|\band\b|\bor\b|\bnor\b|&)\s{0,2}){1,9}\(?$")
_ONE_BEFORE = re.compile(r"\(?[A-Z]\)?,\s{1,2}\(?")
"""`not B, A`: two options, no list of denied ones."""
_JOIN = re.compile(
    r"[)\]\"']{0,2}\s{0,2}(?:,\s?(?:and|or)\b|,|\band\b|\bor\b|&|/|\+)\s{0,2}(?:the |an? |options? |choices? |maybe |perhaps |possibly )?[(\[\"']{0,2}",
    re.IGNORECASE,
)
ALL_BUT = re.compile(
    r"\b(?:all|every\w*|any\w*|nothing|none|no \w+)(?: \w+){0,3} (?:except|but|other than)(?: for)? (?:option |choice )?[(\"']?$", re.IGNORECASE
)
"""`all options except C are wrong`: C is the one that is not."""
_PREDICATE = re.compile(
    r"[)\]\"']{0,2}\s(?:is|isn't|was|wasn't|being|has|does|doesn't|seems|looks|would|fails|[a-z]{2,12}ing)\b(?! (?:also|both|right|correct|true|the|my|our)\b)",
    re.IGNORECASE,
)
_NEITHER = re.compile(r"\bneither\b[^.;:!?\n]{0,200}\bnor\b", re.IGNORECASE)
_SINGLE = re.compile(r"\)?\s(?:is|fits|would|must|should|has|works|matches)\b(?! (?:not|wrong|incorrect|false))")
_REFUTED = re.compile(r"[).:]?\s{0,3}[-–:(]?\s{0,2}(?:this is )?(?:incorrect|wrong|false|no|not (?:correct|right|true))\b|[).:]?\s{0,3}[❌✗✘✖]", re.IGNORECASE)


class Reading:
    """A response with every place that names an option."""

    def __init__(self, text: str, choices: Sequence[str]) -> None:
        self.text, self.choices = text, choices
        self.texts = text_mentions(text, choices)
        self.letters = _outside(letter_mentions(text, choices), self.texts)
        self._named = sorted(self.letters + self.texts, key=lambda mention: mention.start)
        self._neithers = [match.span() for match in _NEITHER.finditer(text)]
        self._starts = {True: [m.start for m in self.texts], False: [m.start for m in self.letters]}

    def denied(self, mention: Mention) -> bool:
        """Whether the option is said not to be the answer, alone or in a list (`not A, B or C`)."""
        if ALL_BUT.search(self.text, max(0, mention.start - 60), mention.start):
            return False
        if negated_before(self.text, mention.start) or self._neither(mention) or self._called_wrong(mention):
            return True
        if mention.text:
            return False
        if _REFUTED.match(self.text, mention.end):
            return True
        before = _LISTED_BEFORE.search(self.text, max(0, mention.start - 60), mention.start)
        listed = _LISTED_AFTER.match(self.text, mention.end - (1 if self.text[mention.end - 1 : mention.end] == "," else 0))
        alone = before and not re.search(r"[a-z]", before[0]) and (_SINGLE.match(self.text, mention.end) or not listed and _ONE_BEFORE.fullmatch(before[0]))
        if before and not alone and negated_before(self.text, before.start()):
            return True
        clause = listed and listed[0].lstrip().startswith(",") and _PREDICATE.match(self.text, listed.end())
        return bool(listed and not clause and denial(self.text, listed.end()))

    def _neither(self, mention: Mention) -> bool:
        index = bisect_right(self._neithers, mention.start, key=lambda span: span[0]) - 1
        return index >= 0 and mention.start < self._neithers[index][1]

    def _called_wrong(self, mention: Mention) -> bool:
        """Whether a denial follows that is not said of another option (`A, although B is wrong`)."""
        end = denial(self.text, mention.end)
        if end is None:
            return False
        first, last = (bisect_left(self._named, place, key=lambda named: named.start) for place in (mention.end, end))
        others = [other for other in self._named[first:last] if other.letter != mention.letter]
        return not others or bool(_JOIN.fullmatch(self._gap(mention, others[0]))) and not self._new_clause(mention, others[0])

    def within(self, begin: int, end: int, *, texts: bool = False) -> list[Mention]:
        """Options named in text[begin:end] and not denied."""
        first, last = bisect_left(self._starts[texts], begin), bisect_left(self._starts[texts], end)
        inside = (self.texts if texts else self.letters)[first:last]
        return [m for m in inside if (m.end <= end + 1 or not m.text) and not self.denied(m)]

    def joined(self, mentions: list[Mention], only: Mention | None = None) -> bool:
        """Whether two different options stand side by side (`A and B`): no single answer. `only`: pairs with this one."""
        pairs = [(a, b) for a, b in zip(mentions, mentions[1:], strict=False) if only is None or only in (a, b)]
        return any(a.letter != b.letter and b.start - a.end < 24 and _JOIN.fullmatch(self._gap(a, b)) and not self._new_clause(a, b) for a, b in pairs)

    def _new_clause(self, first: Mention, second: Mention) -> bool:
        """Whether a comma and the second option begin a clause of its own (`A, B being too soft`)."""
        return self._gap(first, second).startswith(",") and bool(_PREDICATE.match(self.text, second.end))

    def _gap(self, first: Mention, second: Mention) -> str:
        comma = "," if self.text[first.end - 1] == "," else ""
        return comma + self.text[first.end : second.start]


def _outside(letters: list[Mention], texts: list[Mention]) -> list[Mention]:
    """Letters that are not part of an option's text (`Both A and B`)."""
    kept, index = [], 0
    for letter in letters:
        while index < len(texts) and texts[index].end <= letter.start:
            index += 1
        if index == len(texts) or letter.start < texts[index].start:
            kept.append(letter)
    return kept


def found(reading: Reading, mention: Mention, strategy: str, ambiguous: bool = False) -> Found[str]:
    """What was found by `strategy`."""
    return Found(reading.text[mention.start : mention.end].strip(" .,:;"), mention.letter, mention.letter, strategy, ambiguous)
