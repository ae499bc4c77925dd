"""Inspect AI logs (`.eval` or `.json`, log version 2) as generations.

Format: https://inspect.aisi.org.uk/eval-logs.html

    samples/s1_epoch_2.json of an .eval file, abridged:
    {"id": "s1", "epoch": 2, "input": "What is 1 + 1?", "choices": null, "target": "2", "messages": [{"role": "user", "content": "What is 1 + 1?"}, ...],
     "output": {"model": "m", "choices": [{"message": {"role": "assistant", "content": "It is 2."}, "stop_reason": "stop"}],
                "usage": {"input_tokens": 12, "output_tokens": 6}}, "error": null}

Their scores are left aside: the text is scored here. An epoch is a run. An .eval file is a zip whose members Inspect compresses with zstandard.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.errors import BadRow, InputError, ServerFault
from schemas.records import ORIGINAL, Message, Reply
from tasks.importers.evidence import Answer, Key, Log
from tasks.providers.base import usage

ZSTANDARD = 93
_LOCAL_HEADER = 30
_STOPS = {"max_tokens": "length", "model_length": "length"}


def read_log(path: Path, *, dataset: str | None = None, answer_type: str | None = None) -> Log:
    """One log file. `dataset` is its task's name where none is given.

    Raises:
        InputError: no Inspect log, or a log without samples. BadRow: a sample that lacks what an item needs.
    """
    header, samples = _opened(path)
    told = header.get("eval")
    if not isinstance(told, dict) or not isinstance(told.get("model"), str):
        raise InputError(f"{path}: no Inspect log: it has no `eval.model`")
    read = [_resolved(sample) for sample in samples]
    if not read:
        raise InputError(f"{path}: the log holds no samples")
    name = dataset or str(told.get("task", "inspect")).rsplit("/", 1)[-1]
    rows: dict[str, dict[str, Any]] = {}
    messages: dict[Key, Sequence[Message]] = {}
    answers = []
    for number, sample in enumerate(read, start=1):
        source_id = str(sample.get("id"))
        asked = _asked(sample)
        rows.setdefault(source_id, _row(path, number, source_id, sample, asked, answer_type))
        messages.setdefault((source_id, ORIGINAL), [message for message in asked if message.role != "system"])
        answers.append(_answer(source_id, sample))
    system = {message.content for sample in read for message in _asked(sample) if message.role == "system"}
    return Log(
        source="inspect",
        path=path,
        configuration=f"{told['model']} {name}",
        model=told["model"],
        version=told["model"],
        sampling={**_set(told.get("model_generate_config")), **_set((header.get("plan") or {}).get("config"))},
        system_prompt=system.pop() if len(system) == 1 else None,
        rows={name: list(rows.values())},
        messages=messages,
        answers=answers,
        runs=max(answer.run_index for answer in answers) + 1,
    )


def _opened(path: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
                header = "header.json" if "header.json" in archive.namelist() else "_journal/start.json"
                return _member(archive, path, header), iter([_member(archive, path, name) for name in names])
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as an Inspect log: {error}") from error
    if not isinstance(body, dict):
        raise InputError(f"{path}: no Inspect log: a JSON {type(body).__name__}")
    return body, iter(body.get("samples") or [])


def _member(archive: zipfile.ZipFile, path: Path, name: str) -> dict[str, Any]:
    """One JSON member; Python's zipfile does not know zstandard, pyarrow does."""
    info = archive.getinfo(name)
    if info.compress_type != ZSTANDARD:
        body = json.loads(archive.read(name))
    else:
        with path.open("rb") as handle:
            handle.seek(info.header_offset)
            lengths = struct.unpack("<HH", handle.read(_LOCAL_HEADER)[26:30])
            handle.seek(sum(lengths), 1)
            packed = handle.read(info.compress_size)
        body = json.loads(pa.CompressedInputStream(pa.BufferReader(packed), "zstd").read())
    if not isinstance(body, dict):
        raise ValueError(f"{name} is a JSON {type(body).__name__}")
    return body


def _resolved(sample: dict[str, Any]) -> dict[str, Any]:
    """The sample with `attachment://` texts put back where they were taken from."""
    attachments = sample.get("attachments") or {}

    def restored(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("attachment://"):
            return attachments.get(value.removeprefix("attachment://"), value)
        if isinstance(value, list):
            return [restored(part) for part in value]
        return {key: restored(part) for key, part in value.items()} if isinstance(value, dict) else value

    return {key: restored(sample.get(key)) for key in sample if key not in ("attachments", "events", "events_data", "store")}


def _asked(sample: Mapping[str, Any]) -> list[Message]:
    """The messages before the first answer."""
    asked = []
    for message in sample.get("messages") or []:
        if message.get("role") == "assistant":
            break
        asked.append(Message(str(message.get("role")), _text(message.get("content"))))
    given = sample.get("input")
    return asked or [Message("user", given if isinstance(given, str) else _text(given[-1].get("content")) if given else "")]


def _text(content: Any, kind: str = "text") -> str:
    """Text of a message: a string, or the parts of one kind."""
    if isinstance(content, list):
        key = "reasoning" if kind == "reasoning" else "text"
        return "\n".join(str(part.get(key, "")) for part in content if isinstance(part, dict) and part.get("type") == kind)
    return content if isinstance(content, str) and kind == "text" else ""


def _row(path: Path, number: int, source_id: str, sample: Mapping[str, Any], asked: Sequence[Message], answer_type: str | None) -> dict[str, Any]:
    given, target = sample.get("input"), sample.get("target")
    answer = target[0] if isinstance(target, list) and target else target
    if not isinstance(answer, str) or not answer.strip():
        raise BadRow(path, number, f"sample {source_id}: no `target`, so nothing to compare an answer with")
    question = given if isinstance(given, str) else next((message.content for message in reversed(asked) if message.role == "user"), "")
    row = {"source_id": source_id, "question": question, "answer": answer}
    choices = sample.get("choices")
    return row | ({"choices": choices} if choices else {}) | ({"answer_type": answer_type} if answer_type else {})


def _answer(source_id: str, sample: Mapping[str, Any]) -> Answer:
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    run_index = int(sample.get("epoch") or 1) - 1
    started = sample.get("started_at")
    began = datetime.fromisoformat(started) if isinstance(started, str) else None
    if sample.get("error") or not choices:
        told = (sample.get("error") or {}).get("message", "no answer in the log")
        return Answer(source_id, ORIGINAL, run_index, ServerFault(" ".join(str(told).split())[:300]), began)
    content = choices[0].get("message", {}).get("content")
    stop = str(choices[0].get("stop_reason") or "stop")
    stated = output.get("usage") or {}
    counts = {
        "input_tokens": stated.get("input_tokens"),
        "output_tokens": stated.get("output_tokens"),
        "thinking_tokens": stated.get("reasoning_tokens"),
        "cached_tokens": stated.get("input_tokens_cache_read"),
    }
    text, thinking = _text(content), _text(content, "reasoning")
    reply = Reply(
        text=text,
        thinking=thinking or None,
        finish_reason=_STOPS.get(stop, stop),
        usage=usage(counts, said_something=bool(text or thinking)),
        served_model=output.get("model"),
    )
    seconds = output.get("time")
    return Answer(source_id, ORIGINAL, run_index, reply, began, seconds * 1000 if isinstance(seconds, int | float) else None)


def _set(config: Any) -> dict[str, Any]:
    known = ("temperature", "top_p", "max_tokens")
    return {name: config[name] for name in known if isinstance(config, dict) and config.get(name) is not None}
