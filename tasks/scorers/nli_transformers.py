"""NLI by any sequence-classification cross-encoder: a hub id or a local folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import Unavailable
from schemas.records import ScorerCard
from tasks.scorers.batching import batches
from tasks.scorers.devices import calm_threads, number_format, resolve_device
from tasks.scorers.nli_deberta import narrow
from tasks.scorers.packed import pack
from tasks.scorers.pair_text import CONTROL_WORDS, front, plain
from tasks.scorers.weights import folder_digest, library_versions, model_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

ORDER = ("entail", "neutral", "contradict")
TOKENS_PER_BATCH = 1024
ROWS_PER_BATCH = 16
LONGEST = 512
"""Window where neither tokenizer nor configuration names a smaller one."""


def card(name: str, revision: str | None, device: str) -> ScorerCard:
    """Card of the cross-encoder `name`: digest of its files, number format, library versions.

    Raises:
        Unavailable: its files cannot be had, or its labels are not named.
    """
    folder = model_folder(name, revision)
    order = label_order(folder)
    parameters: dict[str, object] = {"labels": list(order), "format": number_format(resolve_device(device)), "window": LONGEST}
    return ScorerCard(
        stage="step_pairs",
        name="nli",
        version="1",
        parameters=parameters,
        model=name if revision is None else f"{name}@{revision}",
        model_digest=folder_digest(folder),
        libraries=library_versions("torch", "transformers", "tokenizers"),
    )


def label_order(folder: Path) -> tuple[int, int, int]:
    """Output positions of entailment, neutral and contradiction, found by name in config.json.

    Raises:
        Unavailable: the configuration is unreadable, or the labels are not exactly these three.
    """
    file = folder / "config.json"
    try:
        names = json.loads(file.read_text(encoding="utf-8")).get("id2label") or {}
        labels = {int(position): str(label).lower() for position, label in names.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise Unavailable(f"NLI judge: cannot read {file}: {error}; name another judge in `judges.nli`") from error
    found = [[position for position, label in labels.items() if label.startswith(stem)] for stem in ORDER]
    if len(labels) != 3 or any(len(positions) != 1 for positions in found):
        said = ", ".join(labels.values()) or "none"
        raise Unavailable(
            f"NLI judge: id2label in {file} names {said}; it must name entailment, neutral and contradiction once each: mend it or name another judge"
        )
    return found[0][0], found[1][0], found[2][0]


def load(name: str, revision: str | None, device: str) -> TransformersEngine:
    """Load the cross-encoder `name`.

    Raises:
        Unavailable: it cannot be had or is not a sequence-classification model.
    """
    calm_threads()
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model_folder(name, revision)
    order, place = label_order(folder), resolve_device(device)
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, dtype=getattr(torch, number_format(place)), trust_remote_code=False
        )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise Unavailable(f"NLI judge {name} does not load: {error}; name another judge in `judges.nli`") from error
    model = model.eval().to(place)
    narrow(model)
    pack(model)
    return TransformersEngine(model, tokenizer, order, window_of(tokenizer, model.config))


def window_of(tokenizer: Any, config: Any) -> int:
    """Most tokens a sequence may have: the smallest of what tokenizer and configuration say, special tokens included."""
    positions = getattr(config, "max_position_embeddings", None) or LONGEST
    if getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert"):
        positions -= 2  # positions start after the padding index
    return int(min(LONGEST, positions, tokenizer.model_max_length))


class TransformersEngine:
    """A model with its tokenizer; small length-sorted batches, because large ones outgrow the cache."""

    def __init__(self, model: Any, tokenizer: Any, order: tuple[int, int, int], window: int) -> None:
        self._model, self._tokenizer, self._order, self._window = model, tokenizer, order, window
        self._words = {*CONTROL_WORDS, *tokenizer.all_special_tokens}

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray[np.float64], list[bool]]:
        """Probabilities (n, 3): entailment, neutral, contradiction; and which pairs were cut to the window."""
        import numpy as np
        import torch

        out = np.zeros((len(pairs), 3))
        encoded, truncated = self._encode(pairs)
        with torch.inference_mode():
            for rows in batches([len(e["input_ids"]) for e in encoded], tokens=TOKENS_PER_BATCH, rows=ROWS_PER_BATCH):
                padded = self._tokenizer.pad([encoded[i] for i in rows], return_tensors="pt").to(self._model.device)
                out[rows] = self._model(**padded).logits.double().softmax(-1)[:, list(self._order)].cpu().numpy()
        return out, truncated

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[dict[str, list[int]]], list[bool]]:
        shown = [self._shown(pair) for pair in pairs]
        premises, hypotheses = ([pair[side] for pair in shown] for side in (0, 1))
        if not premises:
            return [], []
        with _quiet(self._tokenizer):
            whole = self._tokenizer(premises, hypotheses, truncation=False, verbose=False)["input_ids"]
            cut = self._tokenizer(premises, hypotheses, truncation="longest_first", max_length=self._window)
        encoded = [{key: values[i] for key, values in cut.items()} for i in range(len(pairs))]
        return encoded, [len(ids) > self._window for ids in whole]

    def _shown(self, pair: tuple[str, str]) -> tuple[str, str]:
        a, b = (plain(text, self._words) for text in pair)
        return front((a, b), self._offsets, self._window) if self._tokenizer.is_fast else (a, b)

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        with _quiet(self._tokenizer):
            return list(self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False, return_offsets_mapping=True)["offset_mapping"])


@contextmanager
def _quiet(tokenizer: Any) -> Iterator[None]:
    """Keep a tokenizer from warning of a length that is handled here."""
    before = getattr(tokenizer, "deprecation_warnings", {})
    before["sequence-length-is-longer-than-the-specified-maximum"] = True
    yield
