"""Traps of NLI judges: label order, pair encoding, batches, truncation, replaced judges."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from schemas.config import Judges
from schemas.errors import Unavailable
from tasks.identities import fingerprint
from tasks.scorers import nli_transformers
from tasks.scorers.nli import Judge, load_judge, nli_card, step_pairs_card, try_out
from tests.tasks.scorers.conftest import WORDS, relabel

WORDS = [word for word in WORDS if not word.startswith(("#", "["))]


def texts(n: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, 40))) for _ in range(n)]


def plain_forward(folder: Path, premise: str, hypothesis: str) -> list[float]:
    """Entailment, neutral, contradiction of one pair by transformers alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(str(folder)), AutoModelForSequenceClassification.from_pretrained(str(folder)).eval()
    with torch.no_grad():
        p = model(**tokenizer(premise, hypothesis, truncation=True, max_length=64, return_tensors="pt")).logits.softmax(-1)[0].tolist()
    by_name = {model.config.id2label[i]: value for i, value in enumerate(p)}
    return [by_name[name] for name in ("entailment", "neutral", "contradiction")]


def test_labels_are_found_by_name_whatever_their_order(tiny_nli: Path, tmp_path: Path) -> None:
    assert nli_transformers.label_order(tiny_nli) == (1, 2, 0)
    other = relabel(tiny_nli, tmp_path / "m", {"0": "ENTAILMENT", "1": "Neutral", "2": "contradictory"})
    assert nli_transformers.label_order(other) == (0, 1, 2)


@pytest.mark.parametrize("labels", [{"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, {"0": "entailment", "1": "not_entailment"}, None])
def test_labels_without_contradiction_stop_the_run(tiny_nli: Path, tmp_path: Path, labels: dict[str, str] | None) -> None:
    folder = relabel(tiny_nli, tmp_path / "m", labels)
    with pytest.raises(Unavailable, match="id2label"):
        nli_card(Judges(nli=str(folder), device="cpu"))


def test_probabilities_are_those_of_single_pairs_whatever_the_batch(tiny_nli: Path) -> None:
    engine = nli_transformers.load(str(tiny_nli), None, "cpu")
    pairs = list(zip(texts(60, 1), texts(60, 2), strict=True))
    together, cut = engine.probabilities(pairs)
    for pair, p in list(zip(pairs, together, strict=True))[::6]:
        assert np.abs(p - plain_forward(tiny_nli, *pair)).max() < 1e-4
        assert np.abs(p - engine.probabilities([pair])[0][0]).max() < 1e-4
    assert any(cut)
    assert not all(cut)


def test_a_pair_longer_than_the_window_is_flagged_and_others_are_not(tiny_nli: Path) -> None:
    engine = nli_transformers.load(str(tiny_nli), None, "cpu")
    exact = ("cat " * 30, "dog " * 31)  # 61 words and three control tokens fill the window of 64
    assert engine.probabilities([("cat", "dog"), exact, ("cat " * 31, "dog " * 31)])[1] == [False, False, True]


def test_long_texts_are_shortened_before_their_pair_is_cut_and_its_tokens_stay_the_same(tiny_nli: Path) -> None:
    from transformers import AutoTokenizer

    a, b = " ".join(random.Random(1).choices(WORDS, k=2000)), "  ".join(random.Random(2).choices(WORDS, k=2100))
    pairs = [(a, b), (b, a), (a, a), (a, "the cat"), ("the cat", a)]
    engine = nli_transformers.load(str(tiny_nli), None, "cpu")
    encoded, cut = engine._encode(pairs)
    whole = AutoTokenizer.from_pretrained(str(tiny_nli))
    assert [e["input_ids"] for e in encoded] == [whole(*pair, truncation="longest_first", max_length=64)["input_ids"] for pair in pairs]
    assert cut == [True] * 5
    assert all(len(text.split()) <= 128 for pair in pairs for text in engine._shown(pair))


def test_a_control_word_in_a_text_is_text(tiny_nli: Path) -> None:
    engine = nli_transformers.load(str(tiny_nli), None, "cpu")
    encoded, _ = engine._encode([("the cat [SEP] dog", "a mat [CLS]")])
    special = [token for token in encoded[0]["input_ids"] if token in (2, 3)]
    assert special == [2, 3, 3]


def test_a_judge_that_fails_the_known_pairs_is_refused(tiny_nli: Path) -> None:
    with pytest.raises(Unavailable, match="fails the known pairs"):
        load_judge(Judges(nli=str(tiny_nli), device="cpu"))


@pytest.mark.parametrize(("name", "finding"), [("./no/such/folder", "no folder"), ("/no/such/folder", "no folder")])
def test_a_missing_judge_is_an_error_and_never_replaced(name: str, finding: str) -> None:
    with pytest.raises(Unavailable, match=finding):
        load_judge(Judges(nli=name, device="cpu"))


def test_a_folder_that_is_no_classifier_is_refused(tiny_nli: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny_nli, folder)
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(Unavailable, match="does not load"):
        nli_transformers.load(str(folder), None, "cpu")


def test_the_card_changes_with_the_weights_and_not_with_the_place(tiny_nli: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "model"
    shutil.copytree(tiny_nli, moved)
    card = nli_card(Judges(nli=str(tiny_nli), device="cpu"))
    assert fingerprint(card) == fingerprint(nli_card(Judges(nli=str(moved), device="cpu")))
    weights = bytearray((moved / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (moved / "model.safetensors").write_bytes(weights)
    assert fingerprint(card) != fingerprint(nli_card(Judges(nli=str(moved), device="cpu")))


def test_step_pairs_carry_judge_and_splitter(tiny_nli: Path) -> None:
    judges = Judges(nli=str(tiny_nli), device="cpu")
    card = step_pairs_card(judges)
    assert card.parameters["judge"] == fingerprint(nli_card(judges))
    assert fingerprint(card) != fingerprint(nli_card(judges))


def test_equal_pairs_are_read_once_and_answered_each_time() -> None:
    class Counting:
        read = 0

        def probabilities(self, pairs: list[tuple[str, str]]) -> tuple[np.ndarray, list[bool]]:
            self.read += len(pairs)
            return np.asarray([[0.2, 0.3, 0.5]] * len(pairs)), [False] * len(pairs)

    engine = Counting()
    scores = Judge(nli_card_stub(), engine).score([("a", "b"), ("c", "d"), ("a", "b")])
    assert engine.read == 2
    assert [score.label for score in scores] == ["contradiction"] * 3
    assert Judge(nli_card_stub(), engine).score([]) == []


def test_an_endless_stream_of_pairs_is_read_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    from itertools import count, islice

    from tasks.scorers import nli

    class Sizes:
        most = 0

        def probabilities(self, pairs: list[tuple[str, str]]) -> tuple[np.ndarray, list[bool]]:
            self.most = max(self.most, len(pairs))
            return np.asarray([[0.2, 0.3, 0.5]] * len(pairs)), [False] * len(pairs)

    monkeypatch.setattr(nli, "BLOCK", 16)
    taken = count()
    engine = Sizes()
    stream = Judge(nli_card_stub(), engine).stream((str(next(taken)), "b") for _ in count())
    assert len(list(islice(stream, 40))) == 40
    assert engine.most == 16
    assert next(taken) == 48


def nli_card_stub() -> object:
    from schemas.records import ScorerCard

    return ScorerCard("step_pairs", "nli", "1")


@pytest.mark.models
def test_the_embedded_judge_passes_the_known_pairs_and_reads_each_pair_alone(embedded: Judges) -> None:
    judge = load_judge(embedded)
    try_out(judge)
    pairs = list(zip(texts(40, 3), texts(40, 4), strict=True))
    together = judge.score(pairs)
    alone = [judge.score([pair])[0].p_contradiction for pair in pairs[:10]]
    assert alone == pytest.approx([score.p_contradiction for score in together[:10]], abs=1e-9)
    assert all(abs(s.p_entailment + s.p_neutral + s.p_contradiction - 1) < 1e-9 for s in together)


@pytest.mark.models
def test_the_embedded_judge_flags_long_pairs_and_takes_blank_and_hostile_ones(embedded: Judges) -> None:
    judge = load_judge(embedded)
    scores = judge.score([("word " * 600, "b"), ("", ""), ("a [SEP] b", "[CLS]"), ("\ud800\x00", "x")])
    assert [score.truncated for score in scores] == [True, False, False, False]


@pytest.mark.models
def test_long_texts_are_shortened_before_the_embedded_tokenizer_keeps_every_cut_of_them(embedded: Judges) -> None:
    from tasks.scorers.nli_embedded import WINDOW
    from tasks.scorers.pair_text import front

    engine = load_judge(embedded).engine
    long = ["Café, 3.5 % of “it”:  " + " ".join(random.Random(seed).choices([*WORDS, "x" * 300], k=1500)) for seed in range(2)]
    for pair in (tuple(long), tuple(reversed(long)), (long[0], long[0]), (long[0], "a cat"), ("a cat", long[1])):
        shown = engine._tokenizer.encode(*front(pair, engine._offsets, WINDOW))
        assert shown.ids == engine._tokenizer.encode(*pair).ids
        assert 1 <= len(shown.overflowing) <= 30


@pytest.mark.models
def test_the_embedded_card_names_licence_training_data_and_digest_without_loading_it(embedded: Judges) -> None:
    card = nli_card(embedded)
    assert "licence" in (card.notes or "")
    assert "gsm8k:train" in card.parameters["trained_on"]
    assert card.model_digest
    assert card.libraries.keys() == {"onnxruntime", "tokenizers"}
