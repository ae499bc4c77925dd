"""Synonyms: words and phrases replaced from a curated lexicon, inflected, each only where its conditions hold.

`lexicon.csv` holds lemma, part of speech, tier, substitutes and the conditions of `guards.py`; `phrases.txt` holds word sequences. Tier 1 reads right wherever
its conditions hold: two at most. Tier 2 is right in most contexts: one word, only where tier 1 has none. Tier 3, everyday
words, only where all else has none. A lemma is replaced at every place or, where one of a noun's places is untouchable, at none, so that a story keeps its
entities apart. No thesaurus is consulted: an unlisted word stays.
"""

from __future__ import annotations

import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemas.records import Item
from tasks.perturbations.guards import ITEM_GUARDS, holds
from tasks.perturbations.language import capital, edit, inflect, is_guarded, parse

FOLDER = Path(__file__).parent
FAMILIES = {"VERB": {"VERB"}, "NOUN": {"NOUN"}, "ADJ": {"ADJ"}, "ADV": {"ADV"}, "AUX": {"AUX"}, "DET": {"DET"}, "SCONJ": {"SCONJ"}, "ADP": {"ADP", "SCONJ"}}
MOST = 2
"""Words or phrases replaced in one text: each more is one more chance to read wrong."""
SECTIONS = ("# -- usual", "# -- last resort", "# -- everyday")
SMALL = {"a", "an", "the", "of", "to", "in", "on", "for", "with", "by", "at", "as", "up", "out", "that", "is", "are", "be", "per", "each", "all", "or", "and"}
"""Words that may stand twice within a few words of each other."""

Change = tuple[int, int, str]


@dataclass(frozen=True)
class Entry:
    """One line of the lexicon."""

    tier: int
    substitutes: tuple[str, ...]
    guards: tuple[str, ...]


@lru_cache(maxsize=1)
def lexicon() -> dict[tuple[str, str], list[Entry]]:
    """(part of speech, lemma) -> entries of `lexicon.csv`, in file order."""
    entries: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    with (FOLDER / "lexicon.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            entries[row["pos"], row["lemma"]].append(Entry(int(row["tier"]), tuple(row["replacements"].split("|")), tuple(row["guards"].split())))
    return dict(entries)


@lru_cache(maxsize=4)
def phrases(tier: int) -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    """Rules of `phrases.txt`: condition on the item or "", pattern, substitutes (match templates); tier 1 is safe, 2 usual, 3 last resort, 4 everyday."""
    lines = re.split("|".join(SECTIONS), (FOLDER / "phrases.txt").read_text(encoding="utf-8"))[tier - 1].splitlines()[1:]
    split = (re.fullmatch(rf"(?:({'|'.join(ITEM_GUARDS)}): )?(.+?) => (.*)", line) for line in lines if line and not line.startswith("#"))
    return tuple((m[1] or "", re.compile(m[2], re.I), tuple(m[3].split("|"))) for m in split if m)


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question with two safe substitutions, then with one, one usually right, one everyday word; none where nothing fits."""
    text = item.question
    tiers = {tier: [*_phrase_groups(item, tier), *_word_groups(item, tier)] for tier in (1, 2)}
    for _ in range(4):
        rng.shuffle(tiers[1])
        chosen: list[Change] = []
        for taken, group in enumerate(tiers[1]):
            options = rng.choice(group)
            if taken < MOST and not any(a < d and c < b for a, b, _ in options for c, d, _ in chosen):
                chosen += options
        if chosen:
            yield edit(text, chosen)
    rng.shuffle(tiers[2])
    for group in (*tiers[1], *tiers[2], *_phrase_groups(item, 3), *_word_groups(item, 3), *_phrase_groups(item, 4)):
        yield edit(text, rng.choice(group))


def _phrase_groups(item: Item, tier: int) -> Iterator[list[list[Change]]]:
    text = item.question
    for condition, pattern, substitutes in phrases(tier):
        if condition and not ITEM_GUARDS[condition](item):
            continue
        found = [
            m for m in pattern.finditer(text) if not is_guarded(text, *m.span()) and not any(m.group().lower() in choice.lower() for choice in item.choices)
        ]
        group = [[(m.start(), m.end(), _cased(m.group(), m.expand(new))) for m in found] for new in substitutes]
        group = [changes for changes in group if changes and not any(_echoes(text, change) for change in changes)]
        if group:
            yield group


def _word_groups(item: Item, tier: int) -> Iterator[list[list[Change]]]:
    doc = parse(item.question)
    offered = {w.lower() for choice in item.choices for w in re.findall(r"[A-Za-z]+", choice)}
    places: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for token in doc:
        if token.is_alpha and token.pos_ not in {"PROPN", "PUNCT"}:
            for family, tags in FAMILIES.items():
                if token.pos_ in tags:
                    places[family, token.lemma_.lower()].append(token)
    present = {t.lemma_.lower() for t in doc} | {t.lower_ for t in doc}
    for (family, lemma), tokens in places.items():
        if lemma in offered or any(t.lower_ in offered for t in tokens):
            continue
        for entry in lexicon().get((family, lemma), ()):
            group = _entry_group(item, family, tokens, entry, present) if entry.tier == tier else []
            if group:
                yield group
                break


def _entry_group(item: Item, family: str, tokens: list[Any], entry: Entry, present: set[str]) -> list[list[Change]]:
    fit = [t for t in tokens if _free(t, head="head" in entry.guards) and holds(t, entry.guards, item)]
    if not fit or (family == "NOUN" and len(fit) < len(tokens)):
        return []
    group = []
    asked = any(c.lower_ in {"do", "does", "did"} for t in fit for c in t.children if c.dep_ == "aux")
    for new in entry.substitutes:
        if asked and new.startswith("be "):
            continue
        if family in {"NOUN", "ADJ"} and new.split()[-1] in present:
            continue
        forms = [(t, inflect(new, _tag(t))) for t in fit]
        if all(form for _, form in forms):
            changes = [(t.idx, t.idx + len(t.text), _cased(t.text, str(form))) for t, form in forms]
            group += [] if any(_echoes(item.question, change) for change in changes) else [changes]
    return group


def _echoes(text: str, change: Change) -> bool:
    """Whether a new word of `change`, or one of its first five letters, stands within three words of it: "go on to go", "the specification of specific"."""
    start, end, new = change
    near = re.findall(r"[a-z]+", text[:start].lower())[-3:] + re.findall(r"[a-z]+", text[end:].lower())[:3]
    gained = set(re.findall(r"[a-z]+", new.lower())) - set(re.findall(r"[a-z]+", text[start:end].lower())) - SMALL
    return any(word[:5] == other[:5] for word in gained for other in near)


def _tag(token: Any) -> str:
    """The form a substitute takes: the token's own, the base after "do", whatever the tagger says; after a modal's subject, singular or plural."""
    if token.tag_ != "MD":
        asked = any(c.lower_ in {"do", "does", "did"} and c.dep_ == "aux" for c in token.children)
        return "VB" if asked and token.tag_ in {"VBD", "VBZ", "VBP"} else str(token.tag_)
    subject = next(c for c in token.head.children if c.dep_ in {"nsubj", "nsubjpass"})
    plural = (
        subject.tag_ in {"NNS", "NNPS"} or subject.lower_ in {"i", "you", "we", "they", "these", "those"} or any(c.dep_ == "conj" for c in subject.children)
    )
    return "VBP" if plural else "VBZ"


def _free(token: Any, *, head: bool) -> bool:
    """Not part of a name, a quotation, a formula, a phrasal verb or a compound."""
    if is_guarded(token.doc.text, token.idx, token.idx + len(token.text)) or (
        token.ent_type_ in {"PERSON", "ORG", "GPE", "WORK_OF_ART", "FAC", "PRODUCT", "LOC", "EVENT", "LAW"}
    ):
        return False
    if token.text[1:] != token.text[1:].lower() or (token.text[0].isupper() and not token.is_sent_start):
        return False
    if token.pos_ == "VERB" and (token.dep_ in {"amod", "compound"} or any(c.dep_ in {"prt", "neg"} for c in token.children if c.dep_ == "prt")):
        return False
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    if token.pos_ == "VERB" and after is not None and (after.tag_ == "RP" or after.lower_ in {"away", "back", "off", "apart", "along"}):
        return False
    neighbours = [token.doc[i] for i in (token.i - 1, token.i + 1) if 0 <= i < len(token.doc)]
    if any(n.text in {"-", "–", "/", "'s", "’s"} and (n.whitespace_ == "" or n.text.endswith("s")) and n.i > token.i for n in neighbours) or any(
        n.text in {"-", "/"} and n.i < token.i and n.whitespace_ == "" for n in neighbours
    ):
        return False
    if token.pos_ == "NOUN" and after is not None and after.pos_ == "PROPN" and after.text[:1].isupper():
        return False
    return not (token.pos_ == "NOUN" and (token.dep_ == "compound" or (not head and any(c.dep_ in {"compound", "nmod"} for c in token.children))))


def _cased(old: str, new: str) -> str:
    return capital(new) if old[:1].isupper() else new
