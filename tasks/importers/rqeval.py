"""RQEval's datasets (`outputs/dataset_*.json`) and checkpoints (`outputs/checkpoints/<experiment>/<model>.jsonl`) as generations.

Format: https://github.com/senolali/RQEval

    a dataset row:    {"id": "gsm8k_0001", "question": "...", "answer": "5", "dataset": "gsm8k", "perturbations": ["", "", "..."]}
                      (mmlu adds raw_question, choices, subject; its question carries the options; perturbations are synonym, reorder, paraphrase)
    a checkpoint:     {"__checkpoint_header__": true, "fingerprint": {"model": "...", "consistency_runs": 3, "model_params": {...}}}
                      {"key": "gsm8k::0::<md5 of the question, 10 digits>", "entry": {"prediction": "...", "k_answers": [...], "perturbed_preds": [...],
                       "token_count": 40, "generation_failed": false}}

A checkpoint does not tell an empty answer to a rewording from a failed one, nor repeats its questions: its datasets must be given with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schemas.errors import BadRow, InputError, ServerFault
from schemas.records import OPERATORS, ORIGINAL, Message, Reply, Usage
from tasks.importers.evidence import Answer, Key, Log

HEADER = "__checkpoint_header__"
Row = dict[str, Any]


def read_dataset(path: Path) -> dict[str, Row]:
    """The rows of one dataset file by the key its checkpoints use; each as a row of a user's own file, with `_sent`: operator -> text sent.

    Raises:
        InputError: no list of questions. BadRow: a row without question or answer.
    """
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as an RQEval dataset: {error}") from error
    if not isinstance(body, list):
        raise InputError(f"{path}: no RQEval dataset: a JSON {type(body).__name__}, not a list of questions")
    return dict(_converted(path, number, row) for number, row in enumerate(body, start=1))


def _converted(path: Path, number: int, row: Any) -> tuple[str, Row]:
    if not isinstance(row, dict) or not isinstance(row.get("question"), str) or row.get("answer") is None:
        raise BadRow(path, number, "an RQEval row is an object with `question` and `answer`")
    sent, dataset = row["question"], str(row.get("dataset", path.stem.removeprefix("dataset_")))
    asked = row["raw_question"] if isinstance(row.get("raw_question"), str) and sent.startswith(row["raw_question"]) else sent
    options = sent[len(asked) :]
    texts = zip(OPERATORS, row.get("perturbations") or (), strict=False)
    reworded = {operator: text for operator, text in texts if isinstance(text, str) and text.strip() and text.strip() != sent.strip()}
    # an operator that lost the question kept its options: such a rewording asks nothing
    questions = {operator: text.removesuffix(options) for operator, text in reworded.items() if text.removesuffix(options).strip()}
    answer = str(row["answer"])
    ours = {
        "source_id": str(row.get("id", number)),
        "question": asked,
        "answer": answer,
        "answer_type": "choice" if row.get("choices") else "boolean" if answer.lower() in ("yes", "no") else "number" if _numeric(answer) else "text",
        "choices": row.get("choices") or None,
        "subject": row.get("subject"),
        "perturbations": questions or None,
        "_dataset": dataset,
        "_sent": {ORIGINAL: sent, **{operator: reworded[operator] for operator in questions}},
    }
    return f"{dataset}::{hashlib.md5(sent.encode(), usedforsecurity=False).hexdigest()[:10]}", ours


def _numeric(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).strip().lstrip("-$").isdigit()


def read_results(path: Path, datasets: Sequence[Path]) -> Log:
    """One model's checkpoint over the questions of `datasets`.

    Raises:
        InputError: no checkpoint, or an entry whose question no dataset holds. BadRow: a line that is no JSON (a torn last one is left out).
    """
    rows = {key: row for dataset in datasets for key, row in read_dataset(dataset).items()}
    lines = list(_lines(path))
    header = lines[0] if lines else {}
    if not isinstance(header, dict) or header.get(HEADER) is not True:
        raise InputError(f"{path}: no RQEval checkpoint: the first line is no {HEADER}")
    fingerprint = header.get("fingerprint") or {}
    runs = int(fingerprint.get("consistency_runs") or 1)
    entries = [(_row_of(path, line, rows), line["entry"]) for line in lines[1:]]
    parameters = fingerprint.get("model_params") or {}
    kept: dict[str, list[Row]] = {}
    for row, _ in entries:
        kept.setdefault(row["_dataset"], []).append({name: value for name, value in row.items() if not name.startswith("_") and value is not None})
    messages: dict[Key, Sequence[Message]] = {
        (row["source_id"], operator): [Message("user", text)] for row, _ in entries for operator, text in row["_sent"].items()
    }
    model = str(parameters.get("model_id") or parameters.get("model_name") or fingerprint.get("model") or path.stem)
    return Log(
        source="rqeval",
        path=path,
        configuration=str(fingerprint.get("model") or path.stem),
        model=model,
        version=model,
        sampling=_sampling(parameters),
        system_prompt=parameters.get("system_prompt") or None,
        rows=kept,
        messages=messages,
        answers=[answer for row, entry in entries for answer in _answers(row, entry, runs)],
        runs=runs,
        operators=OPERATORS,
    )


def _lines(path: Path) -> Iterator[Row]:
    texts = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, text in enumerate(texts, start=1):
        try:
            yield json.loads(text)
        except ValueError as error:
            if number == len(texts) and not text.endswith("\n"):
                return
            raise BadRow(path, number, f"no JSON object ({error})") from error


def _row_of(path: Path, line: Mapping[str, Any], rows: Mapping[str, Row]) -> Row:
    dataset, *_, question = str(line.get("key", "")).split("::")
    found = rows.get(f"{dataset}::{question}")
    if found is None or not isinstance(line.get("entry"), dict):
        raise InputError(f"{path}: the question of {line.get('key')!r} is in none of the datasets given; name dataset_{dataset}.json of the same run too")
    return found


def _answers(row: Row, entry: Mapping[str, Any], runs: int) -> Iterator[Answer]:
    failed = bool(entry.get("generation_failed"))
    given = [] if failed else list(entry.get("k_answers") or [entry.get("prediction", "")])
    for run_index in range(runs):
        tokens = entry.get("token_count") if run_index == 0 else None
        outcome = _reply(given[run_index], tokens) if run_index < len(given) else ServerFault("failed in the source run")
        yield Answer(row["source_id"], ORIGINAL, run_index, outcome)
    predictions = dict(zip(OPERATORS, entry.get("perturbed_preds") or (), strict=False))
    for operator in row["_sent"]:
        if operator != ORIGINAL:
            text = predictions.get(operator)
            yield Answer(row["source_id"], operator, 0, _reply(text, None) if text else ServerFault("empty or failed in the source run"))


def _reply(text: Any, tokens: Any) -> Reply:
    counted = isinstance(tokens, int) and tokens > 0
    return Reply(
        text=str(text or ""),
        thinking=None,
        finish_reason="stop",
        usage=Usage(output_tokens=tokens if counted else None, source="fallback:rqeval" if counted else "missing"),
    )


def _sampling(parameters: Mapping[str, Any]) -> dict[str, Any]:
    temperature = parameters.get("temperature", parameters.get("_temperature"))
    most = parameters.get("max_tokens") or parameters.get("max_new_tokens")
    stated = {"temperature": temperature if temperature is not None else 0.0 if parameters.get("deterministic") else None, "max_tokens": most}
    return {name: value for name, value in stated.items() if value is not None}
