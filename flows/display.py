"""Progress on the terminal: one line per stage and label, live on a terminal, a line now and then in a log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from schemas.printable import printable
from tasks.progress import Advance, listen

LOG_EVERY_S = 15


@dataclass
class _Line:
    bar: TaskID
    total: int = 0
    done: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    retries: int = 0
    errors: int = 0
    limit: int | None = None
    started: float = 0.0
    moved: float = 0.0
    logged: float = 0.0

    def facts(self) -> str:
        seconds = max(self.moved - self.started, 1e-6)
        parts = [f"{self.done / seconds:.1f}/s"]
        parts += [f"{self.tokens / seconds:.0f} tok/s"] if self.tokens else []
        parts += [f"${self.cost_usd:.4f}"] if self.cost_usd else []
        parts += [f"{self.retries} retries"] if self.retries else []
        parts += [f"{self.errors} errors"] if self.errors else []
        parts += [f"limit {self.limit}"] if self.limit is not None else []
        return "  ".join(parts)


class _Facts(ProgressColumn):
    def render(self, task: object) -> Text:
        line = getattr(task, "fields", {}).get("line")
        return Text(line.facts() if line else "", style="dim")


class _Notices(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        self._console.print(Text(f"sextant: {printable(record.getMessage())}"), soft_wrap=True)


class Display:
    """Listens to `tasks.progress` and shows it on stderr."""

    def __init__(self, console: Console, live: bool) -> None:
        self._console, self._live = console, live
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), _Facts(), TimeElapsedColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns, console=console, disable=not live)
        self._lines: dict[tuple[str, str], _Line] = {}

    def __call__(self, advance: Advance) -> None:
        """Add one advance to its line."""
        line = self._line(advance)
        line.total = advance.total + line.done if advance.total is not None else line.total
        line.done += advance.done
        line.moved = time.monotonic()
        line.tokens += advance.tokens
        line.cost_usd += advance.cost_usd
        line.retries += advance.retries
        line.errors += advance.errors
        line.limit = advance.limit if advance.limit is not None else line.limit
        self.progress.update(line.bar, completed=line.done, total=line.total or None)
        if not self._live and advance.done:
            self._log(advance, line)

    def _line(self, advance: Advance) -> _Line:
        key = (advance.stage, advance.label)
        if key not in self._lines:
            name = advance.stage if advance.label == "all" else f"{advance.stage}  {advance.label}"
            line = _Line(self.progress.add_task(name, total=advance.total), started=time.monotonic(), logged=time.monotonic())
            self.progress.update(line.bar, line=line)
            self._lines[key] = line
        return self._lines[key]

    def _log(self, advance: Advance, line: _Line) -> None:
        ended = line.total and line.done >= line.total
        if ended or time.monotonic() - line.logged > LOG_EVERY_S:
            line.logged = time.monotonic()
            self._console.print(Text(f"{advance.stage} {advance.label}: {line.done}/{line.total or '?'}  {line.facts()}"))


@contextmanager
def shown(quiet: bool = False) -> Iterator[None]:
    """Show progress and notices on stderr for this block; `quiet` leaves only notices."""
    console = Console(stderr=True)
    display = Display(console, live=console.is_terminal and not quiet)
    handler = _Notices(display.progress.console)
    logging.getLogger("sextant").addHandler(handler)
    silence: Callable[[], None] = (lambda: None) if quiet else listen(display)
    try:
        with display.progress:
            yield
    finally:
        silence()
        logging.getLogger("sextant").removeHandler(handler)
        sys.stderr.flush()
