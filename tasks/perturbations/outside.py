"""The gate for texts that no rule of ours made: a model's rewordings and a user's own. It asks all that the rule gate asks, and more.

An operator of ours changes what it was written to change; others may change anything. So operations, comparisons, rates and units must stay, no word may give
its place to its opposite, what is asked for must be asked for, nothing may be told to the reader, and no two words may have changed places.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from schemas.records import Item
from tasks.perturbations import gate, relations, things
from tasks.perturbations.exchange import exchanged, roles_exchanged
from tasks.perturbations.gate import changed, plain
from tasks.perturbations.language import LONGEST, parse
from tasks.perturbations.sides import sides_exchanged, turned

HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
NEGATIVE = re.compile(r"(?:un|in|il|im|ir|non|dis)(\w{4,})$")
THAN = re.compile(r"(?<!rather )(?<!other )\bthan\b", re.I)
MORE_THAN = re.compile(THAN.pattern + r"|\bexceed", re.I)
COMPARED = re.compile(MORE_THAN.pattern + r"|\bsurpass|\boutnumber|\b(?:over|under|above|below|beyond|versus|compared)\b|\bvs\b|\bas \w+ as\b", re.I)
CHANGE = r"\b(?:increas|decreas|reduc|rais|lower|grow|gr[eo]w|ris|rose|fall|fell|drop|declin|climb)\w*(?: (?!from\b|by\b|to\b)\w+){0,3}"
CHANGED_BY, CHANGED_TO = re.compile(CHANGE + r"(?: by)? (?=[$\d])", re.I), re.compile(CHANGE + r" to (?=[$\d])", re.I)
FACT = re.compile(r"(?:Do|Does|Did|Is|Are|Was|Were|Has|Have|Had)\b")
SUPPOSED = re.compile(r"\b(?:would|could|might)\b", re.I)


def verdict(item: Item, question: str, taken: Sequence[str] = (), *, surface: bool = False) -> str | None:
    """None where `question` may stand for `item.question`, else the reason why not. Arguments as in `gate.verdict`."""
    if max(len(question), len(item.question)) > LONGEST:
        return f"text: longer than {LONGEST:,} characters"
    reason = _hidden(item.question, question) or gate.verdict(item, question, item.choices, taken, surface=surface)
    checks = CHECKS if reason or turned(item.question, question) else (*CHECKS, *OF_SIDES)
    for check in checks:
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
    lost, gained = (len(named.findall(one)) > len(COMPARED.findall(other)) for named, one, other in ((MORE_THAN, before, after), (THAN, after, before)))
    return f"relations: a comparison is {'lost' if lost else 'gained'}" if lost or gained else None


def _changes(before: str, after: str) -> str | None:
    """To rise 5 is to rise by 5, not to 5."""
    by, to = (len(pattern.findall(after)) - len(pattern.findall(before)) for pattern in (CHANGED_BY, CHANGED_TO))
    return "relations: changed by and changed to" if by * to < 0 else None


def _supposed(before: str, after: str) -> str | None:
    """What is asked as a fact may not be asked as a supposition."""
    fact = FACT.match(before) and not SUPPOSED.search(before)
    return "relations: supposed" if fact and SUPPOSED.search(after) else None


def _opposites(before: str, after: str) -> str | None:
    old, new = (Counter(word for t in parse(text) if t.is_alpha for word in {t.lower_, t.lemma_.lower()}) for text in (before, after))
    for left, right in relations.opposites():
        for side, other in ((left, right), (right, left)):
            lost, gained = [word for word in side if old[word] > new[word]], [word for word in other if new[word] > old[word]]
            if lost and gained and sum(old[word] - new[word] for word in side) > 0:
                return f"relations: {gained[0]!r} for {lost[0]!r}"
    negated = [word for more, less in ((new, old), (old, new)) for word in more - less if (found := NEGATIVE.match(word)) and less[found[1]] > more[found[1]]]
    return f"relations: {negated[0]!r} or its opposite" if negated else None


def _units(before: str, after: str) -> str | None:
    old, new = (_found("units", text.replace("$", " dollar ")) for text in (before, after))
    lost, gained = (_found("measures", before) - _found("measures", after)), (_found("measures", after) - _found("measures", before))
    return changed("units", old, new) or (changed("measures", lost, gained) if lost and gained else None)


def _found(section: str, text: str) -> Counter[str]:
    known = relations.spellings(section)
    return Counter({known[word] for word in re.findall(r"[^\W\d_]+", text.lower()) if word in known})


CHECKS: tuple[Callable[[str, str], str | None], ...] = (
    *(_relations, _changes, _supposed, _units),
    *(things.told, things.asked, things.nouns, things.rates),
)
OF_SIDES: tuple[Callable[[str, str], str | None], ...] = (_opposites, things.compared, sides_exchanged, exchanged, roles_exchanged)
"""What a comparison that is turned as a whole need not pass."""
