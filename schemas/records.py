"""Values that pass between stages, scorers and providers. Immutable, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field

LLM_PARAPHRASE = "llm_paraphrase"
"""Operator whose rewordings a model makes (`rewriter` in the run file)."""
REWRITING = "rewriting"
"""Value of `generations.operator` for the requests to that model."""
ORIGINAL = "original"
ANSWER_TYPES = ("number", "choice", "boolean", "text")
DIMENSIONS = ("correctness", "consistency", "robustness", "coherence", "efficiency", "stability")
OPERATORS = ("synonym", "reorder", "paraphrase")


@dataclass(frozen=True)
class Item:
    """A benchmark question with its gold answer. `cluster` is what bootstrap resamples (the item, or its template)."""

    item_id: str
    dataset: str
    source_id: str
    question: str
    answer_type: str
    gold: str
    choices: tuple[str, ...] = ()
    subject: str | None = None
    template: str | None = None
    perturbations: tuple[tuple[str, str], ...] = ()
    """The user's own rewordings, (operator, question)."""
    solution: str | None = None
    """A gold worked solution where the dataset has one; read by judge calibration only."""


@dataclass(frozen=True)
class Message:
    """One chat message."""

    role: str
    content: str


@dataclass(frozen=True)
class Request:
    """What is sent for one generation. `sampling` holds temperature, top_p, max_tokens and whatever the model file allows."""

    generation_id: str
    messages: tuple[Message, ...]
    sampling: tuple[tuple[str, float | int | str | bool], ...]
    seed: int | None
    configuration_id: str
    prompt_id: str
    item_id: str
    operator: str
    run_index: int
    repeat: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens of one reply as the provider reports them; None where it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    """Thinking included."""
    thinking_tokens: int | None = None
    cached_tokens: int | None = None
    source: str = "missing"
    """provider, tokenizer, fallback:<name> or missing."""


@dataclass(frozen=True)
class Reply:
    """One whole reply of a model. Empty text is a reply; an HTTP failure is not."""

    text: str
    thinking: str | None
    finish_reason: str | None
    """stop, length, content_filter, or the provider's own word."""
    usage: Usage
    served_model: str | None = None
    fingerprint: str | None = None
    request_id: str | None = None
    http_status: int | None = 200
    unclosed_thinking: bool = False


@dataclass(frozen=True)
class Rewording:
    """What one operator made of one item, and the gate's verdict on it."""

    operator: str
    status: str
    """applied, rejected or unavailable."""
    reason: str | None
    question: str | None
    choices: tuple[str, ...] = ()
    version: str = "1"


@dataclass(frozen=True)
class Extraction:
    """The answer found in a response. `value` is in the gold's form, None where nothing was found."""

    status: str
    """scored, empty, truncated or unparsed."""
    value: str | None
    correct: bool
    extracted: str | None = None
    strategy: str | None = None
    ambiguous: bool = False
    canonical: str | None = None
    """Gold-free canonical form: equal exactly when two answers are the same answer. What consistency compares."""


@dataclass(frozen=True)
class ScorerCard:
    """Who made a unit score: everything that moves it. Its digest is the `scorer` column."""

    stage: str
    name: str
    version: str
    parameters: dict[str, object] = field(default_factory=dict)
    model: str | None = None
    model_digest: str | None = None
    libraries: dict[str, str] = field(default_factory=dict)
    notes: str | None = None
