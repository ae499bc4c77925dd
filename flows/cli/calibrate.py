"""`sextant calibrate`: how often a judge is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    judge: Annotated[str, typer.Option(help="NLI judge: embedded, hub id or folder")] = "embedded",
    revision: Annotated[str | None, typer.Option(help="hub revision of the judge")] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="tab-separated file of label, premise, hypothesis: measure accuracy on it instead of on gold steps")
    ] = None,
    dataset: Annotated[str, typer.Option(help="dataset with worked solutions")] = "synthetic",
    path: Annotated[Path | None, typer.Option(help="local file or folder of the dataset; hub when absent")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="most items, or pairs of the file, to read")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the draw and of the alterations")] = 42,
) -> None:
    """Measure an NLI judge: false alarms and detections on neighbouring gold steps, or accuracy on labelled pairs."""
    from schemas.config import Judges
    from tasks.scorers.measure import measure

    typer.echo(measure(Judges(nli=judge, nli_revision=revision), pairs=pairs, dataset=dataset, path=path, limit=limit, seed=seed))
