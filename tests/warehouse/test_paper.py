"""The paper's published relations as a check of definitions: verdicts on the correlations it prints, and its two stories in a simulated panel."""

from __future__ import annotations

import duckdb
import pytest

from tests.warehouse.worlds import PAPER_ITEMS, Ability, World, write
from warehouse.build import populate
from warehouse.relations import SQL, catalog
from warehouse.store import Store

PANEL = {
    "haiku": Ability(correct=0.88, contradiction=0.05, similarity=0.88, spread=2.5),
    # right nearly as often, but its steps contradict each other
    "deepseek": Ability(correct=0.85, contradiction=0.55, similarity=0.86, spread=0.4, stubborn=0),
    "gpt": Ability(correct=0.72, contradiction=0.05, similarity=0.87, spread=4, stubborn=0.6),
    "gemini": Ability(correct=0.70, contradiction=0.05, similarity=0.87, spread=4, stubborn=0.6),
    "llama": Ability(correct=0.68, contradiction=0.04, similarity=0.87, spread=4, stubborn=0.6),
    "qwen": Ability(correct=0.45, contradiction=0.30, similarity=0.80, spread=1),
    "phi": Ability(correct=0.40, contradiction=0.05, similarity=0.83, spread=1),
}


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    store = Store(tmp_path_factory.mktemp("paper")).open()
    write(store, World(PANEL, items=dict.fromkeys(PAPER_ITEMS, 250), seed=1))
    connection = duckdb.connect()
    populate(connection, store, replicates=200, only=["marts.rankings", "marts.ranking_inversions", "marts.profile_twins"])
    return connection


def verdict(r: float, spread: float) -> tuple[str, str, float, float]:
    """(paper's verdict, ours, Fisher interval) for a correlation over 28 observations of seven models whose bootstrap replicates lie in r +- spread."""
    with duckdb.connect() as connection:
        connection.execute((SQL / "macros.sql").read_text())
        connection.execute("create schema marts; create schema seeds; create table seeds.interval_tails as select 7 as n_clusters, 0.0041 as tail")
        key = "'paper' as protocol, 's' as suite_id, 'a' as dimension_a, 'b' as dimension_b"
        connection.execute(
            f"create table marts.correlations as select {key}, false as is_definitional, 28 as n, 7 as n_models, {r}::double as pearson, "
            f"fisher_low({r}, 28) as fisher_low, fisher_high({r}, 28) as fisher_high"
        )
        connection.execute(f"create table marts.correlation_replicates as select {key}, {r} + {spread} * (i - 500) / 500 as r from range(1001) as t (i)")
        connection.execute("create table marts.reliability (protocol varchar, suite_id varchar, dimension varchar, n bigint, reliability double)")
        for name, value in (("item_correlations", "item_r"), ("htmt", "htmt")):
            connection.execute(f"create table marts.{name} as select {key}, null::double as {value}")
        connection.execute(f"create table found as {catalog()['marts.discriminant_validity'].sql}")
        ((paper, ours, low, high),) = connection.execute("select paper_verdict, verdict, fisher_low, fisher_high from found").fetchall()
    return paper, ours, low, high


@pytest.mark.parametrize(
    ("r", "of_the_paper", "ours"),
    [(-0.172, "distinct", "undecided"), (0.783, "overlapping", "overlapping"), (0.787, "overlapping", "overlapping"), (0.040, "distinct", "distinct")],
)
def test_published_correlations_get_the_papers_verdict_and_the_honest_one(r: float, of_the_paper: str, ours: str) -> None:
    assert verdict(r, 0.1)[:2] == (of_the_paper, ours)


def test_fisher_interval_of_the_published_correctness_coherence_correlation() -> None:
    assert verdict(-0.172, 0.1)[2:] == pytest.approx((-0.51, 0.21), abs=0.006)


def test_the_wider_interval_decides() -> None:
    assert verdict(0.040, 0.6)[1] == "undecided"


def test_second_under_accuracy_priority_and_fifth_under_legal_compliance(panel: duckdb.DuckDBPyConnection) -> None:
    sql = "select scheme, rank from marts.rankings where protocol = 'paper' and weight_set = 'arxiv-v1' and configuration = 'deepseek'"
    ranks = dict(panel.execute(sql).fetchall())
    assert (ranks["accuracy_priority"], ranks["legal_compliance"]) == (2, 5)


def test_that_fall_is_a_supported_inversion(panel: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "select supported from marts.ranking_inversions where protocol = 'paper' and weight_set = 'arxiv-v1' and configuration_id_a = 'deepseek' "
        "and configuration_id_b = 'llama' and scheme_a = 'accuracy_priority' and scheme_b = 'legal_compliance'"
    )
    assert panel.execute(sql).fetchall() == [(True,)]


def test_equal_balanced_scores_with_different_profiles_are_twins(panel: duckdb.DuckDBPyConnection) -> None:
    ours = "protocol = 'paper' and weight_set = 'arxiv-v1' and scheme = 'balanced'"
    sql = f"select quality_difference, dimension_difference from marts.profile_twins where {ours}"
    twins = panel.execute(sql).fetchall()
    assert twins
    assert all(abs(quality) < 0.02 and abs(dimension) > abs(quality) for quality, dimension in twins)


@pytest.mark.parametrize(
    ("weight_set", "scheme", "weights"),
    [
        ("arxiv-v1", "legal_compliance", (0.15, 0.25, 0.20, 0.35, 0.03, 0.02)),
        ("arxiv-v1", "accuracy_priority", (0.40, 0.25, 0.15, 0.10, 0.05, 0.05)),
        ("journal", "accuracy_priority", (0.50, 0.10, 0.15, 0.15, 0.05, 0.05)),
        ("journal", "safety_priority", (0.30, 0.05, 0.30, 0.25, 0.05, 0.05)),
        ("journal", "edge_device_iot", (0.30, 0.03, 0.10, 0.05, 0.50, 0.02)),
    ],
)
def test_q_is_the_published_weights_times_the_scores(panel: duckdb.DuckDBPyConnection, weight_set: str, scheme: str, weights: tuple[float, ...]) -> None:
    dimensions = ("correctness", "consistency", "robustness", "coherence", "efficiency", "stability")
    sql = "select configuration_id, dimension, value from marts.dimension_scores where protocol = 'paper' and dataset = 'all'"
    scores = {(c, d): v for c, d, v in panel.execute(sql).fetchall()}
    sql = "select configuration_id, value from marts.quality_scores where protocol = 'paper' and weight_set = ? and scheme = ?"
    for configuration, quality in panel.execute(sql, [weight_set, scheme]).fetchall():
        assert quality == pytest.approx(sum(w * scores[configuration, d] for w, d in zip(weights, dimensions, strict=True)), abs=1e-9)
