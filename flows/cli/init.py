"""`sextant init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    path: Annotated[Path, typer.Argument(help="file to write", metavar="[FILE.yaml]")] = Path("run.yaml"),
    model: Annotated[bool, typer.Option("--model", help="write a model file instead of a run file")] = False,
    json_schema: Annotated[bool, typer.Option("--json-schema", help="print the JSON Schema of run files, for editors, and write nothing")] = False,
) -> None:
    """Write a commented run file (or model file) to start from."""
    from flows.reference import commented
    from flows.reference import json_schema as schema
    from schemas.config import Model, Run
    from schemas.errors import ConfigError

    if json_schema:
        typer.echo(schema())
        return
    if path.exists():
        raise ConfigError(f"{path} exists already; name another file")
    path.write_text(commented(Model if model else Run, path.name), encoding="utf-8")
    typer.echo(f"wrote {path}; edit it, then `sextant plan {path}`" if not model else f"wrote {path}; name it in a run file's configuration")
