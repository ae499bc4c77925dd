"""Simulation with known truth, run by hand: python -m tests.benchmarks.simulate --worlds 200 --batch 10

Seeded evidence of seven configurations x 975 items per world; worlds of a batch are suites of one build. Prints how often 95 % intervals cover the
truth, how often a true inversion of .06 is supported, how often a pair of equal truth is, and how often equal configurations are called `regressed`.
Truth comes from a world of 60,000 items per dataset, scored here in numpy and not by the SQL layer.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from tests.warehouse import worlds
from tests.warehouse.worlds import PAPER_ITEMS, Ability, World, write
from warehouse.build import populate
from warehouse.store import Store

TWIN = Ability(correct=0.70, contradiction=0.15, tokens=160, similarity=0.84)
ABILITIES = {
    "a": Ability(correct=0.55, contradiction=0.10, tokens=120, similarity=0.80, retention=0.9),
    "b": Ability(correct=0.62, contradiction=0.12, tokens=140, similarity=0.82),
    "twin1": TWIN,
    "twin2": TWIN,
    # an inversion: right more often, less coherent; the schemes below weigh one or the other
    "right": Ability(correct=0.78, contradiction=0.30, tokens=180, similarity=0.85, false_equation=0.1),
    "sound": Ability(correct=0.70, contradiction=0.10, tokens=180, similarity=0.85, false_equation=0.1),
    "best": Ability(correct=0.85, contradiction=0.08, tokens=200, similarity=0.88),
}
WANTED = ("marts.dimension_scores", "marts.ranking_inversions", "marts.comparisons")


def schemes(truths: dict[tuple[str, str, str], float]) -> tuple[tuple[str, str, float], ...]:
    """Two schemes of correctness and coherence under which `right` and `sound` differ by +.06 and -.06 (paper protocol)."""
    gain = truths["paper", "right", "correctness"] - truths["paper", "sound", "correctness"]
    loss = truths["paper", "sound", "coherence"] - truths["paper", "right", "coherence"]
    found = []
    for name, target in (("answers", 0.06), ("steps", -0.06)):
        weight = (target + loss) / (gain + loss)
        found += [(name, "correctness", weight), (name, "coherence", 1 - weight)]
    return tuple(found)


def truth(ability: Ability, seed: int) -> dict[tuple[str, str], float]:
    """Expected scores of one configuration, from a huge world."""
    rng = np.random.default_rng(seed)
    world = World({"x": ability}, items=dict.fromkeys(PAPER_ITEMS, 15000), suite="truth")
    items = worlds._items(world)
    frames = worlds._evidence(world, "x", ability, items, rng.normal(size=len(items)), rng)
    answers = frames["answers"].sort("item_id", "operator", "run_index")
    original = answers.filter(pl.col("operator") == "original")
    correct = original["correct"].to_numpy().reshape(-1, 3)
    labels = original["canonical"].to_numpy().reshape(-1, 3)
    perturbed = answers.filter(pl.col("operator") != "original")["correct"].to_numpy().reshape(-1, 3)
    agreement = np.mean([labels[:, i] == labels[:, j] for i, j in ((0, 1), (0, 2), (1, 2))], axis=0)
    chance = np.mean([_chance(labels[(start := d * 15000) : start + 15000]) for d in range(4)])
    n = correct.sum(axis=1)
    traces = frames["traces"].select("generation_id", "n_steps", "run_index")
    pairs = frames["step_pairs"].group_by("generation_id").agg(bad=(pl.col("label") == "contradiction").sum(), n=pl.len())
    primary = traces.filter(pl.col("run_index") == 0).join(pairs, on="generation_id", how="left").fill_null(0)
    coherence = np.where(primary["n"] > 0, 1 - primary["bad"] / np.maximum(primary["n"], 1), 1.0)
    equations = frames["equations"]
    within = frames["trace_pairs"].filter(pl.col("kind") == "within")["f1"].mean()
    null = frames["trace_pairs"].filter(pl.col("kind") == "null")["f1"].mean()
    tokens = np.minimum(1, original.filter(pl.col("run_index") == 0)["output_tokens"].to_numpy() / 512)
    strict_tokens = np.where(correct[:, 0], 2 * (1 - tokens) / (2 - tokens), 0)
    rerun = (n * (n - 1)).sum() / (2 * n).sum()
    retained = (n * perturbed.sum(axis=1)).sum() / (3 * n).sum()
    return {
        ("paper", "correctness"): correct[:, 0].mean(),
        ("strict", "correctness"): correct.mean(),
        ("paper", "consistency"): agreement.mean(),
        ("strict", "consistency"): (agreement.mean() - chance) / (1 - chance),
        ("paper", "robustness"): perturbed[correct[:, 0]].mean(),
        ("strict", "robustness"): retained / rerun,
        ("paper", "coherence"): coherence.mean(),
        ("strict", "coherence"): (1 - ability.contradiction) * (1 - equations["n_false"].sum() / equations["n_equations"].sum()),
        ("strict", "efficiency"): strict_tokens.mean(),
        ("paper", "stability"): within,
        ("strict", "stability"): (within - null) / (1 - null),
    }


def _chance(labels: np.ndarray) -> float:
    counts = pl.Series(labels.reshape(-1)).value_counts()["count"].to_numpy().astype(float)
    return float(((counts / counts.sum()) ** 2).sum())


def batch(store: Store, seeds: range, own_schemes: tuple[tuple[str, str, float], ...]) -> dict[str, pl.DataFrame]:
    """Build one batch of worlds and read what is counted."""
    for seed in seeds:
        write(store, World(ABILITIES, seed=1000 + seed, suite=f"s{seed}", prefix=f"s{seed}-", random_calibration=True, schemes=own_schemes))
    with duckdb.connect() as connection:
        populate(connection, store, only=WANTED)
        return {
            "scores": connection.sql("select * from marts.dimension_scores where dataset = 'all'").pl(),
            "inversions": connection.sql("select * from marts.ranking_inversions where weight_set = 'user'").pl(),
            "comparisons": connection.sql("select * from marts.comparisons").pl(),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    truths = {(protocol, name, dimension): value for name, a in ABILITIES.items() for (protocol, dimension), value in truth(a, 7).items()}
    own = schemes(truths)
    print("schemes:", own)
    found: dict[str, list[pl.DataFrame]] = {}
    for first in range(arguments.first, arguments.first + arguments.worlds, arguments.batch):
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            for name, frame in batch(Store(Path(folder)).open(), range(first, first + arguments.batch), own).items():
                found.setdefault(name, []).append(frame)
        print(f"worlds {first}..{first + arguments.batch - 1}: {time.monotonic() - started:.0f} s", flush=True)
        report({name: pl.concat(frames) for name, frames in found.items()}, truths)


def report(found: dict[str, pl.DataFrame], truths: dict[tuple[str, str, str], float]) -> None:
    """Print coverage, inversions and verdicts so far."""
    expected = pl.DataFrame(
        [(*key, float(value)) for key, value in truths.items()], schema=["protocol", "configuration_id", "dimension", "truth"], orient="row"
    )
    scores = (
        found["scores"]
        .join(expected, on=["protocol", "configuration_id", "dimension"])
        .with_columns(covered=(pl.col("ci_low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("ci_high")), bias=pl.col("value") - pl.col("truth"))
    )
    covered = scores.group_by("protocol", "dimension").agg(
        n=pl.len(), covered=pl.col("covered").mean(), bias=pl.col("bias").mean(), error=pl.col("standard_error").mean()
    )
    n_worlds = found["scores"]["suite_id"].n_unique()
    inversions = found["inversions"].filter(pl.col("protocol") == "paper")
    true_pair = inversions.filter(pl.col("configuration_id_a").is_in(["right", "sound"]) & pl.col("configuration_id_b").is_in(["right", "sound"]))
    twins = inversions.filter(pl.col("configuration_id_a").str.starts_with("twin") & pl.col("configuration_id_b").str.starts_with("twin"))
    verdicts = found["comparisons"].filter(pl.col("configuration_id_a").str.starts_with("twin") & pl.col("configuration_id_b").str.starts_with("twin"))
    any_regressed = verdicts.group_by("protocol", "suite_id", "configuration_id_a").agg(bad=(pl.col("verdict") == "regressed").any())
    with pl.Config(tbl_rows=20, float_precision=4):
        print(covered.sort("protocol", "dimension"))
    print(f"true inversion of .06 supported: {true_pair['supported'].sum()} of {n_worlds}; equal pair supported: {twins['supported'].sum()} of {n_worlds}")
    print(
        "equal configurations called regressed in any dimension:",
        any_regressed.group_by("protocol").agg(pl.len(), pl.col("bad").mean()).sort("protocol").rows(),
    )
    print("equal configurations, verdicts:", verdicts.group_by("protocol", "verdict").len().sort("protocol", "verdict").rows(), flush=True)


if __name__ == "__main__":
    main()
