"""Swaps for the reorder operator: conjuncts inside a sentence, sentences inside a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations.binding import PEOPLE, introduces
from tasks.perturbations.language import Sentence, capital, edit, is_guarded, is_name, lower_first

ORDERED = re.compile(
    r"\b(respectively|then|former|latter|difference|ratio|quotient|subtract\w*|divided?|between|from|minus|order|first|last|next|previous|following|sequence|versus|vs|"
    r"consecutive|conditional|into|pair|scored?)\b",
    re.I,
)
INSTRUCTION = re.compile(
    r"(select|identify|which|find|determine|construct|use|add|subtract|divide|multiply|calculate|simplify|evaluate|solve|choose|given|read|write|express|round|estimate|what|check|show|explain|justify|give)\b",
    re.I,
)
ASKS = re.compile(
    r"(how|what|which|who|where|when|why|in (?:how|what|which)|by how|for how|at what|if|is|are|was|were|do|does|did|can|could|will|would|on average|after|during)\b",  # noqa: E501
    re.I,
)
STATISTICS = {"mean", "median", "standard", "normal", "random", "average"}
COMMANDS = re.compile(r"(Find|Calculate|Compute|Determine) (?:(?:the|how|what|his|her|[A-Z])\b|\$)")
DATES = re.compile(r"[a-z]|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?$|(?:Mr|Mrs|Ms|Dr)$")
TITLES = {"Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Dr", "Dr."}
HUMAN = {"he", "she", "his", "her", "him"}
RANKED = {"low", "medium", "high", "small", "large", "breakfast", "lunch", "dinner", "short", "tall", "morning", "afternoon", "evening", "long"}
FREE = {"more", "each", "that", "half", "as", "than", "who", "which", "twice", "double", "triple", "less", "fewer", "still", "only", "additional", "extra"}
PERSONS = {
    "brother",
    "sister",
    "friend",
    "mother",
    "father",
    "mom",
    "dad",
    "wife",
    "husband",
    "son",
    "daughter",
    "aunt",
    "uncle",
    "cousin",
    "boss",
    "grandmother",
    "grandfather",
}
DEPENDENT = {
    "he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these", "those", "other", "others", "another", "rest", "same",  # noqa: E501
    "more", "less", "fewer", "twice", "half", "as", "than", "also", "too", "then", "remaining", "each", "such", "one", "which", "who", "so", "both", "double", "triple", "again",  # noqa: E501
    "remainder", "either", "own", "later", "still", "only", "however", "former", "latter", "but", "instead", "now", "finally", "else", "additional", "extra",
}  # fmt: skip


def conjuncts(item: Item, sentence: Sentence) -> Iterator[str]:
    """3 apples and 2 oranges -> 2 oranges and 3 apples: noun phrases joined by "and" that stand alone and have the same shape."""
    if ORDERED.search(sentence.text) or (item.subject or "").startswith("formal_logic"):
        return
    doc = sentence.doc
    for token in sentence.tokens:
        seconds = [c for c in token.children if c.dep_ == "conj"]
        joins = [c for c in token.children if c.dep_ == "cc"]
        paired = token.pos_ == "PROPN" and (item.answer_type == "boolean" or any(j.ent_type_ for j in joins))
        if paired or token.pos_ not in {"NOUN", "PROPN"} or len(seconds) != 1 or len(joins) != 1 or joins[0].lower_ not in {"and", "or"}:
            continue
        second = seconds[0]
        if joins[0].i + 1 >= sentence.last:
            continue
        left = (token.left_edge, doc[joins[0].i - 1])
        right = (doc[joins[0].i + 1], second.right_edge)
        if _swappable(sentence, token, second, left, right):
            a, b = (sentence.source[s.idx : e.idx + len(e.text)] for s, e in (left, right))
            start, end = left[0].idx, right[1].idx + len(right[1].text)
            made = f"{b} {joins[0].text} {a}"
            if start == sentence.start:
                made = capital(b) + f" {joins[0].text} " + lower_first(a, left[0])
            whole = sentence.source[sentence.start : start] + made + sentence.source[end : sentence.end]
            yield whole


def listed(item: Item, sentence: Sentence) -> Iterator[str]:
    """Red, blue and green -> red, green and blue: the last two of three or more bare nouns or adjectives."""
    if ORDERED.search(sentence.text) or (item.subject or "").startswith("formal_logic"):
        return
    doc = sentence.doc
    for join in (t for t in sentence.tokens if t.lower_ in {"and", "or"} and sentence.first + 3 < t.i < sentence.last - 2):
        second, comma = doc[join.i + 1], doc[join.i - 1]
        first = doc[comma.i - 1] if comma.text == "," else comma
        before = doc[first.i - 1]
        alike = first.pos_ == second.pos_ and first.pos_ in {"NOUN", "ADJ"} and first.tag_ == second.tag_
        series = before.text == "," and doc[before.i - 1].pos_ == first.pos_ and doc[before.i - 2].pos_ not in {"NOUN", "VERB"}
        after = doc[second.i + 1]
        closed = after.is_punct or after.pos_ in {"ADP", "AUX", "SCONJ"} or (first.pos_ == "ADJ" and after.pos_ == "NOUN")
        fixed = {first.lower_, second.lower_} & (STATISTICS | DEPENDENT | RANKED) or is_name(first) or is_name(second)
        start, end = first.idx, second.idx + len(second.text)
        if alike and series and closed and not fixed and not is_guarded(sentence.source, start, end):
            made = f"{second.text}{sentence.source[start + len(first.text) : second.idx]}{first.text}"
            yield sentence.source[sentence.start : start] + made + sentence.source[end : sentence.end]


def premises(item: Item, found: tuple[Sentence, ...]) -> Iterator[str]:
    """P. Q. So, R. -> Q. P. So, R. An argument of two premises, where neither leans on the other."""
    text = item.question
    if not item.choices or len(found) != 3 or not re.match(r"(So|Therefore|Thus|Hence)\b", found[2].text):
        return
    one, two = found[0], found[1]
    if one.mark == two.mark == "." and not {t.lower_ for t in two.tokens} & (DEPENDENT | {"but", "and"}):
        yield f"{text[: one.start]}{two.text} {one.text} {text[found[2].start :]}"


def adjectives(item: Item, sentence: Sentence) -> Iterator[str]:
    """Red and blue light -> blue and red light: two adjectives before one noun."""
    if ORDERED.search(sentence.text) or (item.subject or "").startswith("formal_logic"):
        return
    doc = sentence.doc
    for token in sentence.tokens[:-3]:
        join, second = doc[token.i + 1], doc[token.i + 2]
        if (
            token.pos_ == "ADJ"
            and join.lower_ in {"and", "or"}
            and second.pos_ == "ADJ"
            and doc[token.i + 3].pos_ == "NOUN"
            and second.dep_ == "conj"
            and second.head.i == token.i
            and token.i > sentence.first
            and token.nbor(-1).pos_ not in {"ADJ", "ADV", "CCONJ"}
            and not is_guarded(sentence.source, token.idx, second.idx + len(second.text))
            and not is_name(token)
            and not {token.lower_, second.lower_} & STATISTICS
        ):
            start, end = token.idx, second.idx + len(second.text)
            yield sentence.source[sentence.start : start] + f"{second.text} {join.text} {token.text}" + sentence.source[end : sentence.end]


def _swappable(sentence: Sentence, first: Any, second: Any, left: tuple[Any, Any], right: tuple[Any, Any]) -> bool:
    doc = sentence.doc
    if second.pos_ not in {"NOUN", "PROPN"} or right[0].i > second.left_edge.i + 1 or any(c.dep_ in {"conj", "cc"} for c in second.children):
        return False
    spans = [doc[s.i : e.i + 1] for s, e in (left, right)]
    if any(t.lower_ in DEPENDENT or t.dep_ in {"relcl", "acl", "advcl", "appos"} or t.is_punct or t.pos_ == "VERB" for span in spans for t in span):
        return False
    if (
        is_guarded(sentence.source, left[0].idx, right[1].idx + len(right[1].text))
        or first.dep_ in {"compound", "nmod", "poss", "amod"}
        or "'s" in spans[1].text
        or "’s" in spans[1].text
    ):
        return False
    if first.head.i > right[1].i and first.head.i == right[1].i + 1 and first.head.pos_ == "NOUN":
        return False
    after = doc[right[1].i + 1] if right[1].i + 1 < len(doc) else None
    if after is not None and after.pos_ in {"NOUN", "PROPN"} and after.i < sentence.last:
        return False
    if any(c.dep_ == "prep" for noun in (first, second) for c in noun.children):
        return False
    return _shape(first, left[0]) == _shape(second, right[0]) and all(len(span) <= 7 for span in spans)


def _shape(noun: Any, edge: Any) -> tuple[str, bool]:
    """How a conjunct begins and whether a phrase follows its noun: only like is swapped with like, so that no modifier changes its scope."""
    if noun.pos_ == "PROPN" and edge.i == noun.i:
        return ("name", False)
    starts = "number" if edge.like_num or edge.is_currency else "article" if edge.pos_ == "DET" else "bare" if edge.i == noun.i else "other"
    return (starts, any(c.dep_ == "prep" for c in noun.children) if starts in {"bare", "other"} else False)


def sentence_orders(item: Item, found: tuple[Sentence, ...], *, plain: bool) -> Iterator[str]:
    """Whole sentences in another order: two independent facts swapped; the question first; an instruction after its sentence.

    Args:
        item: the item.
        found: its sentences.
        plain: only what names nothing with "the" that the text introduces later; otherwise only the rest.
    """
    if len(found) < 2:
        return
    text = item.question
    yield from _question_first(text, found, plain=plain)
    yield from premises(item, found) if plain else ()
    if not plain:
        return
    ordered = re.search(r"\b(order|first|list|lists|steps?|sequence|next|before|after|last)\b", text, re.I)
    for a, b in zip(found, found[1:], strict=False):
        if not ordered and _independent(a) and _independent(b) and a.start > 0:
            yield text[: a.start] + b.text + text[a.end : b.start] + a.text + text[b.end :]
    first = found[0]
    rest = text[first.end :].strip()
    if (
        item.choices
        and not re.search(r"\b(following|below)\b", first.text)
        and first.mark in {".", "?", ":"}
        and _instructs(first)
        and rest
        and not any("?" in s.mark or _instructs(s) for s in found[1:])
    ):
        closing = first.body + ("?" if first.mark == "?" else ".")
        gap = "\n" if "\n" in text[first.end :][:3] else " "
        yield f"{capital(rest)}{gap}{closing}" if rest[-1] in ".?!)" or gap == "\n" else f"{capital(rest)}. {closing}"


def _question_first(text: str, found: tuple[Sentence, ...], *, plain: bool) -> Iterator[str]:
    last = found[-1]
    asks = last.mark == "?" and ASKS.match(last.text) or last.mark == "." and COMMANDS.match(last.text)
    listed = text.count(":") == 1 and "following" in text
    if asks and len(last.text.split()) > 2 and not re.search(r"\n|\|" if listed else r"\n|[|:]", text):
        asked = last.text if not _leans(last) else _named(found)
        if asked is not None and introduces(text[: last.start], asked) is not plain:
            yield f"{asked} {text[: last.start].rstrip()}"


def _independent(sentence: Sentence) -> bool:
    words = {t.lower_ for t in sentence.tokens}
    return (
        sentence.mark == "."
        and sentence.root is not None
        and not words & DEPENDENT
        and not words & {"the", "suppose", "let", "when", "after", "before", "if", "there"}
        and not _instructs(sentence)
        and not re.match(r"(statement\b|given\b|assume\b|on\b|in\b|[A-Z]:|[IVX]+\.|[A-Z]\.)", sentence.text, re.I)
    )


def _leans(question: Sentence) -> bool:
    """Whether the question needs what stands before it to be understood: a pronoun, "the rest", a condition that names something."""
    named = next((t.i for t in question.tokens if t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", ""}), question.last)
    costs = re.search(r"\b(?:will|does|did|would) it (?:cost|take) .* (?!to)\w+ [\w.]+\?", question.text)
    words = {
        t.lower_
        for t in question.tokens
        if not (t.lower_ in {"that", "who", "which"} and t.head.dep_ == "relcl")
        and t.dep_ != "expl"
        and not (t.i > named and t.lower_ in HUMAN)
        and not (costs and t.lower_ == "it")
    }
    return bool(words & (DEPENDENT - FREE) or words & {"now", "combined", "together", "everything", "above"})


def _named(found: tuple[Sentence, ...]) -> str | None:
    """The question with its he or she replaced by the one person whom the text names; None where there is not exactly one."""
    question = found[-1]
    doc = question.doc
    people = {t.text for t in doc if t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", "ORG", ""} and t.text.isalpha() and not DATES.match(t.text)}
    opens = {s.first for s in found if s.tokens[0].ent_type_ == "PERSON"}
    person = next((t for t in doc if t.text in people and (t.dep_ in {"nsubj", "nsubjpass", "poss"} or t.i in opens)), None)
    if person is None or len(people) != 1 or not is_name(person) or any(n.text in people or n.pos_ == "PROPN" for n in question.tokens):
        return None
    if any(
        t.dep_ in {"nsubj", "nsubjpass"} and (t.lemma_.lower() in PEOPLE or t.lower_.endswith("man")) and not any(c.lower_ in HUMAN for c in t.children)
        for t in question.tokens
    ):
        return None
    pronouns = [t for t in question.tokens if t.lower_ in HUMAN]
    others = {t.lower_ for t in question.tokens if t.dep_ != "expl"} & (DEPENDENT - FREE - HUMAN)
    if not pronouns or others or {t.lower_ for t in question.tokens} & {"now", "combined", "together", "everything", "if"}:
        return None
    if any(t.lower_ in PERSONS for s in found[:-1] for t in s.tokens if t.dep_ in {"nsubj", "nsubjpass"}):
        return None
    token = pronouns[0]
    title = f"{doc[person.i - 1].text} " if person.i > 0 and doc[person.i - 1].text in TITLES else ""
    new = title + (f"{person.text}'s" if token.tag_ == "PRP$" else person.text)
    return edit(doc.text, [(token.idx, token.idx + len(token.text), new)])[question.start : question.end - len(token.text) + len(new)]


def _instructs(sentence: Sentence) -> bool:
    return bool(INSTRUCTION.match(sentence.text))
