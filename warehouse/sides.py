"""What is compared with what: finding configurations by name, and the suites in which two of them meet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from schemas.errors import EvidenceLacking, InputError, UnknownName
from warehouse.query import open_sealed

LEAST_DIGITS = 4
KNOWN = """
select distinct scores.configuration_id, scores.configuration, coalesce(versions.resolved_version, 'unknown')
from marts.dimension_scores as scores
left join staging.stg_model_versions as versions using (model_version_id)
order by all
"""


@dataclass(frozen=True)
class Side:
    """One configuration's scores in one suite of one published file."""

    warehouse: Path
    suite_id: str
    configuration_id: str
    name: str


def find(warehouse: Path, name: str) -> str:
    """The configuration that `name` means: a display name, `name@version` where several versions share it, or the first digits of an id.

    Raises:
        UnknownName: none; InputError: several.
    """
    with open_sealed(warehouse) as connection:
        known: list[tuple[str, str, str]] = connection.execute(KNOWN).fetchall()
    exact = {key for key, shown, version in known if name in (shown, f"{shown}@{version}")}
    exact = exact or {key for key, _, _ in known if len(name) >= LEAST_DIGITS and key.startswith(name)}
    if not exact:
        raise UnknownName("configuration", name, {shown for _, shown, _ in known} | {key[:12] for key, _, _ in known})
    if len(exact) > 1:
        listed = ", ".join(f"{shown}@{version} ({key[:12]})" for key, shown, version in known if key in exact)
        raise InputError(f"{name!r} names {len(exact)} configurations: {listed}; say which, by name@version or the first digits of its id")
    return exact.pop()


def sides(warehouse: Path, baseline: str, candidate: str, suite_id: str | None = None) -> tuple[Side, Side]:
    """Both configurations in the newest suite they share, else each in its newest; `suite_id` is tried first.

    Raises:
        EvidenceLacking: one of them is in no suite.
    """
    with open_sealed(warehouse) as connection:
        rows = connection.execute(
            """
            select scores.configuration_id, scores.suite_id, any_value(scores.configuration), any_value(versions.resolved_version)
            from marts.dimension_scores as scores
            inner join staging.stg_suites as suites using (suite_id)
            left join staging.stg_model_versions as versions using (model_version_id)
            group by all
            order by any_value(suites.suite_id = ?) desc, max(suites.started_at) desc, scores.suite_id
            """,
            [suite_id or ""],
        ).fetchall()
    suites = {key: [suite for configuration, suite, _, _ in rows if configuration == key] for key in (baseline, candidate)}
    names = {configuration: (name, f"{name}@{version}") for configuration, _, name, version in rows}
    for key, found in suites.items():
        if not found:
            raise EvidenceLacking(f"configuration {key[:12]} has no scores in {warehouse}; evaluate it first")
    shared = next((suite for suite in suites[candidate] if suite in suites[baseline]), None)
    alike = names[baseline][0] == names[candidate][0] and baseline != candidate
    left, right = (Side(warehouse, shared or suites[key][0], key, names[key][alike]) for key in (baseline, candidate))
    return left, right
