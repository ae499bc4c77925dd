"""Reorder: clauses, phrases and sentences change places; every word stays.

A condition moves to the front or to the end, an adjunct is fronted or put back, independent conjuncts swap, the question or the instruction comes before or after
what it is about. Nothing moves across a word that needs its order: "then", "the rest", "respectively", a pronoun whose name would follow it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations import dislocate, swap
from tasks.perturbations.binding import binds
from tasks.perturbations.language import Sentence, capital, cuts_guarded, lower_first, sentences
from tasks.perturbations.paraphrase import is_command
from tasks.perturbations.syntax import QUESTION_WORDS, question

SUBORDINATORS = {"if", "when", "because", "after", "before", "since", "although", "though", "while", "unless", "until", "once", "as", "assuming", "given", "whenever", "suppose"}
FRONTABLE = {"in", "on", "at", "during", "after", "before", "within", "over", "throughout", "by", "under", "for", "from", "with", "without", "according", "after", "between", "among"}
CONNECTIVES = {"however", "then", "so", "but", "and", "also", "thus", "therefore", "still", "instead", "moreover", "furthermore", "next", "finally", "or", "yes", "no", "if", "let", "suppose"}
PRONOUNS = {"he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these", "those", "himself", "herself", "itself", "themselves", "ones"}
PLACES = {
    "store", "shop", "park", "garden", "room", "house", "city", "town", "village", "school", "class", "classroom", "library", "restaurant", "bakery", "farm", "market", "office",
    "kitchen", "yard", "backyard", "zoo", "forest", "street", "beach", "lake", "pond", "pool", "hospital", "museum", "mall", "fair", "party", "work", "start", "end", "beginning",
    "country", "state", "building", "fridge", "box", "bag", "basket", "jar", "world", "fight", "circuit", "vacuum", "atom", "body",
}  # fmt: skip
TAIL = (
    r"(?:in total|altogether|in all|overall|on average|each (?:day|week|month|year)|every (?:day|week|month|year|morning|night)|per (?:day|week|month|year)|"
    r"(?:by|at|before) the (?:end|start|beginning) of [^,?.]{2,40}|after \d[^,?.]{1,25}|in (?:\d+|one|two|three|a|this|that|the next|the last) (?:days?|weeks?|months?|years?|hours?|minutes?)|"
    r"over the (?:next |last |whole )?[^,?.]{2,30}|during [^,?.]{2,40}|for the (?:day|week|month|year|whole [a-z]+|entire [a-z]+)|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|"
    r"right now|so far|at the moment|this (?:week|month|year|morning)|today|yesterday|last (?:week|month|year|night))"
)
TIMES = {"day", "week", "month", "year", "morning", "afternoon", "evening", "night", "weekend", "time", "hour", "minute", "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

Rule = Callable[[Item, Sentence], Iterator[str]]


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question in another order: within a sentence first, then between sentences, then by taking a phrase out to the front."""
    text = item.question
    found = sentences(text, stem=bool(item.choices))
    for rules in (CLAUSES, PHRASES):
        proposals = [text[: s.start] + p + text[s.end :] for s in found for rule in rules for p in rule(item, s)]
        rng.shuffle(proposals)
        yield from proposals
    yield from _sentences(item, found)
    for rule in dislocate.RULES:
        for sentence in reversed(found):
            yield from (text[: sentence.start] + p + text[sentence.end :] for p in rule(item, sentence))


def _final(text: str) -> str:
    return text.strip().rstrip(",").strip()


def _condition_to_end(_: Item, sentence: Sentence) -> Iterator[str]:
    """If P, Q? -> Q if P? The clause ends where a question, a command or the main subject begins."""
    tokens, text = sentence.tokens, sentence.source
    if tokens[0].lower_ not in SUBORDINATORS or tokens[0].dep_ == "prep" or sentence.mark in {"", ":"}:
        return
    parts = question(sentence)
    cut = sentence.start + len(parts.lead) if parts is not None and parts.lead else next((t.nbor(1).idx for t in tokens[2:-1] if t.text == "," and _main_begins(tokens, t)), None)
    if cut is None or cuts_guarded(text, cut):
        return
    clause, main = text[sentence.start : cut].rstrip(", "), text[cut : sentence.start + len(sentence.body)].strip()
    main = re.sub(r"^then,? ", "", main)
    clause = re.sub(r",? then$", "", clause)
    if re.match(r"(so|and)\b", main, re.I) or binds(sentence, cut) or re.search(r"[,;] *(and|but|or|which|who)\b|;|\bif\b|\bonly\b", main) or not main:
        return
    comma = "," if "," in main else ""
    yield f"{capital(main)}{comma} {lower_first(clause, tokens[0])}{sentence.mark}"


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
    return len(heads) == 1 and heads[0].dep_ == "advcl" and (after.i == roots[0].left_edge.i or after.dep_ in {"nsubj", "det", "expl", "poss", "nsubjpass", "amod", "nummod", "compound"})


def _condition_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Q if P? -> If P, Q? Also a purpose: he buys soil to fill the beds. -> To fill the beds, he buys soil."""
    tokens, root, text = sentence.tokens, sentence.root, sentence.source
    if root is None or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES or re.search(r"\bonly\b", sentence.text):
        return
    end = sentence.start + len(sentence.body)
    heads = [root, *(c for c in root.children if c.dep_ == "xcomp")]
    for clause in (c for h in heads for c in h.children if c.dep_ == "advcl" and c.i > root.i):
        first, last = clause.left_edge, clause.right_edge
        purpose = first.tag_ == "TO" and clause.tag_ == "VB" and first.i + 1 == clause.i and "?" not in sentence.mark and first.nbor(-1).pos_ in {"NOUN", "PROPN"}
        marked = first.dep_ in {"mark", "advmod"} and first.lower_ in {"if", "when", "because", "after", "before", "since", "although", "unless", "while"} and first.head.i == clause.i
        if not (purpose or marked) or last.idx + len(last.text) < end or first.nbor(-1).lower_ in {"only", "even", "and", "or", "long", "except", "just", "than", "not", "right", "so"}:
            continue
        main = _final(text[sentence.start : first.idx])
        if cuts_guarded(text, first.idx) or re.search(r",\s*(and|but|or|so)\b|;", main) or any(c.dep_ == "conj" for h in heads for c in h.children) or len(main.split()) < 3:
            continue
        moved = text[first.idx : end]
        if first.lower_ == "if" and re.search(r"\b(sure|certain|know|knows|see|wonders?|decide|tell|ask|asks|figure out|find out|determine|check)$", main):
            continue
        if purpose and (re.search(r"\b(and|so|that|which|if|when|in order)\b|,", moved) or main.endswith("in order") or any(t.lower_ in {"him", "them", "it"} for t in clause.subtree)):
            continue
        yield f"{capital(moved)}, {lower_first(main, tokens[0])}{sentence.mark}"


def _tail_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many does he have in total? -> In total, how many does he have? A closing phrase of time or sum that can stand anywhere."""
    match = re.match(rf"(?P<main>.+?),? (?P<tail>{TAIL})(?P<mark>[?.])$", sentence.text, re.S)
    if not match or cuts_guarded(sentence.source, sentence.start + match.start("tail")):
        return
    first, main = sentence.tokens[0], match["main"]
    if first.lower_ in SUBORDINATORS | CONNECTIVES or re.search(r"[,;:]|\b(and|but|or|if|that|who|which|than|as|when|because|before|after|only|between|then|from|until|while)\b", main):
        return
    if is_command(first.text) or len(main.split()) < 3 or (sentence.mark == "?" and not re.match(r"(how|what|which)\b", main, re.I)):
        return
    yield f"{capital(match['tail'])}, {lower_first(main, first)}{match['mark']}"


def _adjunct_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """He runs 60 meters each day. -> Each day, he runs 60 meters."""
    tokens, root = sentence.tokens, sentence.root
    if root is None or root.pos_ not in {"VERB", "AUX"} or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES | FRONTABLE:
        return
    if root.lemma_ == "take" or re.search(r"\b(only|than|in a row|same time)\b", sentence.text) or any(c.dep_ in {"conj", "cc"} for c in root.children) or is_command(tokens[0].text) and root.i == tokens[0].i:
        return
    end = sentence.start + len(sentence.body)
    for adjunct in (c for c in root.children if c.i > root.i and c.right_edge.idx + len(c.right_edge.text) >= end):
        if _movable(adjunct, root):
            first = adjunct.left_edge
            main = _final(sentence.source[sentence.start : first.idx])
            if "," not in main and not re.search(r"\b(and|or|but)\b", main) and not cuts_guarded(sentence.source, first.idx) and len(main.split()) > 1:
                yield f"{capital(sentence.source[first.idx : end].strip())}, {lower_first(main, tokens[0])}{sentence.mark}"


def _movable(adjunct: Any, root: Any) -> bool:
    inner = list(adjunct.subtree)
    if any(t.dep_ in {"relcl", "advcl", "ccomp"} or t.lower_ in {"than", "as", "which", "other"} for t in inner) or adjunct.doc[adjunct.left_edge.i - 1].text == ",":
        return False
    if adjunct.dep_ == "npadvmod":
        return adjunct.lemma_.lower() in TIMES and adjunct.left_edge.lower_ in {"each", "every", "last", "this", "next", "today", "yesterday", "that"}
    if adjunct.dep_ != "prep" or len(inner) < 2:
        return False
    noun = next((c for c in adjunct.children if c.dep_ == "pobj"), None)
    if noun is not None and adjunct.lower_ in {"by", "per"}:
        return noun.lemma_.lower() in TIMES | {"end"}
    if noun is None and adjunct.lower_ in {"after", "before"} and any(c.dep_ == "pcomp" for c in adjunct.children):
        return True
    if noun is None or noun.pos_ == "PRON" or adjunct.doc[adjunct.i - 1].pos_ in {"VERB", "AUX"} and noun.lemma_.lower() not in TIMES:
        return False
    timed = noun.lemma_.lower() in TIMES or noun.ent_type_ in {"DATE", "TIME"}
    if adjunct.lower_ in {"on", "at", "during", "after", "before", "within", "over", "throughout"}:
        return timed or (adjunct.lower_ == "at" and noun.lemma_.lower() in PLACES)
    return adjunct.lower_ == "in" and (timed or noun.ent_type_ in {"GPE", "LOC", "FAC"} or noun.lemma_.lower() in PLACES) and adjunct.nbor(-1).pos_ != "ADJ"


def _adjunct_to_end(item: Item, sentence: Sentence) -> Iterator[str]:
    """On Friday, he picks four. -> He picks four on Friday. In total, how many ...? -> How many ... in total?"""
    match = re.match(r"([A-Z][^,;:()]{2,60}), (?=\S)", sentence.text)
    tokens = sentence.tokens
    if not match or sentence.mark not in {".", "?"} or cuts_guarded(sentence.source, sentence.start + match.end()):
        return
    opener = tokens[0]
    if opener.lower_ not in FRONTABLE | {"each", "every", "last", "this", "altogether"} or (opener.dep_ in {"mark"}) or opener.lower_ in {"for", "with", "from", "without", "according", "between"}:
        return
    main = sentence.body[match.end() :]
    lead = [t for t in tokens if t.idx < sentence.start + match.end() - 1]
    if re.search(r",|;|\b(and|but|or|than|which|who|because|if|when|while|then|as many|as much)\b", main) or any(t.pos_ == "VERB" and t.tag_ != "VBG" for t in lead) or re.match(r"(and|but|then)\b", main):
        return
    if any(t.lower_ in PRONOUNS for t in tokens if t.idx > sentence.start + match.end()) and any(t.pos_ == "PROPN" and t.ent_type_ not in {"DATE", "TIME", "GPE"} for t in lead):
        return
    if re.search(r"\b(to|at|in|on|with|for|of|from|by)$", main):
        return
    yield f"{capital(main)} {lower_first(match.group(1), opener)}{sentence.mark}"


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


CLAUSES: tuple[Rule, ...] = (_condition_to_end, _condition_to_front, _tail_to_front, _adjunct_to_front, _adjunct_to_end, _purpose_to_front, _of_the_following)
PHRASES: tuple[Rule, ...] = (swap.conjuncts, swap.adjectives)
