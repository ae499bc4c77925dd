"""Reorder: clauses, phrases and sentences change places; the words stay, but for a name and its pronoun, "a" and "the", and the word or two a new order needs.

A condition moves to the front or to the end, an adjunct is fronted or put back, independent conjuncts swap, the question or the instruction comes before or after
what it is about. Nothing moves across a word that needs its order: "then", "the rest", "respectively", a pronoun whose name would follow it.
"""  # noqa: E501

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from schemas.records import Item
from tasks.perturbations import adjuncts, conditions, dislocate, swap, units
from tasks.perturbations.language import Sentence, capital, sentences

Rule = Callable[[Item, Sentence], Iterator[str]]


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question in another order: within a sentence first, then between sentences, then by taking a phrase out to the front."""
    text = item.question
    found = tuple(s for s in sentences(text, stem=bool(item.choices)) if len(s.text) < dislocate.LONG)
    for rules in (CLAUSES, PHRASES):
        proposals = [text[: s.start] + p + text[s.end :] for s in found for rule in rules for p in rule(item, s)]
        rng.shuffle(proposals)
        yield from proposals
    yield from swap.sentence_orders(item, found, plain=True)
    yield from (text[: s.start] + p + text[s.end :] for s in reversed(found) for rule in units.RULES for p in rule(item, s))
    yield from swap.sentence_orders(item, found, plain=False)
    for rule in dislocate.RULES:
        for sentence in reversed(found):
            yield from (text[: sentence.start] + p + text[sentence.end :] for p in rule(item, sentence))
    yield from dislocate.labels_last(text)


def _purpose_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Use truth tables to determine whether P. -> To determine whether P, use truth tables."""
    match = re.match(r"Use ([^,.]{3,60}?) to ((?:determine|find|show|solve|calculate) [^,]+)\.$", sentence.text)
    if match:
        yield f"To {match.group(2)}, use {match.group(1)}."


def _of_the_following(item: Item, sentence: Sentence) -> Iterator[str]:
    """Which of the following statements about X is true? -> Of the following statements about X, which is true?"""
    match = re.search(r"\b(which(?: one)?) (of (?:the following|these|the (?:given|five|options))) ", sentence.text, re.I)
    if not match or not item.choices or (sentence.text[-1:] == "." and match.start() > 0):
        return
    before = sentence.text[: match.start()]
    later = [t for t in sentence.tokens if t.idx >= sentence.start + match.end()]
    verb = next((t for t in later if t.tag_ in {"VBZ", "VBP", "VBD", "MD"} and t.nbor(-1).lower_ not in {"that", "who", "which"}), None)
    opens = match.group(1)[0] == "W"
    if verb is None or (before.strip() and not before.rstrip().endswith(",") and not opens):
        return
    while verb.nbor(-1).pos_ == "ADV" and verb.nbor(-1).idx >= sentence.start + match.end():
        verb = verb.nbor(-1)
    noun = sentence.source[sentence.start + match.end() : verb.idx].strip()
    best = re.search(r"(?:^| )(best|most|correctly|not)$", noun)
    adverb = f"{best.group(1)} " if best else ""
    noun = noun[: best.start()] if best else noun
    if noun and (later[0].tag_ not in {"NNS", "NN", "JJ"} or "," in noun):
        return
    phrase = f"{match.group(2)} {noun}".strip()
    yield f"{before}{capital(phrase) if opens else phrase}, {match.group(1).lower()} {adverb}{sentence.source[verb.idx : sentence.end]}"


CLAUSES: tuple[Rule, ...] = (
    conditions.to_end,
    conditions.to_front,
    conditions.exchange,
    conditions.time_inside,
    conditions.asked_after,
    adjuncts.tail_to_front,
    adjuncts.adjunct_to_front,
    adjuncts.adjunct_to_end,
    _purpose_to_front,
    _of_the_following,
)
PHRASES: tuple[Rule, ...] = (swap.conjuncts, swap.adjectives, swap.listed)
