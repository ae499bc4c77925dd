"""Last resort of the reorder operator: a phrase taken out to the front, its place held by a pronoun, or the question put after the statement it asks about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemas.records import Item
from tasks.perturbations import completions, stems
from tasks.perturbations.language import Sentence, capital, cuts_guarded, is_open, is_word, uncapital
from tasks.perturbations.predicates import plain_statement
from tasks.perturbations.syntax import question

PLAIN = {
    "a", "according", "add", "after", "all", "among", "an", "any", "apart", "approximately", "are", "arguing", "as", "assuming", "at", "based",
    "before", "by", "calculate", "can", "compared", "compute", "concerning", "could", "determine", "did", "divide", "does", "during", "each",
    "estimate", "evaluate", "every", "express", "factor", "find", "for", "from", "general", "given", "half", "has", "have", "heat", "her", "his",
    "how", "if", "in", "is", "it", "its", "light", "most", "multiply", "on", "one", "restate", "rewrite", "right", "select", "simplify", "some",
    "sound", "subtract", "telling", "the", "their", "there", "these", "this", "three", "to", "two", "under", "using", "was", "were", "what", "when",
    "which", "will", "with", "would", "write",
    "chain", "clocks", "radioactivity", "microscopic",
}  # fmt: skip

LONG = 1500

TAIL = re.compile(
    r"$|,? (?:in|on|at|for|from|by|per|with|during|after|before|until|when|if|over|within|each|every|an? (?:day|week|month|year|night|hour|piece)|"
    r"this|last|today|now|left|total|altogether|together|all|combined|out of|home|to (?:[A-Z]|the|his|her|their|each)|so|because|while|without|between|"
    r"among|as|than)\b(?! (?:to|of)\b)"
)
UNMARKED = re.compile(r"[^?]*[\w)=¢°$] (?=(?:Which|What|How many|Write|Express your) [a-z])")
"""What stands before a question without a mark between: 14 × 3 = 42 Which statement is true?"""
NEEDED = re.compile(r",? to [a-z]+ (?:the|an?|his|her|their|its|him|them|all|these|\d|[A-Z])")

LABELLED = re.compile(r"Statement 1 ?\| *(?P<one>[^|].*?)\.? Statement 2 ?\| *(?P<two>.+?)\.?$", re.S)

Rule = Callable[[Item, Sentence], Iterator[str]]


@lru_cache(maxsize=2)
def orders(*, last: bool = False) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Rules of `orders.txt`: pattern, template; those under its mark "## last" only where `last`."""
    parts = (Path(__file__).parent / "orders.txt").read_text(encoding="utf-8").split("## last")
    lines = parts[int(last)].splitlines()
    return tuple((re.compile(pattern, re.S), new) for pattern, new in (line.split(" => ") for line in lines if line and not line.startswith("#")))


def _by_order(item: Item, sentence: Sentence) -> Iterator[str]:
    yield from (made for made in _ordered(item, sentence, orders()) if completions.reads(sentence, made))


def _by_last_order(item: Item, sentence: Sentence) -> Iterator[str]:
    yield from _ordered(item, sentence, orders(last=True))


def _ordered(item: Item, sentence: Sentence, rules: tuple[tuple[re.Pattern[str], str], ...]) -> Iterator[str]:
    head = UNMARKED.match(sentence.text)
    if head and item.choices:
        yield from (head[0] + made for made in _turned(item, sentence.text[head.end() :], rules))
    yield from _turned(item, sentence.text, rules)


def _turned(item: Item, text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> Iterator[str]:
    for pattern, template in rules if len(text) < LONG else ():
        match = pattern.match(text)
        listed = template.startswith(("As for", "What {1} {2} is that")) or "which of the following" in template
        if match is None or (listed and not item.choices) or any(is_open(group) for group in match.groups("")):
            continue
        made = re.sub(r"\{(\d)(l?)\}", lambda m: _small(match.group(int(m[1])) or "", m[2]), template)  # noqa: B023
        made = re.sub(r"([^aeiou])ys below", r"\1ies below", made.replace(" below below", " below"))
        yield capital(made) if made[:1].isalpha() and not re.match(r"[^\Wa]\b|\w\(|\w[_^]", made) else made


def _small(text: str, mark: str) -> str:
    word = re.match(r"[A-Za-z]+", text)
    return uncapital(text) if mark and word and (word.group().lower() in PLAIN or (word.group().endswith("ing") and is_word(word.group()))) else text


def _yes_no_last(item: Item, sentence: Sentence) -> Iterator[str]:
    """Did Neanderthals use arithmetic? -> Neanderthals used arithmetic: true or false?"""
    parts = question(sentence)
    if parts is None and item.answer_type == "boolean":
        statement = plain_statement(sentence)
    elif parts is None or parts.asked or not parts.auxiliary:
        return
    else:
        after = next((t for t in sentence.tokens if parts.rest.startswith(t.text) and sentence.first + 1 < t.i < sentence.last - 1), None)
        split = after is not None and after.tag_ == "NN" and after.nbor(-1).pos_ == "PROPN" and after.nbor(1).pos_ == "ADV"
        statement = None if split or parts.subject.count(",") > 1 else parts.lead + parts.statement
    if statement and not re.search(r"(?<!\bthan )\b(any|anything|anyone|anybody(?! can)|ever|yet|either)\b", statement):
        yield f"{capital(statement)}: true or false?"


def _phrase_first(item: Item, sentence: Sentence) -> Iterator[str]:
    """What is the order of x in G? -> In G, what is the order of x? Only a last phrase with "in" or "for" that holds no verb."""
    match = re.match(
        r"(?P<main>(?:What|Which|How|Find|Calculate|Determine|Compute)\b.+?) (?P<phrase>(?:in|for|over|on|under|at|during|within|among|from) (?:the |a |an |\$|[A-Z]|\d)[^,?]*?)(?P<mark>[?.])$",  # noqa: E501
        sentence.text,
        re.S,
    )
    if not match or sentence.root is None:
        return
    at = sentence.start + match.start("phrase")
    phrase = [t for t in sentence.tokens if at <= t.idx < sentence.start + match.end("phrase")]
    if (
        (not item.choices and not re.match(r"(what|which|how)", sentence.text, re.I))
        or cuts_guarded(sentence.source, at)
        or not phrase
        or not _may_front(phrase[0])
        or any(t.pos_ in {"VERB", "AUX"} for t in phrase)
        or "," in match["main"]
        or re.search(r"\b(is|are|was|were|of|now)$", match["main"])
        or match["phrase"] == "in a row"
        or not any(t.pos_ == "VERB" or t.dep_ == "ROOT" for t in sentence.tokens if t.idx < at)
        or (re.search(r"\b(would|will|can|could|should|do|does|did)\b", match["main"]) and not _has_verb(sentence, at))
    ):
        return
    noun = next((c for c in phrase[0].children if c.dep_ == "pobj"), None)
    if noun is None or noun.right_edge.i != phrase[-1].i or phrase[0].head.pos_ in {"ADJ", "ADV"}:
        return
    main = uncapital(match["main"])
    yield f"{capital(match['phrase'])}, {main}{match['mark']}"


def _has_verb(sentence: Sentence, end: int) -> bool:
    """Whether the main clause, up to `end`, has the verb that its auxiliary goes with."""
    return any(t.pos_ == "VERB" or t.lemma_ == "be" for t in sentence.tokens if t.idx < end)


def _may_front(preposition: Any) -> bool:
    head = preposition.head
    if preposition.lower_ in {"in", "for", "over"}:
        return head.lemma_ not in {"result", "round"}
    verbal = head.pos_ in {"VERB", "AUX"} and head.lemma_ not in {"result", "depend", "rely", "act", "work", "base", "be", "focus", "agree"}
    return verbal and preposition.lower_ in {"on", "at", "during", "within", "among", "under", "from"} and (preposition.lower_ != "from" or head.tag_ == "VBN")


def _what_is_it(_: Item, sentence: Sentence) -> Iterator[str]:
    """What is the order of x? -> The order of x: what is it?"""
    match = re.match(
        r"(?P<what>what) (?P<be>is|are|was|were) (?P<noun>(?:the|his|her|their|its|[A-Z]\w+(?: [A-Z]\w+)?['’]s) [^?]+?)(?P<mark>\?)$",
        sentence.text,
        re.I | re.S,
    )
    if not match or cuts_guarded(sentence.source, sentence.start + match.start("noun")):
        return
    pronoun = "they" if match["be"] in {"are", "were"} else "it"
    yield f"{capital(match['noun'])}: {match['what'].lower()} {match['be']} {pronoun}{match['mark']}"


def _question_inside(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many apples does Tim have left? -> Tim has how many apples left?"""
    parts = question(sentence)
    if parts is not None and parts.auxiliary and re.match(r"(for|in|at|on|by|with) (which|what|how many|how much)\b", parts.asked, re.I) and "?" in parts.mark:
        yield f"{parts.lead}{parts.statement if parts.lead else capital(parts.statement)} {uncapital(parts.asked)}{parts.mark}"
        return
    if (
        parts is None
        or not parts.before_gap
        or not parts.auxiliary
        or not re.match(r"how (many|much) |what (percentage|percent|number|fraction) of", parts.asked + " ", re.I)
    ):
        return
    if re.search(r"\b(to|with|for|from|at|on|in|into|about|by)$", parts.statement) or "," in parts.asked or parts.statement.startswith("there"):
        return
    if re.search(r"\b(more|less|fewer|longer|older)\b", parts.asked) and " than " in parts.statement:
        return
    told, tail = parts.before_gap, parts.statement[len(parts.before_gap) :]
    if told.endswith(" left"):
        told, tail = told[:-5], f" left{tail}"
    needs = re.search(r"\b(need|needs|needed|cost|costs|spend|spent)$", parts.before_gap) and NEEDED.match(tail)
    if re.search(r"\b(take|takes|took|combined)$", parts.before_gap) or "- " in parts.before_gap or not (TAIL.match(tail) or needs):
        return
    if parts.subject[:1].islower() and any(t.tag_ == "VB" and parts.subject.startswith(t.text) for t in sentence.tokens):
        return
    asked = uncapital(parts.asked)
    yield f"{parts.lead}{told if parts.lead else capital(told)} {asked}{tail}{parts.mark}"


def _command_last(_: Item, sentence: Sentence) -> Iterator[str]:
    """Find the degree of f. -> The degree of f: find it."""
    match = re.match(
        r"(Find|Calculate|Compute|Determine|Simplify|Evaluate|Estimate|Solve|Identify) (the (?!following)[^:?]+|\$[^$]+\$|[(\d][^A-Za-z]*)([.:]?)$",
        sentence.text,
        re.S,
    )
    if match and sentence.mark and not re.search(r"\bby [a-z]+ing\b|\bthat (?:makes|make)\b", match.group(2)) and len(match.group(2)) < 160:
        yield f"{capital(match.group(2).rstrip('.'))}: {match.group(1).lower()} {'it' if match.group(2).startswith('the') else 'this'}{match.group(3) or '.'}"


def labels_last(text: str) -> Iterator[str]:
    """Statement 1 | P. Statement 2 | Q. -> P (Statement 1). Q (Statement 2). Only single sentences: which label is whose must stay plain."""
    match = LABELLED.match(text)
    if match and not any(re.search(r"[.?!]\s", match[name]) for name in ("one", "two")):
        yield f"{match['one']} (Statement 1). {match['two']} (Statement 2)."


RULES: tuple[Rule, ...] = (
    _by_order,
    stems.passive_stem,
    completions.attributed,
    completions.resumed,
    _phrase_first,
    completions.lead_inside,
    completions.redetermined,
    completions.place_first,
    _yes_no_last,
    completions.cleft,
    _question_inside,
    _by_last_order,
    _what_is_it,
    completions.as_for,
    _command_last,
)
