"""Correctness evidence: the answer a response gives, by the gold answer's type, and whether it equals the gold.

Definition and order of the rules: METRICS.md, CQ. First the response is cut (thinking blocks out, then whatever runs on from a
new question); then the whole response, explicit markers, typed extraction and, for text golds, bounded containment.
Model text is hostile: it is read by own grammars and never evaluated (why not math-verify: extraction/quantities.py).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from schemas.records import Extraction, ScorerCard
from tasks.scorers.extraction import booleans, number_golds, numbers, restated, texts
from tasks.scorers.extraction import choices as options
from tasks.scorers.extraction.cuts import THINKING_TAGS, Visible, both_ends, run_ons, without_thinking
from tasks.scorers.extraction.found import STRATEGIES, Found
from tasks.scorers.extraction.markers import cut_unclosed_box
from tasks.scorers.extraction.normal import is_blank, normalise

CARD = ScorerCard(
    stage="answers",
    name="answers",
    version="9",
    parameters={"strategies": list(STRATEGIES), "thinking_tags": [list(pair) for pair in THINKING_TAGS]},
    libraries={"unicodedata": unicodedata.unidata_version},
    notes="Own grammar, no evaluation of model text. Canonical forms: exact fraction (a percentage counts as its number), option letter, yes/no, folded text.",
)
"""Who made a row of the answers table. Raise the version with every change that can move an answer."""

CUT_REASONS = frozenset({"length", "max_tokens", "max_output_tokens", "max_completion_tokens", "token_limit"})
"""Finish reasons, lower case, that say the response was cut at the token limit."""


def extract(  # noqa: PLR0913
    response: str,
    *,
    answer_type: str,
    gold: str,
    choices: Sequence[str] = (),
    finish_reason: str | None = None,
    question: str = "",
    thinking_tags: Sequence[tuple[str, str]] = (),
) -> Extraction:
    """The answer in `response`, judged against `gold`.

    Args:
        response: text of the model, thinking blocks allowed; hostile.
        answer_type: number, choice, boolean or text: the gold's type.
        gold: gold answer, in whatever dress (`$1,200`, `71/6`, `True`).
        choices: options in order, for choice golds.
        question: what was asked, where it is known; read only where a yes/no answer repeats it as a statement
            and where the clauses of a text answer are weighed.
        finish_reason: why the model stopped; at the token limit only the whole response or an explicit marker counts.
        thinking_tags: tag pairs of the model file, beside the known ones.

    Raises:
        ValueError: an answer type that is none of the four.
    """
    if answer_type not in ("number", "choice", "boolean", "text"):
        raise ValueError(f"answer type {answer_type!r} is none of number, choice, boolean, text")
    visible = without_thinking(response, thinking_tags)
    cut = (finish_reason or "").lower() in CUT_REASONS
    text = normalise(visible.text)
    if not text and is_blank(visible.text):
        return Extraction(_blank_status(visible, cut), None, False)
    partial = cut or visible.unclosed
    found = _search(text, answer_type, gold, tuple(choices), question, partial=partial)
    if found is None and answer_type == "boolean" and not partial:
        found = restated.find(both_ends(text), question)
    if found is None:
        return Extraction("truncated" if partial else "unparsed", None, False)
    correct, value = _judge(found, answer_type, gold, choices, question)
    return Extraction("scored", value, correct, found.extracted, found.strategy, found.ambiguous, found.canonical)


def _blank_status(visible: Visible, cut: bool) -> str:
    """Nothing outside thinking: truncated where the thinking was cut, else the model said nothing."""
    return "truncated" if visible.unclosed or (cut and visible.had_thinking) else "empty"


def _search(text: str, answer_type: str, gold: str, choices: tuple[str, ...], question: str, *, partial: bool) -> Found[Any] | None:
    """The answer before the first new question that comes after an answer, else anywhere. What precedes a new question is whole."""
    for position in run_ons(text):
        found = _find(text[:position].rstrip(), answer_type, gold, choices, question, partial=False)
        if found is not None:
            return found
    return _find(text, answer_type, gold, choices, question, partial=partial)


def _find(text: str, answer_type: str, gold: str, choices: tuple[str, ...], question: str, *, partial: bool) -> Found[Any] | None:
    text = both_ends(cut_unclosed_box(text))
    if answer_type == "choice":
        return options.find(text, choices, partial=partial)
    if answer_type == "boolean":
        return booleans.find(text, partial=partial)
    if answer_type == "number" and number_golds.read_gold(gold) is not None:
        return numbers.find(text, partial=partial)
    return texts.find(text, gold, partial=partial, question=question)


def _judge(found: Found[Any], answer_type: str, gold: str, choices: Sequence[str], question: str) -> tuple[bool, str]:
    if answer_type == "choice":
        return options.judge(found.value, gold, choices)
    if answer_type == "boolean":
        return booleans.judge(found.value, gold)
    if answer_type == "number" and number_golds.read_gold(gold) is not None:
        return number_golds.judge(found.value, gold)
    return texts.judge(found.value, gold, question)
