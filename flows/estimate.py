"""What an evaluation would buy: requests, tokens and dollars, before anything is bought."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass

import polars as pl
from rich.console import Console
from rich.table import Table

from schemas.errors import UnknownName
from schemas.records import ORIGINAL, REWRITING
from tasks import prompts, rewordings
from tasks.engine.budget import halved
from tasks.generations import kept
from tasks.identities import Identity
from tasks.scope import Scope, wanted_units
from tasks.stages import evidence_for

CHARACTERS_PER_TOKEN = 4
"""For inputs of a model of which nothing is stored."""


@dataclass(frozen=True)
class Purchase:
    """One configuration's share. Tokens and USD are estimates; `basis` says from what. USD is None where the model file has no prices."""

    configuration: str
    requests: int
    of_them_not_planned_yet: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    basis: str


@dataclass(frozen=True)
class Estimate:
    """A dry run. `scoring` counts the shards of evidence that stored generations still lack."""

    suite_id: str
    items: int
    purchases: tuple[Purchase, ...]
    prompts_to_plan: int
    scoring: dict[str, int]


def estimate(scope: Scope) -> Estimate:
    """Plan by anti-join without doing anything. Prompts not planned yet count as one request each: an upper bound, the gate may reject some."""
    units = wanted_units(scope)
    stored = scope.store.newest("generations").filter(pl.col("status").is_in(kept(scope))).select("generation_id").collect()
    lacking = units.join(stored, on="generation_id", how="anti")
    planned = scope.store.newest("prompts").filter(pl.col("seed") == scope.suite.seed).select("item_id", "operator", "template_digest").collect()
    to_plan = sum(len(shard["ids"]) for shard in prompts.STAGE.plan(scope, units))
    purchases = tuple(_purchase(scope, identity, lacking, planned) for identity in scope.identities)
    if scope.rewriter is not None:
        purchases += (_priced(scope, scope.rewriter, len(rewordings.waiting(scope)), 0),)
    scoring = {stage.table: len(stage.plan(scope, units)) for stage in evidence_for(scope.suite.dimensions)}
    return Estimate(scope.suite_id, len(scope.items), purchases, to_plan, scoring)


def _purchase(scope: Scope, identity: Identity, lacking: pl.DataFrame, planned: pl.DataFrame) -> Purchase:
    known = lacking.filter(pl.col("configuration_id") == identity.configuration_id).height
    mine = set(planned.filter(pl.col("template_digest") == identity.template_digest).select("item_id", "operator").iter_rows())
    runs = {ORIGINAL: scope.suite.runs, **dict.fromkeys(scope.suite.operators, 1)}
    unplanned = sum(count for item in scope.item_ids for operator, count in runs.items() if (item, operator) not in mine)
    return _priced(scope, identity, known + unplanned, unplanned)


def _priced(scope: Scope, identity: Identity, requests: int, unplanned: int) -> Purchase:
    per_input, per_output, basis = _tokens_each(scope, identity, rewords=identity is scope.rewriter)
    tokens = round(requests * per_input), round(requests * per_output)
    model = identity.loaded.model
    prices = halved(model.prices) if model.mode == "batch" else model.prices
    usd = None if prices is None else (tokens[0] * prices.input + tokens[1] * prices.output) / 1e6
    return Purchase(identity.name, requests, unplanned, *tokens, usd, basis)


def _tokens_each(scope: Scope, identity: Identity, *, rewords: bool) -> tuple[float, float, str]:
    """Mean input and output tokens of one request, from the closest stored evidence; a rewording is none for an answer, nor the other way round."""
    like = (pl.col("operator") == REWRITING) == rewords
    answered = scope.store.newest("generations").filter(pl.col("status") == "answered", pl.col("output_tokens").is_not_null(), like)
    configurations = scope.store.newest("configurations").filter(pl.col("model_version_id") == identity.model_version_id).select("configuration_id")
    same_model = answered.join(configurations, on="configuration_id", how="semi")
    mine = same_model.filter(pl.col("configuration_id") == identity.configuration_id)
    for basis, rows in (("stored answers of this configuration", mine), ("stored answers of this model", same_model)):
        means = rows.select(pl.col("input_tokens").mean(), pl.col("output_tokens").mean()).collect().row(0)
        if means[1] is not None:
            return means[0] or 0.0, means[1], basis
    questions = [len(item.question) + sum(map(len, item.choices)) for item in scope.items]
    before = rewordings.INSTRUCTION if rewords else identity.loaded.configuration.system_prompt or ""
    mean = sum(questions) / len(questions) + len(before)
    return mean / CHARACTERS_PER_TOKEN, identity.loaded.configuration.sampling.max_tokens, "text length and max_tokens: an upper bound"


def render(found: Estimate, form: str) -> str:
    """The estimate as text.

    Raises:
        UnknownName: `form` is neither table nor json.
    """
    if form == "json":
        return json.dumps(asdict(found), indent=2)
    if form != "table":
        raise UnknownName("format", form, ("table", "json"))
    table = Table("configuration", "requests", "not planned yet", "input tokens", "output tokens", "USD", "estimated from")
    for row in found.purchases:
        usd = "no prices" if row.usd is None else f"{row.usd:.4f}"
        table.add_row(
            row.configuration, f"{row.requests:,}", f"{row.of_them_not_planned_yet:,}", f"{row.input_tokens:,}", f"{row.output_tokens:,}", usd, row.basis
        )
    out = io.StringIO()
    console = Console(file=out, width=None if out.isatty() else 140)
    console.print(table)
    pending = ", ".join(f"{name} {count}" for name, count in found.scoring.items() if count) or "none"
    total = sum(row.requests for row in found.purchases)
    console.print(f"suite {found.suite_id[:12]}: {found.items} items; {total:,} requests; prompts of items still to be made: {found.prompts_to_plan}")
    console.print(f"scoring shards over stored answers: {pending}")
    return out.getvalue().rstrip()
