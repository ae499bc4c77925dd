"""Logs that Inspect AI 0.3.285 wrote (mockllm, 3 samples x 2 epochs; a multiple-choice task): `logs/`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from schemas.errors import BadRow, InputError
from schemas.records import ORIGINAL, Reply
from tasks.importers.evidence import store_log
from tasks.importers.inspect_logs import _opened, read_log
from tasks.scorers.answers import extract
from warehouse.store import Store

LOGS = Path(__file__).parent / "logs"


def as_json(path: Path, to: Path, **changed: object) -> Path:
    """The same log in Inspect's JSON layout, its samples changed."""
    header, samples = _opened(path)
    to.write_text(json.dumps({**header, "samples": [{**sample, **changed} for sample in samples]}))
    return to


def test_a_zstandard_eval_file_gives_an_answer_per_sample_and_epoch() -> None:
    log = read_log(LOGS / "sums.eval")
    assert (log.model, log.runs, list(log.rows), dict(log.sampling)["temperature"]) == ("mockllm/model", 2, ["sums"], 0.5)
    assert {(answer.source_id, answer.run_index) for answer in log.answers} == {(f"s{n}", run) for n in range(3) for run in range(2)}
    reply = log.answers[0].outcome
    assert isinstance(reply, Reply)
    assert reply.text.startswith("We add. The answer is")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.source) == (12, 6, "provider")
    assert log.messages["s0", ORIGINAL][0].content == "What is 0 + 1? Answer with a number."


def test_both_layouts_of_a_log_say_the_same(tmp_path: Path) -> None:
    a, b = read_log(LOGS / "sums.eval"), read_log(as_json(LOGS / "sums.eval", tmp_path / "sums.json"))
    assert a.answers == b.answers
    assert a.rows == b.rows


def test_stored_answers_are_scored_as_inspect_scored_them(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    first = store_log(store, read_log(LOGS / "sums.eval"))
    assert (first.items, first.answers, first.known) == (3, 6, 0)
    assert store_log(store, read_log(LOGS / "sums.eval")).answers == 0, "a second import stores nothing twice"
    generations = store.scan("generations").collect()
    assert generations.height == 6
    gold = {row["item_id"]: row["gold"] for row in store.scan("items").collect().iter_rows(named=True)}
    ours = {}
    for row in generations.iter_rows(named=True):
        ours[row["item_id"], row["run_index"]] = extract(row["text"], answer_type="number", gold=gold[row["item_id"]]).correct
    theirs = [sample["scores"]["match"]["value"] == "C" for sample in _opened(LOGS / "sums.eval")[1]]
    assert sum(ours.values()) == sum(theirs)
    assert set(store.scan("evaluations").collect()["command"]) == {"import"}
    assert store.scan("evaluation_units").collect()["generation_id"].n_unique() == 6


def test_multiple_choice_keeps_options_and_the_letter(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    store_log(store, read_log(LOGS / "choice.eval"))
    (item,) = store.scan("items").collect().iter_rows(named=True)
    assert (item["answer_type"], item["gold"], item["choices"]) == ("choice", "A", ["apple", "car"])
    assert "ANSWER: $LETTER" in store.scan("prompts").collect()["messages"][0], "the prompt is what was sent, options and all"


def test_a_sample_that_failed_is_an_error_and_never_an_answer(tmp_path: Path) -> None:
    log = read_log(as_json(LOGS / "sums.eval", tmp_path / "failed.json", error={"message": "connection lost"}))
    store = Store(tmp_path / "store").open()
    store_log(store, log)
    assert set(store.scan("generations").collect()["status"]) == {"error"}


def test_reasoning_parts_and_the_token_limit_are_kept_apart_from_the_answer(tmp_path: Path) -> None:
    content = [{"type": "reasoning", "reasoning": "1 and 1"}, {"type": "text", "text": "attachment://abc"}]
    output = {"choices": [{"message": {"role": "assistant", "content": content}, "stop_reason": "max_tokens"}]}
    log = read_log(as_json(LOGS / "sums.eval", tmp_path / "parts.json", output=output, attachments={"abc": "It is 2."}))
    reply = log.answers[0].outcome
    assert isinstance(reply, Reply)
    assert (reply.thinking, reply.text, reply.finish_reason, reply.usage.source) == ("1 and 1", "It is 2.", "length", "missing")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"eval": {}}', b"PK\x03\x04 no zip"])
def test_what_is_no_log_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.eval"):
        read_log(path)


def test_a_log_cut_off_while_it_was_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"eval": {"model": "m", "task": "t"}}))
    with pytest.raises(InputError, match="no samples"):
        read_log(path)


def test_a_sample_without_a_target_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match="sample s0: no `target`"):
        read_log(as_json(LOGS / "sums.eval", tmp_path / "untold.json", target=""))
