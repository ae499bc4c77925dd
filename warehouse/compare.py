"""Two configurations against each other on the items both were asked: the mart's own SQL over a warehouse of two.

The sides may be of one suite, of two suites (then the shared items count), or of two files (last night's and tonight's). What the sides share is
copied into a database in memory; `marts.comparisons` and all it reads are built there by the same files that build the published warehouse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from schemas.errors import EvidenceLacking, InputError, UnknownName
from schemas.records import DIMENSIONS
from warehouse.query import open_sealed
from warehouse.relations import SQL, ancestors, layer

MARGIN = 0.02
REPLICATES = 1000
LEAST_COVERAGE = 0.98
READS = {
    "correctness": ("answers",),
    "consistency": ("answers",),
    "robustness": ("answers",),
    "coherence": ("traces", "equations", "step_pairs"),
    "efficiency": ("answers",),
    "stability": ("trace_pairs",),
}
"""Stages whose scorer must be the same on both sides: different fingerprints are never mixed."""


@dataclass(frozen=True)
class Side:
    """One configuration's scores in one suite of one published file."""

    warehouse: Path
    suite_id: str
    configuration_id: str
    name: str


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


def find(warehouse: Path, name: str) -> str:
    """The configuration that `name` means: a display name, or the first digits of an id.

    Raises:
        UnknownName: none; InputError: several.
    """
    with open_sealed(warehouse) as connection:
        scored = "select distinct configuration_id, configuration from marts.dimension_scores order by all"
        known: list[tuple[str, str]] = connection.execute(scored).fetchall()
    exact = {key for key, shown in known if shown == name} or {key for key, _ in known if len(name) >= 4 and key.startswith(name)}
    if not exact:
        raise UnknownName("configuration", name, {shown for _, shown in known} | {key[:12] for key, _ in known})
    if len(exact) > 1:
        raise InputError(f"{name!r} names {len(exact)} configurations ({', '.join(sorted(key[:12] for key in exact))}); use the first digits of an id")
    return exact.pop()


def sides(warehouse: Path, baseline: str, candidate: str, suite_id: str | None = None) -> tuple[Side, Side]:
    """Both configurations in the newest suite they share, else each in its newest; `suite_id` is tried first.

    Raises:
        EvidenceLacking: one of them is in no suite.
    """
    with open_sealed(warehouse) as connection:
        rows = connection.execute(
            """
            select scores.configuration_id, scores.suite_id, any_value(scores.configuration)
            from marts.dimension_scores as scores
            inner join staging.stg_suites as suites using (suite_id)
            group by all
            order by any_value(suites.suite_id = ?) desc, max(suites.started_at) desc, scores.suite_id
            """,
            [suite_id or ""],
        ).fetchall()
    suites = {key: [suite for configuration, suite, _ in rows if configuration == key] for key in (baseline, candidate)}
    names = {configuration: name for configuration, _, name in rows}
    for key, found in suites.items():
        if not found:
            raise EvidenceLacking(f"configuration {key[:12]} has no scores in {warehouse}; evaluate it first")
    shared = next((suite for suite in suites[candidate] if suite in suites[baseline]), None)
    left, right = (Side(warehouse, shared or suites[key][0], key, names[key]) for key in (baseline, candidate))
    return left, right


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
        connection.execute((SQL / "macros.sql").read_text(encoding="utf-8"))
        connection.execute(f"create or replace macro replicate_count() as {int(replicates)}")
        connection.execute(f"create or replace macro margin() as {float(margin)!r}")
        asked = [_copied(connection, side, place, protocol) for side, place in ((baseline, "baseline"), (candidate, "candidate"))]
        shared = _shared(connection)
        if not shared:
            raise EvidenceLacking(f"{baseline.name} and {candidate.name} share no item: nothing to compare")
        _same_scorers_only(connection)
        _build(connection)
        return _read(connection, baseline, candidate, protocol, margin, (shared, *asked))


def _copied(connection: duckdb.DuckDBPyConnection, side: Side, place: str, protocol: str) -> int:
    """Copy one side's evidence into the pair under the name `place`; returns the number of its items."""
    path = str(side.warehouse).replace("'", "''")
    connection.execute(f"attach '{path}' as source (read_only)")
    if place == "baseline":
        for schema in ("staging", "dimensions", "marts", "seeds"):
            connection.execute(f"create schema {schema}")
        for (name,) in connection.execute("select table_name from duckdb_tables() where database_name = 'source' and schema_name = 'seeds'").fetchall():
            connection.execute(f'create table seeds."{name}" as from source.seeds."{name}"')
    mine = {"suite": side.suite_id, "configuration": side.configuration_id}
    kept = "suite_id = $suite and configuration_id = $configuration"
    named = f"* replace ('pair' as suite_id, '{place}' as configuration_id)"
    _append(
        connection,
        "dimensions.components",
        f"select {named} from source.dimensions.components where {kept} and protocol = $protocol",
        {**mine, "protocol": protocol},
    )
    _append(connection, "staging.stg_units", f"select {named} from source.staging.stg_units where {kept}", mine)
    configurations = f"select * replace ('{place}' as configuration_id) from source.staging.stg_configurations where configuration_id = $configuration"
    _append(connection, "staging.stg_configurations", configurations, {"configuration": side.configuration_id})
    of_suite = {"suite": side.suite_id}
    _append(
        connection,
        "staging.stg_active_scorers",
        f"select * replace ('{place}' as suite_id) from source.staging.stg_active_scorers where suite_id = $suite",
        of_suite,
    )
    if place == "baseline":
        rates = "select * replace ('pair' as suite_id) from source.staging.stg_judge_rates where suite_id = $suite"
        _append(connection, "staging.stg_judge_rates", rates, of_suite)
    connection.execute("detach source")
    return _count(connection, f"select count(distinct item_id) from staging.stg_units where configuration_id = '{place}'")


def _append(connection: duckdb.DuckDBPyConnection, relation: str, sql: str, parameters: dict[str, str]) -> None:
    """Add the rows of `sql` to a relation of the pair; of a file built by other definitions, the columns that both have."""
    schema, name = relation.split(".")
    listed = f"select column_name from duckdb_columns() where database_name = 'memory' and schema_name = '{schema}' and table_name = '{name}'"
    known = {column for (column,) in connection.execute(listed).fetchall()}
    if not known:
        connection.execute(f"create table {relation} as {sql}", parameters)
        return
    offered = [column[0] for column in connection.execute(f"select * from ({sql}) limit 0", parameters).description or ()]
    columns = ", ".join(f'"{column}"' for column in offered if column in known)
    connection.execute(f"insert into {relation} ({columns}) select {columns} from ({sql})", parameters)


def _shared(connection: duckdb.DuckDBPyConnection) -> int:
    """Leave only what both sides were asked; returns the number of shared items."""
    both = "select item_id from staging.stg_units group by item_id having count(distinct configuration_id) = 2"
    connection.execute(f"create temp table shared as {both}")
    for relation in ("staging.stg_units", "dimensions.components"):
        connection.execute(f"delete from {relation} where item_id not in (from shared)")
    return _count(connection, "select count(*) from shared")


def _same_scorers_only(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave out the dimensions whose evidence the sides' suites had scored by different scorers."""
    rows = connection.execute("select stage from staging.stg_active_scorers group by stage having count(distinct scorer) > 1 or count(*) = 1").fetchall()
    mixed = {stage for (stage,) in rows}
    for dimension, stages in READS.items():
        if mixed & set(stages):
            connection.execute("delete from dimensions.components where dimension = ?", [dimension])


def _build(connection: duckdb.DuckDBPyConnection) -> None:
    wanted = ancestors("marts.comparisons")
    for relation in layer("marts"):
        if relation.full_name in wanted:
            connection.execute(f"create table {relation.full_name} as {relation.sql}")


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
    reason = row.get("reason") if row else "different_scorers_or_not_measured"
    if measured and (row["coverage"] or 0) < LEAST_COVERAGE:
        reason = "coverage_below_98_percent"
    columns = ("difference", "ci_low", "ci_high", "ci90_low", "p", "p_holm", "minimal_detectable", "coverage")
    told: dict[str, Any] = {name: row.get(name) for name in columns}
    sides = {side: values.get((dimension, side)) for side in ("baseline", "candidate")}
    return Difference(dimension, **sides, **told, n_items=row.get("n_shared"), verdict=row["verdict"] if measured else "missing", reason=reason)


def _count(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    found = connection.execute(sql).fetchone()
    return int(found[0]) if found else 0
