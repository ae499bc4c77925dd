"""The gate for texts that no rule of ours made: a model's rewordings and a user's own. It asks all that the rule gate asks, and more.

An operator of ours changes what it was written to change; others may change anything. So operations, comparisons, rates and units must stay, no word may give
its place to its opposite, what is asked for must be asked for, nothing may be told to the reader, and no two words may have changed places.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from schemas.records import Item
from tasks.perturbations import gate, relations
from tasks.perturbations.exchange import exchanged, roles_exchanged
from tasks.perturbations.gate import changed, numbers, plain
from tasks.perturbations.language import LONGEST, parse, sentences

HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
ASKED = re.compile(r"\b(?:how|what|which|who|whose|where)\b(?:(?!\b(?:if|when|given|how|what|which)\b)[^,?.])*(?=[^?.]*\?)", re.I)
GENERIC = {
    "number",
    "amount",
    "total",
    "quantity",
    "count",
    "sum",
    "money",
    "value",
    "person",
    "people",
    "thing",
    "case",
    "one",
    "way",
    "time",
    "part",
    "piece",
    "item",
}
NEGATIVE = re.compile(r"(?:un|in|il|im|ir|non|dis)(\w{4,})$")
RATE = re.compile(r"\b(per|each|every|an?) ([a-z]+)")
COMPARED = re.compile(r"\b(?:than|as) (?:\w+ )?([A-Z]\w+)")


def verdict(item: Item, question: str, taken: Sequence[str] = (), *, surface: bool = False) -> str | None:
    """None where `question` may stand for `item.question`, else the reason why not. Arguments as in `gate.verdict`."""
    if len(question) > LONGEST:
        return f"text: longer than {LONGEST:,} characters"
    reason = _hidden(item.question, question) or gate.verdict(item, question, item.choices, taken, surface=surface)
    for check in CHECKS:
        reason = reason or check(item.question, question)
    return reason or _given_away(item, question)


def _hidden(before: str, after: str) -> str | None:
    """Controls, direction marks and characters without width: first, so that no other check reads past them."""
    found = {c for c in after if unicodedata.category(c) in HIDDEN and c not in "\n\t"} - set(before)
    return f"characters: hidden {', '.join(f'U+{ord(c):04X}' for c in sorted(found))}" if found else None


def _given_away(item: Item, question: str) -> str | None:
    """An answer option that has moved into the question."""
    before, after = plain(item.question), plain(question)
    given = [choice for choice in item.choices if len(plain(choice)) > 3 and plain(choice) in after and plain(choice) not in before]
    return f"options: {given[0][:60]!r} is given away" if given else None


def _relations(before: str, after: str) -> str | None:
    for name, pattern in relations.patterns().items():
        old, new = len(pattern.findall(before)), len(pattern.findall(after))
        if old != new:
            return f"relations: {old} became {new} for {name}"
    lost = len(re.findall(r"\bthan\b|\bexceed", before)) > len(re.findall(r"\b(?:than|over|under|above|below)\b|\bexceed", after))
    return "relations: a comparison is lost" if lost else None


def _opposites(before: str, after: str) -> str | None:
    old, new = (Counter(word for t in parse(text) if t.is_alpha for word in {t.lower_, t.lemma_.lower()}) for text in (before, after))
    for left, right in relations.opposites():
        for side, other in ((left, right), (right, left)):
            lost, gained = [word for word in side if old[word] > new[word]], [word for word in other if new[word] > old[word]]
            if lost and gained and sum(old[word] - new[word] for word in side) > 0:
                return f"relations: {gained[0]!r} for {lost[0]!r}"
    turned = [word for word in new - old if (found := NEGATIVE.match(word)) and old[found[1]] > new[found[1]]]
    return f"relations: {turned[0]!r} for its opposite" if turned else None


def _units(before: str, after: str) -> str | None:
    old, new = (_found("units", text.replace("$", " dollar ")) for text in (before, after))
    lost, gained = (_found("measures", before) - _found("measures", after)), (_found("measures", after) - _found("measures", before))
    return changed("units", old, new) or (changed("measures", lost, gained) if lost and gained else None)


def _found(section: str, text: str) -> Counter[str]:
    known = relations.spellings(section)
    return Counter({known[word] for word in re.findall(r"[^\W\d_]+", text.lower()) if word in known})


def _told(before: str, after: str) -> str | None:
    """A statement that shares no word and no number with the original was added."""
    old = _stems(before)
    for part in (part for sentence in sentences(after) for part in re.split(r"(?<=:)\s+", sentence.text)):
        told = "?" not in part and plain(part) and plain(part) not in plain(before)
        if told and not _stems(part) & old and not numbers(part) & numbers(before):
            return f"added: {part[:60]!r}"
    return None


def _stems(text: str) -> set[str]:
    return {t.lemma_.lower() for t in parse(text) if t.is_alpha and not t.is_stop and len(t) > 1}


def _asked(before: str, after: str) -> str | None:
    """What is asked for may not give its place to another thing of the text."""
    old, new = _counted(before), _counted(after)
    if old and new & _stems(before) and not old & new:
        return f"asked: {', '.join(sorted(new))} for {', '.join(sorted(old))}"
    old, new = _things(before), _things(after)
    lost, gained = (old - new) & _stems(after), (new - old) & _stems(before)
    return f"asked: {', '.join(sorted(gained))} for {', '.join(sorted(lost))}" if lost and gained else None


def _things(text: str) -> set[str]:
    *_, last = [None, *ASKED.finditer(text)]
    inside = [t for t in parse(text) if t.pos_ in {"NOUN", "PROPN"}] if last else []
    return {t.lemma_.lower() for t in inside if last and last.start() <= t.idx < last.end()} - GENERIC


def _counted(text: str) -> set[str]:
    """What "how many" asks for."""
    asked = [t for t in parse(text) if t.lower_ == "many" and t.i and t.nbor(-1).lower_ == "how"]
    return {t.head.lemma_.lower() for t in asked if t.head.pos_ in {"NOUN", "PROPN"}}


def _nouns(before: str, after: str) -> str | None:
    """A noun may stand for another where the lexicon, the stem or its generality says so."""
    old, new = parse(before), parse(after)
    lost, gained = _lost(old, new), _lost(new, old)
    known = {frozenset({one, other}) for one in lost for other in gained if one[:4] == other[:4]} | relations.alike()
    lost, gained = ({a for a in mine if not any(frozenset({a, b}) in known for b in others)} for mine, others in ((lost, gained), (gained, lost)))
    return f"nouns: {', '.join(sorted(gained))} for {', '.join(sorted(lost))}" if lost and gained else None


def _lost(old: Any, new: Any) -> set[str]:
    """Nouns of `old` that `new` has not, in whatever part of speech."""
    kept = {word for t in new for word in (t.lemma_.lower(), t.lower_)}
    return {t.lemma_.lower() for t in old if t.pos_ in {"NOUN", "PROPN"} and t.is_alpha and not {t.lemma_.lower(), t.lower_} & kept} - GENERIC


def _rates(before: str, after: str) -> str | None:
    """What something is per may not give its place to another thing of the text."""
    old, new = _per(before), _per(after)
    return changed("rates", old, new) if old - new and {word for word in new - old if word in plain(before).split()} else None


def _per(text: str) -> Counter[str]:
    units = relations.spellings("units")
    return Counter(word for article, word in RATE.findall(text) if article not in {"a", "an"} or word in units)


def _compared(before: str, after: str) -> str | None:
    old, new = Counter(COMPARED.findall(before)), Counter(COMPARED.findall(after))
    return changed("compared with", old, new) if old - new and new - old else None


CHECKS: tuple[Callable[[str, str], str | None], ...] = (_relations, _opposites, _units, _told, _asked, _nouns, _rates, _compared, exchanged, roles_exchanged)
