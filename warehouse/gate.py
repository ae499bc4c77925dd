"""A comparison as table, JSON and JUnit, and what a gate makes of it."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table
from rich.text import Text

from schemas.errors import UnknownName
from warehouse.compare import Comparison, Difference


def regressed(found: Comparison) -> list[str]:
    """Dimensions that got worse beyond doubt."""
    return [row.dimension for row in found.differences if row.verdict == "regressed"]


def lacking(found: Comparison) -> list[str]:
    """What keeps a gate from passing, one text per dimension: missing, half measured, or a loss beyond the margin not ruled out."""
    reasons = []
    for row in found.differences:
        if row.verdict == "missing" or row.reason is not None:
            reasons.append(f"{row.dimension}: {row.reason or 'missing'}")
        elif row.verdict not in ("regressed", "improved", "equivalent") and (row.ci90_low is None or row.ci90_low <= -found.margin):
            reasons.append(f"{row.dimension}: a loss of more than {found.margin:g} is not ruled out, {_detectable(row)}")
    return reasons


def _detectable(row: Difference) -> str:
    return f"this n detects {row.minimal_detectable:.3f}" if row.minimal_detectable is not None else "no interval"


def render(found: Comparison, form: str) -> str:
    """The comparison as text.

    Raises:
        UnknownName: `form` is neither table nor json.
    """
    if form == "json":
        body = {**asdict(found), "regressed": regressed(found), "lacking": lacking(found)}
        return json.dumps(body, indent=1, default=str, ensure_ascii=False)
    if form != "table":
        raise UnknownName("format", form, ("table", "json"))
    title = f"{found.candidate.name} against {found.baseline.name}, {found.protocol} protocol, {found.n_items} shared items"
    columns = ("dimension", "baseline", "candidate", "difference [95 % interval]", "p (Holm)", "detectable", "verdict")
    table = Table(*columns, title=title, title_justify="left")
    for row in found.differences:
        table.add_row(
            row.dimension, _number(row.baseline), _number(row.candidate), _interval(row), _number(row.p_holm), _number(row.minimal_detectable), _told(row)
        )
    out = io.StringIO()
    console = Console(file=out, width=140)
    console.print(table)
    console.print(Text(_footer(found)), soft_wrap=True)
    return out.getvalue().rstrip()


def _footer(found: Comparison) -> str:
    lines = [f"margin {found.margin:g}; detectable: the difference this n finds with 80 % power at .05"]
    if found.n_lost is not None:
        lines.append(f"primary runs right for one side only: {found.n_lost} baseline, {found.n_won} candidate (McNemar exact)")
    if found.n_items < max(found.n_items_baseline, found.n_items_candidate):
        lines.append(f"items: {found.n_items_baseline} of the baseline and {found.n_items_candidate} of the candidate, {found.n_items} shared")
    return "\n".join(lines)


def _told(row: Difference) -> str:
    return row.verdict if row.reason is None else f"{row.verdict}: {row.reason}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _interval(row: Difference) -> str:
    if row.difference is None:
        return "-"
    return f"{row.difference:+.3f}" + ("" if row.ci_low is None else f" [{row.ci_low:+.3f}, {row.ci_high:+.3f}]")


def write_junit(found: Comparison, path: Path, *, gate: bool) -> None:
    """One test case per dimension: a failure where it regressed, an error where a gate lacks evidence, skipped where it is missing without a gate."""
    reasons = {text.split(":", 1)[0]: text for text in lacking(found)}
    suite = ElementTree.Element("testsuite", name=f"sextant compare {found.baseline.name} {found.candidate.name}", tests=str(len(found.differences)))
    for row in found.differences:
        case = ElementTree.SubElement(suite, "testcase", classname=f"sextant.{found.protocol}", name=row.dimension)
        if row.verdict == "regressed":
            ElementTree.SubElement(case, "failure", message=f"{row.dimension} regressed: {_interval(row)}")
        elif gate and row.dimension in reasons:
            ElementTree.SubElement(case, "error", message=reasons[row.dimension])
        elif row.verdict == "missing":
            ElementTree.SubElement(case, "skipped", message=row.reason or "missing")
        ElementTree.SubElement(case, "system-out").text = f"{_number(row.baseline)} -> {_number(row.candidate)}, {_interval(row)}, {_told(row)}"
    for kind in ("failure", "error", "skipped"):
        suite.set(f"{kind}s" if kind != "skipped" else kind, str(len(suite.findall(f"testcase/{kind}"))))
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
