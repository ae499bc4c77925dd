"""What `sextant calibrate` does: load, score, say."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from schemas.config import Dataset, Judges
from schemas.errors import InputError
from tasks.scorers.calibration import calibrate, nli_pairs, refuse_training_data, rows_of, set_names
from tasks.scorers.calibration_report import report
from tasks.scorers.nli import load_judge, nli_card


def measure(judges: Judges, *, pairs: Path | None, dataset: str, path: Path | None, limit: int | None, seed: int) -> str:
    """Measure the judge on a labelled file, or on the worked solutions of a dataset; a few lines of text.

    Raises:
        InputError: the set is training data of the judge, or holds nothing to measure.
        Unavailable: the judge cannot be had.
    """
    card = nli_card(judges)
    if pairs is not None:
        chosen = nli_pairs(pairs)[:limit]
        refuse_training_data(card, *set_names(pairs))
        judge, began = load_judge(judges), perf_counter()
        rows = rows_of(judge, chosen, pairs.stem)
    else:
        from tasks import datasets

        pair_set = pair_set_name(dataset, path)
        refuse_training_data(card, pair_set, *(set_names(path) if path is not None and path.is_file() else ()))
        items = datasets.load(Dataset(name=dataset, path=None if path is None else str(path.absolute()), limit=None), Path(), seed).items
        judge, began = load_judge(judges), perf_counter()
        rows = calibrate(judge, items, seed=seed, limit=limit, pair_set=pair_set)
    if not rows:
        raise InputError(f"dataset {dataset} has no worked solutions of two or more steps; name gsm8k, synthetic, or a file with --pairs")
    return report(rows, name=judges.nli, seconds=perf_counter() - began)


def pair_set_name(dataset: str, path: Path | None) -> str:
    """Name of a set of gold steps; a file whose name says 'train' is the train split."""
    return f"{dataset}:train" if path is not None and "train" in path.name.lower() else dataset
