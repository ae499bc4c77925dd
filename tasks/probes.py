"""What a model that only an alias names serves tonight: one small request, and what its stored answers say they were served by."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from schemas.config import Model
from schemas.errors import ProviderError, Unavailable
from schemas.keys import digest
from schemas.records import Message, Request
from tasks import providers
from tasks.engine import EngineSettings, Ledger, read, run_requests
from tasks.generations import KEPT, limiter
from tasks.identities import Identity
from tasks.scope import now
from warehouse.store import Store

QUESTION = "Reply with one word: ready"
_DATE = re.compile(r"(?<!\d)20\d\d-?[01]\d-?[0-3]\d(?!\d)")


@dataclass(frozen=True)
class Served:
    """What a provider says it served: model name and system fingerprint, None where it does not say."""

    model: str | None
    fingerprint: str | None

    def agrees(self, other: Served) -> bool:
        """Whether nothing that both state differs."""
        pairs = ((self.model, other.model), (self.fingerprint, other.fingerprint))
        return all(a is None or b is None or a == b for a, b in pairs)

    def __str__(self) -> str:
        return f"{self.model or 'unnamed'} ({self.fingerprint or 'no fingerprint'})"


@dataclass(frozen=True)
class Probe:
    """One probe: what was served, or why nothing is known (`failure`)."""

    probe_id: str
    model_version_id: str
    served: Served
    failure: str | None
    cost_usd: float | None


def is_alias(model: Model, base: Path) -> bool:
    """Whether only the user's word (`version:`) pins `model`: no weights, no hub revision, no date in its name."""
    return model.version is not None and not _DATE.search(model.model) and providers.resolve(model, base) == model.version


async def probe(store: Store, identity: Identity, ledger: Ledger) -> Probe:
    """Ask the model of `identity` once, through the engine (pace, retries, budget), and store what came.

    Raises:
        BudgetReached: the request could pass the cap.
        StoreError: the answer cannot be stored.
    """
    loaded = identity.loaded
    request = _request(identity)
    # not among the journals of generations: a probe that dies is asked again, not recovered
    path = store.root / "probes" / f"{request.generation_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    settings = EngineSettings(limits=loaded.model.limits, prices=loaded.model.prices, journal=path, ledger=ledger)
    failure: str | None = None
    try:
        async with providers.open_provider(loaded.model, loaded.model_base) as provider:
            await run_requests([request], provider, settings=settings, limiter=limiter(loaded))
    except (ProviderError, Unavailable) as error:
        failure = str(error)
    found = read(path)
    row = _row(identity, request.generation_id, found.generations[-1] if found.generations else {}, failure)
    store.write("probes", [row])
    path.unlink(missing_ok=True)
    return _probe(row)


def _request(identity: Identity) -> Request:
    configuration = identity.loaded.configuration
    sampling = {k: v for k, v in configuration.sampling.model_dump().items() if v is not None and k != "send_seed"}
    return Request(
        generation_id=digest("probe", identity.model_version_id, now().isoformat()),
        messages=(Message("user", QUESTION),),
        sampling=tuple(sampling.items()),
        seed=0 if configuration.sampling.send_seed else None,
        configuration_id=identity.configuration_id,
        prompt_id="probe",
        item_id="probe",
        operator="probe",
        run_index=0,
    )


def _row(identity: Identity, probe_id: str, answer: dict[str, Any], failure: str | None) -> dict[str, Any]:
    return {
        "probe_id": probe_id,
        "model_version_id": identity.model_version_id,
        "status": answer.get("status", "error"),
        "reason": answer.get("reason") or failure or (None if answer else "no_reply"),
        "served_model": answer.get("served_model"),
        "fingerprint": answer.get("fingerprint"),
        "attempts": answer.get("attempts", 0),
        "cost_usd": answer.get("cost_usd"),
        "started_at": answer.get("started_at") or now(),
        "recorded_at": now(),
    }


def _probe(row: dict[str, Any]) -> Probe:
    failure = (row["reason"] or row["status"]) if row["status"].startswith("error") else None
    return Probe(row["probe_id"], row["model_version_id"], Served(row["served_model"], row["fingerprint"]), failure, row["cost_usd"])


def stored_probes(store: Store, probe_ids: Collection[str] | None = None) -> list[Probe]:
    """Stored probes, oldest first; only those of `probe_ids` where given."""
    rows = store.newest("probes").sort("started_at")
    if probe_ids is not None:
        rows = rows.filter(pl.col("probe_id").is_in(list(probe_ids)))
    return [_probe(row) for row in rows.collect().iter_rows(named=True)]


def served_by_label(store: Store, configuration_ids: Iterable[str]) -> dict[str, set[Served]]:
    """What served the stored answers of some configurations, per repeat label, the label bought last coming last."""
    mine = pl.col("configuration_id").is_in(list(configuration_ids))
    rows = store.newest("generations").filter(mine, pl.col("status").is_in(KEPT[:-1])).select("repeat", "served_model", "fingerprint", "started_at")
    distinct = rows.group_by("repeat", "served_model", "fingerprint").agg(pl.col("started_at").max()).sort("started_at").collect()
    found: dict[str, set[Served]] = {}
    for row in distinct.iter_rows(named=True):
        served = found.pop(row["repeat"], set())
        found[row["repeat"]] = served | {Served(row["served_model"], row["fingerprint"])}
    return found


def standing_label(store: Store, suite_id: str, configuration_id: str) -> str | None:
    """Repeat label of the answers that the marts read for a configuration: that of the units wanted last. None where nothing is stored."""
    mine = (pl.col("suite_id") == suite_id, pl.col("configuration_id") == configuration_id)
    units = store.newest("evaluation_units").filter(*mine).select("generation_id", wanted_at="recorded_at")
    answers = store.newest("generations").select("generation_id", "repeat")
    newest = units.join(answers, on="generation_id").sort("wanted_at").tail(1).collect()
    return newest["repeat"].item() if newest.height else None
