"""What a night found: each newly evaluated configuration against its predecessor, as alerts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from flows.alerts import Alert
from flows.nights import Night
from schemas.errors import EvidenceLacking
from tasks.identities import Identity, json_text, sampling_of
from warehouse.compare import Comparison, Difference, compare
from warehouse.sides import Side, sides
from warehouse.store import Store


def kept_aside(place: Store) -> Path | None:
    """A second name for the warehouse published last, to compare with after the next is swapped in; None where there is none."""
    if not place.warehouse.exists():
        return None
    aside = place.root / ".before_tonight.duckdb"
    aside.unlink(missing_ok=True)
    try:
        os.link(place.warehouse, aside)
    except OSError:  # a file system without hard links
        shutil.copyfile(place.warehouse, aside)
    return aside


def compared(night: Night, names: Sequence[str], before: Path | None, place: Store) -> list[Alert]:
    """One alert per configuration of `names`: how it stands against its predecessor, or that it has none."""
    link = f"report: {(place.root / 'report.html').as_uri()}"
    known = {identity.name: identity for identity in night.scope.identities}
    return [_finding(night, known[name], before, place, link) for name in names]


def _finding(night: Night, identity: Identity, before: Path | None, place: Store, link: str) -> Alert:
    about = Alert("unchanged", f"{identity.name}: evaluated", configuration=identity.name, configuration_id=identity.configuration_id, link=link)
    try:
        pair = _pair(night, identity, before, place)
        if pair is None:
            return replace(about, title=f"{about.title}; no predecessor with the same settings to compare it with")
        found = compare(*pair)
    except EvidenceLacking as error:
        return replace(about, title=f"{about.title}; not comparable: {error}")
    kind, title = _verdict(identity, found)
    return replace(about, kind=kind, title=title, lines=tuple(_line(row) for row in found.differences if row.dimension in night.scope.suite.dimensions))


def _pair(night: Night, identity: Identity, before: Path | None, place: Store) -> tuple[Side, Side] | None:
    """(predecessor, tonight's): the same configuration before its alias moved, or the former version with the same settings."""
    suite = night.scope.suite_id
    if identity.name in night.redrawn and before is not None:
        return Side(before, suite, identity.configuration_id, "before the change"), Side(place.warehouse, suite, identity.configuration_id, identity.name)
    former = predecessor(place, identity)
    return sides(place.warehouse, former, identity.configuration_id, suite) if former else None


def predecessor(place: Store, identity: Identity) -> str | None:
    """The configuration of the family's former version whose prompt and sampling settings are the same."""
    version = place.newest("model_versions").filter(pl.col("model_version_id") == identity.model_version_id).collect()
    if not version.height or version["predecessor"].item() is None:
        return None
    same = (
        pl.col("model_version_id") == version["predecessor"].item(),
        pl.col("template_digest") == identity.template_digest,
        pl.col("system_prompt").eq_missing(pl.lit(identity.loaded.configuration.system_prompt, dtype=pl.String)),
        pl.col("sampling") == json_text(sampling_of(identity.loaded)),
    )
    found = place.newest("configurations").filter(*same).sort("recorded_at").collect()
    return str(found["configuration_id"][-1]) if found.height else None


def _verdict(identity: Identity, found: Comparison) -> tuple[str, str]:
    by = {kind: [row.dimension for row in found.differences if row.verdict == kind] for kind in ("regressed", "improved")}
    told = "; ".join(f"{kind} in {', '.join(names)}" for kind, names in by.items() if names) or "no dimension moved beyond doubt"
    kind = "regressed" if by["regressed"] else "improved" if by["improved"] else "unchanged"
    return kind, f"{identity.name}: {told}, against {found.baseline.name} over {found.n_items} shared items ({found.protocol})"


def _line(row: Difference) -> str:
    if row.difference is None:
        return f"{row.dimension}: none ({row.reason})"
    interval = "no interval" if row.ci_low is None else f"95 % interval [{row.ci_low:+.3f}, {row.ci_high:+.3f}]"
    return f"{row.dimension}: {row.baseline:.3f} -> {row.candidate:.3f} ({row.difference:+.3f}, {interval}), {row.verdict}"
