"""What `sextant doctor` looks at: each finding is good or bad, and a bad one says what to do. Values of keys are never read out."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from flows.places import store_for
from schemas.config import Judges
from schemas.errors import SextantError, StoreError
from tasks import datasets, providers
from tasks.run_files import LoadedRun, load_run
from tasks.stages import cards
from warehouse.current import is_current
from warehouse.store import Store

ROOT = Path(__file__).parent.parent
LEAST_FREE_GB = 2
EMBEDDED = Judges(nli="embedded", bertscore="embedded")
COMPARED = ("prefect", "duckdb", "pyarrow", "polars", "torch", "transformers", "bert-score", "httpx", "great-expectations", "pydantic", "spacy", "onnxruntime")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `remedy` is empty where all is well; `optional` says that much works without it."""

    what: str
    found: str
    remedy: str = ""
    optional: bool = False


def findings(run_file: Path | None, store_option: str | None) -> Iterator[Finding]:
    """Look at environment, judges, server, hub, disk and store; with a run file also at its keys, models and datasets."""
    yield _python()
    yield from _versions()
    yield _asked("embedded judges", partial(_judges, ("coherence", "stability"), EMBEDDED))
    yield _server()
    yield _hub()
    loaded: LoadedRun | None = None
    if run_file is not None:
        try:
            loaded = load_run(run_file)
        except SextantError as error:
            yield Finding("run file", "cannot be used", str(error))
    store = store_for(loaded.run.store if loaded else None, store_option)
    yield from _store(store)
    if loaded:
        yield from _run(loaded)


def _asked(what: str, ask: Callable[[], str]) -> Finding:
    """What `ask` says, or the error it raises as the remedy."""
    try:
        return Finding(what, ask())
    except SextantError as error:
        return Finding(what, "cannot be had", str(error))


def _judges(dimensions: tuple[str, ...], judges: Judges) -> str:
    return ", ".join(str(card.model or card.name) for card in cards(dimensions, judges).values())


def _python() -> Finding:
    version = sys.version.split()[0]
    return Finding("python", version, "" if sys.version_info >= (3, 11) else "install Python 3.11 or newer")


def _versions() -> Iterator[Finding]:
    pinned = dict(line.split("==", 1) for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    installed = {name: importlib.metadata.version(name).split("+")[0] for name in COMPARED}
    off = [f"{name} {version} (pinned {pinned[name]})" for name, version in installed.items() if version != pinned.get(name, version)]
    yield Finding("library versions", ", ".join(off) or "as pinned", "install with `-c constraints.txt`: other versions may move scores" if off else "")


def _server() -> Finding:
    url = os.environ.get("PREFECT_API_URL")
    if not url:
        return Finding("Prefect server", "none named; each command starts its own and stops it")
    try:
        good = httpx.get(f"{url}/health", timeout=5).is_success
    except httpx.HTTPError:
        good = False
    return Finding("Prefect server", f"{url} {'answers' if good else 'does not answer'}", "" if good else "start it, or unset PREFECT_API_URL")


def _hub() -> Finding:
    url = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    try:
        httpx.head(url, timeout=5)
    except httpx.HTTPError:
        return Finding("model hub", f"{url} cannot be reached", "hub datasets and judges need it; paths and `embedded` do not", optional=True)
    return Finding("model hub", f"{url} answers")


def _store(store: Store) -> Iterator[Finding]:
    try:
        store.refresh()
    except StoreError as error:
        found, _, remedy = str(error).partition("; ")
        yield Finding("store", found, remedy)
        return
    folder = next(path for path in (store.root, *store.root.parents) if path.exists())
    free = shutil.disk_usage(folder).free / 1e9
    yield Finding("disk", f"{free:.0f} GB free at {folder}", "" if free >= LEAST_FREE_GB else "free some space, or choose another store with --store")
    if not os.access(folder, os.W_OK):
        yield Finding("store", f"{store.root} cannot be written", "mend its permissions, or choose another with --store")
    elif not store.root.exists():
        yield Finding("store", f"{store.root} does not exist yet; the first run makes it")
    else:
        yield Finding("store", store.address)
        current = is_current(store)
        yield Finding("warehouse", "published and current" if current else "not current", "" if current else "run `sextant publish`", optional=True)


def _run(loaded: LoadedRun) -> Iterator[Finding]:
    for configuration in loaded.configurations:
        model, variable = configuration.model, configuration.model.api_key_env
        if variable:
            present = variable in os.environ
            yield Finding(f"key of {model.name}", f"{variable} is {'set' if present else 'not set'}", "" if present else f"export {variable}=...")
        yield _asked(f"model {model.name}", partial(providers.resolve, model, configuration.model_base))
    yield _asked("judges", partial(_judges, loaded.run.suite.dimensions, loaded.run.judges))
    yield _asked("datasets", lambda: f"{sum(len(datasets.load(spec, loaded.base, loaded.run.suite.seed).items) for spec in loaded.run.datasets)} items load")
