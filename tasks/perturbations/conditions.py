"""Conditions for the reorder operator: an if- or when-clause moves to the end of its sentence, to its front, or changes places with a second one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations.adjuncts import CONNECTIVES, SUBORDINATORS, final, small
from tasks.perturbations.binding import binds, introduces, named_once
from tasks.perturbations.language import Sentence, capital, cuts_guarded, lower_first
from tasks.perturbations.paraphrase import is_command
from tasks.perturbations.syntax import QUESTION_WORDS, question

OPENERS = {"if", "when", "because", "after", "before", "since", "although", "unless", "while", "as"}
ASKED = re.compile(r"(how|what|which|who|where|when|why|by how|for how|at what|in what|calculate|find|determine|compute)\b", re.I)
THOUGHT = re.compile(
    r"\b(?:reali[sz]|notic|decid|discover|learn|found|find|think|thought|know|knew|said|say|told|tell|believ|hop|see|saw)\w* .*"
    r"\b(?:that|he|she|it|they|how|what)\b"
)
EXCHANGED = re.compile(
    r"(?P<one>If|When|Assuming|After) (?P<p>.+?), (?P<q>(?:how|what|which|calculate|find)\b.+?) (?P<two>if|when) (?P<r>[^,?]+)(?P<mark>[?.])$", re.S
)
SYMBOL = re.compile(r"[a-z][A-Z_^(]|[b-z] |(?:deg|dim|det|lim)\b")
"""What begins a sentence with a small letter: a variable, a function."""
COMPARED = re.compile(r"\b(as (?:much|many)|half|twice|thrice|rest|remaining|it|more|less|fewer|times)\b")
PRONOUNS = re.compile(r"\b(it|its|they|their)\b")
PERSONAL_OR_THING = re.compile(r"\b(it|its|he|she|his|her|they|their)\b")
PERSONAL = re.compile(r"\b(he|she|they|his|her|their)\b")
UNDECIDED = re.compile(r"\b(sure|certain|know|knows|see|wonders?|decide|tell|ask|asks|figure out|find out|determine|check)$")
SUBJECTS = {"nsubj", "nsubjpass", "expl", "csubj"}
SPEECH = {"threaten", "promise", "offer", "agree", "tell", "say", "ask", "decide", "plan", "warn", "claim", "hope", "expect", "know", "think"}


def to_end(_: Item, sentence: Sentence) -> Iterator[str]:
    """If P, Q? -> Q if P? The clause ends where a question, a command or the main subject begins."""
    tokens, text = sentence.tokens, sentence.source
    if tokens[0].lower_ not in SUBORDINATORS or tokens[0].dep_ == "prep" or sentence.mark in {"", ":"}:
        return
    cut = _cut(sentence)
    if cut is None or cuts_guarded(text, cut) or re.match(r"where\b", text[cut:]):
        return
    clause, main = text[sentence.start : cut].rstrip(", "), text[cut : sentence.start + len(sentence.body)].strip()
    main = re.sub(r"^then,? ", "", main)
    clause = re.sub(r",? then$", "", clause)
    if clause == "If neither" or re.search(r"\b(he|she|they|it|we|[A-Z][a-z]+) then\b", clause):
        return
    if binds(sentence, cut):
        swapped = named_once(sentence, clause, main)
        if swapped is not None:
            yield f"{capital(swapped[0])} {lower_first(swapped[1], tokens[0])}{sentence.mark}"
        return
    if not _main_moves(main, sentence) or introduces(clause, main, text[: sentence.start]):
        return
    comma = "," if ", " in main else ""
    yield f"{main if SYMBOL.match(main) else capital(main)}{comma} {lower_first(clause, tokens[0])}{sentence.mark}"


def _main_moves(main: str, sentence: Sentence) -> bool:
    told = "?" not in sentence.mark and not ASKED.match(main)
    return bool(main) and not (
        re.match(r"(so|and|when|if|because)\b", main, re.I)
        or ("?" in sentence.mark and not ASKED.match(main) and re.search(r", (?:how|what|which)\b", main))
        or re.search(r"[,;] *(but|which|who)\b|;|\bif\b|\bonly\b|\b(?:assuming|given|provided) that\b", main)
        or (re.search(r"[,;] *(and|or)\b", main) and (told or re.search(r", (?:and|or) (?:how|what|then|\w+s? (?:is|are|was|will|has|have)\b)", main)))
        or (told and (THOUGHT.search(main) or re.match(r"(this|that|these|those)\b", main) or re.search(r"\b(that|who|which|as many|as much)\b", main)))
    )


def _cut(sentence: Sentence) -> int | None:
    """Where the main clause begins: at the question, after a comma, or, where there is none, at the subject that follows the clause."""
    tokens = sentence.tokens
    asked = list(re.finditer(r", ((?:by |at |in |for )?(?:how|what)(?:['’]s)?) ", sentence.text))
    if "?" in sentence.mark and len(asked) == 1:
        return sentence.start + asked[0].start(1)
    parts = question(sentence)
    if parts is not None and parts.lead and not re.match(r"(who|whose|whom|which)\b[^?]*,", sentence.text[len(parts.lead) :]):
        return sentence.start + len(parts.lead)
    after = next((t.nbor(1) for t in tokens[2:-1] if t.text == "," and _main_begins(tokens, t)), None)
    if after is None and not any(t.text in {",", ";"} for t in tokens):
        after = _after_clause(sentence)
    return None if after is None else int(after.idx)


def _after_clause(sentence: Sentence) -> Any | None:
    """First word after an opening clause without a comma: When it came out John was two. If P how many ...?"""
    tokens, root = sentence.tokens, sentence.root
    asked = next((t for t in tokens[3:-1] if t.lower_ in {"how", "what"} and t.nbor(1).lower_ in {"many", "much", "old", "long", "is", "will", "was"}), None)
    if asked is not None:
        return asked
    if root is None or tokens[0].lower_ not in OPENERS - {"as", "since"}:
        return None
    clause = next((c for c in root.children if c.dep_ == "advcl" and c.left_edge.i == sentence.first and c.i < root.i), None)
    subject = next((c for c in root.children if c.dep_ in {"nsubj", "nsubjpass"} and c.i < root.i), None)
    if clause is None or subject is None or subject.left_edge.i != clause.right_edge.i + 1 or clause.right_edge.lemma_ == "be":
        return None
    return subject.left_edge if any(c.dep_.startswith("nsubj") for c in clause.children) else None


def _main_begins(tokens: list[Any], comma: Any) -> bool:
    after = comma.nbor(1)
    if after.lower_ in {"who", "whom", "whose"} and any(t.text == "," for t in tokens if t.i > comma.i):
        return False
    if (
        after.lower_ in QUESTION_WORDS
        and after.tag_ in {"WRB", "WP", "WDT"}
        or (after.pos_ == "ADP" and after.i < tokens[-1].i and after.nbor(1).lower_ in QUESTION_WORDS)
    ):
        return True
    commands = is_command(after.text) and (after.tag_ == "VB" or after.lower_ in {"calculate", "find", "determine", "compute"})
    if (commands and after.text.islower()) or (after.lower_ == "then" and tokens[0].lower_ == "if"):
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


def to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """Q if P? -> If P, Q? Also a purpose: he buys soil to fill the beds. -> To fill the beds, he buys soil."""
    tokens, root, text = sentence.tokens, sentence.root, sentence.source
    if root is None or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES or re.search(r"\bonly\b", sentence.text):
        return
    end = sentence.start + len(sentence.body)
    heads = [root, *(c for c in root.children if c.dep_ == "xcomp")]
    for clause in (c for h in heads for c in h.children if c.dep_ == "advcl" and c.left_edge.i > root.i):
        first, last = clause.left_edge, clause.right_edge
        purpose = _is_purpose(clause, sentence)
        if not (purpose or _is_marked(clause, root)) or last.idx + len(last.text) < end:
            continue
        if first.nbor(-1).lower_ in {"only", "even", "and", "or", "long", "except", "just", "than", "not", "right", "so"}:
            continue
        main, moved = final(text[sentence.start : first.idx]), text[first.idx : end]
        if cuts_guarded(text, first.idx) or any(c.dep_ == "conj" for h in heads for c in h.children) or not _fronts(main, moved, clause):
            continue
        if (
            not purpose
            and (PRONOUNS.search(moved) or re.match(r"An? ", main))
            and PERSONAL_OR_THING.search(moved)
            and (not text[: sentence.start].strip() or "Statement" in text or moved.endswith(" it"))
        ):
            continue
        if purpose and (
            main.endswith("in order")
            or any(t.lower_ in {"him", "them", "it"} for t in clause.subtree)
            or not _plain_purpose(moved)
            or root.lemma_ in {"take", "cost", "come", "return", "wake", "arrive"}
        ):
            continue
        yield f"{capital(moved)}, {small(main, tokens[0], sentence.mark)}{sentence.mark}"


def _plain_purpose(moved: str) -> bool:
    return not re.search(r"\b(and|so|that|which|if|when|in order|use|plus|to (?!\w+ )|lunch)\b|,", moved) and len(moved.split()) > 2


def _fronts(main: str, moved: str, clause: Any) -> bool:
    """Whether nothing before the clause claims it: a coordination, a verb of knowing, a speech that has the condition."""
    timed = clause.left_edge.lower_ in {"after", "before", "since"}
    return not (
        re.search(r",\s*(and|but|or|so)\b|;|:|--", main)
        or "_" in moved
        or (clause.left_edge.lower_ == "while" and ("," in main or COMPARED.search(moved)))
        or (clause.left_edge.lower_ == "when" and re.search(r"\b(is|are|was|were) [a-z]+ing\b|\b(is|are|was|were) \w+ [a-z]+ing\b", main))
        or ", however" in main
        or len(main.split()) < 3
        or (timed and (re.search(r"\b(and|or)\b", main) or re.match(r"\w+ (that|those|this|these)\b", moved)))
        or (clause.left_edge.lower_ == "if" and UNDECIDED.search(main))
    )


def _is_purpose(clause: Any, sentence: Sentence) -> bool:
    first = clause.left_edge
    told = "?" not in sentence.mark
    return bool(first.tag_ == "TO" and clause.tag_ == "VB" and first.i + 1 == clause.i and told and first.nbor(-1).pos_ in {"NOUN", "PROPN"})


def _is_marked(clause: Any, root: Any) -> bool:
    """Whether the clause has its own conjunction and subject; a speech's condition stays with the speech."""
    first = clause.left_edge
    return bool(
        first.dep_ in {"mark", "advmod"}
        and first.lower_ in OPENERS - {"as"}
        and first.head.i == clause.i
        and (clause.tag_ not in {"VBN", "VBG"} or any(c.dep_ in SUBJECTS for c in clause.children) or any(c.tag_ in {"WDT", "WP"} for c in root.subtree))
        and root.lemma_ not in SPEECH
    )


def exchange(_: Item, sentence: Sentence) -> Iterator[str]:
    """If P, Q if R? -> If R, Q if P? Two conditions of one question change places."""
    match = EXCHANGED.match(sentence.text)
    if not match or re.search(r"\b(if|when)\b", f"{match['p']} {match['q']}"):
        return
    cut = sentence.start + match.start("q")
    first, second = match["p"], match["r"]
    later, told = f"{match['q']} {first}", sentence.source[: sentence.start]
    if re.search(r"\bit\b", second) and not re.search(r"\bit\b", match["q"]) or (not told and PERSONAL.search(second)):
        return
    if cuts_guarded(sentence.source, cut) or binds(sentence, cut) or introduces(later, second, told) or introduces(first, match["q"], told):
        return
    comma = "," if match["one"] == "Assuming" or "," in first else ""
    yield f"{capital(match['two'])} {second}, {match['q']}{comma} {match['one'].lower()} {first}{match['mark']}"


def asked_after(_: Item, sentence: Sentence) -> Iterator[str]:
    """What's the amount he will spend if each costs $1? -> If each costs $1, what's the amount he will spend? Where the parse does not see the clause."""
    match = re.match(r"(?P<q>(?:How|What|At what|In what)\b[^,;?]+?) (?P<two>if|when) (?P<r>[^,;?]+)\?$", sentence.text, re.S)
    if not match or cuts_guarded(sentence.source, sentence.start + match.start("two")) or UNDECIDED.search(match["q"]):
        return
    words = {t.lower_ for t in sentence.tokens if t.idx >= sentence.start + match.start("r")}
    first = next((t for t in sentence.tokens if t.idx == sentence.start + match.start("r")), None)
    told = sentence.source[: sentence.start]
    people = [t.text for t in sentence.tokens if t.pos_ == "PROPN" and t.idx < sentence.start + match.start("two")]
    if first is None or first.pos_ in {"VERB", "AUX", "ADP", "ADV"} or re.search(r"\b(if|when|even|only)\b", f"{match['q']} {match['r']}"):
        return
    if words & {"he", "she", "his", "her", "it", "they", "their", "its"} and not (told and all(name in told for name in people)):
        return
    if not introduces(match["q"], match["r"], told):
        yield f"{capital(match['two'])} {match['r']}, {lower_first(match['q'], sentence.tokens[0])}?"


def time_inside(_: Item, sentence: Sentence) -> Iterator[str]:
    """At the end of the 8 weeks, if she has $100, how much ...? -> If she has $100 at the end of the 8 weeks, how much ...?"""
    match = re.match(r"((?:At the (?:end|start|beginning)|On|In) [^,]{3,40}), (if [^,]+), ((?:how|what) [^,]+\?)$", sentence.text)
    if match and not re.search(r"\b(in|on|at|by|after|before|during)\b", match[2]):
        yield f"{capital(match[2])} {match[1][0].lower()}{match[1][1:]}, {match[3]}"
