"""Reorder: clauses, phrases and sentences change places; every word stays.

A condition moves to the front or to the end, an adjunct is fronted or put back, independent conjuncts swap, the question or the instruction comes before or after
what it is about. Nothing moves across a word that needs its order: "then", "the rest", "respectively", a pronoun whose name would follow it.
"""  # noqa: E501

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations import adjuncts, dislocate, swap
from tasks.perturbations.adjuncts import CONNECTIVES, SUBORDINATORS, final
from tasks.perturbations.binding import binds
from tasks.perturbations.language import Sentence, capital, cuts_guarded, is_name, lower_first, sentences
from tasks.perturbations.paraphrase import is_command
from tasks.perturbations.syntax import QUESTION_WORDS, question

Rule = Callable[[Item, Sentence], Iterator[str]]


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question in another order: within a sentence first, then between sentences, then by taking a phrase out to the front."""
    text = item.question
    found = tuple(s for s in sentences(text, stem=bool(item.choices)) if len(s.text) < dislocate.LONG)
    for rules in (CLAUSES, PHRASES):
        proposals = [text[: s.start] + p + text[s.end :] for s in found for rule in rules for p in rule(item, s)]
        rng.shuffle(proposals)
        yield from proposals
    yield from _sentences(item, found)
    for rule in dislocate.RULES:
        for sentence in reversed(found):
            yield from (text[: sentence.start] + p + text[sentence.end :] for p in rule(item, sentence))
    yield from dislocate.labels_last(text)


def _condition_to_end(_: Item, sentence: Sentence) -> Iterator[str]:
    """If P, Q? -> Q if P? The clause ends where a question, a command or the main subject begins."""
    tokens, text = sentence.tokens, sentence.source
    if tokens[0].lower_ not in SUBORDINATORS or tokens[0].dep_ == "prep" or sentence.mark in {"", ":"}:
        return
    parts = question(sentence)
    cut = (
        sentence.start + len(parts.lead)
        if parts is not None and parts.lead
        else next((t.nbor(1).idx for t in tokens[2:-1] if t.text == "," and _main_begins(tokens, t)), None)
    )
    if cut is None or cuts_guarded(text, cut):
        return
    if re.match(r"where\b", text[cut:]):
        return
    clause, main = text[sentence.start : cut].rstrip(", "), text[cut : sentence.start + len(sentence.body)].strip()
    main = re.sub(r"^then,? ", "", main)
    clause = re.sub(r",? then$", "", clause)
    if binds(sentence, cut):
        yield from _named_to_end(sentence, tokens[0], clause, main)
        return
    if re.match(r"(so|and)\b", main, re.I) or re.search(r"[,;] *(and|but|or|which|who)\b|;|\bif\b|\bonly\b", main) or not main:
        return
    comma = "," if "," in main else ""
    yield f"{capital(main)}{comma} {lower_first(clause, tokens[0])}{sentence.mark}"


def _named_to_end(sentence: Sentence, opener: Any, clause: str, main: str) -> Iterator[str]:
    """If Bennet wants $9, how much should he ask? -> How much should Bennet ask if he wants $9? One person, named once, and no other pronoun of theirs."""
    named = re.match(r"(If|When) (?P<name>[A-Z][a-z]+|(?:an?|the) (?:[a-z-]+ )?[a-z]+) (?!and\b|or\b)[a-z]", clause)
    said = re.findall(r"\b(he|she|his|her|him|it|its|they|them|their|this|that|these|those|one|who|which)\b", f"{clause} {main}", re.I)
    if not named or len(said) != 1 or re.search(r",|;", main) or clause.count(named["name"]) != 1:
        return
    name, spoken = named["name"], f" {said[0]} "
    asks = re.search(rf"\b(?:does|do|did|will|would|can|could|should|must|is|was){spoken}(?!takes?\b|costs?\b)", main)
    people = {t.text for t in sentence.doc if is_name(t) and t.ent_type_ in {"PERSON", "ORG", ""}}
    alone = people == {name} and said[0] in {"he", "she"} if name[0].isupper() else _is_subject(sentence, name) and said[0] == "it"
    if alone and (asks or f"{spoken}" in main and name[0].isupper()):
        yield f"{capital(main.replace(spoken, f' {name} ', 1))} {lower_first(clause.replace(name, said[0]), opener)}{sentence.mark}"


def _is_subject(sentence: Sentence, phrase: str) -> bool:
    """Whether the noun phrase after the opening "if" is a whole singular subject."""
    subject = next((t for t in sentence.tokens if t.dep_ in {"nsubj", "nsubjpass"} and t.left_edge.i == sentence.first + 1), None)
    return (
        subject is not None
        and subject.tag_ == "NN"
        and sentence.source[subject.left_edge.idx : subject.right_edge.idx + len(subject.right_edge.text)] == phrase
    )


def _main_begins(tokens: list[Any], comma: Any) -> bool:
    after = comma.nbor(1)
    if after.lower_ in QUESTION_WORDS and after.tag_ in {"WRB", "WP", "WDT"} or (after.pos_ == "ADP" and after.nbor(1).lower_ in QUESTION_WORDS):
        return True
    if (is_command(after.text) and after.tag_ == "VB") or (after.lower_ == "then" and tokens[0].lower_ == "if"):
        return True
    roots = [t for t in tokens if t.head.i == t.i]
    if len(roots) != 1 or roots[0].i < comma.i:
        return False
    heads = [t for t in tokens if t.i < comma.i and t.head.i > comma.i and not t.is_punct]
    return (
        len(heads) == 1
        and heads[0].dep_ == "advcl"
        and (after.i == roots[0].left_edge.i or after.dep_ in {"nsubj", "det", "expl", "poss", "nsubjpass", "amod", "nummod", "compound"})
    )


def _condition_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Q if P? -> If P, Q? Also a purpose: he buys soil to fill the beds. -> To fill the beds, he buys soil."""
    tokens, root, text = sentence.tokens, sentence.root, sentence.source
    if root is None or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES or re.search(r"\bonly\b", sentence.text):
        return
    end = sentence.start + len(sentence.body)
    heads = [root, *(c for c in root.children if c.dep_ == "xcomp")]
    for clause in (c for h in heads for c in h.children if c.dep_ == "advcl" and c.i > root.i):
        first, last = clause.left_edge, clause.right_edge
        purpose = (
            first.tag_ == "TO" and clause.tag_ == "VB" and first.i + 1 == clause.i and "?" not in sentence.mark and first.nbor(-1).pos_ in {"NOUN", "PROPN"}
        )
        marked = (
            first.dep_ in {"mark", "advmod"}
            and first.lower_ in {"if", "when", "because", "after", "before", "since", "although", "unless", "while"}
            and first.head.i == clause.i
        )
        if (
            not (purpose or marked)
            or last.idx + len(last.text) < end
            or first.nbor(-1).lower_ in {"only", "even", "and", "or", "long", "except", "just", "than", "not", "right", "so"}
        ):
            continue
        main = final(text[sentence.start : first.idx])
        if (
            cuts_guarded(text, first.idx)
            or re.search(r",\s*(and|but|or|so)\b|;", main)
            or any(c.dep_ == "conj" for h in heads for c in h.children)
            or len(main.split()) < 3
        ):
            continue
        moved = text[first.idx : end]
        if first.lower_ == "if" and re.search(r"\b(sure|certain|know|knows|see|wonders?|decide|tell|ask|asks|figure out|find out|determine|check)$", main):
            continue
        if purpose and (
            re.search(r"\b(and|so|that|which|if|when|in order)\b|,", moved)
            or main.endswith("in order")
            or any(t.lower_ in {"him", "them", "it"} for t in clause.subtree)
            or len(moved.split()) < 3
        ):
            continue
        yield f"{capital(moved)}, {lower_first(main, tokens[0])}{sentence.mark}"


def _purpose_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Use truth tables to determine whether P. -> To determine whether P, use truth tables."""
    match = re.match(r"(Use|Using) ([^,.]{3,60}?) to ((?:determine|find|show|solve|calculate) [^,]+)\.$", sentence.text)
    if match and match.group(1) == "Use":
        yield f"To {match.group(3)}, use {match.group(2)}."


def _of_the_following(item: Item, sentence: Sentence) -> Iterator[str]:
    """Which of the following statements about X is true? -> Of the following statements about X, which is true?"""
    match = re.search(r"\b(which) (of (?:the following|these|the (?:given|five|options))) ", sentence.text, re.I)
    if not match or not item.choices or sentence.text[-1:] == ".":
        return
    before = sentence.text[: match.start()]
    later = [t for t in sentence.tokens if t.idx >= sentence.start + match.end()]
    verb = next((t for t in later if t.tag_ in {"VBZ", "VBP", "VBD", "MD"} and t.nbor(-1).lower_ not in {"that", "who", "which"}), None)
    if verb is None or (before.strip() and not before.rstrip().endswith(",")):
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
    yield f"{before}{phrase if before else capital(phrase)}, which {adverb}{sentence.source[verb.idx : sentence.end]}"


def _sentences(item: Item, found: tuple[Sentence, ...]) -> Iterator[str]:
    yield from swap.sentence_orders(item, found)


CLAUSES: tuple[Rule, ...] = (
    _condition_to_end,
    _condition_to_front,
    adjuncts.tail_to_front,
    adjuncts.adjunct_to_front,
    adjuncts.adjunct_to_end,
    _purpose_to_front,
    _of_the_following,
)
PHRASES: tuple[Rule, ...] = (swap.conjuncts, swap.adjectives)
