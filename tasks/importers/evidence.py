"""What every importer makes of a source, and how it is stored: items, prompts, answers, and who wanted them.

Nothing is asked and nothing scored; `sextant backfill` scores what is stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from schemas.config import Configuration, Dataset, Model, Run, Sampling, Suite, Template
from schemas.errors import ProviderError
from schemas.keys import digest
from schemas.records import ORIGINAL, Item, Message, Reply, Request
from tasks import evaluations
from tasks.datasets import custom
from tasks.datasets.base import identified
from tasks.engine.rows import Attempt, generation_row
from tasks.identities import Identity, generation_id, identify, json_text, suite_id
from tasks.items import item_row
from tasks.run_files import LoadedConfiguration, LoadedRun
from tasks.scope import UNIT_COLUMNS, Scope, now
from warehouse.store import Store

Key = tuple[str, str]
"""Source id and operator."""


@dataclass(frozen=True)
class Answer:
    """One generation of the source: the reply, or why there is none."""

    source_id: str
    operator: str
    run_index: int
    outcome: Reply | ProviderError
    started_at: datetime | None = None
    latency_ms: float | None = None


@dataclass(frozen=True)
class Log:
    """One source: one model under one set of settings over one or more datasets.

    `rows` holds, per dataset, rows as a user's own file has them (question, answer, choices, source_id ...). `messages` holds what was sent for
    each (source id, operator); an operator of an item that is not in it was not asked.
    """

    source: str
    """inspect or rqeval."""
    path: Path
    configuration: str
    model: str
    version: str
    sampling: Mapping[str, Any]
    system_prompt: str | None
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    messages: Mapping[Key, Sequence[Message]]
    answers: Sequence[Answer]
    runs: int
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class Imported:
    """What was stored. `known` counts answers that were stored already."""

    configuration: str
    configuration_id: str
    suite_id: str
    items: int
    answers: int
    known: int


def store_log(store: Store, log: Log) -> Imported:
    """Store `log`; a second time stores nothing twice. Hold the store's writer lock.

    Raises:
        BadRow: a row of the source that cannot be an item.
    """
    items = _items(store, log)
    loaded = _loaded(log)
    identity = identify(loaded.configurations[0], f"{log.source}:{log.version}")
    scope = Scope(store, loaded, tuple(items.values()), (identity,), suite_id(list(items.values()), loaded.run.suite), {})
    prompts = {key: _prompt(log, identity, items[key[0]], key[1]) for key in log.messages}
    known = set(store.scan("generations").select("generation_id").collect()["generation_id"])
    answers = [row for answer in log.answers if (row := _generation(identity, items, prompts, answer))["generation_id"] not in known]
    evaluation = evaluations.begin(scope, "import")
    _write_new(store, "prompts", "prompt_id", list(prompts.values()))
    evaluations.want(scope, evaluation["evaluation_id"], _units(scope, identity, items, prompts))
    if answers:
        store.write("generations", answers)
    evaluations.end(store, evaluation, "finished")
    return Imported(log.configuration, identity.configuration_id, scope.suite_id, len(items), len(answers), len(log.answers) - len(answers))


def _items(store: Store, log: Log) -> dict[str, Item]:
    """Items by source id, read through the loader of users' own files and stored."""
    found: dict[str, Item] = {}
    for dataset, rows in log.rows.items():
        path = store.root / "imports" / f"{digest(dataset, list(rows))}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        loaded = custom.load(Dataset(name=dataset, path=str(path)), path)
        items = [identified(item) for item in loaded.items]
        _write_new(store, "items", "item_id", [item_row(item, loaded.version) for item in items])
        found |= {item.source_id: item for item in items}
    return found


def _loaded(log: Log) -> LoadedRun:
    name = f"imported-{log.source}"
    template = Template(name=name, version="1", number="{question}", choice="{question}", boolean="{question}", text="{question}")
    configuration = Configuration(
        name=log.configuration, model=str(log.path), system_prompt=log.system_prompt, template=name, sampling=Sampling.model_validate(dict(log.sampling))
    )
    model = Model(name=log.model, provider=log.source, model=log.model, version=log.version)
    dimensions = ("correctness", "robustness", "coherence", "efficiency") + (("consistency", "stability") if log.runs > 1 else ())
    run = Run(
        name=f"{name} {log.path.name}",
        datasets=tuple(Dataset(name=dataset, path=str(log.path)) for dataset in log.rows),
        configurations=(configuration,),
        suite=Suite(runs=log.runs, operators=log.operators, dimensions=dimensions),
    )
    return LoadedRun(log.path, run, (LoadedConfiguration(configuration, model, log.path.parent, template),))


def _prompt(log: Log, identity: Identity, item: Item, operator: str) -> dict[str, Any]:
    messages = json_text([{"role": message.role, "content": message.content} for message in log.messages[item.source_id, operator]])
    reworded = dict(item.perturbations).get(operator, item.question)
    return {
        "prompt_id": digest("prompt", item.item_id, operator, identity.template_digest, 42, messages),
        "item_id": item.item_id,
        "operator": operator,
        "template": f"imported-{log.source}",
        "template_digest": identity.template_digest,
        "seed": 42,
        "operator_version": log.source,
        "status": "applied",
        "reason": None,
        "question": reworded,
        "choices": list(item.choices),
        "messages": messages,
        "judge": None,
        "p_contradiction_forward": None,
        "p_contradiction_backward": None,
        "recorded_at": now(),
    }


def _generation(identity: Identity, items: Mapping[str, Item], prompts: Mapping[Key, Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
    prompt = prompts[answer.source_id, answer.operator]
    request = Request(
        generation_id=generation_id(identity.configuration_id, prompt["prompt_id"], answer.run_index, ""),
        messages=(),
        sampling=(),
        seed=None,
        configuration_id=identity.configuration_id,
        prompt_id=prompt["prompt_id"],
        item_id=items[answer.source_id].item_id,
        operator=answer.operator,
        run_index=answer.run_index,
    )
    row = generation_row(request, Attempt(1, answer.started_at or now(), answer.latency_ms or 0.0, 0, answer.outcome), [])
    # what its requests were billed in all is the source's secret
    return row | {"attempts": 1, "latency_ms": answer.latency_ms, "billed_input_tokens": None, "billed_output_tokens": None}


def _units(scope: Scope, identity: Identity, items: Mapping[str, Item], prompts: Mapping[Key, Mapping[str, Any]]) -> pl.DataFrame:
    rows = []
    for (source_id, operator), prompt in prompts.items():
        for run_index in range(scope.suite.runs if operator == ORIGINAL else 1):
            name = generation_id(identity.configuration_id, prompt["prompt_id"], run_index, "")
            rows.append((name, scope.suite_id, identity.configuration_id, items[source_id].item_id, prompt["prompt_id"], operator, run_index))
    return pl.DataFrame(rows, schema={name: pl.Int64 if name == "run_index" else pl.String for name in UNIT_COLUMNS}, orient="row")


def _write_new(store: Store, table: str, key: str, rows: list[dict[str, Any]]) -> None:
    known = set(store.scan(table).select(key).collect()[key])
    fresh = list({row[key]: row for row in rows if row[key] not in known}.values())
    if fresh:
        store.write(table, fresh)
