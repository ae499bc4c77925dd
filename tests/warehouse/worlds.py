"""Synthetic evidence with known truth, written through the store: whole evaluations of many configurations, vectorised and seeded."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from schemas.tables import TABLES
from tests.warehouse.rows import RECORDED, fill
from warehouse.store import Store

OPERATORS = ("synonym", "reorder", "paraphrase")
PAPER_ITEMS = {"gsm8k": 250, "mmlu": 225, "strategyqa": 250, "synthetic": 250}
FALSE_ALARM, DETECTION = 0.05, 0.85
STAGES = ("answers", "traces", "step_pairs", "equations", "trace_pairs")


@dataclass(frozen=True)
class Ability:
    """What a configuration is: its true rates. `spread` is the standard deviation of item difficulty on the logit scale."""

    correct: float = 0.7
    stubborn: float = 0.3
    """Chance that a wrong run gives the item's favourite wrong answer."""
    retention: float = 0.95
    contradiction: float = 0.1
    false_equation: float = 0.05
    tokens: float = 150
    similarity: float = 0.85
    errors: float = 0.0
    spread: float = 1.5


@dataclass(frozen=True)
class World:
    """One suite with its configurations."""

    abilities: dict[str, Ability]
    items: dict[str, int] = field(default_factory=lambda: dict(PAPER_ITEMS))
    runs: int = 3
    seed: int = 0
    suite: str = "suite"
    templates: int = 0
    """Items of 'synthetic' share this many templates; 0: each its own cluster."""
    schemes: tuple[tuple[str, str, float], ...] = ()
    """Own schemes: (scheme, dimension, weight)."""
    prefix: str = ""
    """Before each item id: worlds with the same prefix share their items."""
    random_calibration: bool = False
    """Draw the judge's calibration counts instead of fixing them at their expectation (10 and 170 of 200)."""


def write(store: Store, world: World) -> None:
    """Write all raw tables of `world` into `store`."""
    rng = np.random.default_rng(world.seed)
    items = _items(world)
    store.write("items", items)
    for name, rows in _cards(world, rng).items():
        store.write(name, fill(name, rows))
    difficulty = rng.normal(size=len(items))
    for name, ability in world.abilities.items():
        for table, frame in _evidence(world, name, ability, items, difficulty, rng).items():
            store.write(table, _complete(table, frame))


def _items(world: World) -> pl.DataFrame:
    rows = []
    for dataset, count in world.items.items():
        for i in range(count):
            item = f"{world.prefix}{dataset}-{i:05d}"
            kind = {"mmlu": "choice", "strategyqa": "boolean"}.get(dataset, "number")
            cluster = f"{world.prefix}template-{i % world.templates}" if dataset == "synthetic" and world.templates else item
            subject = f"subject-{i % 9}" if dataset == "mmlu" else None
            rows.append({"item_id": item, "dataset": dataset, "source_id": str(i), "answer_type": kind, "gold": "g", "cluster": cluster, "subject": subject})
    return pl.DataFrame(fill("items", rows), schema=TABLES["items"].schema)


def _cards(world: World, rng: np.random.Generator) -> dict[str, list[dict[str, Any]]]:
    judge = f"judge-{world.suite}" if world.random_calibration else "judge"
    hits = (int(rng.binomial(200, FALSE_ALARM)), int(rng.binomial(200, DETECTION))) if world.random_calibration else (10, 170)
    configurations = [
        {"configuration_id": name, "configuration": name, "model_version_id": f"model-{name}", "template_digest": "template", "temperature": 0.7}
        for name in world.abilities
    ]
    calibrations = [
        {"scorer": judge, "pair_set": "gold", "role": role, "alteration": alteration, "pair_id": str(i), "cluster": str(i), "label": label}
        for role, alteration, n_hits in (("false_alarm", "none", hits[0]), ("detection", "negation", hits[1]))
        for i in range(200)
        for label in ["contradiction" if i < n_hits else "neutral"]
    ]
    return {
        "evaluations": [
            {
                "evaluation_id": f"evaluation-{world.suite}",
                "suite_id": world.suite,
                "runs": world.runs,
                "operators": list(OPERATORS),
                "seed": 42,
                "reference_tokens": 512,
                "configuration_ids": list(world.abilities),
            }
        ],
        "configurations": configurations,
        "model_versions": [{"model_version_id": f"model-{name}", "model": name} for name in world.abilities],
        "active_scorers": [{"suite_id": world.suite, "stage": stage, "scorer": _scorer(stage, world)} for stage in STAGES],
        "scorers": [{"scorer": _scorer(stage, world), "stage": stage, "name": stage, "parameters": _parameters(stage, judge)} for stage in STAGES]
        + [{"scorer": judge, "stage": "nli", "name": "judge"}],
        "schemes": [{"weight_set": "user", "scheme": scheme, "dimension": dimension, "weight": weight} for scheme, dimension, weight in world.schemes],
        "calibrations": calibrations,
    }


def _parameters(stage: str, judge: str) -> str:
    return json.dumps({"judge": judge} if stage == "step_pairs" else {})


def _scorer(stage: str, world: World) -> str:
    return f"{stage}-{world.suite}" if stage == "step_pairs" and world.random_calibration else stage


def _evidence(world: World, name: str, ability: Ability, items: pl.DataFrame, difficulty: np.ndarray, rng: np.random.Generator) -> dict[str, pl.DataFrame]:
    n, k, p = len(items), world.runs, len(OPERATORS)
    logit = np.log(ability.correct / (1 - ability.correct))
    chance = 1 / (1 + np.exp(-(logit * np.sqrt(1 + ability.spread**2 / 2.89) + ability.spread * difficulty)))
    correct = rng.random((n, k + p)) < chance[:, None]
    fresh = rng.random((n, p)) < chance[:, None] * ability.retention
    correct[:, k:] = fresh
    index = np.repeat(np.arange(n), k + p)
    slot = np.tile(np.arange(k + p), n)
    operators = np.array(["original"] * k + list(OPERATORS))[slot]
    run = np.where(slot < k, slot, 0)
    item_ids = items["item_id"].to_numpy()[index]
    flat = correct.reshape(-1)
    wrong = np.where(rng.random(flat.size) < ability.stubborn, "favourite", np.char.add("w", rng.integers(0, 40, flat.size).astype(str)))
    units = pl.DataFrame(
        {
            "generation_id": [f"{world.suite}|{name}|{i}|{o}|{r}" for i, o, r in zip(item_ids, operators, run, strict=True)],
            "item_id": item_ids,
            "prompt_id": [f"{i}|{o}" for i, o in zip(item_ids, operators, strict=True)],
            "operator": operators,
            "run_index": run,
            "dataset": items["dataset"].to_numpy()[index],
            "correct": flat,
            # golds differ by item, wrong answers too: chance agreement stays small
            "canonical": np.where(flat, np.char.add("g", (index % 50).astype(str)), np.char.add(wrong, (index % 50).astype(str))),
            "output_tokens": np.maximum(1, rng.gamma(4, ability.tokens / 4, flat.size)).astype(int),
            "failed": rng.random(flat.size) < ability.errors,
        }
    ).with_columns(configuration_id=pl.lit(name), status=pl.when("failed").then(pl.lit("error")).otherwise(pl.lit("answered")))
    good = units.filter(~pl.col("failed"))
    originals = good.filter(pl.col("operator") == "original")
    steps = rng.integers(1, 6, len(originals))
    pairs = originals.select("generation_id").with_columns(n=pl.Series(steps - 1)).filter(pl.col("n") > 0)
    pairs = pairs.with_columns(step_index=pl.int_ranges(2, pl.col("n") + 2)).explode("step_index")
    observed = FALSE_ALARM + ability.contradiction * (DETECTION - FALSE_ALARM)
    n_equations = rng.integers(0, 3, len(pairs))
    n_false = rng.binomial(n_equations, ability.false_equation)
    return {
        "evaluation_units": units.with_columns(evaluation_id=pl.lit(f"evaluation-{world.suite}"), suite_id=pl.lit(world.suite)),
        "generations": units.with_columns(text=pl.col("canonical"), reason=pl.when("failed").then(pl.lit("server_fault"))),
        "answers": good.with_columns(scorer=pl.lit("answers"), status=pl.lit("scored")),
        "traces": originals.with_columns(scorer=pl.lit("traces"), status=pl.lit("scored"), n_steps=pl.Series(steps)),
        "step_pairs": pairs.with_columns(
            scorer=pl.lit(_scorer("step_pairs", world)),
            kind=pl.lit("adjacent"),
            status=pl.lit("scored"),
            label=pl.Series(np.where(rng.random(len(pairs)) < observed, "contradiction", "neutral")),
        ),
        "equations": pairs.with_columns(
            scorer=pl.lit("equations"), n_equations=pl.Series(n_equations), n_false=pl.Series(n_false), n_true=pl.Series(n_equations - n_false)
        ),
        "trace_pairs": _trace_pairs(originals, ability, rng).with_columns(configuration_id=pl.lit(name), scorer=pl.lit("trace_pairs"), status=pl.lit("scored")),
    }


def _trace_pairs(originals: pl.DataFrame, ability: Ability, rng: np.random.Generator) -> pl.DataFrame:
    left = originals.select("item_id", "dataset", "run_index", a="generation_id")
    right = originals.select("item_id", other="run_index", b="generation_id")
    within = left.join(right, on="item_id").filter(pl.col("run_index") < pl.col("other")).with_columns(kind=pl.lit("within"), mean=pl.lit(ability.similarity))
    nulls = []
    for _, group in originals.filter(pl.col("run_index") == 0).group_by("dataset", maintain_order=True):
        ids = group["generation_id"].to_numpy()
        first, second = rng.integers(0, len(ids), 400), rng.integers(0, len(ids), 400)
        keep = first < second
        nulls.append(pl.DataFrame({"dataset": group["dataset"][0], "a": ids[first[keep]], "b": ids[second[keep]]}).unique(["a", "b"], maintain_order=True))
    null = pl.concat(nulls).with_columns(kind=pl.lit("null"), mean=pl.lit(0.67))
    both = pl.concat([within.select("dataset", "a", "b", "kind", "mean"), null.select("dataset", "a", "b", "kind", "mean")])
    noise = rng.normal(scale=0.05, size=len(both))
    return both.with_columns(
        generation_id_a=pl.min_horizontal("a", "b"),
        generation_id_b=pl.max_horizontal("a", "b"),
        draw=pl.Series([f"{x:012d}" for x in rng.integers(0, 10**12, len(both))]),
        f1=(pl.col("mean") + pl.Series(noise)).clip(0, 1),
    )


def _complete(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    default = fill(table, [{}])[0]
    columns = [
        pl.col(name).cast(kind) if name in frame.columns else pl.lit(RECORDED if name == "recorded_at" else default[name]).cast(kind).alias(name)
        for name, kind in TABLES[table].schema.items()
    ]
    return frame.select(columns)
