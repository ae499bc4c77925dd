"""Letting old evidence go: whole configurations, by age or by version, never one that a published comparison needs.

Files are rewritten without the rows that go: the new file is there before the old one is removed, so a stop in between loses nothing and the
same command goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

from schemas.errors import InputError, UnknownName
from warehouse.store import Store

BY_GENERATION = ("answers", "traces", "step_pairs", "equations")


@dataclass(frozen=True)
class Candidate:
    """One configuration that could go."""

    configuration_id: str
    configuration: str
    version: str
    newest_answer: datetime | None


@dataclass(frozen=True)
class Pruning:
    """What goes: configurations, rows per table, bytes of the files that are rewritten."""

    configurations: tuple[Candidate, ...]
    rows: dict[str, int]
    bytes: int


def candidates(store: Store, *, older_than_days: float | None = None, versions: Sequence[str] = (), at: datetime | None = None) -> list[Candidate]:
    """Configurations whose newest answer is older than that, or whose model version is named (resolved version, model name or first digits of an id).

    Raises:
        InputError: neither is given. UnknownName: no such version.
    """
    if older_than_days is None and not versions:
        raise InputError("say what may go: --older-than DAYS, --version NAME, or both")
    models = store.newest("model_versions").select("model_version_id", "model", "resolved_version")
    answers = store.newest("generations").group_by("configuration_id").agg(newest_answer=pl.col("started_at").max())
    joined = store.newest("configurations").join(models, on="model_version_id", how="left").join(answers, on="configuration_id", how="left").collect()
    found = []
    known = set(joined["resolved_version"].drop_nulls()) | set(joined["model"].drop_nulls())
    for name in versions:
        if not joined.filter(_named(name)).height:
            raise UnknownName("version", name, known)
    line = (at or datetime.now(UTC)) - timedelta(days=older_than_days) if older_than_days is not None else None
    for row in joined.sort("configuration", "configuration_id").iter_rows(named=True):
        old = line is None or (row["newest_answer"] is not None and row["newest_answer"] < line)
        meant = not versions or any(joined.filter(_named(name), pl.col("configuration_id") == row["configuration_id"]).height for name in versions)
        if old and meant:
            found.append(Candidate(row["configuration_id"], row["configuration"], row["resolved_version"] or "unknown", row["newest_answer"]))
    return found


def _named(name: str) -> pl.Expr:
    starts = pl.col("model_version_id").str.starts_with(name) if len(name) >= 4 else pl.lit(value=False)
    return (pl.col("resolved_version") == name) | (pl.col("model") == name) | starts


def needed(store: Store, going: Iterable[Candidate]) -> list[str]:
    """Why some of `going` must stay: one line per configuration that a kept one was compared with as its predecessor."""
    leaving = {candidate.configuration_id: candidate for candidate in going}
    configurations = store.newest("configurations").collect()
    predecessors = dict(store.newest("model_versions").select("model_version_id", "predecessor").collect().iter_rows())
    lines = []
    for kept in configurations.filter(~pl.col("configuration_id").is_in(list(leaving))).iter_rows(named=True):
        former = predecessors.get(kept["model_version_id"])
        if former is None:
            continue
        same = configurations.filter(
            pl.col("configuration_id").is_in(list(leaving)),
            pl.col("model_version_id") == former,
            pl.col("template_digest") == kept["template_digest"],
            pl.col("sampling") == kept["sampling"],
            pl.col("system_prompt").eq_missing(pl.lit(kept["system_prompt"], dtype=pl.String)),
        )
        for row in same.iter_rows(named=True):
            version = leaving[row["configuration_id"]].version
            lines.append(f"{row['configuration']} ({version}) is the predecessor that {kept['configuration']} was compared with")
    return lines


def measure(store: Store, going: Sequence[Candidate]) -> Pruning:
    """What `apply` would remove; changes nothing."""
    rows: dict[str, int] = {}
    size = 0
    for table, path, keep in _affected(store, going):
        rows[table] = rows.get(table, 0) + pl.read_parquet(path).filter(~keep).height
        size += path.stat().st_size
    return Pruning(tuple(going), rows, size)


def apply(store: Store, going: Sequence[Candidate]) -> Pruning:
    """Remove the evidence of `going`. Hold the store's writer lock; publish after.

    Raises:
        InputError: a published comparison needs one of them.
    """
    reasons = needed(store, going)
    if reasons:
        raise InputError(f"refused: {'; '.join(reasons)}; prune the later version with it, or leave both")
    pruning = measure(store, going)
    for table, path, keep in list(_affected(store, going)):
        rest = pl.read_parquet(path).filter(keep)
        if rest.height:
            store.write(table, rest)
        store.remove(path)
    return pruning


def _affected(store: Store, going: Sequence[Candidate]) -> list[tuple[str, Path, pl.Expr]]:
    """(table, file, rows to keep) of every file that holds evidence of `going`; unit scores before the generations that name them."""
    configurations = [candidate.configuration_id for candidate in going]
    mine = store.scan("generations").filter(pl.col("configuration_id").is_in(configurations)).select("generation_id").collect()["generation_id"].to_list()
    wanted = (
        store.scan("evaluation_units").filter(pl.col("configuration_id").is_in(configurations)).select("generation_id").collect()["generation_id"].to_list()
    )
    tables = [(table, "generation_id", list({*mine, *wanted})) for table in BY_GENERATION]
    tables += [(table, "configuration_id", configurations) for table in ("trace_pairs", "attempts", "generations", "evaluation_units", "configurations")]
    found = []
    for table, key, values in tables:
        gone = pl.col(key).is_in(values)
        for path in store.files(table):
            if pl.scan_parquet(path).filter(gone).select(pl.len()).collect().item():
                found.append((table, path, ~gone))
    return found
