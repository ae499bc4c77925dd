"""Where judges' models are and which bytes they hold."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from schemas.errors import Unavailable
from schemas.keys import digest
from tasks.local_files import file_digest

MODEL_FILES = ("*.json", "*.txt", "*.model", "*.safetensors", "*.bin", "*.spm")
"""What moves a transformers model's numbers: configuration, tokenizer, weights."""


def folder_digest(folder: Path, patterns: Sequence[str] = MODEL_FILES) -> str:
    """Digest of the model files directly in `folder`: names and content, not where the folder lies."""
    names = sorted({path.name for pattern in patterns for path in folder.glob(pattern)})
    return digest("files", {name: file_digest(folder / name) for name in names})


def library_versions(*distributions: str) -> dict[str, str]:
    """Installed versions, without the local label (`+cpu`)."""
    return {name: importlib.metadata.version(name).split("+")[0] for name in distributions}


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
