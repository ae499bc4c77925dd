"""Local weights: a path, or files of installed packages (in parts or whole), found without importing the packages.

Parts are joined once into a user cache folder (`SEXTANT_CACHE`, else `XDG_CACHE_HOME`/sextant), by rename after fsync, and checked
against the digest of the model file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from schemas.config import Model
from schemas.errors import ConfigError, DamagedFile, Unavailable
from schemas.keys import digest
from tasks.local_files import cache_folder, package_file, write_aside

_CHUNK = 1 << 22


def pinned(model: Model, base: Path) -> str | None:
    """`sha256:<digest>` of the weights; the stated digest where there is one (it is verified when they are opened).

    Raises:
        Unavailable: weights without a stated digest that are not there.
    """
    if model.weights is None:
        return None
    return f"sha256:{model.weights.sha256 or sha256(sources(model, base))}"


def opened(model: Model, base: Path) -> Path:
    """One whole, verified weights file or folder.

    Raises:
        ConfigError: the model file names no weights.
        Unavailable: the weights are not there.
        DamagedFile: their digest is not the stated one.
    """
    if model.weights is None:
        raise ConfigError(f"model {model.name!r} ({model.provider}) needs `weights` in its model file")
    files = sources(model, base)
    whole = files[0] if len(files) == 1 else _joined(files)
    if model.weights.sha256 and sha256([whole]) != model.weights.sha256:
        raise DamagedFile(f"weights {whole} of model {model.name!r} are not what `weights.sha256` says; install or download them again")
    return whole


def sources(model: Model, base: Path) -> list[Path]:
    """The files (or the one folder) that hold the weights, in order."""
    weights = model.weights
    if weights is None:
        return []
    if weights.path is not None:
        path = (base / weights.path).expanduser()
        if not path.exists():
            raise Unavailable(f"model {model.name!r}: no weights at {path}; mend `weights.path`")
        return [path]
    numbers = range(1, weights.parts + 1) if weights.parts else [1]
    return [package_file(str(weights.package).format(i=i), str(weights.file).format(i=i)) for i in numbers]


def sha256(files: Sequence[Path]) -> str:
    """sha256 of the files' joined content (of a folder: names and contents), cached by path, size and modification time."""
    files = [inner for file in files for inner in (sorted(p for p in file.rglob("*") if p.is_file()) if file.is_dir() else [file])]
    stamp = digest("sha256", [[str(f.resolve()), f.stat().st_size, f.stat().st_mtime_ns] for f in files])
    note = cache_folder() / "digests" / f"{stamp}.json"
    if note.exists():
        return str(json.loads(note.read_text())["sha256"])
    running = hashlib.sha256()
    for file in files:
        with file.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                running.update(chunk)
    remembered = json.dumps({"sha256": running.hexdigest(), "files": [str(f) for f in files]})
    write_aside(note, lambda path: path.write_text(remembered))
    return running.hexdigest()


def _joined(parts: list[Path]) -> Path:
    """The parts as one file in the cache folder; made once, and again if a part changes."""
    stamp = digest("joined", [[p.name, p.stat().st_size, p.stat().st_mtime_ns] for p in parts])
    with parts[0].open("rb") as first:
        target = cache_folder() / "weights" / (stamp + (".gguf" if first.read(4) == b"GGUF" else ".bin"))
    if target.exists() and target.stat().st_size == sum(p.stat().st_size for p in parts):
        return target
    try:
        write_aside(target, lambda path: _join(parts, path))
    except OSError as error:
        raise Unavailable(f"cannot join the weights in {target.parent}: {error.strerror}; free the disk or set SEXTANT_CACHE") from error
    return target


def _join(parts: list[Path], target: Path) -> None:
    with target.open("wb") as out:
        for part in parts:
            with part.open("rb") as handle:
                while chunk := handle.read(_CHUNK):
                    out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
