"""Adjuncts for the reorder operator: a phrase of time, place or sum moves to the front of its sentence, or back to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations.binding import introduces
from tasks.perturbations.language import Sentence, capital, cuts_guarded, lower_first, uncapital
from tasks.perturbations.paraphrase import is_command

SUBORDINATORS = {
    "if",
    "when",
    "because",
    "after",
    "before",
    "since",
    "although",
    "though",
    "while",
    "unless",
    "until",
    "once",
    "as",
    "assuming",
    "given",
    "whenever",
    "suppose",
}
FRONTABLE = {
    "in",
    "on",
    "at",
    "during",
    "after",
    "before",
    "within",
    "over",
    "throughout",
    "by",
    "under",
    "for",
    "from",
    "with",
    "without",
    "according",
    "between",
    "among",
}
CONNECTIVES = {
    "however",
    "then",
    "so",
    "but",
    "and",
    "also",
    "thus",
    "therefore",
    "still",
    "instead",
    "moreover",
    "furthermore",
    "next",
    "finally",
    "or",
    "yes",
    "no",
    "if",
    "let",
    "suppose",
}
PRONOUNS = {
    "he",
    "she",
    "it",
    "they",
    "him",
    "her",
    "them",
    "his",
    "hers",
    "its",
    "their",
    "theirs",
    "this",
    "that",
    "these",
    "those",
    "himself",
    "herself",
    "itself",
    "themselves",
    "ones",
}
PLACES = {
    "store", "shop", "park", "garden", "room", "house", "city", "town", "village", "school", "class", "classroom", "library", "restaurant", "bakery", "farm", "market", "office",  # noqa: E501
    "kitchen", "yard", "backyard", "zoo", "forest", "street", "beach", "lake", "pond", "pool", "hospital", "museum", "mall", "fair", "party", "work", "start", "end", "beginning",  # noqa: E501
    "country", "state", "building", "fridge", "box", "bag", "basket", "jar", "world", "fight", "circuit", "vacuum", "atom", "body",
}  # fmt: skip
TAIL = (
    r"(?:in total|altogether|in all|overall|on average|each (?:day|week|month|year)|every (?:day|week|month|year|morning|night)|per (?:day|week|month|year)|"
    r"(?:by|at|before) the (?:end|start|beginning) of [^,?.]{2,40}|after \d[^,?.]{1,25}|in (?:\d+|one|two|three|a|this|that|the next|the last) (?:days?|weeks?|months?|years?|hours?|minutes?)|"  # noqa: E501
    r"over the (?:next |last |whole |first |past )?[^,?.]{0,25}(?:day|week|month|year|hour|minute|weekend|summer|season)s?|during [^,?.]{2,40}|for the (?:day|week|month|year|whole [a-z]+|entire [a-z]+)|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|"  # noqa: E501
    r"right now|so far|at the moment|this (?:week|month|year|morning)|today|yesterday|last (?:week|month|year|night))"
)
UNIT = re.compile(r", in [a-z]+(?: [a-z]+)?,")
TIMED = {"on", "in", "at", "each", "every", "last", "this", "during", "after", "before"}
WHEN = "last|this|next|yesterday|today|tomorrow|mon|tues|wednes|thurs|fri|satur|sunday|day|week|month|year"
TIMES = {
    "day",
    "week",
    "month",
    "year",
    "morning",
    "afternoon",
    "evening",
    "night",
    "weekend",
    "time",
    "hour",
    "minute",
    "today",
    "yesterday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
}


PLACED = {"put", "place", "keep", "store"}
"""Verbs whose "in the box" is no adjunct."""


def small(text: str, first: Any, mark: str) -> str:
    """`text`, which begins with `first`, inside a sentence: an auxiliary that opens a question is never the name Will."""
    return uncapital(text) if "?" in mark and first.lower_ in {"will", "may", "can"} else lower_first(text, first)


def final(text: str) -> str:
    """`text` without closing commas and blanks."""
    return text.strip().rstrip(",").strip()


def tail_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many does he have in total? -> In total, how many does he have? A closing phrase of time or sum that can stand anywhere."""
    match = re.match(rf"(?P<main>.+?),? (?P<tail>{TAIL})(?P<mark>[?.])$", sentence.text, re.S)
    if not match or cuts_guarded(sentence.source, sentence.start + match.start("tail")) or " and " in match["tail"] or "which" in match["tail"]:
        return
    first, main = sentence.tokens[0], match["main"]
    if first.lower_ in SUBORDINATORS | CONNECTIVES or re.search(
        r"[,;:]|\b(and|but|or|if|that|who|which|than|as|when|because|before|after|only|between|then|from|until|while)\b", main
    ):
        return
    if (
        re.search(r"\b(wants?|wanted|plans?|planned|hopes?|decides?|decided)\b|\b(is|are|was|were|now)$", main)
        or re.search(r"\d+ [a-z]+$", main)
        and match["tail"].startswith("before")
    ):
        return
    if sentence.mark != "?" and re.search(r"\b(?:for|of|by|from|in) \w+ing\b|\b(?:is|was) an? \w+|\w+ing (?:for|with|on) ", main):
        return
    if is_command(first.text) or len(main.split()) < 3 or (sentence.mark == "?" and not re.match(r"(how|what|which)\b", main, re.I)):
        return
    yield f"{capital(match['tail'])}, {small(main, first, match['mark'])}{match['mark']}"


def adjunct_to_front(_: Item, sentence: Sentence) -> Iterator[str]:
    """He runs 60 meters each day. -> Each day, he runs 60 meters."""
    tokens, root = sentence.tokens, sentence.root
    if root is None or root.pos_ not in {"VERB", "AUX"} or sentence.mark not in {".", "?", "!"} or tokens[0].lower_ in SUBORDINATORS | CONNECTIVES | FRONTABLE:
        return
    if (
        root.lemma_ == "take"
        or re.search(r"\b(only|than|in a row|same time)\b", sentence.text)
        or any(c.dep_ in {"conj", "cc"} for c in root.children)
        or is_command(tokens[0].text)
        and root.i == tokens[0].i
    ):
        return
    end = sentence.start + len(sentence.body)
    for adjunct in (c for c in root.children if c.i > root.i and c.right_edge.idx + len(c.right_edge.text) >= end):
        if _movable(adjunct, root):
            first = adjunct.left_edge
            main = final(sentence.source[sentence.start : first.idx])
            if re.search(r"\b(is|are|was|were|now)$", main) or re.match(r"at \$?\d", first.doc[first.i : first.i + 2].text.lower()):
                continue
            if "," not in main and not re.search(r"\b(and|or|but)\b", main) and not cuts_guarded(sentence.source, first.idx) and len(main.split()) > 1:
                yield f"{capital(sentence.source[first.idx : end].strip())}, {small(main, tokens[0], sentence.mark)}{sentence.mark}"


def _movable(adjunct: Any, root: Any) -> bool:
    inner = list(adjunct.subtree)
    if (
        any(t.dep_ in {"relcl", "advcl", "ccomp", "cc"} or t.lower_ in {"than", "as", "which", "other"} for t in inner)
        or root.lemma_.lower() in PLACED
        or adjunct.doc[adjunct.left_edge.i - 1].text == ","
    ):
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
    if adjunct.lower_ in {"after", "before"} and root.lemma_.lower() == "be":
        return False
    timed = noun.lemma_.lower() in TIMES or noun.ent_type_ in {"DATE", "TIME"}
    if adjunct.lower_ in {"on", "at", "during", "after", "before", "within", "over", "throughout"}:
        return timed or (adjunct.lower_ == "at" and noun.lemma_.lower() in PLACES)
    return (
        adjunct.lower_ == "in"
        and not any(t.lower_ == "of" for t in inner)
        and (timed or noun.ent_type_ in {"GPE", "LOC", "FAC"} or noun.lemma_.lower() in PLACES)
        and adjunct.nbor(-1).pos_ != "ADJ"
    )


def adjunct_to_end(item: Item, sentence: Sentence) -> Iterator[str]:
    """On Friday, he picks four. -> He picks four on Friday. In total, how many ...? -> How many ... in total?"""
    match = re.match(r"([A-Z][^,;:()]{2,60}), (?=\S)", sentence.text)
    tokens = sentence.tokens
    if not match or sentence.mark not in {".", "?"} or cuts_guarded(sentence.source, sentence.start + match.end()):
        return
    opener = tokens[0]
    if (
        opener.lower_ not in FRONTABLE | {"each", "every", "last", "this", "altogether"}
        or (opener.dep_ in {"mark"})
        or opener.lower_ in {"for", "with", "from", "without", "according", "between"}
    ):
        return
    main = sentence.body[match.end() :]
    lead = [t for t in tokens if t.idx < sentence.start + match.end() - 1]
    if (
        re.search(r",|;|\b(and|but|or|than|which|who|that|because|so|after|before|if|when|while|then|as many|as much)\b", UNIT.sub("", main))
        or (opener.lower_ in TIMED and not re.match(r"In (?:total|all)|On average", sentence.text) and re.search(rf"\b({WHEN})s?\b", main, re.I))
        or introduces(match.group(1), main, sentence.source[: sentence.start])
        or any(t.pos_ == "VERB" and t.tag_ != "VBG" for t in lead)
        or re.match(r"(and|but|then)\b", main)
    ):
        return
    if any(t.lower_ in PRONOUNS for t in tokens if t.idx > sentence.start + match.end()) and any(
        t.pos_ == "PROPN" and t.ent_type_ not in {"DATE", "TIME", "GPE"} for t in lead
    ):
        return
    timed = re.search(
        rf"\b({WHEN}|general|rate|end|first|hour|minute|season|century|(?:19|20)\d\d|January|February|March|April|June|July|August|October|November|December)",
        match.group(1),
        re.I,
    )
    crowded = len(main.split()) > 9 or re.search(r"\b(in|at|on|of|for|to|with)\b", main)
    if re.search(r"\b(to|at|in|on|with|for|of|from|by)$", main) or re.match(
        r"(after all|by (?!the|\d|his|her|then|mon|tues|wed|thurs|fri|sat|sun)|in (?:fact|doing|addition|other words))\b", match.group(1), re.I
    ):
        return
    if sentence.mark != "?" and (" - " in main or re.search(r"\w+ \w+ .*\b(he|she|they|it) ", main) or (main[:1].isdigit() and not timed)):
        return
    if opener.lower_ in {"in", "at", "on"} and sentence.mark != "?" and ((crowded and not timed) or main[:1].isdigit()):
        return
    yield f"{capital(main)} {lower_first(match.group(1), opener)}{sentence.mark}"
