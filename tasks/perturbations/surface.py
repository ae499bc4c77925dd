"""Surface operators in the manner of HELM: contractions, typing errors, case, spacing. Optional: asked for by name in `suite.operators`.

They change how a question looks, not how it is put; names, numbers, negations, quotations and formulas stay as they are. Case and spacing alone are no rewording
to the rule gate, so these two are gated with their own notion of a change.
"""  # noqa: E501

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from schemas.records import Item
from tasks.perturbations.gate import NEGATIONS, NUMBER_WORDS, names
from tasks.perturbations.language import edit, is_guarded, is_word
from tasks.perturbations.relations import bearing, patterns

CONTRACTIONS = (
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could) not\b", r"\1n't"),
    (r"\bcannot\b", "can't"),
    (r"\bwill not\b", "won't"),
    (r"\b([Ww]hat|[Tt]here|[Hh]e|[Ss]he|[Ii]t|[Tt]hat) is\b(?! *[?.,])", r"\1's"),
    (r"\b([Tt]hey|[Ww]e|[Yy]ou) are\b(?! *[?.,])", r"\1're"),
    (r"\b([Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Yy]ou|[Ii]t) will\b", r"\1'll"),
)
EXPANSIONS = (
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could)n['’]t\b", r"\1 not"),
    (r"\b([Ww]hat)['’]s\b", r"\1 is"),
    (r"\b([Tt]hey|[Ww]e|[Yy]ou)['’]re\b", r"\1 are"),
)
LABEL = re.compile(r"\b(?:Statement|Assertion) \d")
STRANDED = re.compile(
    r"\b(?:how \w+|what|where|who|than|as|to|of|in|on|for|from|with|by|at|after|before|between|through) (?:he|she|it|that|they|we|you) (?:is|are|will)$", re.I
)
"""Where a verb carries the end of its clause and stays whole: "how old he is now", "tied to it is dropped"."""
INVERTED = re.compile(r" (?:(?:he|she|it|they|we|you|there|the|an?|his|her|their)\b|[A-Z])")
"""After "didn't" in a question: "did not he" is not English."""


def contractions(item: Item, _: random.Random) -> Iterator[str]:
    """Does not -> doesn't; where there is nothing to contract, the other way round."""
    for rules in (CONTRACTIONS, EXPANSIONS):
        text = item.question
        for pattern, new in rules:
            free = [m for m in re.finditer(pattern, text) if not is_guarded(text, *m.span()) and not STRANDED.search(text[: m.end()])]
            if rules is EXPANSIONS:
                free = [m for m in free if not INVERTED.match(text, m.end())]
            changes = [(m.start(), m.end(), m.expand(new)) for m in free]
            text = edit(text, changes)
        if text != item.question:
            yield text


def typos(item: Item, rng: random.Random) -> Iterator[str]:
    """Two neighbouring letters change places in about every twelfth plain word of five letters or more; never in one that bears the sense, never to a word."""
    text, kept = item.question, {name.lower() for name in names(item.question)} | NUMBER_WORDS | NEGATIONS | bearing()
    kept |= {word.lower() for pattern in patterns().values() for match in pattern.finditer(text) for word in match.group().split()}
    words = [m for m in re.finditer(r"(?<![\w'’-])[a-z]{5,}(?![\w'’-])", text) if m.group() not in kept and not is_guarded(text, *m.span())]
    if not words:
        return
    for _ in range(12):
        changes = []
        for word in rng.sample(words, min(len(words), max(1, len(words) // 12))):
            at = rng.randrange(1, len(word.group()) - 2)
            letters = word.group()
            made = letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :]
            changes += [] if is_word(made) else [(word.start(), word.end(), made)]
        mistyped = "".join(_spliced(text, changes))
        if mistyped != text:
            yield mistyped


def _spliced(text: str, changes: list[tuple[int, int, str]]) -> Iterator[str]:
    at = 0
    for start, end, new in sorted(changes):
        yield text[at:start] + new
        at = end
    yield text[at:]


def lower_case(item: Item, _: random.Random) -> Iterator[str]:
    """Every plain word in lower case; names, acronyms, labels and formulas stay."""
    kept = set(names(item.question))
    changes = [
        (m.start(), m.end(), m.group().lower())
        for m in re.finditer(r"(?<![\w'’-])[A-Z][a-z]+(?![\w'’-])", item.question)
        if m.group() not in kept and not is_guarded(item.question, *m.span()) and not LABEL.match(item.question, m.start())
    ]
    made = "".join(_spliced(item.question, changes))
    if made != item.question:
        yield made


def extra_spaces(item: Item, rng: random.Random) -> Iterator[str]:
    """One to two more blanks between about every fourth pair of words, never inside a formula or quotation."""
    labels = {m.end() - 2 for m in LABEL.finditer(item.question)}
    gaps = [m for m in re.finditer(r"(?<=\w) (?=\w)", item.question) if not is_guarded(item.question, *m.span()) and m.start() not in labels]
    changes = [(m.start(), m.end(), " " * rng.randint(2, 3)) for m in gaps if rng.random() < 0.25]
    if changes:
        yield "".join(_spliced(item.question, changes))
