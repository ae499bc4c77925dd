"""Tables of scores for other programs: CSV, Parquet, Excel, LaTeX."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import polars as pl

from schemas.errors import StoreError, UnknownName
from schemas.records import DIMENSIONS
from warehouse.query import open_sealed

TABLES = {
    "scores": "select * from marts.dimension_scores order by protocol, suite_id, configuration, dataset, dimension",
    "quality": "select * from marts.quality_scores order by protocol, suite_id, weight_set, scheme, configuration",
    "rankings": "select * from marts.rankings order by protocol, suite_id, weight_set, scheme, rank nulls last, configuration",
    "comparisons": "select * from marts.comparisons order by protocol, suite_id, configuration_id_a, configuration_id_b, dimension",
    "costs": "select * from marts.costs order by suite_id, configuration_id, dataset, dimension",
}
_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {c: "\\" + c for c in "&%$#_{}"}


def export(warehouse: Path, form: str, output: Path) -> list[Path]:
    """Write the tables of scores; returns the files written.

    Args:
        warehouse: the published file.
        form: csv or parquet (one file per table, `output` is a folder), xlsx (one workbook, a sheet per table), latex (one file of tables).
        output: folder or file; its folders are made.

    Raises:
        UnknownName: no such form. StoreError: `output` cannot be written.
    """
    writers: dict[str, Callable[[dict[str, pl.DataFrame], Path], list[Path]]] = {"csv": _csv, "parquet": _parquet, "xlsx": _xlsx, "latex": _latex}
    if form not in writers:
        raise UnknownName("format", form, writers)
    with open_sealed(warehouse) as connection:
        frames = {name: connection.sql(sql).pl() for name, sql in TABLES.items()}
    try:
        (output if form in ("csv", "parquet") else output.parent).mkdir(parents=True, exist_ok=True)
        return writers[form](frames, output)
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror}; name another place") from error


def _whole(path: Path, write: Callable[[Path], object]) -> Path:
    temporary = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        write(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _csv(frames: dict[str, pl.DataFrame], output: Path) -> list[Path]:
    return [_whole(output / f"{name}.csv", frame.write_csv) for name, frame in frames.items()]


def _parquet(frames: dict[str, pl.DataFrame], output: Path) -> list[Path]:
    return [_whole(output / f"{name}.parquet", frame.write_parquet) for name, frame in frames.items()]


def _xlsx(frames: dict[str, pl.DataFrame], output: Path) -> list[Path]:
    import xlsxwriter

    def write(path: Path) -> None:
        # names are the user's: a cell that begins with "=" stays text
        with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False}) as workbook:
            for name, frame in frames.items():
                frame.write_excel(workbook=workbook, worksheet=name, table_style=None, autofit=True, freeze_panes=(1, 0))

    return [_whole(output, write)]


def _latex(frames: dict[str, pl.DataFrame], output: Path) -> list[Path]:
    scores = frames["scores"].filter(pl.col("dataset") == "all")
    groups = scores.group_by("protocol", "suite_id", maintain_order=True)
    text = "% needs \\usepackage{booktabs}\n" + "\n".join(_table(str(protocol), str(suite), group) for (protocol, suite), group in groups)
    return [_whole(output, lambda path: path.write_text(text, encoding="utf-8"))]


def _table(protocol: str, suite: str, scores: pl.DataFrame) -> str:
    lines = [
        "\\begin{table}",
        f"\\caption{{Six scores with 95\\,\\% intervals, {protocol} protocol, suite {escaped(suite[:12])}.}}",
        f"\\begin{{tabular}}{{l{'c' * len(DIMENSIONS)}}}",
        "\\toprule",
        " & ".join(["configuration", *DIMENSIONS]) + " \\\\",
        "\\midrule",
    ]
    for (configuration,), group in scores.group_by("configuration", maintain_order=True):
        cells = {row["dimension"]: _cell(row["value"], row["ci_low"], row["ci_high"]) for row in group.iter_rows(named=True)}
        lines.append(" & ".join([escaped(str(configuration)), *(cells.get(dimension, "--") for dimension in DIMENSIONS)]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "--"
    return f"{value:.3f}" + ("" if low is None else f" [{low:.2f}, {high:.2f}]")


def escaped(text: str) -> str:
    """`text` with LaTeX's special characters made harmless."""
    return "".join(_SPECIAL.get(character, character) for character in text)
