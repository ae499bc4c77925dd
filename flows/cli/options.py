"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunFile = Annotated[Path, typer.Argument(help="run file, e.g. deploy/runs/quickstart.yaml", metavar="RUN.yaml")]
StoreOption = Annotated[str | None, typer.Option("--store", help="store folder; a `store:` in the run file comes first, SEXTANT_STORE after", metavar="FOLDER")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress, only the result")]
