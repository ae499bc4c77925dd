"""MMLU: four-option questions; by default the nine reasoning subjects of the paper.

https://huggingface.co/datasets/cais/mmlu (MIT). Test split of the nine subjects 1,899 rows. On the hub a row has `question`, `subject`, a list `choices` of
four texts and `answer`, the position 0-3 of the right one, in one Parquet file per subject. Local folders may hold that layout, CSV files `<subject>_test.csv`
with the header question,choice0,choice1,choice2,choice3,answer (0-3), or the authors' own CSV without a header: question, four options, letter. The first row
of abstract_algebra asks for the degree of Q(sqrt(2), sqrt(3), sqrt(18)) over Q among 0, 4, 2, 6. Gold: the letter A-D.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, Unavailable, UnknownName
from schemas.records import Item
from tasks.datasets.base import DatasetEntry, Loaded, Place, collect, from_hub, local
from tasks.datasets.choices import LETTERS, letter
from tasks.datasets.readers import read
from tasks.datasets.rows import Row

REPO, REVISION = "cais/mmlu", "c30699e8356da336a370243923dbaf21066bb9fe"
SUBJECTS = (
    "abstract_algebra",
    "college_mathematics",
    "conceptual_physics",
    "elementary_mathematics",
    "formal_logic",
    "high_school_mathematics",
    "high_school_statistics",
    "logical_fallacies",
    "philosophy",
)
_COLUMNS = ("choice0", "choice1", "choice2", "choice3")
_SPLITS = ("test", "val", "validation", "dev", "train")


def load(spec: Dataset, path: Path | None) -> Loaded:
    """All rows of the wanted subjects, in source order.

    Raises:
        Unavailable: the hub cannot serve it.
        ConfigError: no such file, or no file of a wanted subject.
        BadRow: a row without question, four options or an answer among them.
    """
    split = spec.split or "test"
    subjects = spec.subjects or SUBJECTS
    place = _hub(spec, subjects, split) if path is None else _local(path, subjects if spec.subjects else None, split)
    items, skipped = collect(_rows(place.files, split), lambda row: _item(row, spec.name, split), spec.on_bad_row)
    return Loaded(items, place.version, place.source, ENTRY.licence, skipped)


def _hub(spec: Dataset, subjects: Sequence[str], split: str) -> Place:
    place = from_hub(REPO, spec.revision or REVISION, [f"{subject}/{split}-*.parquet" for subject in subjects], every=True)
    have = {_subject(file, split) for file in place.files}
    if missing := [subject for subject in subjects if subject not in have]:
        raise Unavailable(f"dataset {REPO} at {place.version[:12]} has no {split} file of {missing[0]}; check `subjects` and `split`")
    return place


def _local(path: Path, subjects: Sequence[str] | None, split: str) -> Place:
    if path.is_file():
        return local([path])
    if not path.is_dir():
        raise ConfigError(f"dataset path {path}: no such file or folder; paths are relative to the run file")
    patterns = (f"*_{split}.csv", f"{split}/*_{split}.csv", f"*/{split}-*.parquet", f"data/{split}/*_{split}.csv")
    found = {_subject(file, split): file for pattern in patterns for file in sorted(path.glob(pattern))}
    for subject in subjects or ():
        if subject not in found:
            raise UnknownName(f"subject in {path}", subject, found)
    wanted = subjects or [subject for subject in found if subject in SUBJECTS]
    if not wanted:
        raise ConfigError(f"dataset path {path}: the folder holds no file like philosophy_{split}.csv or philosophy/{split}-*.parquet; name the file itself")
    return local([found[subject] for subject in wanted])


def _subject(file: Path, split: str) -> str:
    """Subject by file name, else by folder name."""
    stem = file.stem
    for name in (split, *_SPLITS):
        if stem.endswith(f"_{name}"):
            return stem.removesuffix(f"_{name}")
    return file.parent.name if stem.split("-")[0] in _SPLITS else stem


def _rows(files: Sequence[Path], split: str) -> Iterator[Row | BadRow]:
    for file in files:
        yield from read(file, header=not _headerless(file))


def _headerless(file: Path) -> bool:
    if file.suffix.lower() != ".csv":
        return False
    first = next(read(file, header=False), None)
    return isinstance(first, Row) and len(first.values) == 6 and first.values["5"] in tuple(LETTERS[:4])


def _item(row: Row, dataset: str, split: str) -> Item:
    subject = str(row.values.get("subject") or _subject(row.file, split))
    if "0" in row.values:
        question, options, answer, ways = row.text("0"), [row.text(str(n)) for n in range(1, 5)], row.value("5"), ("letter",)
    else:
        question, options, answer, ways = row.text("question"), _options(row), row.value("answer"), ("position",)
    gold = letter(row, "answer", answer, options, ways)
    return Item("", dataset, f"{subject}-{row.index}", question, "choice", gold, tuple(options), subject)


def _options(row: Row) -> list[str]:
    listed = row.values.get("choices")
    if listed is None:
        return [row.text(column) for column in _COLUMNS]
    if not isinstance(listed, list) or len(listed) != len(_COLUMNS):
        raise row.bad("choices: must be a list of four texts")
    return [row.clean("choices", option) for option in listed]


ENTRY = DatasetEntry(
    "mmlu",
    "four-option questions of nine reasoning subjects",
    "MIT",
    f"https://huggingface.co/datasets/{REPO}",
    ("choice",),
    1899,
    load,
    REPO,
    REVISION,
    equal_subjects=True,
)
