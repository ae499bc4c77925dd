"""Stage `generations`: the answers of the models, bought once. Fills `generations` and `attempts`.

Every answer is in the shard's journal, on disk, before anything else sees it; the journal becomes Parquet when the shard ends, or
when the next run finds it (`recover`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import polars as pl
from prefect import task

from schemas.records import ORIGINAL, Message, Request
from tasks import providers
from tasks.engine import Done, EngineSettings, Event, Ledger, Limiter, TornLines, read, run_requests
from tasks.identities import from_json, identify, request_seed
from tasks.notices import notice
from tasks.progress import Advance, tell
from tasks.providers.base import Provider
from tasks.run_files import LoadedConfiguration, load_run
from tasks.scope import Scope, store_of
from tasks.stage import OPTIONS, Shard, Stage, missing, save, shard_key, shards
from warehouse.store import Store

VERSION = "1"
KEPT = ("answered", "empty", "truncated", "error_permanent")
_limiters: dict[str, Limiter] = {}
_ledgers: dict[str, Ledger] = {}
_engines: list[AsyncExitStack] = []
_providers: dict[str, Provider] = {}
_opening = asyncio.Lock()
_complained: set[str] = set()
STOP = asyncio.Event()
"""Set to finish what is in flight and start no more (Ctrl-C)."""


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Shards of wanted generations that have no answer: never asked, or failed in a way that may pass."""
    stored = scope.store.newest("generations").filter(pl.col("status").is_in(kept(scope))).select("generation_id")
    planned = []
    for identity in scope.identities:
        mine = units.filter(pl.col("configuration_id") == identity.configuration_id)
        ids = _runs_first(mine, set(missing(mine, stored)))
        settings = {"run_file": str(scope.loaded.path), "configuration": identity.name, "configuration_id": identity.configuration_id, "label": identity.name}
        planned += shards(scope, "generations", VERSION, ids, identity.loaded.model.limits.shard, **settings)
    return planned


def kept(scope: Scope) -> tuple[str, ...]:
    """Statuses of generations that are not asked again."""
    return KEPT[:-1] if scope.retry_errors else KEPT


def sampling_of(loaded: LoadedConfiguration) -> tuple[tuple[str, Any], ...]:
    """The sampling parameters that are sent."""
    return tuple((k, v) for k, v in loaded.configuration.sampling.model_dump().items() if v is not None and k != "send_seed")


def _runs_first(units: pl.DataFrame, wanted: set[str]) -> list[str]:
    """Primary runs before the others, perturbed prompts last: what a stopped run has is worth most."""
    order = units.with_columns(perturbed=pl.col("operator") != ORIGINAL).sort("perturbed", "run_index", "item_id", "operator")
    return [name for name in order["generation_id"] if name in wanted]


@task(name="generations", task_run_name="generations {shard[label]}", **OPTIONS)
async def generate(shard: Shard) -> dict[str, Any]:
    """Ask one model for the answers of one shard.

    Raises:
        BudgetReached: the next request would pass the cap; what came is stored.
        Unavailable: the model refuses everything, or cannot be had.
    """
    loaded = _configuration(shard)
    return await ask(shard, loaded, _requests(store_of(shard["store"]), shard, loaded))


async def ask(shard: Shard, loaded: LoadedConfiguration, requests: Iterator[Request]) -> dict[str, Any]:
    """Have `requests` answered by the model of `loaded`: journalled as they come, Parquet at the end.

    Raises:
        BudgetReached, Unavailable: see `generate`.
    """
    path = store_of(shard["store"]).journals / f"{shard_key(shard)}.jsonl"
    tell(Advance("generations", shard["label"]))
    try:
        async with _provider(loaded) as provider:
            settings = EngineSettings(limits=loaded.model.limits, prices=loaded.model.prices, journal=path, ledger=ledger(shard, loaded), stop=STOP)
            await run_requests(requests, provider, settings=settings, limiter=limiter(loaded), on_event=_telling(shard["label"]))
    finally:
        result = _store_journal(shard, path)
    return result


@asynccontextmanager
async def engines() -> AsyncIterator[None]:
    """Keep providers open across the shards of a flow: a local engine loads its weights once."""
    async with AsyncExitStack() as stack:
        _engines.append(stack)
        try:
            yield
        finally:
            _engines.remove(stack)
            _providers.clear()


@asynccontextmanager
async def _provider(loaded: LoadedConfiguration) -> AsyncIterator[Provider]:
    if not _engines:
        async with providers.open_provider(loaded.model, loaded.model_base) as provider:
            yield provider
        return
    key = loaded.configuration.name
    async with _opening:
        if key not in _providers:
            _providers[key] = await _engines[-1].enter_async_context(providers.open_provider(loaded.model, loaded.model_base))
    yield _providers[key]


def _store_journal(shard: Shard, path: Path) -> dict[str, Any]:
    """Turn the shard's journal into Parquet; its record lets a finished shard be a cache hit."""
    journal = read(path)
    result = save(shard, {"generations": journal.generations, "attempts": journal.attempts})
    path.unlink(missing_ok=True)
    return result


def recover(store: Store) -> list[str]:
    """Merge the journals of runs that died. Returns one line per journal that held anything: what was found, what was torn.

    Call while holding the store's writer lock: then every journal is an orphan.
    """
    found = []
    for path in sorted(store.journals.glob("*.jsonl")):
        journal = read(path)
        for table, rows in (("generations", journal.generations), ("attempts", journal.attempts)):
            if rows:
                store.write(table, rows)
        path.unlink()
        torn = f"; {journal.torn} torn line dropped" if journal.torn else ""
        if journal.generations or torn:
            found.append(f"{len(journal.generations)} answers recovered from the journal of a run that ended early{torn}")
    return found


def _configuration(shard: Shard) -> LoadedConfiguration:
    loaded = load_run(Path(shard["run_file"]))
    return next(c for c in loaded.configurations if c.configuration.name == shard["configuration"])


def _requests(store: Store, shard: Shard, loaded: LoadedConfiguration) -> Iterator[Request]:
    ids = shard["ids"]
    units = store.scan("evaluation_units").filter(pl.col("generation_id").is_in(ids)).unique("generation_id")
    prompts = store.newest("prompts").select("prompt_id", "messages", "seed")
    rows = {row["generation_id"]: row for row in units.join(prompts, on="prompt_id").collect().iter_rows(named=True)}
    repeat = load_run(Path(shard["run_file"])).run.repeat
    sampling = sampling_of(loaded)
    system = (Message("system", loaded.configuration.system_prompt),) if loaded.configuration.system_prompt else ()
    for name in ids:
        row = rows[name]
        seed = request_seed(row["seed"], row["item_id"], row["operator"], row["run_index"], repeat)
        yield Request(
            generation_id=name,
            messages=(*system, *(Message(**message) for message in from_json(row["messages"]))),
            sampling=sampling,
            seed=seed if loaded.configuration.sampling.send_seed else None,
            configuration_id=shard["configuration_id"],
            prompt_id=row["prompt_id"],
            item_id=row["item_id"],
            operator=row["operator"],
            run_index=row["run_index"],
            repeat=repeat,
        )


def limiter(loaded: LoadedConfiguration) -> Limiter:
    """The one limiter of a model in this process."""
    key = identify(loaded, "").model_version_id
    return _limiters.setdefault(key, Limiter(loaded.model.limits))


def ledger(shard: Shard, _loaded: LoadedConfiguration) -> Ledger:
    """The one purse of a run command in this process."""
    run = load_run(Path(shard["run_file"])).run
    return _ledgers.setdefault(shard["run_file"], Ledger(run.budget.max_usd))


def _telling(label: str) -> Callable[[Event], None]:
    def hear(event: Event) -> None:
        tell(event.advance(label))
        if isinstance(event, TornLines):
            notice(f"{event.lines} torn line of a journal dropped; its answer is asked again")
        elif isinstance(event, Done) and event.detail and label not in _complained:
            _complained.add(label)
            notice(f"{label}: first failure: {event.detail}")

    return hear


STAGE = Stage("generations", VERSION, plan, generate, same_again=False)
