"""What a text is about, for the gate of texts by others (outside.py): nothing said beside it, and no thing in another's place."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tasks.perturbations import relations
from tasks.perturbations.gate import changed, numbers, plain
from tasks.perturbations.language import parse, sentences

ASKED = re.compile(r"\b(?:how|what|which|who|whose|where)\b(?:(?!\b(?:if|when|given|how|what|which)\b)[^,?.])*(?=[^?.]*\?)", re.I)
COMPARED = re.compile(r"\b(?:than|as) (?:\w+ )?([A-Z]\w+)")
RATE = re.compile(r"\b(per|each|every|an?) ([a-z]+)")


def told(before: str, after: str) -> str | None:
    """A statement that shares no word and no number with the original was added."""
    old = _stems(before)
    for part in (part for sentence in sentences(after) for part in re.split(r"(?<=:)\s+", sentence.text)):
        told = "?" not in part and plain(part) and plain(part) not in plain(before)
        if told and not _stems(part) & old and not numbers(part) & numbers(before):
            return f"added: {part[:60]!r}"
    return None


def _stems(text: str) -> set[str]:
    return {t.lemma_.lower() for t in parse(text) if t.is_alpha and not t.is_stop and len(t) > 1}


def asked(before: str, after: str) -> str | None:
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
    return {t.lemma_.lower() for t in inside if last and last.start() <= t.idx < last.end()} - set(relations.lines("general"))


def _counted(text: str) -> set[str]:
    """What "how many" asks for."""
    asked = [t for t in parse(text) if t.lower_ == "many" and t.i and t.nbor(-1).lower_ == "how"]
    return {t.head.lemma_.lower() for t in asked if t.head.pos_ in {"NOUN", "PROPN"}}


def nouns(before: str, after: str) -> str | None:
    """A noun may stand for another where the lexicon, the stem or its generality says so."""
    old, new = parse(before), parse(after)
    lost, gained = _lost(old, new), _lost(new, old)
    known = {frozenset({one, other}) for one in lost for other in gained if one[:4] == other[:4]} | relations.alike()
    lost, gained = ({a for a in mine if not any(frozenset({a, b}) in known for b in others)} for mine, others in ((lost, gained), (gained, lost)))
    return f"nouns: {', '.join(sorted(gained))} for {', '.join(sorted(lost))}" if lost and gained else None


def _lost(old: Any, new: Any) -> set[str]:
    """Nouns of `old` that `new` has not, in whatever part of speech."""
    kept = {word for t in new for word in (t.lemma_.lower(), t.lower_)}
    return {t.lemma_.lower() for t in old if t.pos_ in {"NOUN", "PROPN"} and t.is_alpha and not {t.lemma_.lower(), t.lower_} & kept} - set(
        relations.lines("general")
    )


def rates(before: str, after: str) -> str | None:
    """What something is per may not give its place to another thing of the text."""
    old, new = _per(before), _per(after)
    known = {*plain(before).split(), *(t.lemma_.lower() for t in parse(before))}
    return changed("rates", old, new) if old - new and known & set(new - old) else None


def _per(text: str) -> Counter[str]:
    units = relations.spellings("units")
    return Counter(word for article, word in RATE.findall(text) if article not in {"a", "an"} or word in units)


def compared(before: str, after: str) -> str | None:
    """Whom something is compared with stays."""
    old, new = Counter(COMPARED.findall(before)), Counter(COMPARED.findall(after))
    return changed("compared with", old, new) if old - new and new - old else None
