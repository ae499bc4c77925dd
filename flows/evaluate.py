"""Flow `evaluate`: items -> prompts -> generations -> evidence -> publish. Plans by anti-join, so it buys only what is missing."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import polars as pl
from prefect import flow

from flows.artifacts import show_scores
from flows.fan_out import run_stage
from flows.places import opened, run_name, store_for
from flows.runners import workers
from schemas.checks import preload
from schemas.errors import BudgetReached, Interrupted, Unavailable
from tasks import evaluations, rewordings
from tasks.generations import engines
from tasks.run_files import load_run
from tasks.scope import Scope, prepare, wanted_units
from tasks.stages import EVIDENCE, GENERATIONS, INPUTS, cards, evidence_for
from warehouse.current import is_current


@flow(name="evaluate", flow_run_name=run_name)
async def evaluate(run_file: str, store: str | None = None, command: str = "evaluate", retry_errors: bool = False, publishing: bool = True) -> str:
    """Evaluate every configuration of `run_file` on its suite and, unless told not to, publish; returns the suite's id.

    Raises:
        InputError, RunError, BudgetReached, Interrupted: see `schemas.errors`; whatever was bought by then is stored.
    """
    loaded = load_run(Path(run_file))
    with opened(store_for(loaded.run.store, store)) as place, workers(loaded.run.runner):
        scope = prepare(loaded, place, retry_errors=retry_errors)
        cards(scope.suite.dimensions, scope.judges)  # a judge that cannot be had is found out before anything is bought
        async with engines():
            for stage in INPUTS:
                await run_stage(stage, scope, wanted_units(scope))
        if publishing:
            asyncio.get_running_loop().run_in_executor(None, preload)  # seconds of work, done while the models are waited for
        evaluation = evaluations.begin(scope, command)
        status, failure = "failed", None
        try:
            failure = await buy(scope, evaluation["evaluation_id"]) or missing_answers(scope)
            await score(scope)
            status = "failed" if failure else "finished"
        except BudgetReached:
            status = "budget"
            raise
        except Interrupted:
            status = "interrupted"
            raise
        finally:
            evaluations.end(place, evaluation, status)
        if publishing:
            from flows.publish import publish

            await publish(place.address)
            await show_scores(place, scope.suite_id)
    if failure:
        raise failure
    return scope.suite_id


async def buy(scope: Scope, evaluation_id: str) -> Unavailable | None:
    """Have every wanted generation. Perturbed prompts may be wanted only once a run was found correct, so answers are read between.

    Returns why a model could not be had, where one could not: the others are still scored and published, it stays incomplete.
    """
    failure = None
    async with engines():
        for _ in range(2 if scope.suite.perturb == "if_primary_correct" else 1):
            units = wanted_units(scope)
            evaluations.want(scope, evaluation_id, units)
            try:
                await run_stage(GENERATIONS, scope, units)
            except Unavailable as error:
                failure = error
            await run_stage(EVIDENCE["answers"], scope, units)
    return failure


def missing_answers(scope: Scope) -> Unavailable | None:
    """What to tell when answers are still missing: how many, and why. Permanent failures are evidence, not missing."""
    units, unworded = wanted_units(scope), rewordings.waiting(scope)
    if unworded:
        return Unavailable(
            f"{len(unworded)} rewordings of llm_paraphrase are missing; what is there is stored and counts as incomplete; run the same command again"
        )
    names = {name for shard in GENERATIONS.plan(scope, units) for name in shard["ids"]}
    if not names:
        return None
    failed = scope.store.newest("generations").filter(pl.col("generation_id").is_in(list(names))).collect()
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(Counter(failed["reason"]).items()))
    told = f"{len(names)} of {units.height} answers are missing ({reasons or 'not asked before the deadline'})"
    return Unavailable(f"{told}; what is there is stored and counts as incomplete; run the same command again")


async def score(scope: Scope) -> None:
    """Have the evidence of every wanted dimension, and let the suite's marts read the configured scorers."""
    units = wanted_units(scope)
    for stage in evidence_for(scope.suite.dimensions):
        await run_stage(stage, scope, units)
    evaluations.activate(scope.store, [scope.suite_id], cards(scope.suite.dimensions, scope.judges))


def outstanding(scope: Scope, *, publishing: bool = True) -> bool:
    """Whether there is anything to buy, score, switch to or, where wanted, publish for `scope`. Makes no request and starts nothing."""
    stands = evaluations.stands(scope, cards(scope.suite.dimensions, scope.judges))
    return not stands or (publishing and not is_current(scope.store)) or unfinished(scope)


def unfinished(scope: Scope) -> bool:
    """Whether there is anything to buy or score for `scope`, published or not. Makes no request and starts nothing."""
    if any(stage.plan(scope, wanted_units(scope)) for stage in INPUTS):
        return True
    units = wanted_units(scope)
    recorded = set(evaluations.stored_units(scope.store, [scope.suite_id])["generation_id"])
    if not set(units["generation_id"]) <= recorded:
        return True
    return any(stage.plan(scope, units) for stage in (GENERATIONS, *evidence_for(scope.suite.dimensions)))
