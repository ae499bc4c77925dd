"""`sextant check-answers`: the answer extractor against a labelled file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    file: Annotated[Path, typer.Argument(help="JSONL: id, answer_type, gold, response, correct; optional question, choices, finish_reason, status, value")],
    minimum: Annotated[float, typer.Option("--min", min=0, max=1, help="exit with code 1 below this agreement")] = 0.98,
) -> None:
    """Run the answer extractor over a labelled file; print agreement per answer type and each miss."""
    from schemas.printable import one_line
    from tasks.scorers.labelled import check

    agreement = check(file)
    for miss in agreement.misses:
        extracted = "nothing" if miss.extracted is None else repr(one_line(miss.extracted, 40))
        typer.echo(
            f"miss {one_line(miss.id, 60)} [{miss.answer_type}] gold={one_line(miss.gold, 40)!r}: expected {one_line(miss.expected)}, got {one_line(miss.got)}"
        )
        typer.echo(f"     extracted={extracted} strategy={miss.strategy or 'none'} response: {one_line(miss.response)}")
    for answer_type, rows in sorted(agreement.rows.items()):
        agreed = agreement.agreed[answer_type]
        typer.echo(f"{answer_type:<8} {agreed:>6} of {rows:>6}  {agreed / rows:8.2%}")
    typer.echo(f"{'all':<8} {sum(agreement.agreed.values()):>6} of {sum(agreement.rows.values()):>6}  {agreement.share:8.2%}  (minimum {minimum:.2%})")
    if agreement.share < minimum:
        raise typer.Exit(1)
