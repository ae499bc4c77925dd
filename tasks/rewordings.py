"""Stage `rewordings`: what a model makes of the questions, for the operator `llm_paraphrase`.

Its requests are generations like all others (operator `rewriting`): journalled, bought once, priced, under the same cap. The prompts stage reads
the replies and gates them as it gates a user's own texts, so a refused reply stays in `generations` and its reason in `prompts`. No suite wants
these rows, so no score sees them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from prefect import task

from schemas.keys import digest
from schemas.records import LLM_PARAPHRASE, REWRITING, Item, Message, Request
from tasks.generations import KEPT, ask, kept, sampling_of
from tasks.identities import generation_id, request_seed
from tasks.items import read_items
from tasks.perturbations.unwrap import unwrapped
from tasks.run_files import LoadedConfiguration, load_run
from tasks.scope import Scope
from tasks.scorers.extraction.cuts import without_thinking
from tasks.stage import OPTIONS, Shard, Stage, shards
from warehouse.store import Store

VERSION = "2"
INSTRUCTION = (
    "Reword the question below in other words. It must ask for exactly the same thing. Keep every number, name, unit, quotation, formula and negation as it is "
    "written, leave nothing out, add nothing, and do not answer it. Reply with the reworded question alone.\n\n"
)


@dataclass(frozen=True)
class Bought:
    """A model's reply on one item: its text, or why there is none."""

    text: str | None
    reason: str | None
    version: str


def messages(item: Item) -> tuple[Message, ...]:
    """What the rewriter is sent."""
    return (Message("user", INSTRUCTION + item.question),)


def name_of(item: Item, configuration_id: str) -> str:
    """Id of the generation that rewords `item`."""
    return generation_id(configuration_id, _prompt_id(item), 0, "")


def _prompt_id(item: Item) -> str:
    return digest(REWRITING, messages(item)[0].content)


def plan(scope: Scope, _units: pl.DataFrame) -> list[Shard]:
    """Shards of items whose rewording is wanted, not frozen in a prompt and not bought."""
    ids = waiting(scope)
    if not ids or scope.rewriter is None:
        return []
    settings = {"run_file": str(scope.loaded.path), "configuration_id": scope.rewriter.configuration_id, "seed": scope.suite.seed, "label": LLM_PARAPHRASE}
    return shards(scope, "rewordings", VERSION, ids, scope.rewriter.loaded.model.limits.shard, **settings)


def waiting(scope: Scope) -> list[str]:
    """Ids of the items that still need a reply of the rewriter; those with a text of the user's own need none."""
    if scope.rewriter is None:
        return []
    frozen = scope.store.scan("prompts").filter(pl.col("operator") == LLM_PARAPHRASE, pl.col("seed") == scope.suite.seed).select("item_id").unique()
    asked = {item.item_id: item for item in scope.items if LLM_PARAPHRASE not in dict(item.perturbations)}
    left = sorted(set(asked) - set(frozen.collect()["item_id"]))
    stored = _stored(scope.store, scope.rewriter.configuration_id).filter(pl.col("status").is_in(kept(scope))).select("generation_id").collect()
    had = set(stored["generation_id"])
    return [name for name in left if name_of(asked[name], scope.rewriter.configuration_id) not in had]


def _stored(store: Store, configuration_id: str) -> pl.LazyFrame:
    return store.newest("generations").filter(pl.col("operator") == REWRITING, pl.col("configuration_id") == configuration_id)


def bought(store: Store, items: Sequence[Item], configuration_id: str) -> dict[str, Bought]:
    """Item id -> the rewriter's reply, for the items that have one that stands."""
    columns = ("generation_id", "status", "reason", "text", "finish_reason")
    rows = _stored(store, configuration_id).filter(pl.col("status").is_in(KEPT)).select(columns).collect()
    replies = {row["generation_id"]: row for row in rows.iter_rows(named=True)}
    version = f"{REWRITING} {VERSION}, {configuration_id[:12]}"
    found = {}
    for item in items:
        row = replies.get(name_of(item, configuration_id))
        if row is not None:
            found[item.item_id] = Bought(*_read(row, item), version)
    return found


def _read(row: dict[str, Any], item: Item) -> tuple[str | None, str | None]:
    """The rewording in a reply, or why there is none. A reply that was cut off is no question, however far it came."""
    if row["status"] != "answered":
        return None, f"rewriter_{row['status']}: {row['reason']}"
    seen = without_thinking(row["text"], ())
    if seen.unclosed or row["finish_reason"] == "length":
        return None, f"rewriter_truncated: {'unclosed_thinking' if seen.unclosed else 'length'}"
    text = unwrapped(seen.text, item.question)
    return text or None, None if text else "rewriter_empty: no_text"


@task(name="rewordings", task_run_name="rewordings {shard[label]}", **OPTIONS)
async def reword(shard: Shard) -> dict[str, Any]:
    """Ask the rewriter for the rewordings of one shard's items.

    Raises:
        BudgetReached, Unavailable: see `tasks.generations.generate`; what came is stored.
    """
    loaded = load_run(Path(shard["run_file"])).rewriter
    assert loaded is not None  # a shard is planned only where the run file names one
    return await ask(shard, loaded, _requests(shard, loaded))


def _requests(shard: Shard, loaded: LoadedConfiguration) -> Iterator[Request]:
    sampling = sampling_of(loaded)
    for item in read_items(shard["store"], shard["ids"]):
        seed = request_seed(shard["seed"], item.item_id, REWRITING, 0, "")
        yield Request(
            generation_id=name_of(item, shard["configuration_id"]),
            messages=messages(item),
            sampling=sampling,
            seed=seed if loaded.configuration.sampling.send_seed else None,
            configuration_id=shard["configuration_id"],
            prompt_id=_prompt_id(item),
            item_id=item.item_id,
            operator=REWRITING,
            run_index=0,
        )


STAGE = Stage("generations", VERSION, plan, reword, same_again=False)
