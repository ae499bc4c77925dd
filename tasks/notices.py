"""One line to the user that is neither progress nor an error."""

from __future__ import annotations

import logging

log = logging.getLogger("sextant")


def notice(line: str) -> None:
    """Say `line`: the command line prints it on stderr, a worker logs it."""
    log.warning(line)
