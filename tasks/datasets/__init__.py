"""Datasets: record -> Item. One file per dataset, one line here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import ConfigError, UnknownName
from schemas.records import Item
from tasks.datasets import custom, gsm8k, gsm_symbolic, mmlu, strategyqa, synthetic
from tasks.datasets.base import DatasetEntry, Loaded
from tasks.datasets.rewordings import with_rewordings
from tasks.datasets.sampling import ordered

__all__ = ["DATASETS", "DatasetEntry", "Loaded", "load"]

DATASETS: dict[str, DatasetEntry] = {
    "gsm8k": gsm8k.ENTRY,
    "mmlu": mmlu.ENTRY,
    "strategyqa": strategyqa.ENTRY,
    "gsm_symbolic": gsm_symbolic.ENTRY,
    "synthetic": synthetic.ENTRY,
}


def load(spec: Dataset, base: Path, seed: int) -> Loaded:
    """Items of one dataset of a run file, drawn and in drawing order.

    Args:
        spec: the dataset as the run file has it.
        base: folder that `spec.path` is relative to.
        seed: seed of the shuffle; the generators' own seed is `spec.seed`.

    Raises:
        UnknownName: no such dataset and no `path`, or no such subject.
        ConfigError: a path that is not there or holds nothing.
        BadRow: a row that cannot be used, under `on_bad_row: error`.
        Unavailable: the hub or an optional package cannot be had.
    """
    entry = DATASETS.get(spec.name)
    if entry is None and spec.path is None:
        raise UnknownName("dataset", spec.name, DATASETS)
    own = entry is None or spec.fields is not None
    read = custom.load if own or entry is None else entry.read
    loaded = read(spec, None if spec.path is None else base / Path(spec.path).expanduser())
    items = _of_subjects(spec, loaded)
    if not items:
        first = f"; every row was set aside, the first: {loaded.skipped[0]}" if loaded.skipped else ""
        raise ConfigError(f"dataset {spec.name}: {loaded.source} holds no usable row{first}")
    if spec.perturbations is not None:
        items, bad = with_rewordings(items, base / Path(spec.perturbations).expanduser(), spec.on_bad_row)
        loaded = replace(loaded, skipped=[*loaded.skipped, *bad])
    equal = entry is not None and entry.equal_subjects
    return replace(loaded, items=ordered(items, seed, equal_subjects=equal)[: spec.limit], total=len(items))


def _of_subjects(spec: Dataset, loaded: Loaded) -> list[Item]:
    if spec.subjects is None:
        return loaded.items
    known = {item.subject or "" for item in loaded.items}
    for subject in spec.subjects:
        if loaded.items and subject not in known:
            raise UnknownName(f"subject of dataset {spec.name}", subject, known)
    return [item for item in loaded.items if item.subject in spec.subjects]
