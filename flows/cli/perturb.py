"""`sextant perturb`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(  # noqa: PLR0913 - each option of the command is one argument
    dataset: Annotated[str, typer.Argument(help="registered dataset, or any name of your own together with --path")],
    path: Annotated[Path | None, typer.Option(help="local file or folder to read instead of the hub")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="items, drawn as a run would; 5 unless said, or all with --format jsonl")] = None,
    subjects: Annotated[str | None, typer.Option(help="only these subjects, separated by commas (mmlu)")] = None,
    seed: Annotated[int, typer.Option(min=0, help="the suite's seed: it draws the items and fixes the rewordings")] = 42,
    operators: Annotated[str | None, typer.Option(help="operators, separated by commas; synonym,reorder,paraphrase when absent")] = None,
    fields: Annotated[list[str] | None, typer.Option("--field", help="our=theirs, e.g. question=Body,Question; once per field")] = None,
    perturbations: Annotated[Path | None, typer.Option(help="file of your own rewordings: item_id (or source_id), operator, question")] = None,
    format: Annotated[str, typer.Option(help="table or jsonl")] = "table",
) -> None:
    """Show how the questions of a dataset are reworded, with the gate's verdict: what to read before paying for a run."""
    from tasks.datasets.show import described
    from tasks.perturbations.show import showing

    spec = described(dataset, path, subjects, fields or [])
    shown = limit if limit is not None or format == "jsonl" else 5
    typer.echo(
        showing(
            spec.model_copy(update={"limit": shown, "perturbations": None if perturbations is None else str(perturbations)}),
            format,
            seed,
            tuple(operators.split(",")) if operators else (),
        )
    )
