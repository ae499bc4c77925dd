"""Following models by name: a hub model without a pinned commit is pinned to tonight's, and the run file of the night is written out.

Stages read their run file again from disk, so what the night decided (revisions, repeat label, which configurations, how much money is left)
is a file under the store, named by its content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from schemas.config import Frozen
from schemas.keys import digest
from tasks import hub
from tasks.run_files import PROMPTS, LoadedConfiguration, LoadedRun
from warehouse.store import Store

_COMMIT = re.compile(r"[0-9a-f]{40}")


def tracked(loaded: LoadedRun) -> LoadedRun:
    """The same run with every hub model pinned to the commit that its branch names now.

    Raises:
        Unavailable: the hub does not answer.
    """
    return replace(loaded, configurations=tuple(_tracked(configuration) for configuration in loaded.configurations))


def _tracked(loaded: LoadedConfiguration) -> LoadedConfiguration:
    model = loaded.model
    local = model.weights is not None or (loaded.model_base / model.model).is_dir()
    if model.provider != "transformers" or local or _COMMIT.fullmatch(model.revision or ""):
        return loaded
    return replace(loaded, model=model.model_copy(update={"revision": hub.commit(model.model, model.revision)}))


def written_out(loaded: LoadedRun, store: Store, names: Sequence[str], repeat: str, max_usd: float | None) -> Path:
    """Write a run file below the store for the configurations `names`, with absolute paths; returns where it lies."""
    folder = store.root / "runs"
    kept = [c for c in loaded.configurations if c.configuration.name in names]
    body = {
        **_plain(loaded.run),
        "repeat": repeat,
        "datasets": [_with_path(_with_path(_plain(dataset), "path", loaded.base), "perturbations", loaded.base) for dataset in loaded.run.datasets],
        "configurations": [_configuration(loaded, configuration, folder) for configuration in kept],
    }
    if loaded.rewriter is not None:
        body["rewriter"] = {**body["rewriter"], "model": _configuration(loaded, loaded.rewriter, folder)["model"]}
    body.pop("store", None)
    if max_usd is not None:
        body["budget"] = {"max_usd": max_usd}
    return _write(folder, loaded.run.name, body)


def _configuration(loaded: LoadedRun, configuration: LoadedConfiguration, folder: Path) -> dict[str, Any]:
    settings = _plain(configuration.configuration)
    source = loaded.base / configuration.configuration.model
    model = configuration.model
    if model.provider == "transformers" and model.weights is None and model.revision is not None:
        source = _write(folder, model.name, _plain(model))
    settings["model"] = str(source.resolve())
    if "template" in settings and not (PROMPTS / f"{settings['template']}.yaml").is_file():
        settings = _with_path(settings, "template", loaded.base)
    return settings


def _plain(value: Frozen) -> dict[str, Any]:
    return value.model_dump(mode="json", exclude_unset=True)


def _with_path(settings: dict[str, Any], key: str, base: Path) -> dict[str, Any]:
    return {**settings, key: str((base / settings[key]).resolve())} if settings.get(key) else settings


def _write(folder: Path, name: str, body: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', name)}-{digest(body)[:12]}.yaml"
    if not path.exists():
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(yaml.safe_dump(body, sort_keys=False, allow_unicode=True), encoding="utf-8")
        temporary.replace(path)
    return path
