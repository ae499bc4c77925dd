"""Who wanted what, when: `evaluations`, `evaluation_units`, `model_versions`, `configurations`, `scorers`, `active_scorers`, `schemes`."""

from __future__ import annotations

import importlib.metadata
import json
import sys
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from schemas.records import DIMENSIONS, ScorerCard
from tasks.identities import Identity, fingerprint, json_text, sampling_of
from tasks.scope import UNIT_COLUMNS, Scope, card_row, now
from warehouse.store import Store

LIBRARIES = ("prefect", "duckdb", "pyarrow", "polars", "transformers", "torch", "bert-score", "httpx", "great-expectations", "sextant-reasoning")


def begin(scope: Scope, command: str) -> dict[str, Any]:
    """Record that a command wants the scope's suite; returns the evaluation's row."""
    suite = scope.suite
    row = {
        "evaluation_id": uuid.uuid4().hex,
        "suite_id": scope.suite_id,
        "run_name": scope.loaded.run.name,
        "command": command,
        "configuration_ids": [identity.configuration_id for identity in scope.identities],
        "runs": suite.runs,
        "operators": list(suite.operators),
        "seed": suite.seed,
        "reference_tokens": suite.reference_tokens,
        "status": "running",
        "started_at": now(),
        "finished_at": None,
        "versions": json.dumps({"python": sys.version.split()[0], **{name: importlib.metadata.version(name) for name in LIBRARIES}}),
        "run_file": _run_file(scope),
        "recorded_at": now(),
    }
    scope.store.write("evaluations", [row])
    _append_new(scope.store, "model_versions", [_model_version(scope.store, identity) for identity in _paid(scope)])
    _append_new(scope.store, "configurations", [_configuration(identity) for identity in _paid(scope)])
    _append_new(scope.store, "schemes", _schemes(scope))
    return row


def stands(scope: Scope, cards: Mapping[str, ScorerCard]) -> bool:
    """Whether the marts show this very run: its run file was the suite's last, its configurations and scorers are those recorded."""
    last = scope.store.newest("evaluations").filter(pl.col("suite_id") == scope.suite_id).sort("started_at").tail(1).collect()
    if last.is_empty() or last["status"].item() != "finished" or last["run_file"].item() != _run_file(scope):
        return False
    active = scope.store.newest("active_scorers").filter(pl.col("suite_id") == scope.suite_id).select("stage", "scorer").collect()
    wanted = {(stage, fingerprint(card)) for stage, card in cards.items()}
    return wanted <= set(active.iter_rows()) and not _fresh(scope.store, "configurations", [_configuration(identity) for identity in _paid(scope)])


def _paid(scope: Scope) -> list[Identity]:
    """The configurations and the rewriter, unless it is one of them: whatever costs money has a name."""
    mine = {identity.configuration_id for identity in scope.identities}
    return [*scope.identities, *([scope.rewriter] if scope.rewriter and scope.rewriter.configuration_id not in mine else [])]


def _run_file(scope: Scope) -> str:
    return json_text(scope.loaded.run.model_dump(mode="json", exclude={"runner"}))  # where it runs changes no score


def end(store: Store, evaluation: Mapping[str, Any], status: str) -> None:
    """Record how an evaluation ended: finished, budget, interrupted or failed."""
    store.write("evaluations", [{**evaluation, "status": status, "finished_at": now(), "recorded_at": now()}])


def close_dead(store: Store) -> None:
    """Mark evaluations whose process died as interrupted. Call while holding the store's writer lock."""
    for row in store.newest("evaluations").filter(pl.col("status") == "running").collect().iter_rows(named=True):
        end(store, row, "interrupted")


def want(scope: Scope, evaluation_id: str, units: pl.DataFrame) -> None:
    """Record the generations this evaluation wants; those recorded already are left out."""
    recorded = scope.store.scan("evaluation_units").filter(pl.col("evaluation_id") == evaluation_id).select("generation_id")
    fresh = units.lazy().select(UNIT_COLUMNS).join(recorded, on="generation_id", how="anti").collect()
    if fresh.height:
        stamped = fresh.with_columns(evaluation_id=pl.lit(evaluation_id), recorded_at=pl.lit(now()).cast(pl.Datetime("us", "UTC")))
        scope.store.write("evaluation_units", stamped)


def stored_units(store: Store, suite_ids: Iterable[str] | None = None) -> pl.DataFrame:
    """All generations ever wanted, one row per suite and generation: columns UNIT_COLUMNS, dataset."""
    units = store.newest("evaluation_units").select(UNIT_COLUMNS).unique(["suite_id", "generation_id"])
    if suite_ids is not None:
        units = units.filter(pl.col("suite_id").is_in(list(suite_ids)))
    items = store.newest("items").select("item_id", "dataset")
    return units.join(items, on="item_id").sort("suite_id", "generation_id").collect()


def activate(store: Store, suite_ids: Iterable[str], cards: Mapping[str, ScorerCard]) -> None:
    """Let the marts of `suite_ids` read the scorers of `cards` (stage -> card); their cards are stored."""
    active = {(row["suite_id"], row["stage"]): row["scorer"] for row in store.newest("active_scorers").collect().iter_rows(named=True)}
    changed = [
        {"suite_id": suite, "stage": stage, "scorer": fingerprint(card), "recorded_at": now()}
        for suite in suite_ids
        for stage, card in cards.items()
        if active.get((suite, stage)) != fingerprint(card)
    ]
    _append_new(store, "scorers", [card_row(card) for card in cards.values()])
    if changed:
        store.write("active_scorers", changed)


def _append_new(store: Store, table: str, rows: list[dict[str, Any]]) -> None:
    """Append the rows whose content, time aside, is not what counts already."""
    fresh = _fresh(store, table, rows)
    if fresh:
        store.write(table, fresh)


def _fresh(store: Store, table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = [{k: v for k, v in row.items() if k != "recorded_at"} for row in store.newest(table).collect().iter_rows(named=True)]
    return [row for row in rows if {k: v for k, v in row.items() if k != "recorded_at"} not in kept]


def _model_version(store: Store, identity: Identity) -> dict[str, Any]:
    model = identity.loaded.model
    return {
        "model_version_id": identity.model_version_id,
        "provider": model.provider,
        "model": model.model,
        "family": model.family,
        "resolved_version": identity.resolved_version,
        "predecessor": _predecessor(store, identity),
        "recorded_at": now(),
    }


def _predecessor(store: Store, identity: Identity) -> str | None:
    """The version of the same family that was recorded last before this one first was."""
    stored = store.newest("model_versions").collect()
    mine = stored.filter(pl.col("model_version_id") == identity.model_version_id)
    if mine.height:
        return mine["predecessor"].item()  # type: ignore[no-any-return]
    if identity.loaded.model.family is None:
        return None
    family = stored.filter(pl.col("family") == identity.loaded.model.family).sort("recorded_at")
    return family["model_version_id"][-1] if family.height else None


def _configuration(identity: Identity) -> dict[str, Any]:
    loaded = identity.loaded
    prices = loaded.model.prices
    return {
        "configuration_id": identity.configuration_id,
        "model_version_id": identity.model_version_id,
        "configuration": identity.name,
        "system_prompt": loaded.configuration.system_prompt,
        "template": loaded.template.name,
        "template_digest": identity.template_digest,
        "sampling": json_text(sampling_of(loaded)),
        "temperature": loaded.configuration.sampling.temperature,
        "price_input": prices.input if prices else None,
        "price_output": prices.output if prices else None,
        "recorded_at": now(),
    }


def _schemes(scope: Scope) -> list[dict[str, Any]]:
    return [
        {"weight_set": scope.loaded.run.name, "scheme": name, "dimension": dimension, "weight": getattr(scheme, dimension), "recorded_at": now()}
        for name, scheme in scope.loaded.run.schemes.items()
        for dimension in DIMENSIONS
    ]
