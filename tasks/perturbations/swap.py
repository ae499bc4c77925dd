"""Swaps for the reorder operator: conjuncts inside a sentence, sentences inside a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations.language import Sentence, capital, is_guarded, lower_first

ORDERED = re.compile(
    r"\b(respectively|then|former|latter|difference|ratio|quotient|subtract\w*|divided?|between|from|minus|order|first|last|next|previous|following|sequence|versus|vs|"
    r"consecutive|conditional|into|pair|scored?|or)\b",
    re.I,
)
DEPENDENT = {
    "he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these", "those", "other", "others", "another", "rest", "same",
    "more", "less", "fewer", "twice", "half", "as", "than", "also", "too", "then", "remaining", "each", "such", "one", "which", "who", "so", "both", "double", "triple", "again",
    "remainder", "either", "own", "later", "still", "only", "later", "however", "former", "latter", "but", "instead", "now", "finally", "else", "additional", "extra",
}  # fmt: skip


def conjuncts(item: Item, sentence: Sentence) -> Iterator[str]:
    """3 apples and 2 oranges -> 2 oranges and 3 apples: noun phrases joined by "and" that stand alone and have the same shape."""
    if ORDERED.search(sentence.text) or (item.subject or "").startswith("formal_logic"):
        return
    doc = sentence.doc
    for token in sentence.tokens:
        seconds = [c for c in token.children if c.dep_ == "conj"]
        joins = [c for c in token.children if c.dep_ == "cc"]
        if token.pos_ not in {"NOUN", "PROPN"} or len(seconds) != 1 or len(joins) != 1 or joins[0].lower_ != "and":
            continue
        second = seconds[0]
        left = (token.left_edge, doc[joins[0].i - 1])
        right = (doc[joins[0].i + 1], second.right_edge)
        if _swappable(sentence, token, second, left, right):
            a, b = (doc.text[s.idx : e.idx + len(e.text)] for s, e in (left, right))
            start, end = left[0].idx, right[1].idx + len(right[1].text)
            made = f"{b} {joins[0].text} {a}"
            if start == sentence.start:
                made = capital(b) + f" {joins[0].text} " + lower_first(a, left[0])
            whole = doc.text[sentence.start : start] + made + doc.text[end : sentence.end]
            yield whole


def _swappable(sentence: Sentence, first: Any, second: Any, left: tuple[Any, Any], right: tuple[Any, Any]) -> bool:
    doc = sentence.doc
    if second.pos_ not in {"NOUN", "PROPN"} or right[0].i > second.left_edge.i + 1 or any(c.dep_ in {"conj", "cc"} for c in second.children):
        return False
    spans = [doc[s.i : e.i + 1] for s, e in (left, right)]
    if any(t.lower_ in DEPENDENT or t.dep_ in {"relcl", "acl", "advcl", "appos"} or t.is_punct or t.pos_ == "VERB" for span in spans for t in span):
        return False
    if is_guarded(doc.text, left[0].idx, right[1].idx + len(right[1].text)) or first.dep_ in {"compound", "nmod", "poss", "amod"} or "'s" in spans[1].text or "’s" in spans[1].text:
        return False
    if first.head.i > right[1].i and first.head.i == right[1].i + 1 and first.head.pos_ == "NOUN":
        return False
    after = doc[right[1].i + 1] if right[1].i + 1 < len(doc) else None
    if after is not None and after.pos_ in {"NOUN", "PROPN"} and after.i < sentence.last:
        return False
    return _shape(first, left[0]) == _shape(second, right[0]) and all(len(span) <= 7 for span in spans)


def _shape(noun: Any, edge: Any) -> tuple[str, bool]:
    """How a conjunct begins and whether a phrase follows its noun: only like is swapped with like, so that no modifier changes its scope."""
    if noun.pos_ == "PROPN" and edge.i == noun.i:
        return ("name", False)
    starts = "number" if edge.like_num or edge.is_currency else "article" if edge.pos_ == "DET" else "bare" if edge.i == noun.i else "other"
    return (starts, any(c.dep_ == "prep" for c in noun.children) if starts in {"bare", "other"} else False)


def sentence_orders(item: Item, found: tuple[Sentence, ...]) -> Iterator[str]:
    """Whole sentences in another order: two independent facts swapped; the question first; an instruction after its sentence."""
    if len(found) < 2:
        return
    text = item.question
    for a, b in zip(found, found[1:], strict=False):
        if _independent(a) and _independent(b) and a.start > 0:
            yield text[: a.start] + b.text + text[a.end : b.start] + a.text + text[b.end :]
    last = found[-1]
    if last.mark == "?" and len(found) > 1 and not _leans(last) and not re.search(r"\n|[|:]", text):
        yield f"{last.text} {text[: last.start].rstrip()}"
    first = found[0]
    rest = text[first.end :].strip()
    if item.choices and first.mark in {".", "?", ":"} and _instructs(first) and rest and not any("?" in s.mark or _instructs(s) for s in found[1:]):
        closing = first.body + ("?" if first.mark == "?" else ".")
        gap = "\n" if "\n" in text[first.end :][:3] else " "
        yield f"{capital(rest)}{gap}{closing}" if rest[-1] in ".?!)" or gap == "\n" else f"{capital(rest)}. {closing}"


def _independent(sentence: Sentence) -> bool:
    words = {t.lower_ for t in sentence.tokens}
    return (
        sentence.mark == "."
        and sentence.root is not None
        and not words & DEPENDENT
        and not words & {"the", "suppose", "let", "when", "after", "before", "if", "there"}
        and not _instructs(sentence)
        and not re.match(r"(statement|given|assume|on|in)\b", sentence.text, re.I)
    )


def _leans(question: Sentence) -> bool:
    """Whether the question needs what stands before it to be understood: a pronoun, a condition on it, a sum of it."""
    words = {t.lower_ for t in question.tokens}
    leaning = DEPENDENT - {"more", "each", "that", "half", "as", "than"}
    return bool(words & leaning) or bool(words & {"left", "total", "altogether", "all", "combined", "together", "would", "now", "end", "if", "above"}) and not any(
        t.pos_ == "PROPN" for t in question.tokens
    )


def _instructs(sentence: Sentence) -> bool:
    return bool(
        re.match(
            r"(select|identify|which|find|determine|construct|use|calculate|simplify|evaluate|solve|choose|given|read|write|express|round|estimate|what)\b", sentence.text, re.I
        )
    )
