"""Datasets: record -> Item. One file per dataset, one line here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import ConfigError, UnknownName
from tasks.datasets import gsm8k, synthetic
from tasks.datasets.base import DatasetEntry, Loaded
from tasks.datasets.sampling import ordered

__all__ = ["DATASETS", "DatasetEntry", "Loaded", "load"]

DATASETS: dict[str, DatasetEntry] = {
    "gsm8k": gsm8k.ENTRY,
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
    if entry is None:
        raise UnknownName("dataset", spec.name, DATASETS)
    path = None if spec.path is None else base / Path(spec.path).expanduser()
    loaded = entry.read(spec, path)
    wanted = spec.subjects or entry.default_subjects
    items = [item for item in loaded.items if wanted is None or item.subject in wanted]
    if not items:
        raise ConfigError(f"dataset {spec.name}: {loaded.source} holds no usable row")
    return replace(loaded, items=ordered(items, seed, equal_subjects=entry.equal_subjects)[: spec.limit])
