"""`sextant steps`: how a trace is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    file: Annotated[Path, typer.Argument(help="text file that holds one trace; - for standard input")],
    judge: Annotated[str, typer.Option(help="NLI judge: embedded, hub id, folder, or none")] = "embedded",
    revision: Annotated[str | None, typer.Option(help="hub revision of the judge")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda ...")] = "auto",
    format: Annotated[str, typer.Option(help="text or jsonl")] = "text",
) -> None:
    """Show how a trace is split, each pair's label and probabilities, and each equation's verdict."""
    from schemas.config import Judges
    from tasks.scorers.explain import explain

    judges = None if judge == "none" else Judges(nli=judge, nli_revision=revision, device=device)
    typer.echo(explain(file, judges, format))
