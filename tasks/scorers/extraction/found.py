"""What a rule hands back, and the names of the rules: the `strategy` column of the answers table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

EXACT = "exact"
"""The whole response is the answer."""
HASH = "hash_marker"
BOXED = "boxed"
TAG = "answer_tag"
JSON = "json"
CUE = "answer_cue"
REVERSED = "reversed_cue"
"""`B is the correct answer`."""
MARKERS = (HASH, BOXED, TAG, JSON, CUE, REVERSED)
"""Explicit markers: with EXACT all that counts where the response was cut at the token limit."""
CORRECTION = "correction"
"""A value stated after `wait`, `actually` ... took back an earlier one."""
EQUALITY = "last_equality"
SENTENCE = "sentence_value"
LETTER = "option_letter"
OPTION_TEXT = "option_text"
POLARITY = "polarity_word"
RESTATED = "restated_question"
"""`Greed is the most prevalent sin.` to `Is greed the most prevalent sin?`: yes."""
CONTAINMENT = "containment"
SHORT = "short_response"
"""Text gold: a response of a few words that is not the gold."""
STRATEGIES = (EXACT, *MARKERS, CORRECTION, EQUALITY, SENTENCE, LETTER, OPTION_TEXT, POLARITY, RESTATED, CONTAINMENT, SHORT)

T = TypeVar("T")


@dataclass(frozen=True)
class Found(Generic[T]):
    """An answer read out of a response: as written, as a value, and its gold-free canonical form."""

    extracted: str
    value: T
    canonical: str
    strategy: str
    ambiguous: bool = False
