"""RQEval's own layouts, as its code writes them (rows shortened)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import BadRow, InputError, ProviderError
from schemas.records import ORIGINAL, Reply
from tasks.importers.evidence import store_log
from tasks.importers.rqeval import read_dataset, read_results
from warehouse.store import Store

OPTIONS = "\nA. parabolic\nB. circular\nAnswer with A, B, C, or D."
SUM = {
    "id": "gsm8k_0000",
    "question": "Joe has 2 apples and buys 3. How many?",
    "answer": "5",
    "full_solution": "2 + 3 = <<2+3=5>>5\n#### 5",
    "dataset": "gsm8k",
    "perturbations": ["Joe owns 2 apples and buys 3. How many?", "", "Joe has 2 apples and buys 3. How many?"],
}
ORBIT = {
    "id": "mmlu_0000",
    "question": f"The force is constant if the orbit is{OPTIONS}",
    "raw_question": "The force is constant if the orbit is",
    "choices": ["parabolic", "circular"],
    "answer": "B",
    "subject": "conceptual_physics",
    "dataset": "mmlu",
    "perturbations": [f"The force stays constant if the orbit is{OPTIONS}", OPTIONS, ""],
}


def key(row: dict[str, Any], index: int) -> str:
    return f"{row['dataset']}::{index}::{hashlib.md5(row['question'].encode()).hexdigest()[:10]}"


def entry(**fields: Any) -> dict[str, Any]:
    return {"prediction": "It is 5.", "token_count": 7, "k_answers": ["It is 5."] * 3, "perturbed_preds": ["5", "", ""], "generation_failed": False} | fields


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, list[Path]]:
    header = {
        "__checkpoint_header__": True,
        "digest": "x",
        "fingerprint": {"model": "Phi-2", "consistency_runs": 3, "model_params": {"model_id": "microsoft/phi-2", "temperature": 0.7, "max_new_tokens": 256}},
    }
    lines = [
        header,
        {"key": key(SUM, 0), "entry": entry()},
        {"key": key(ORBIT, 1), "entry": entry(prediction="B", k_answers=["B", "A"], perturbed_preds=["", "A", ""])},
    ]
    results = tmp_path / "Phi-2.jsonl"
    results.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"key": "gsm8k::2::a')
    datasets = []
    for name, rows in (("gsm8k", [SUM]), ("mmlu", [ORBIT])):
        path = tmp_path / f"dataset_{name}.json"
        path.write_text(json.dumps(rows))
        datasets.append(path)
    return results, datasets


def test_runs_rewordings_tokens_and_settings_come_over_and_a_torn_last_line_does_not(files: tuple[Path, list[Path]]) -> None:
    log = read_results(*files)
    assert (log.model, log.runs, dict(log.sampling)) == ("microsoft/phi-2", 3, {"temperature": 0.7, "max_tokens": 256})
    of_sum = {(a.operator, a.run_index): a.outcome for a in log.answers if a.source_id == "gsm8k_0000"}
    assert set(of_sum) == {(ORIGINAL, 0), (ORIGINAL, 1), (ORIGINAL, 2), ("synonym", 0)}, "unchanged and empty rewordings were never asked"
    primary, second = of_sum[ORIGINAL, 0], of_sum[ORIGINAL, 1]
    assert isinstance(primary, Reply) and isinstance(second, Reply)
    assert (primary.usage.output_tokens, second.usage.output_tokens) == (7, None), "only the first run's tokens are in a checkpoint"


def test_a_lost_run_and_an_empty_rewording_are_errors_and_never_empty_answers(files: tuple[Path, list[Path]]) -> None:
    of_orbit = {(a.operator, a.run_index): a.outcome for a in read_results(*files).answers if a.source_id == "mmlu_0000"}
    assert isinstance(of_orbit[ORIGINAL, 2], ProviderError)
    assert isinstance(of_orbit["synonym", 0], ProviderError)
    assert ("reorder", 0) not in of_orbit, "their reordering lost the question and kept the options: it asked nothing"


def test_a_multiple_choice_question_comes_over_without_its_options_but_was_sent_with_them(files: tuple[Path, list[Path]], tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    done = store_log(store, read_results(*files))
    assert (done.items, done.answers) == (2, 8)
    items = {row["source_id"]: row for row in store.scan("items").collect().iter_rows(named=True)}
    orbit = items["mmlu_0000"]
    assert (orbit["question"], orbit["answer_type"], orbit["gold"], orbit["subject"]) == (ORBIT["raw_question"], "choice", "B", "conceptual_physics")
    sent = {(row["item_id"], row["operator"]): json.loads(row["messages"])[0]["content"] for row in store.scan("prompts").collect().iter_rows(named=True)}
    assert sent[orbit["item_id"], ORIGINAL] == ORBIT["question"]
    assert sent[orbit["item_id"], "synonym"] == ORBIT["perturbations"][0]
    units = store.scan("evaluation_units").collect()
    assert units.filter(units["operator"] == ORIGINAL).height == 6


def test_answers_to_questions_that_no_dataset_holds_are_refused(files: tuple[Path, list[Path]]) -> None:
    with pytest.raises(InputError, match=r"dataset_mmlu\.json"):
        read_results(files[0], files[1][:1])


@pytest.mark.parametrize("text", ["", '{"key": 1}\n', "[1]\n", "null\n"])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, files: tuple[Path, list[Path]], text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="no RQEval checkpoint"):
        read_results(path, files[1])


def test_a_broken_line_in_the_middle_is_named(files: tuple[Path, list[Path]]) -> None:
    lines = files[0].read_text().splitlines(keepends=True)
    files[0].write_text(lines[0] + "{broken\n" + lines[1])
    with pytest.raises(BadRow, match=r"Phi-2\.jsonl:2"):
        read_results(*files)


def test_yes_and_no_are_boolean_golds(tmp_path: Path) -> None:
    path = tmp_path / "dataset_strategyqa.json"
    path.write_text(json.dumps([{"id": "s", "question": "Can you chew argon?", "answer": "no", "dataset": "strategyqa", "perturbations": []}]))
    assert [row["answer_type"] for row in read_dataset(path).values()] == ["boolean"]
