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
from tasks.perturbations.language import Sentence, capital, cuts_guarded, lower_first, sentences
from tasks.perturbations.paraphrase import is_command
from tasks.perturbations.syntax import QUESTION_WORDS

SUBORDINATORS = {"if", "when", "because", "after", "before", "since", "although", "though", "while", "unless", "until", "once", "as", "assuming", "given", "whenever", "suppose"}
FRONTABLE = {"in", "on", "at", "during", "after", "before", "within", "over", "throughout", "by", "under", "for", "from", "with", "without", "according", "after", "between", "among"}
CONNECTIVES = {"however", "then", "so", "but", "and", "also", "thus", "therefore", "still", "instead", "moreover", "furthermore", "next", "finally", "or", "yes", "no", "if", "let", "suppose"}
PRONOUNS = {"he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these", "those", "himself", "herself", "itself", "themselves", "ones"}
TIMES = {"day", "week", "month", "year", "morning", "afternoon", "evening", "night", "weekend", "time", "hour", "minute", "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

Rule = Callable[[Item, Sentence], Iterator[str]]


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question in another order: within a sentence first, then between sentences, then by taking a phrase out to the front."""
    text = item.question
    found = sentences(text)
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
    """If P, Q? -> Q if P? The clause boundary is a comma after which a question or the main subject begins."""
    tokens = sentence.tokens
    if tokens[0].lower_ not in SUBORDINATORS or not sentence.mark or sentence.mark == ":":
        return
    for token in tokens[2:-1]:
        if token.text != "," or cuts_guarded(sentence.doc.text, token.idx) or not _main_begins(tokens, token):
            continue
        clause = sentence.doc.text[sentence.start : token.idx]
        main = sentence.doc.text[token.idx + 1 : sentence.start + len(sentence.body)].strip()
        if re.match(r"(then|so|and)\b", main, re.I):
            main = re.sub(r"^then\s+", "", main, flags=re.I)
            if re.match(r"(so|and)\b", main, re.I):
                return
        if _binds(sentence, token) or not main or re.search(r"[,;]\s*(and|but|or|which|who|what|how)\b|;|\bif\b", main):
            return
        yield f"{capital(main)} {lower_first(clause, tokens[0])}{sentence.mark}"
        return


def _main_begins(tokens: list[Any], comma: Any) -> bool:
    after = comma.doc[comma.i + 1]
    if after.lower_ in QUESTION_WORDS and after.tag_ in {"WRB", "WP", "WDT"} or (after.pos_ == "ADP" and comma.doc[comma.i + 2].lower_ in QUESTION_WORDS):
        return True
    if is_command(after.text) and after.tag_ == "VB":
        return True
    roots = [t for t in tokens if t.head.i == t.i]
    if len(roots) != 1 or roots[0].i < comma.i:
        return False
    inside = [t for t in tokens if t.i < comma.i and t.head.i > comma.i]
    opener = tokens[0].head if tokens[0].dep_ in {"mark", "advmod", "prep"} else None
    heads = [t for t in inside if not t.is_punct]
    return len(heads) == 1 and (opener is None or heads[0].i == opener.i or heads[0].i == tokens[0].i) and heads[0].dep_ in {"advcl", "prep", "pcomp"} and after.i == roots[0].left_edge.i or (
        len(heads) == 1 and heads[0].dep_ == "advcl" and after.dep_ in {"nsubj", "det", "expl", "poss", "nsubjpass"}
    )


def _binds(sentence: Sentence, comma: Any) -> bool:
    """Whether the main clause holds a pronoun that a name or noun of the clause before the comma stands for."""
    after = [t for t in sentence.tokens if t.i > comma.i]
    before = [t for t in sentence.tokens if t.i < comma.i]
    if not any(t.lower_ in PRONOUNS and t.pos_ in {"PRON", "DET"} and not (t.lower_ == "that" and t.dep_ in {"mark", "nsubj", "dobj"} and t.head.dep_ == "relcl") for t in after):
        return False
    subjects = [t for t in before if t.dep_ in {"nsubj", "nsubjpass", "attr", "dobj", "pobj", "poss", "conj"}]
    pronoun_first = before and any(t.dep_ in {"nsubj", "nsubjpass"} and t.lower_ in PRONOUNS for t in before)
    personal = all(t.lower_ in {"he", "she", "they", "his", "her", "their", "him", "them"} for t in after if t.lower_ in PRONOUNS)
    return bool(subjects) and not (pronoun_first and personal and not any(t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", ""} for t in before))


def _condition_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Q if P? -> If P, Q?"""
    tokens = sentence.tokens
    root = sentence.root
    if root is None or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES:
        return
    for clause in (c for c in root.children if c.dep_ == "advcl" and c.i > root.i):
        mark = next((m for m in clause.children if m.dep_ in {"mark", "advmod"} and m.lower_ in {"if", "when", "because", "after", "before", "since", "although", "unless"}), None)
        first, last = clause.left_edge, clause.right_edge
        end = sentence.start + len(sentence.body)
        if mark is None or mark.i != first.i or last.idx + len(last.text) < end or sentence.doc[first.i - 1].lower_ in {"only", "even", "and", "or", "long", "except", ",", "just", "than", "not"}:
            continue
        main = _final(sentence.doc.text[sentence.start : first.idx])
        if cuts_guarded(sentence.doc.text, first.idx) or re.search(r",\s*(and|but|or|so)\b|;", main) or any(c.dep_ == "conj" for c in root.children):
            continue
        moved = sentence.doc.text[first.idx : end]
        yield f"{capital(moved)}, {lower_first(main, tokens[0])}{sentence.mark}"


def _adjunct_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """He runs 60 meters each day. -> Each day, he runs 60 meters."""
    tokens, root = sentence.tokens, sentence.root
    if root is None or root.pos_ not in {"VERB", "AUX"} or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES | FRONTABLE:
        return
    if any(c.dep_ in {"conj", "cc"} for c in root.children) or is_command(tokens[0].text) and root.i == tokens[0].i:
        return
    end = sentence.start + len(sentence.body)
    for adjunct in (c for c in root.children if c.i > root.i and c.right_edge.idx + len(c.right_edge.text) >= end):
        if _movable(adjunct, root):
            first = adjunct.left_edge
            main = _final(sentence.doc.text[sentence.start : first.idx])
            if "," not in main and not cuts_guarded(sentence.doc.text, first.idx) and len(main.split()) > 1:
                yield f"{capital(sentence.doc.text[first.idx : end].strip())}, {lower_first(main, tokens[0])}{sentence.mark}"


def _movable(adjunct: Any, root: Any) -> bool:
    inner = list(adjunct.subtree)
    if any(t.dep_ in {"relcl", "advcl", "ccomp"} or t.lower_ in {"than", "as", "which", "other"} for t in inner) or adjunct.doc[adjunct.left_edge.i - 1].text == ",":
        return False
    if adjunct.dep_ == "npadvmod":
        return adjunct.lemma_.lower() in TIMES and adjunct.left_edge.lower_ in {"each", "every", "last", "this", "next", "today", "yesterday", "that"}
    if adjunct.dep_ != "prep" or len(inner) < 2:
        return False
    noun = next((c for c in adjunct.children if c.dep_ == "pobj"), None)
    if noun is None or noun.pos_ == "PRON" or adjunct.doc[adjunct.i - 1].pos_ in {"VERB", "AUX"} and noun.lemma_.lower() not in TIMES:
        return False
    timed = noun.lemma_.lower() in TIMES or noun.ent_type_ in {"DATE", "TIME"}
    if adjunct.lower_ in {"on", "at", "during", "after", "before", "within", "over", "throughout"}:
        return timed or (adjunct.lower_ == "at" and noun.pos_ == "NOUN" and "$" not in [t.text for t in inner])
    return adjunct.lower_ == "in" and (timed or any(c.dep_ == "dobj" for c in root.children) or root.lemma_ == "be") and noun.lemma_.lower() not in {"way", "order", "half", "front"}


def _adjunct_to_end(item: Item, sentence: Sentence) -> Iterator[str]:
    """On Friday, he picks four. -> He picks four on Friday. In total, how many ...? -> How many ... in total?"""
    match = re.match(r"([A-Z][^,;:()]{2,60}), (?=\S)", sentence.text)
    tokens = sentence.tokens
    if not match or sentence.mark not in {".", "?"} or cuts_guarded(sentence.doc.text, sentence.start + match.end()):
        return
    opener = tokens[0]
    if opener.lower_ not in FRONTABLE | {"each", "every", "last", "this", "altogether"} or (opener.dep_ in {"mark"}) or opener.lower_ in {"for", "with", "from", "without", "according", "between"}:
        return
    main = sentence.body[match.end() :]
    lead = [t for t in tokens if t.idx < sentence.start + match.end() - 1]
    if re.search(r",|;|\b(and|but|or|than|which|who|because|if|when|while|then)\b", main) or any(t.pos_ == "VERB" and t.tag_ != "VBG" for t in lead) or re.match(r"(and|but|then)\b", main):
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
    """Which of the following statements is true? -> Of the following statements, which is true?"""
    match = re.search(r"\b(which) (of (?:the following|these|the (?:given|options)))((?: [a-z]+s)(?= (?:is|are|was|can|could|would|best|happens|has|does|must|may|might|occurs|will)\b)|)\b", sentence.text, re.I)
    if not match or not item.choices or "?" not in sentence.mark:
        return
    before, after = sentence.text[: match.start()], sentence.text[match.end() :]
    if before.strip() and not before.rstrip().endswith(","):
        return
    if not match.group(3) and re.match(r" (?!is\b|are\b|was\b|best|does|do\b|has\b|cannot|can\b|could|would|will|must|may|might|describes|[a-z]+s\b|CANNOT|[a-z]+ly\b)", after):
        return
    if not match.group(3) and re.match(r" (?:statements|arguments|fallacies|propositions|sentences|formulas|expressions|equations|conditions|sets|groups|functions|numbers)\b", after):
        return
    phrase = match.group(2) + match.group(3)
    yield f"{before}{capital(phrase) if not before else phrase}, which{after}"


def _sentences(item: Item, found: tuple[Sentence, ...]) -> Iterator[str]:
    yield from swap.sentence_orders(item, found)


CLAUSES: tuple[Rule, ...] = (_condition_to_end, _condition_to_front, _adjunct_to_front, _adjunct_to_end, _purpose_to_front, _of_the_following)
PHRASES: tuple[Rule, ...] = (swap.conjuncts,)
