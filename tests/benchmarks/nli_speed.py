"""NLI throughput, sides interleaved in one process. Run by hand: python -m tests.benchmarks.nli_speed [PAIRS]   (needs sentence-transformers)

1. fp32: `sentence_transformers.CrossEncoder.predict` with its defaults against our transformers engine; same checkpoint, same pairs, equal probabilities.
2. int8: the embedded judge against the same CrossEncoder; label agreement with the fp32 forward under the same head.
Floor: the forward passes alone, over batches that are already tokenised and padded (fp32), and over token ids (int8).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from tasks.scorers import nli_embedded, nli_transformers
from tasks.scorers.batching import batches, spread
from tasks.scorers.calibration import nli_pairs, step_pairs_of
from tests.benchmarks.dequantise import write

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
ROUNDS = 3


def mixed_pairs(n: int) -> list[tuple[str, str]]:
    """Half SNLI pairs, half neighbouring GSM8K steps: from 10 to about 150 tokens, in an order that is not by length."""
    from schemas.config import Dataset
    from tasks import datasets

    items = datasets.load(Dataset(name="gsm8k", path=str(DATA / "gsm8k" / "test.jsonl"), limit=n), Path(), 1).items
    steps = [(p.premise, p.hypothesis) for p in step_pairs_of(items, seed=1, limit=None) if p.role == "false_alarm"]
    sentences = [(p.premise, p.hypothesis) for p in nli_pairs(DATA / "nli" / "tf_snli")]
    return [pair for both in zip(steps, sentences, strict=False) for pair in both][:n]


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Wall seconds, CPU seconds, result."""
    wall, cpu = perf_counter(), process_time()
    result = work()
    return perf_counter() - wall, process_time() - cpu, result


def forward_alone(engine: nli_transformers.TransformersEngine, encoded: list[dict[str, list[int]]]) -> Callable[[], None]:
    """The model over ready batches."""
    import torch

    limits = {"tokens": nli_transformers.TOKENS_PER_BATCH, "rows": nli_transformers.ROWS_PER_BATCH}
    ready = [engine._tokenizer.pad([encoded[i] for i in rows], return_tensors="pt") for rows in batches([len(e["input_ids"]) for e in encoded], **limits)]

    def run() -> None:
        with torch.inference_mode():
            for batch in ready:
                engine._model(**batch)

    return run


def fp32_labels(engine: nli_transformers.TransformersEngine, encoded: list[dict[str, list[int]]]) -> list[int]:
    """Labels of the embedded judge's own head over the fp32 encoder."""
    import torch

    head = json.loads(nli_embedded.HEAD.read_text(encoding="utf-8"))
    w, b, found = np.asarray(head["W"]), np.asarray(head["b"]), []
    with torch.inference_mode():
        for one in encoded:
            hidden = engine._model.deberta(torch.tensor([one["input_ids"]])).last_hidden_state
            features = torch.cat([engine._model.pooler(hidden)[0], hidden[0, 0]]).numpy()
            found.append(int((w @ features + b).argmax()))
    return found


def main() -> None:
    import torch
    from sentence_transformers import CrossEncoder

    pairs = mixed_pairs(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    folder = write(Path(os.environ.get("SEXTANT_FP32", tempfile.gettempdir() + "/sextant-fp32")))
    theirs, ours, embedded = CrossEncoder(str(folder), device="cpu"), nli_transformers.load(str(folder), None, "cpu"), nli_embedded.load()
    encoded, _ = ours._encode(pairs)
    ids = [one["input_ids"] for one in encoded]
    sides: dict[str, Callable[[], Any]] = {
        "CrossEncoder.predict, fp32": lambda: theirs.predict(pairs, apply_softmax=True, show_progress_bar=False),
        "ours, fp32": lambda: ours.probabilities(pairs)[0],
        "  its forward passes alone": forward_alone(ours, encoded),
        "ours, int8": lambda: embedded.probabilities(pairs)[0],
        "  its sessions alone": lambda: spread(embedded._read, ids),
    }
    lengths = f"{sum(map(len, ids)) / len(ids):.1f} tokens a pair ({min(map(len, ids))} to {max(map(len, ids))})"
    print(f"{len(pairs)} pairs, {lengths}; torch threads {torch.get_num_threads()}")

    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    results: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, work in sides.items():
            wall, cpu, results[name] = timed(work)
            times[name].append((wall, cpu))
    base = times["CrossEncoder.predict, fp32"]
    for name, seen in times.items():
        ratio, cpu = (median(b[i] / s[i] for b, s in zip(base, seen, strict=True)) for i in (0, 1))
        print(f"{name:<32} {len(pairs) / median(s[0] for s in seen):7.1f} pairs/s   wall ratio {ratio:5.2f}   CPU ratio {cpu:5.2f}")
    apart = np.abs(np.asarray(results["CrossEncoder.predict, fp32"]) - results["ours, fp32"]).max()
    agree = np.mean(results["ours, int8"].argmax(1) == np.asarray(fp32_labels(ours, encoded)))
    print(f"largest probability difference, ours fp32 against CrossEncoder: {apart:.1e}; label agreement int8 against fp32: {agree:.3f}")


if __name__ == "__main__":
    main()
