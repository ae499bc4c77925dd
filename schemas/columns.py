"""Every stored column, said once. Parquet schemas, checks, SQL views and docs derive from this list."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

TEXT, INT, FLOAT, BOOL = pl.String(), pl.Int64(), pl.Float64(), pl.Boolean()
TIME = pl.Datetime("us", "UTC")
TEXTS = pl.List(pl.String())


@dataclass(frozen=True)
class Column:
    """One column: type, whether it may be NULL, unit, meaning, and what values it may hold."""

    name: str
    type: pl.DataType
    nullable: bool
    unit: str
    text: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def among(self, *values: str) -> Column:
        """The same column narrowed to `values` in one table."""
        return replace(self, values=values)

    def optional(self) -> Column:
        """The same column where a table may leave it NULL."""
        return replace(self, nullable=True)


def _key(name: str, text: str) -> Column:
    return Column(name, TEXT, False, "digest", text)


def _text(name: str, text: str, *, null: bool = False, unit: str = "text", values: tuple[str, ...] = ()) -> Column:
    return Column(name, TEXT, null, unit, text, values)


def _count(name: str, text: str, *, null: bool = False, unit: str = "count", low: float = 0) -> Column:
    return Column(name, INT, null, unit, text, low=low)


def _real(name: str, unit: str, text: str, *, low: float | None = 0, high: float | None = None) -> Column:
    return Column(name, FLOAT, True, unit, text, low=low, high=high)


def _probability(name: str, text: str) -> Column:
    # float32 sums of a softmax may pass 1 by a rounding error
    return _real(name, "probability", text, high=1.000001)


def _time(name: str, text: str, *, null: bool = False) -> Column:
    return Column(name, TIME, null, "UTC", text)


def _flag(name: str, text: str, *, null: bool = False) -> Column:
    return Column(name, BOOL, null, "boolean", text)


def _list(name: str, text: str) -> Column:
    return Column(name, TEXTS, True, "list", text)


ALL = (
    _key("evaluation_id", "one run command"),
    _key("suite_id", "items, K, operators, templates, seed and reference tokens that scores belong to"),
    _key("item_id", "dataset, source row and digest of question, options, gold"),
    _key("prompt_id", "item, operator, template and the exact user messages"),
    _key("configuration_id", "model version, system prompt, template, sampling and thinking settings: what is evaluated"),
    _key("model_version_id", "provider, name and what pins the weights"),
    _key("generation_id", "configuration, prompt, run index and repeat label"),
    _key("generation_id_a", "first generation of a pair (the lesser id)"),
    _key("generation_id_b", "second generation of a pair"),
    _key("attempt_id", "one request"),
    _key("probe_id", "one question to a model that only an alias names"),
    _key("scorer", "fingerprint: scorer name, version, parameters, model digest, libraries"),
    _time("recorded_at", "when the row was written; the newest row of a key counts"),
    _text("run_name", "name in the run file"),
    _text("command", "command that made the evaluation", values=("evaluate", "nightly", "import")),
    _list("configuration_ids", "configurations wanted"),
    _list("operators", "perturbation operators wanted"),
    _count("runs", "K: unperturbed runs per item", low=1),
    _count("reference_tokens", "token scale of strict efficiency", unit="tokens", low=1),
    _count("seed", "seed of the suite, or of one request", null=True, unit="seed"),
    _text("versions", "JSON: library versions of the process"),
    _text("run_file", "JSON: the resolved run file, without secrets"),
    _time("started_at", "start"),
    _time("finished_at", "end", null=True),
    _text("provider", "provider name"),
    _text("model", "model name as sent to the provider"),
    _text("family", "model family, to find a predecessor", null=True),
    _text("resolved_version", "what pins the weights: revision, file digest, dated name or pinned string"),
    _text("predecessor", "model_version_id evaluated before in the family", null=True, unit="digest"),
    _text("configuration", "display name of a configuration"),
    _text("system_prompt", "system prompt", null=True),
    _text("template", "prompt template name"),
    _key("template_digest", "digest of the prompt template"),
    _text("sampling", "JSON: sampling and thinking settings"),
    _real("temperature", "temperature", "sampling temperature"),
    _real("price_input", "USD per million tokens", "price of input tokens"),
    _real("price_output", "USD per million tokens", "price of output tokens"),
    _text("dataset", "dataset name"),
    _text("source_id", "row id in the source"),
    _text("question", "question text", null=True),
    _list("choices", "answer options, in order"),
    _text("answer_type", "type of the gold answer", values=("number", "choice", "boolean", "text")),
    _text("gold", "gold answer"),
    _text("subject", "stratum within the dataset", null=True),
    _text("cluster", "what the bootstrap resamples: the item, or the template it was made from"),
    _text("solution", "gold worked solution, read by judge calibration", null=True),
    _text("own_perturbations", "JSON: the user's own rewordings, operator -> question", null=True),
    _text("dataset_version", "where the rows came from: hub revision, or digest of the file"),
    _text("operator", "perturbation operator, or 'original'"),
    _text("operator_version", "version of the operator's rules"),
    _text("messages", "JSON: the exact user messages", null=True),
    _text("judge", "scorer that judged contradiction in the gate", null=True, unit="digest"),
    _probability("p_contradiction_forward", "gate: P(contradiction) original -> reworded"),
    _probability("p_contradiction_backward", "gate: P(contradiction) reworded -> original"),
    _count("run_index", "0..K-1 for original prompts, 0 for perturbed ones"),
    _text("repeat", "label of a fresh draw, '' for the first"),
    _text("status", "what became of the unit"),
    _text("reason", "why there is no value", null=True),
    _text("text", "response text, thinking cut out", null=True),
    _text("thinking", "thinking text", null=True),
    _text("finish_reason", "why the model stopped", null=True),
    _text("served_model", "model name in the reply", null=True),
    _text("fingerprint", "system fingerprint in the reply", null=True),
    _text("request_id", "provider's request id", null=True),
    _count("http_status", "HTTP code of the last attempt", null=True, unit="code"),
    _count("input_tokens", "input tokens of the kept answer", null=True, unit="tokens"),
    _count("output_tokens", "output tokens of the kept answer, thinking included", null=True, unit="tokens"),
    _count("thinking_tokens", "thinking tokens of the kept answer", null=True, unit="tokens"),
    _count("cached_tokens", "input tokens served from a cache", null=True, unit="tokens"),
    _text("usage_source", "who counted the tokens: provider, tokenizer, fallback:<name>, missing"),
    _count("billed_input_tokens", "input tokens of all attempts", null=True, unit="tokens"),
    _count("billed_output_tokens", "output tokens of all attempts", null=True, unit="tokens"),
    _real("cost_usd", "USD", "price of all attempts; NULL where the model file has no prices"),
    _count("attempts", "requests made for this generation"),
    _count("attempt", "number of the request, from 1", low=1),
    _real("latency_ms", "ms", "wall time of the request"),
    _count("limit_at", "concurrency limit when the request started", null=True),
    _real("retry_after_s", "s", "wait the provider asked for"),
    _text("extracted", "answer as it stands in the response", null=True),
    _text("value", "answer in the gold's form", null=True),
    _text("canonical", "gold-free canonical form; what consistency compares", null=True),
    _flag("correct", "equals the gold", null=True),
    _text("strategy", "rule that found the answer", null=True),
    _flag("ambiguous", "several candidates of equal rank"),
    _count("n_steps", "steps in the trace", null=True),
    _list("steps", "the steps"),
    _count("step_index", "position of the step, from 1", low=1),
    _text("kind", "kind of pair"),
    _text("label", "most probable NLI label", null=True, values=("entailment", "neutral", "contradiction")),
    _probability("p_entailment", "P(entailment)"),
    _probability("p_neutral", "P(neutral)"),
    _probability("p_contradiction", "P(contradiction)"),
    _flag("truncated_pair", "the pair was cut to the judge's window"),
    _count("n_equations", "equations found in the step"),
    _count("n_true", "equations that hold"),
    _count("n_false", "equations that do not hold"),
    _count("n_undecidable", "equations that cannot be checked"),
    _list("false_equations", "the equations that do not hold, as written"),
    _real("precision", "BERTScore", "BERTScore precision", low=-1.000001, high=1.000001),
    _real("recall", "BERTScore", "BERTScore recall", low=-1.000001, high=1.000001),
    _real("f1", "BERTScore", "BERTScore F1", low=-1.000001, high=1.000001),
    _flag("chunked", "a text passed the encoder's window and was scored in chunks"),
    _text("draw", "order of seeded selection of null pairs", null=True, unit="digest"),
    _text("pair_set", "calibration set", unit="name"),
    _text("role", "what the pair measures", values=("false_alarm", "detection", "nli")),
    _text("alteration", "how the second text was altered; 'none' where it was not"),
    _text("pair_id", "pair within its set"),
    _text("gold_label", "label the pair should have"),
    _text("stage", "table the scorer fills"),
    _text("name", "name"),
    _text("version", "version"),
    _text("parameters", "JSON: parameters"),
    _text("scorer_model", "judge or encoder model", null=True),
    _text("model_digest", "digest of the model's weights", null=True),
    _text("libraries", "JSON: library versions that move scores"),
    _text("notes", "what a reader must know of it", null=True),
    _text("weight_set", "weight set of a scheme"),
    _text("scheme", "weighting scheme"),
    _text("dimension", "dimension name"),
    Column("weight", FLOAT, False, "weight", "weight of the dimension in Q_w", low=0, high=1),
)

COLUMNS = {column.name: column for column in ALL}
