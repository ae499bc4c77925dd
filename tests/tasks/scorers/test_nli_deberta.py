"""Traps of DeBERTa judges: positions left out that were needed, and a hub judge that is not what its name says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from schemas.config import Judges
from schemas.errors import Unavailable
from tasks.scorers import nli_transformers
from tasks.scorers.nli import load_judge, nli_card
from tasks.scorers.nli_deberta import narrow
from tests.hub_server import HubServer
from tests.tasks.scorers.conftest import WORDS

COMMIT = "c" * 40
LABELS = ("contradiction", "entailment", "neutral")


def save_deberta(folder: Path, *, shared: bool = True, buckets: int = 8, labels: tuple[str, ...] = LABELS) -> Path:
    """A DeBERTa-v2 of two layers with seeded random weights and a tokenizer.json alone: no sentencepiece file."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, PreTrainedTokenizerFast

    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - a token of text
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    words = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=inner, model_max_length=64, **words).save_pretrained(str(folder))
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "max_position_embeddings": 64}
    style = {"relative_attention": True, "position_buckets": buckets, "norm_rel_ebd": "layer_norm", "share_att_key": shared, "pos_att_type": ["p2c", "c2p"]}
    names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    torch.manual_seed(0)
    config = DebertaV2Config(vocab_size=len(vocabulary), type_vocab_size=0, position_biased_input=False, initializer_range=0.4, **sizes, **style, **names)
    DebertaV2ForSequenceClassification(config).save_pretrained(str(folder))
    return folder


def mixed(n: int) -> list[tuple[str, str]]:
    chance = random.Random(7)
    words = [word for word in WORDS if word.isalnum()]
    return [tuple(" ".join(chance.choices(words, k=chance.randint(1, 29))) for _ in range(2)) for _ in range(n)]  # type: ignore[misc]


@pytest.mark.parametrize(("shared", "buckets"), [(True, 8), (False, 8), (True, 64), (True, -1)])
def test_positions_no_pair_has_are_left_out_and_the_numbers_stay(tmp_path: Path, shared: bool, buckets: int) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = save_deberta(tmp_path / "m", shared=shared, buckets=buckets)
    tokenizer, model = AutoTokenizer.from_pretrained(str(folder)), AutoModelForSequenceClassification.from_pretrained(str(folder)).eval()
    pairs = mixed(24)
    found, _ = nli_transformers.load(str(folder), None, "cpu").probabilities(pairs)
    for (premise, hypothesis), p in zip(pairs, found, strict=True):
        with torch.no_grad():
            plain = model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits.double().softmax(-1)[0].numpy()
        assert np.abs(p - plain[[1, 2, 0]]).max() < 1e-5


def test_every_layer_is_narrowed_and_other_models_are_left_alone(tmp_path: Path, tiny_nli: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    assert narrow(AutoModelForSequenceClassification.from_pretrained(str(save_deberta(tmp_path / "m")))) == 2
    assert narrow(AutoModelForSequenceClassification.from_pretrained(str(tiny_nli))) == 0


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield server


def serve(hub: HubServer, folder: Path) -> None:
    hub.add("model", "cross-encoder/nli-deberta-v3-small", COMMIT, {file.name: file.read_bytes() for file in folder.iterdir()})


def test_a_deberta_of_the_hub_is_fetched_pinned_and_read_by_the_names_of_its_labels(hub: HubServer, tmp_path: Path) -> None:
    folder = save_deberta(tmp_path / "m")
    assert not list(folder.glob("spm*"))
    serve(hub, folder)
    name = "cross-encoder/nli-deberta-v3-small"
    pairs = mixed(6)
    fetched, _ = nli_transformers.load(name, COMMIT, "cpu").probabilities(pairs)
    assert np.array_equal(fetched, nli_transformers.load(str(folder), None, "cpu").probabilities(pairs)[0])
    card = nli_card(Judges(nli=name, nli_revision=COMMIT, device="cpu"))
    assert card.parameters["labels"] == [1, 2, 0]
    assert card.model == f"{name}@{COMMIT}"


def test_a_deberta_of_the_hub_that_fails_the_known_pairs_is_refused(hub: HubServer, tmp_path: Path) -> None:
    serve(hub, save_deberta(tmp_path / "m"))
    with pytest.raises(Unavailable, match="cross-encoder/nli-deberta-v3-small.* fails the known pairs"):
        load_judge(Judges(nli="cross-encoder/nli-deberta-v3-small", nli_revision=COMMIT, device="cpu"))


def test_a_deberta_of_the_hub_without_named_labels_is_refused_before_it_is_loaded(hub: HubServer, tmp_path: Path) -> None:
    serve(hub, save_deberta(tmp_path / "m", labels=("LABEL_0", "LABEL_1", "LABEL_2")))
    with pytest.raises(Unavailable, match="id2label"):
        nli_card(Judges(nli="cross-encoder/nli-deberta-v3-small", nli_revision=COMMIT, device="cpu"))
