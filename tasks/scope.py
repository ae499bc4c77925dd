"""What a command works on: a store, the instruments, and the generations it is about. Every stage plans from this."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import polars as pl

from schemas.config import Judges, Suite
from schemas.errors import ConfigError, UnknownName
from schemas.records import LLM_PARAPHRASE, ORIGINAL, Item, ScorerCard
from tasks import datasets, providers
from tasks.identities import Identity, fingerprint, generation_id, identify, suite_id
from tasks.notices import notice
from tasks.own_rewordings import remarks
from tasks.perturbations import known_operators
from tasks.run_files import LoadedRun
from warehouse.store import Store, store_at

UNIT_COLUMNS = ("generation_id", "suite_id", "configuration_id", "item_id", "prompt_id", "operator", "run_index")


@dataclass(frozen=True)
class Scope:
    """A store, its run file, the items and configurations of one suite.

    `units` has one row per wanted generation: UNIT_COLUMNS, dataset.
    """

    store: Store
    loaded: LoadedRun
    items: tuple[Item, ...]
    identities: tuple[Identity, ...]
    suite_id: str
    dataset_versions: Mapping[str, str]
    retry_errors: bool = False
    rewriter: Identity | None = None
    """The model behind `llm_paraphrase`, where the suite has that operator."""
    again: datetime | None = None
    """Evidence recorded before this counts as not stored: a backfill that scores anew."""

    @property
    def suite(self) -> Suite:
        """The suite's settings."""
        return self.loaded.run.suite

    @property
    def judges(self) -> Judges:
        """The instruments of the run file."""
        return self.loaded.run.judges

    def scored(self, table: str) -> pl.LazyFrame:
        """Rows of a table of unit scores that count as stored: all, or those since `again`."""
        rows = self.store.scan(table)
        return rows if self.again is None else rows.filter(pl.col("recorded_at") >= self.again)

    @cached_property
    def item_ids(self) -> frozenset[str]:
        """Ids of the suite's items."""
        return frozenset(item.item_id for item in self.items)


def prepare(loaded: LoadedRun, store: Store, *, retry_errors: bool = False, buying: bool = True) -> Scope:
    """Load the items, pin the model versions and name the suite. No request is made. Keys must be there only for `buying`.

    Raises:
        InputError: a dataset, key, parameter or pin is missing or wrong.
        Unavailable: a hub dataset or packaged model that cannot be had.
    """
    run = loaded.run
    identities = []
    rewriter = loaded.rewriter if LLM_PARAPHRASE in run.suite.operators else None
    for configuration in (*loaded.configurations, *([rewriter] if rewriter else [])):
        providers.check(configuration.model, configuration.configuration.sampling, buying=buying)
        if run.budget.max_usd is not None and configuration.model.base_url is not None and configuration.model.prices is None:
            raise ConfigError(f"budget.max_usd cannot be kept: model {configuration.model.name!r} has no `prices` (give zeros for a server of your own)")
        identities.append(identify(configuration, providers.resolve(configuration.model, configuration.model_base)))
    rewriting = identities.pop() if rewriter else None
    _tell_apart(loaded, identities)
    items: list[Item] = []
    versions: dict[str, str] = {}
    for spec in run.datasets:
        data = datasets.load(spec, loaded.base, run.suite.seed)
        items += data.items
        versions[spec.name] = data.version
        if data.skipped:
            notice(f"dataset {spec.name}: {len(data.skipped)} bad rows set aside, the first: {data.skipped[0]}")
    _known_operators(loaded, items)
    for remark in remarks(items, run.suite, store):
        notice(remark)
    return Scope(store, loaded, tuple(items), tuple(identities), suite_id(items, run.suite), versions, retry_errors, rewriting)


def _tell_apart(loaded: LoadedRun, identities: Sequence[Identity]) -> None:
    """Two names for one configuration would buy its answers twice and show them once."""
    names: dict[str, str] = {}
    for identity in identities:
        twin = names.setdefault(identity.configuration_id, identity.name)
        if twin != identity.name:
            raise ConfigError(f"{loaded.path}: configurations {twin!r} and {identity.name!r} are the same model with the same settings; keep one of them")


def _known_operators(loaded: LoadedRun, items: Sequence[Item]) -> None:
    known = known_operators(items)
    for name in loaded.run.suite.operators:
        if name == LLM_PARAPHRASE and name not in known and loaded.rewriter is None:
            raise ConfigError(f"{loaded.path}: suite.operators: {name} needs a model to make the rewordings; name its file in `rewriter.model`")
        if name not in known and name != LLM_PARAPHRASE:
            raise ConfigError(f"{loaded.path}: suite.operators: {UnknownName('operator', name, known)}")


def narrowed(scope: Scope, configurations: Sequence[str]) -> Scope:
    """The same scope with only the named configurations.

    Raises:
        UnknownName: no such configuration in the run file.
    """
    known = {identity.name: identity for identity in scope.identities}
    for name in configurations:
        if name not in known:
            raise UnknownName("configuration", name, known)
    return replace(scope, identities=tuple(known[name] for name in configurations))


def wanted_units(scope: Scope) -> pl.DataFrame:
    """Every generation the suite wants, as far as its prompts are planned: columns UNIT_COLUMNS, dataset.

    Under `perturb: if_primary_correct` perturbed prompts of an item are wanted by a configuration once a run of the item was correct.
    """
    applied = _applied_prompts(scope)
    datasets_of = {item.item_id: item.dataset for item in scope.items}
    repeat = scope.loaded.run.repeat
    rows = []
    for identity in scope.identities:
        worthwhile = _items_with_a_correct_run(scope, identity) if scope.suite.perturb == "if_primary_correct" else None
        for prompt in applied.get(identity.template_digest, ()):
            perturbed = prompt["operator"] != ORIGINAL
            if perturbed and worthwhile is not None and prompt["item_id"] not in worthwhile:
                continue
            for run_index in range(1 if perturbed else scope.suite.runs):
                name = generation_id(identity.configuration_id, prompt["prompt_id"], run_index, repeat)
                rows.append((name, scope.suite_id, identity.configuration_id, *prompt.values(), run_index, datasets_of[prompt["item_id"]]))
    columns = ("generation_id", "suite_id", "configuration_id", "item_id", "prompt_id", "operator", "template_digest", "run_index", "dataset")
    schema = {name: pl.Int64 if name == "run_index" else pl.String for name in columns}
    return pl.DataFrame(rows, schema=schema, orient="row").drop("template_digest")


def _applied_prompts(scope: Scope) -> dict[str, list[dict[str, Any]]]:
    operators = (ORIGINAL, *scope.suite.operators)
    prompts = (
        scope.store.newest("prompts")
        .filter(
            pl.col("status") == "applied",
            pl.col("seed") == scope.suite.seed,
            pl.col("operator").is_in(operators),
            pl.col("item_id").is_in(list(scope.item_ids)),
        )
        .select("item_id", "prompt_id", "operator", "template_digest")
        .sort("prompt_id")
        .collect()
    )
    by_template: dict[str, list[dict[str, Any]]] = {}
    for row in prompts.iter_rows(named=True):
        by_template.setdefault(row["template_digest"], []).append(row)
    return by_template


def _items_with_a_correct_run(scope: Scope, identity: Identity) -> set[str]:
    from tasks.scorers.answers import CARD

    answers = scope.store.newest("answers").filter(pl.col("scorer") == fingerprint(CARD), pl.col("correct"))
    generations = scope.store.newest("generations").filter(pl.col("configuration_id") == identity.configuration_id, pl.col("operator") == ORIGINAL)
    return set(generations.join(answers, on="generation_id", how="semi").select("item_id").unique().collect()["item_id"])


def now() -> datetime:
    """The time rows are stamped with: UTC, microseconds."""
    return datetime.now(UTC)


def card_row(card: ScorerCard) -> dict[str, Any]:
    """`card` as a row of raw.scorers."""
    return {
        "scorer": fingerprint(card),
        "stage": card.stage,
        "name": card.name,
        "version": card.version,
        "parameters": json.dumps(card.parameters, sort_keys=True),
        "scorer_model": card.model,
        "model_digest": card.model_digest,
        "libraries": json.dumps(card.libraries, sort_keys=True),
        "notes": card.notes,
        "recorded_at": now(),
    }


def store_of(path: str) -> Store:
    """The store at `path`, as tasks receive it. In a process of its own, on another machine perhaps, it is brought up to date first."""
    store = store_at(path)
    if not store.is_held:
        store.refresh()
    return store
