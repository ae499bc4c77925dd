"""The raw tables: grain, key and columns by name. `raw.<table>` in the warehouse is a view of these files."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from schemas.columns import COLUMNS, Column

GENERATED = ("answered", "empty", "truncated", "error", "error_permanent")
ANSWERED = ("scored", "empty", "truncated", "unparsed", "error", "error_permanent")
SCORED = ("scored", "empty", "truncated", "error", "error_permanent", "not_applicable")


@dataclass(frozen=True)
class Table:
    """One raw table. `key` names the grain: the newest row (`recorded_at`) of a key is the one that counts.

    `needs` holds (status, column): rows of that status must have a value there.
    """

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    needs: tuple[tuple[str, str], ...] = ()

    @property
    def schema(self) -> pl.Schema:
        """The one schema every file of this table has."""
        return pl.Schema({column.name: column.type for column in self.columns})


def _table(name: str, grain: str, key: str, columns: str, **narrowed: Column) -> Table:
    names = (*key.split(), *columns.split(), "recorded_at")
    return Table(name, grain, tuple(key.split()), tuple(narrowed.get(n, COLUMNS[n]) for n in names))


def _status(*values: str) -> Column:
    return COLUMNS["status"].among(*values)


_ALL = (
    _table(
        "evaluations",
        "one row per run command and state change",
        "evaluation_id",
        "suite_id run_name command configuration_ids runs operators seed reference_tokens status started_at finished_at versions run_file",
        status=_status("running", "finished", "budget", "interrupted", "failed"),
    ),
    _table(
        "evaluation_units",
        "one row per evaluation and wanted generation",
        "evaluation_id generation_id",
        "suite_id configuration_id item_id prompt_id operator run_index",
    ),
    _table("model_versions", "one row per model version", "model_version_id", "provider model family resolved_version predecessor"),
    _table(
        "configurations",
        "one row per configuration",
        "configuration_id",
        "model_version_id configuration system_prompt template template_digest sampling temperature price_input price_output",
    ),
    _table(
        "items",
        "one row per benchmark item",
        "item_id",
        "dataset source_id question choices answer_type gold subject template cluster solution own_perturbations dataset_version",
        question=COLUMNS["question"].among(),
        template=COLUMNS["template"].optional(),
    ),
    _table(
        "prompts",
        "one row per item, operator, template and seed; frozen when first planned",
        "prompt_id",
        "item_id operator template template_digest seed operator_version status reason question choices messages judge "
        "p_contradiction_forward p_contradiction_backward",
        status=_status("applied", "rejected", "unavailable"),
    ),
    _table(
        "generations",
        "one row per generation bought or failed",
        "generation_id",
        "configuration_id prompt_id item_id operator run_index repeat seed status reason text thinking finish_reason served_model fingerprint "
        "request_id http_status input_tokens output_tokens thinking_tokens cached_tokens usage_source billed_input_tokens billed_output_tokens "
        "cost_usd attempts latency_ms started_at",
        status=_status(*GENERATED),
    ),
    _table(
        "attempts",
        "one row per request",
        "attempt_id",
        "generation_id configuration_id attempt started_at latency_ms status reason http_status input_tokens output_tokens cost_usd limit_at retry_after_s",
        status=_status("answered", "empty", "truncated", "error", "error_permanent"),
    ),
    _table(
        "probes",
        "one row per probe of a model that only an alias names",
        "probe_id",
        "model_version_id status reason served_model fingerprint attempts cost_usd started_at",
        status=_status(*GENERATED),
    ),
    _table(
        "answers",
        "one row per generation and extractor",
        "generation_id scorer",
        "status reason extracted value canonical correct strategy ambiguous",
        status=_status(*ANSWERED),
    ),
    _table(
        "traces",
        "one row per generation and splitter",
        "generation_id scorer",
        "status reason n_steps steps",
        status=_status(*SCORED),
    ),
    _table(
        "step_pairs",
        "one row per pair of steps and judge",
        "generation_id scorer kind step_index",
        "status reason label p_entailment p_neutral p_contradiction truncated_pair",
        kind=COLUMNS["kind"].among("adjacent"),
        status=_status(*SCORED),
    ),
    _table(
        "equations",
        "one row per step and equation checker",
        "generation_id scorer step_index",
        "n_equations n_true n_false n_undecidable false_equations",
    ),
    _table(
        "trace_pairs",
        "one row per pair of traces and encoder",
        "generation_id_a generation_id_b scorer kind",
        "configuration_id dataset draw status reason precision recall f1 chunked",
        kind=COLUMNS["kind"].among("within", "null"),
        status=_status(*SCORED),
    ),
    _table(
        "calibrations",
        "one row per judge and calibration pair",
        "scorer pair_set role alteration pair_id",
        "cluster gold_label label p_entailment p_neutral p_contradiction truncated_pair",
    ),
    _table(
        "scorers",
        "one row per scorer fingerprint: the judge's card",
        "scorer",
        "stage name version parameters scorer_model model_digest libraries notes",
    ),
    _table("active_scorers", "which scorer a suite's marts read, per stage", "suite_id stage", "scorer"),
    _table("schemes", "one row per weighting scheme and dimension of users' run files", "weight_set scheme dimension", "weight"),
)

_NEEDS = {
    "prompts": "applied:question applied:messages rejected:reason unavailable:reason",
    "generations": "answered:text error:reason error_permanent:reason truncated:reason empty:reason",
    "answers": "scored:value scored:canonical scored:strategy unparsed:reason",
    "traces": "scored:steps empty:reason",
    "step_pairs": "scored:label scored:p_entailment scored:p_neutral scored:p_contradiction",
    "trace_pairs": "scored:precision scored:recall scored:f1 empty:reason",
}


def _needs(table: Table) -> Table:
    pairs = (rule.split(":") for rule in _NEEDS.get(table.name, "").split())
    return replace(table, needs=tuple((status, column) for status, column in pairs))


TABLES = {table.name: _needs(table) for table in _ALL}
