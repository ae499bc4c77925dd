"""Which stored generations a backfill covers, and with which judge."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from pydantic import Field

from schemas.config import Frozen, Judges
from schemas.errors import InputError, UnknownName
from schemas.keys import digest
from tasks.scope import now
from warehouse.store import Store

JUDGE_OF = {"coherence": "nli", "stability": "bertscore"}
"""Dimensions that a judge of the run file reads, and its key there."""


class Selection(Frozen):
    """Options of a backfill; the defaults cover every stored generation with the run file's scorers."""

    since: str | None = Field(None, description="only answers bought since this date or time (ISO 8601, UTC where no zone is said)")
    models: list[str] = Field([], description="only these: names of configurations or models, or the first digits of a configuration's id")
    datasets: list[str] = Field([], description="only these datasets")
    scorer: str | None = Field(None, description="judge instead of the run file's (coherence, stability): embedded, hub id or path")
    again: bool = Field(False, description="score anew what is scored already")


def judges_for(dimension: str, judges: Judges, scorer: str | None) -> Judges:
    """The run file's judges with `scorer` in the place that `dimension` reads.

    Raises:
        InputError: no judge reads this dimension.
    """
    if scorer is None:
        return judges
    if dimension not in JUDGE_OF:
        raise InputError(f"no judge reads {dimension}; --scorer goes with {' or '.join(JUDGE_OF)}")
    key = JUDGE_OF[dimension]
    return judges.model_copy(update={key: scorer, f"{key}_revision": None})


def selected(units: pl.DataFrame, store: Store, choice: Selection) -> pl.DataFrame:
    """The rows of `units` that `choice` covers.

    Raises:
        UnknownName: a model or dataset of which nothing is stored; InputError: `since` is no date.
    """
    if choice.datasets:
        _all_known("dataset", choice.datasets, units["dataset"].unique().to_list())
        units = units.filter(pl.col("dataset").is_in(choice.datasets))
    if choice.models:
        units = units.filter(pl.col("configuration_id").is_in(_configurations(store, choice.models)))
    if choice.since is not None:
        bought = store.newest("generations").filter(pl.col("started_at") >= _moment(choice.since)).select("generation_id").collect()
        units = units.join(bought, on="generation_id", how="semi")
    return units


def _configurations(store: Store, names: list[str]) -> list[str]:
    models = store.newest("model_versions").select("model_version_id", "model")
    rows = store.newest("configurations").join(models, on="model_version_id").select("configuration_id", "configuration", "model").collect().rows()
    _all_known("model", [n for n in names if not any(key.startswith(n) for key, _, _ in rows)], {n for _, *both in rows for n in both})
    return [key for key, *both in rows if any(n in both or key.startswith(n) for n in names)]


def _all_known(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = set(known)
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known)


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"--since {text!r} is no date or time; write 2026-11-30 or 2026-11-30T02:00") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _mark(store: Store, dimension: str, judges: Judges, choice: Selection) -> Path:
    return store.root / "again" / f"{digest(dimension, judges.model_dump(), choice.model_dump())}.json"


def begun_again(store: Store, dimension: str, judges: Judges, choice: Selection) -> datetime | None:
    """When this backfill began to score anew: now, or the start of the same one that did not end. None where it does not score anew."""
    if not choice.again:
        return None
    path = _mark(store, dimension, judges, choice)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        temporary.write_text(json.dumps(now().isoformat()))
        temporary.replace(path)
    return datetime.fromisoformat(json.loads(path.read_text()))


def ended_again(store: Store, dimension: str, judges: Judges, choice: Selection) -> None:
    """Forget that this backfill was scoring anew: it is done."""
    _mark(store, dimension, judges, choice).unlink(missing_ok=True)
