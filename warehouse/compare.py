"""Two configurations against each other on the items both were asked: the mart's own SQL over a warehouse of two.

The sides may be of one suite, of two suites (then the shared items count), or of two files (last night's and tonight's). What the sides share is
copied into a database in memory; `marts.comparisons` and all it reads are built there by the same files that build the published warehouse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from schemas.errors import EvidenceLacking, UnknownName
from schemas.records import DIMENSIONS
from warehouse.pairing import build_pair, copy_side, keep_same_scorers, keep_shared
from warehouse.relations import create_macros
from warehouse.sides import Side

MARGIN = 0.02
REPLICATES = 1000
LEAST_COVERAGE = 0.98


@dataclass(frozen=True)
class Difference:
    """Candidate minus baseline in one dimension; `reason` tells why there is no difference, interval or verdict."""

    dimension: str
    baseline: float | None
    candidate: float | None
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    ci90_low: float | None
    p: float | None
    p_holm: float | None
    minimal_detectable: float | None
    n_items: int | None
    """Items both sides have a value for."""
    coverage: float | None
    """The lesser share of units that were measured."""
    verdict: str
    """regressed, improved, equivalent, undecided or missing."""
    reason: str | None


@dataclass(frozen=True)
class Comparison:
    """Six differences over `n_items` shared items; `n_lost` and `n_won` count the primary runs that only the baseline, only the candidate got right."""

    baseline: Side
    candidate: Side
    protocol: str
    margin: float
    n_items: int
    n_items_baseline: int
    n_items_candidate: int
    n_lost: int | None
    n_won: int | None
    differences: tuple[Difference, ...]


def compare(baseline: Side, candidate: Side, *, protocol: str = "paper", margin: float = MARGIN, replicates: int = REPLICATES) -> Comparison:
    """Compare on shared items, paired: differences, intervals, Holm over the six, verdicts.

    Raises:
        UnknownName: no such protocol.
        EvidenceLacking: no shared item.
    """
    if protocol not in ("paper", "strict"):
        raise UnknownName("protocol", protocol, ("paper", "strict"))
    with duckdb.connect() as connection:
        connection.execute("set enable_progress_bar = false; set timezone = 'UTC'")
        create_macros(connection, replicates)
        connection.execute(f"create or replace macro margin() as {float(margin)!r}")
        asked = [copy_side(connection, side, place, protocol) for side, place in ((baseline, "baseline"), (candidate, "candidate"))]
        shared = keep_shared(connection)
        if not shared:
            raise EvidenceLacking(f"{baseline.name} and {candidate.name} share no item: nothing to compare")
        keep_same_scorers(connection)
        build_pair(connection)
        return _read(connection, baseline, candidate, protocol, margin, (shared, *asked))


def _read(connection: duckdb.DuckDBPyConnection, baseline: Side, candidate: Side, protocol: str, margin: float, items: Sequence[int]) -> Comparison:
    result = connection.execute(
        """
        select comparisons.*, coverage.coverage
        from marts.comparisons as comparisons
        left join (
            select dimension, min(n_scored / nullif(n - n_not_applicable, 0)) as coverage from marts.unit_counts where dataset = 'all' group by all
        ) as coverage using (dimension)
        where configuration_id_a = 'baseline' and configuration_id_b = 'candidate'
        """
    )
    names = [column[0] for column in result.description or ()]
    found = {row["dimension"]: row for row in (dict(zip(names, values, strict=True)) for values in result.fetchall())}
    primary = found.get("correctness", {})
    points = connection.execute("select dimension, configuration_id, value from marts.replicates where dataset = 'all' and replicate = 0").fetchall()
    values = {(dimension, place): value for dimension, place, value in points}
    rows = tuple(_difference(name, values, found.get(name, {})) for name in DIMENSIONS)
    shared, asked_baseline, asked_candidate = items
    told: dict[str, Any] = {
        "n_lost": primary.get("n_lost"),
        "n_won": primary.get("n_won"),
        "n_items_baseline": asked_baseline,
        "n_items_candidate": asked_candidate,
    }
    return Comparison(baseline, candidate, protocol, margin, shared, differences=rows, **told)


def _difference(dimension: str, values: dict[tuple[str, str], float | None], row: dict[str, Any]) -> Difference:
    measured = row.get("difference") is not None
    reason, verdict = (row.get("reason"), row.get("verdict")) if row else ("different_scorers_or_not_measured", None)
    if measured and (row["coverage"] or 0) < LEAST_COVERAGE:
        # what is missing may be what it would have got right
        reason, verdict = "coverage_below_98_percent", "undecided"
    columns = ("difference", "ci_low", "ci_high", "ci90_low", "p", "p_holm", "minimal_detectable", "coverage")
    told: dict[str, Any] = {name: row.get(name) for name in columns}
    sides = {side: values.get((dimension, side)) for side in ("baseline", "candidate")}
    return Difference(dimension, **sides, **told, n_items=row.get("n_shared"), verdict=str(verdict) if measured else "missing", reason=reason)
