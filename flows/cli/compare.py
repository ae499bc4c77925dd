"""`sextant compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import ReadOption, warehouse_of


def command(  # noqa: PLR0913 - each option of the command is one argument
    baseline: Annotated[str, typer.Argument(metavar="A", help="configuration to compare with: its name, name@version, or the first digits of its id")],
    candidate: Annotated[str, typer.Argument(metavar="B", help="configuration compared")],
    store: ReadOption = None,
    protocol: Annotated[str, typer.Option(help="paper or strict")] = "paper",
    gate: Annotated[bool, typer.Option("--gate", help="pass only where no dimension is missing and a loss beyond the margin is ruled out in each")] = False,
    margin: Annotated[float, typer.Option(min=0, max=1, help="largest loss that counts as none")] = 0.02,
    junit: Annotated[Path | None, typer.Option(help="JUnit file to write, one test case per dimension")] = None,
    format: Annotated[str, typer.Option(help="table or json")] = "table",
) -> None:
    """Compare B with A on the items both were asked, paired, Holm over the six dimensions.

    Exit code 0: no regression; 4: a dimension regressed; 5: with --gate, the evidence is not enough.
    """
    from schemas.errors import EvidenceLacking, Regressed
    from warehouse.compare import compare
    from warehouse.gate import lacking, regressed, render, write_junit
    from warehouse.sides import find, sides

    warehouse = warehouse_of(store)
    found = compare(*sides(warehouse, find(warehouse, baseline), find(warehouse, candidate)), protocol=protocol, margin=margin)
    typer.echo(render(found, format))
    if junit is not None:
        write_junit(found, junit, gate=gate)
    if worse := regressed(found):
        raise Regressed(f"{found.candidate.name} regressed in {', '.join(worse)} against {found.baseline.name}")
    if gate and (missing := lacking(found)):
        raise EvidenceLacking(f"the gate cannot pass: {'; '.join(missing)}")
