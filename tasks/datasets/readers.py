"""Reading rows with their line numbers: JSONL, JSON arrays, CSV, TSV, Parquet. A row that cannot be parsed is yielded as a BadRow, not raised.

A byte order mark is taken off, blank lines are passed over, text must be UTF-8.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import BadRow, ConfigError
from tasks.datasets.rows import Row, kind_of


def read(path: Path, *, header: bool = True) -> Iterator[Row | BadRow]:
    """Rows of `path` by its suffix. Without `header`, CSV columns are named `0`, `1`, ...

    Raises:
        ConfigError: no such file, a suffix nobody reads, or a file that is no Parquet.
    """
    suffix = path.suffix.lower()
    if not path.is_file():
        raise ConfigError(f"dataset path {path}: no such file; paths are relative to the run file")
    if suffix in {".jsonl", ".ndjson"}:
        return _jsonl(path)
    if suffix == ".json":
        return _json(path)
    if suffix in {".csv", ".tsv"}:
        return _csv(path, "\t" if suffix == ".tsv" else ",", header)
    if suffix == ".parquet":
        return _parquet(path)
    raise ConfigError(f"dataset path {path}: cannot read {suffix or 'a file without suffix'}; known are .jsonl .json .csv .tsv .parquet")


def _jsonl(path: Path) -> Iterator[Row | BadRow]:
    index = 0
    with path.open("rb") as handle:
        for line, raw in enumerate(handle, start=1):
            data = raw.removeprefix(b"\xef\xbb\xbf") if line == 1 else raw
            if not data.strip():
                continue
            yield _object(path, line, index, data)
            index += 1


def _object(path: Path, line: int, index: int, data: bytes) -> Row | BadRow:
    try:
        value = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return BadRow(path, line, f"not valid UTF-8 (byte {error.start + 1} of the line)")
    except (ValueError, RecursionError) as error:
        return BadRow(path, line, f"not valid JSON: {error}")
    return _row(path, line, index, value)


def _row(path: Path, line: int, index: int, value: object) -> Row | BadRow:
    if not isinstance(value, dict):
        return BadRow(path, line, f"is {kind_of(value)}, must be an object with named fields")
    return Row(path, line, index, value)


def _json(path: Path) -> Iterator[Row | BadRow]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield BadRow(path, path.read_bytes()[: error.start].count(b"\n") + 1, "not valid UTF-8")
        return
    decoder = json.JSONDecoder()
    at, line, seen = _skip(text, 0), 1, 0
    if text[at : at + 1] != "[":
        yield BadRow(path, 1, "must hold an array of rows: [{...}, {...}]")
        return
    at, index = _skip(text, at + 1), 0
    while text[at : at + 1] != "]":
        line, seen = line + text.count("\n", seen, at), at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield BadRow(path, line, f"not valid JSON: {error}; rows after it cannot be read")
            return
        yield _row(path, line, index, value)
        index, at = index + 1, _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            yield BadRow(path, line + text.count("\n", seen, at), "not valid JSON: expected , or ] after the row; rows after it cannot be read")
            return
    if text[at + 1 :].strip():
        yield BadRow(path, text.count("\n", 0, at) + 1, "not valid JSON: more text after the array")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _csv(path: Path, delimiter: str, header: bool) -> Iterator[Row | BadRow]:
    names: list[str] | None = None
    index = 0
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as handle:
        reader = csv.reader(handle, delimiter=delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield BadRow(path, line, f"not valid CSV: {error}; a quote may be left open from here on")
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if names is None:
                names = [cell.strip() for cell in cells] if header else [str(n) for n in range(len(cells))]
                if twice := sorted({name for name in names if names.count(name) > 1}):
                    raise BadRow(path, line, f"{twice[0]}: two columns have this name")
                if header:
                    continue
            if len(cells) != len(names):
                yield BadRow(path, line, f"has {len(cells)} columns, the header has {len(names)}")
            else:
                yield Row(path, line, index, dict(zip(names, cells, strict=True)))
            index += 1


def _parquet(path: Path) -> Iterator[Row | BadRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            index = 0
            for batch in file.iter_batches():
                for values in batch.to_pylist():
                    yield Row(path, index + 1, index, values)
                    index += 1
    except (pa.ArrowInvalid, OSError) as error:
        raise ConfigError(f"dataset path {path}: not a Parquet file ({error})") from error
