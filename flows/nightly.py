"""Flow `nightly`: what is new -> evaluate -> compare with its predecessor -> alert. Nothing new: one probe per alias and no other request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
from prefect import flow
from prefect.states import Completed

from flows.alerts import Alert, tell_operator, webhook_of
from flows.evaluate import evaluate
from flows.findings import compared, kept_aside
from flows.nights import Night, labelled, look, stopped
from flows.places import opened, run_name, store_for
from flows.publish import publish
from schemas.errors import BudgetReached, SextantError, Unavailable
from tasks.notices import notice
from tasks.run_files import load_run
from tasks.scope import narrowed, now, wanted_units
from tasks.stages import GENERATIONS
from tasks.tracking import written_out
from warehouse.store import Store


@dataclass(frozen=True)
class Outcome:
    """What a night did. `regressed` and `failed` are names of configurations."""

    said: str
    suite_id: str
    evaluated: tuple[str, ...] = ()
    regressed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    cost_usd: float | None = None


@flow(name="nightly", flow_run_name=run_name)
async def nightly(run_file: str, store: str | None = None, probed: list[str] | None = None) -> Any:
    """Evaluate what is not evaluated yet under the suite of `run_file`, compare it with its predecessor, publish and alert; returns an `Outcome`.

    `probed` names stored probes to go by instead of asking again. The final state is called Regressed where a configuration got worse.

    Raises:
        BudgetReached, InputError, RunError, Interrupted: told to the operator first; whatever was bought by then is stored.
    """
    loaded = load_run(Path(run_file))
    webhook = webhook_of(loaded.run)
    began = now()
    with opened(store_for(loaded.run.store, store)) as place:
        try:
            night = await look(loaded, place, probed)
            notice(night.said())
            outcome, alerts = await _evaluated(night, place, began)
        except SextantError as error:
            await tell_operator([stopped(loaded, error, spent(place, began))], loaded.run, webhook)
            raise
        await tell_operator([*night.alerts, *alerts], loaded.run, webhook)
    if outcome.regressed:
        return Completed(name="Regressed", message=f"regressed: {', '.join(outcome.regressed)}", data=outcome)
    return outcome


async def _evaluated(night: Night, place: Store, began: datetime) -> tuple[Outcome, list[Alert]]:
    before = kept_aside(place)
    failures: list[Alert] = []
    for label, names in night.work.items():
        failures += await _buy(night, label, names, _left(night, place, began))
    if not night.work and not night.is_published:
        await publish(place.address)
    failed = {alert.configuration for alert in failures}
    done = tuple(name for names in night.work.values() for name in names if name not in failed)
    findings = compared(night, done, before, place)
    if before is not None:
        before.unlink(missing_ok=True)
    cost = spent(place, began)
    alerts = [replace(alert, cost_usd=cost) for alert in (*failures, *findings)]
    regressed = tuple(alert.configuration or "" for alert in findings if alert.kind == "regressed")
    return Outcome(night.said(), night.scope.suite_id, done, regressed, tuple(name for name in failed if name), cost), alerts


async def _buy(night: Night, label: str, names: Sequence[str], max_usd: float | None) -> list[Alert]:
    """Evaluate `names` under `label`. Where a model cannot be had, the others are published all the same; it is told and asked again next night."""
    place = night.scope.store
    run_file = written_out(night.scope.loaded, place, names, label, max_usd)
    try:
        await evaluate(str(run_file), place.address, command="nightly")
    except Unavailable as error:
        lacking = [name for name in names if _lacks_answers(night, label, name)]
        if not lacking:
            raise
        return [Alert("failed", f"{name}: could not be evaluated: {error}", configuration=name) for name in lacking]
    return []


def _lacks_answers(night: Night, label: str, name: str) -> bool:
    scope = narrowed(labelled(night.scope, label), [name])
    return bool(GENERATIONS.plan(scope, wanted_units(scope)))


def _left(night: Night, place: Store, began: datetime) -> float | None:
    """What the night's budget still allows.

    Raises:
        BudgetReached: nothing.
    """
    most = night.scope.loaded.run.budget.max_usd
    if most is None:
        return None
    left = most - (spent(place, began) or 0.0)
    if left <= 0:
        raise BudgetReached(f"budget reached: {most:g} USD of this night are spent; raise `budget.max_usd` and run again, nothing is bought twice")
    return left


def spent(place: Store, since: datetime) -> float | None:
    """USD of every request recorded since `since`, probes included; None where no price is known."""
    tables = [place.scan(name).filter(pl.col("recorded_at") >= since).select("cost_usd") for name in ("attempts", "probes")]
    prices = pl.concat(tables).drop_nulls().collect()["cost_usd"]
    return float(prices.sum()) if len(prices) else None
