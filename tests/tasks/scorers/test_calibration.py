"""Traps of measuring a judge: flattering sets, altered steps that are not altered, rows that do not fit their table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from schemas.config import Dataset, Judges
from schemas.errors import BadRow, InputError
from schemas.records import Item, ScorerCard
from schemas.tables import TABLES
from tasks import datasets
from tasks.identities import fingerprint
from tasks.scorers.alterations import ALTERATIONS, alter
from tasks.scorers.calibration import calibrate, nli_pairs, refuse_training_data, step_pairs_of
from tasks.scorers.calibration_report import report, wilson
from tasks.scorers.measure import measure, pair_set_name
from tasks.scorers.nli import PairScore
from warehouse.store import Store

CARD = ScorerCard("step_pairs", "nli", "1", {"trained_on": ["cad_train", "gsm8k:train"]}, model="stand-in")
SOLUTION = "Ann has 16 eggs.\nShe is selling 9 of them to Bob.\nSo Ann earns 9 * 2 = $18."


@dataclass(frozen=True)
class Suspicious:
    """A judge that calls every pair with 'not' or 'Bob has' a contradiction."""

    card: ScorerCard = CARD

    def score(self, pairs: list[tuple[str, str]]) -> list[PairScore]:
        return [PairScore("contradiction", 0.1, 0.1, 0.8, False) if " not " in b else PairScore("neutral", 0.1, 0.8, 0.1, False) for _, b in pairs]


def item(n: int, solution: str | None = SOLUTION) -> Item:
    return Item(f"i{n}", "own", str(n), "Ann sells eggs to Bob. How much does Ann earn?", "number", "18", solution=solution)


def test_every_gold_pair_measures_false_alarms_and_one_altered_pair_per_kind_detection() -> None:
    pairs = step_pairs_of([item(1), item(2), item(3, None)], seed=1, limit=None)
    assert [(p.premise, p.hypothesis) for p in pairs if p.role == "false_alarm"][:2] == [
        ("Ann has 16 eggs.", "She is selling 9 of them to Bob."),
        ("She is selling 9 of them to Bob.", "So Ann earns 9 * 2 = $18."),
    ]
    assert sorted(p.alteration for p in pairs if p.cluster == "i1" and p.role == "detection") == sorted(ALTERATIONS)
    keys = {(p.role, p.alteration, p.pair_id) for p in pairs}
    assert len(keys) == len(pairs)


def test_an_altered_step_differs_from_the_gold_one_and_keeps_its_premise() -> None:
    gold = {(p.premise, p.hypothesis) for p in step_pairs_of([item(1), item(2)], seed=1, limit=None) if p.role == "false_alarm"}
    for pair in step_pairs_of([item(1), item(2)], seed=1, limit=None):
        if pair.role == "detection" and pair.alteration != "other_item":
            assert (pair.premise, pair.hypothesis) not in gold
            assert pair.premise in {premise for premise, _ in gold}


def test_the_draw_is_the_same_for_the_same_seed_and_the_limit_counts_items() -> None:
    items = [item(n) for n in range(5)]
    assert step_pairs_of(items, seed=3, limit=None) == step_pairs_of(items, seed=3, limit=None)
    assert {p.cluster for p in step_pairs_of(items, seed=3, limit=2)} == {"i0", "i1"}


@pytest.mark.parametrize(
    ("alteration", "step", "wanted"),
    [
        ("negation", "She is selling 9.", "She is not selling 9."),
        ("negation", "She does not sell 9.", "She does sell 9."),
        ("negation", "She sells 9.", None),
        ("number", "She sells eggs.", None),
        ("swapped_entity", "So Ann earns $18.", "So Bob earns $18."),
        ("swapped_entity", "So she earns $18.", None),
    ],
)
def test_an_alteration_changes_what_it_says_or_gives_nothing(alteration: str, step: str, wanted: str | None) -> None:
    assert alter(alteration, step, question="Ann sells eggs to Bob.", others=["x"], random=Random(0)) == wanted


def test_a_changed_number_is_another_number_in_the_same_form() -> None:
    for seed in range(20):
        assert alter("number", "It costs $1,200.50 in all.", question="", others=[], random=Random(seed)).startswith("It costs $")
        assert "1,200.50" not in alter("number", "It costs $1,200.50 in all.", question="", others=[], random=Random(seed))


def test_rows_fit_the_calibrations_table(tmp_path: Path) -> None:
    rows = calibrate(Suspicious(), [item(1), item(2)], seed=1, limit=None, pair_set="own")
    columns = {column.name: column for column in TABLES["calibrations"].columns}
    for row in rows:
        assert row.keys() == columns.keys() - {"recorded_at"}
        assert row["scorer"] == fingerprint(CARD)
        assert not columns["role"].values or row["role"] in columns["role"].values
    assert Store(tmp_path).open().write("calibrations", [{**row, "recorded_at": datetime.now(UTC)} for row in rows]).rows == len(rows)


def test_the_report_counts_alarms_and_detections() -> None:
    text = report(calibrate(Suspicious(), [item(n) for n in range(10)], seed=1, limit=None, pair_set="own"), name="stand-in", seconds=1.0)
    assert "0 of 20" in next(line for line in text.splitlines() if line.startswith("false alarms"))
    assert "10 of 10" in next(line for line in text.splitlines() if "negation" in line)


def test_a_set_the_judge_was_trained_on_is_refused() -> None:
    with pytest.raises(InputError, match="trained on this set"):
        calibrate(Suspicious(), [item(1)], seed=1, limit=None, pair_set="gsm8k:train")
    refuse_training_data(CARD, "gsm8k", "tf_snli")
    assert pair_set_name("gsm8k", Path("x/train_first1500.jsonl")) == "gsm8k:train"
    assert pair_set_name("gsm8k", Path("x/test.jsonl")) == "gsm8k"


@pytest.mark.parametrize(
    "lines",
    [
        "entailment\tA man.\tA person.\n",
        "\ufeffgold_label\tsentence1\tsentence2\nentailment\tA man.\tA person.\n",
        "Premise\tHypothesis\tLabel\r\nA man.\tA person.\tEntailment\r\n",
    ],
)
def test_pairs_are_read_with_or_without_a_header(tmp_path: Path, lines: str) -> None:
    (tmp_path / "p.tsv").write_bytes(lines.encode())
    (pair,) = nli_pairs(tmp_path / "p.tsv")
    assert (pair.gold_label, pair.premise, pair.hypothesis) == ("entailment", "A man.", "A person.")


@pytest.mark.parametrize(
    ("text", "finding"),
    [("entailment\tA man.\n", ":1: 2 fields"), ("neutral\ta\tb\nmaybe\ta\tb\n", ":2: label 'maybe'"), ("x" * 200_000, ":1: 1 fields")],
    ids=["short", "label", "one long line"],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, text: str, finding: str) -> None:
    (tmp_path / "p.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(BadRow, match=finding):
        nli_pairs(tmp_path / "p.tsv")


def test_an_empty_or_missing_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no pair"):
        nli_pairs(tmp_path / "p.tsv")
    with pytest.raises(InputError, match="cannot read"):
        nli_pairs(tmp_path / "none.tsv")


def test_wilson_intervals_hold_at_the_ends() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(0, 10)[0] == 0
    assert wilson(0, 10)[1] == pytest.approx(0.2775, abs=1e-4)
    assert wilson(10, 10)[0] == pytest.approx(0.7225, abs=1e-4)


@pytest.mark.models
def test_the_embedded_judge_meets_its_bars_on_data_it_was_not_fitted_to(embedded: Judges, shared_data: Path) -> None:
    """Small samples here; the whole sets in tests/benchmarks/judge_card.py."""
    from tasks.scorers.nli import load_judge

    judge = load_judge(embedded)
    pairs = nli_pairs(shared_data / "nli" / "tf_snli")[:150]
    right = [score.label == pair.gold_label for score, pair in zip(judge.score([(p.premise, p.hypothesis) for p in pairs]), pairs, strict=True)]
    assert sum(right) / len(right) >= 0.80
    items = datasets.load(Dataset(name="gsm8k", path=str(shared_data / "gsm8k" / "test.jsonl"), limit=60), Path(), 42).items
    rows = [row for row in calibrate(judge, items, seed=42, limit=None, pair_set="gsm8k") if row["role"] == "false_alarm"]
    assert sum(row["label"] == "contradiction" for row in rows) / len(rows) <= 0.09


@pytest.mark.models
def test_calibrate_refuses_training_files_of_the_embedded_judge(embedded: Judges, shared_data: Path, tmp_path: Path) -> None:
    for name in ("cad_train.tsv", "tf_mnli_mm", "conj_dev.tsv"):
        with pytest.raises(InputError, match="trained on"):
            measure(embedded, pairs=shared_data / "nli" / name, dataset="", path=None, limit=5, seed=1)
    renamed = tmp_path / "holdout.tsv"
    renamed.write_bytes((shared_data / "nli" / "conj_dev.tsv").read_bytes())
    with pytest.raises(InputError, match="trained on"):
        measure(embedded, pairs=renamed, dataset="", path=None, limit=5, seed=1)
    with pytest.raises(InputError, match="trained on"):
        measure(embedded, pairs=None, dataset="gsm8k", path=shared_data / "gsm8k" / "train_first1500.jsonl", limit=5, seed=1)


@pytest.mark.models
def test_calibrate_works_with_no_file_at_all(embedded: Judges) -> None:
    assert "detection" in measure(embedded, pairs=None, dataset="synthetic", path=None, limit=5, seed=1)
