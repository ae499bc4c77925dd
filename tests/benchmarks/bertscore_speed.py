"""BERTScore over K = 3 traces per item, sides interleaved in one process. Run by hand: python -m tests.benchmarks.bertscore_speed [ITEMS]

Traces are GSM8K gold solutions with seeded edits (a step dropped, or steps swapped), so that the three of an item differ as runs of a model do.
What `rqeval` 2.0.3 does (metrics/explainability.py): every call of its stability loads the model anew through `bert_score.score`, and makes one library call
over the pairs it was given: those of one item in `compute_instance`, those of all items in `compute`, which its own evaluator uses.
1. item by item, as its `compute_instance`: the first 20 items, scaled up. 2. kinder: a loaded BERTScorer per item. 3. one library call over all pairs.
4. ours, one call. 5. the encoder's forward passes alone over our batches.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from schemas.config import Judges
from tasks.local_files import package_file
from tasks.scorers.batching import batches
from tasks.scorers.bertscore import CONFIG, PACKAGE, load_encoder
from tasks.scorers.bertscore_text import ROWS_PER_BATCH, TOKENS_PER_BATCH, TextEncoder

GSM8K = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "gsm8k" / "test.jsonl"
ROUNDS = 3
RELOADED = 20


def traces(n: int) -> list[tuple[str, str, str]]:
    """Three versions of n gold solutions."""
    random, found = Random(5), []
    for row in GSM8K.read_text(encoding="utf-8").splitlines()[:n]:
        lines = json.loads(row)["answer"].split("\n")
        dropped, mixed = list(lines), list(lines)
        dropped.pop(random.randrange(len(lines)))
        random.shuffle(mixed)
        found.append(("\n".join(lines), "\n".join(dropped), "\n".join(["First, let us see.", *mixed])))
    return found


def forward_alone(encoder: TextEncoder, texts: list[str]) -> Callable[[], None]:
    """The model over ready batches of the distinct texts."""
    import torch
    from bert_score.utils import bert_encode, padding

    ids = [chunk for text in texts for chunk in encoder.chunks(text)]
    ready = []
    for rows in batches([len(i) for i in ids], tokens=TOKENS_PER_BATCH, rows=ROWS_PER_BATCH):
        padded, _, mask = padding([ids[i] for i in rows], encoder.tokenizer.pad_token_id, dtype=torch.long)
        ready.append((padded, mask))
    return lambda: [bert_encode(encoder.model, padded, mask) for padded, mask in ready] and None


def main() -> None:
    import torch
    from bert_score import BERTScorer

    items = traces(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    pairs = [pair for item in items for pair in combinations(item, 2)]
    library = BERTScorer(model_type=str(package_file(PACKAGE, CONFIG).parent), num_layers=5, device="cpu")
    encoder = load_encoder(Judges(bertscore="embedded", device="cpu"))

    def as_rqeval() -> None:
        from bert_score import score

        for item in items[:RELOADED]:
            left, right = zip(*combinations(item, 2), strict=True)
            score(list(left), list(right), model_type=library.model_type, num_layers=5, device="cpu")

    def item_by_item() -> list[float]:
        found: list[float] = []
        for item in items:
            left, right = zip(*combinations(item, 2), strict=True)
            found += library.score(list(left), list(right))[2].tolist()
        return found

    sides: dict[str, Callable[[], Any]] = {
        "as RQEval, item by item": as_rqeval,
        "library, item by item": item_by_item,
        "library, one call": lambda: library.score([a for a, _ in pairs], [b for _, b in pairs])[2].tolist(),
        "ours": lambda: [score.f1 for score in encoder.score(pairs) if score],
        "  its forward passes alone": forward_alone(encoder.texts, list(dict.fromkeys(text for item in items for text in item))),
    }
    encoder.score(pairs[:3])  # warm
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    results: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, work in sides.items():
            wall, cpu = perf_counter(), process_time()
            results[name] = work()
            scale = len(items) / RELOADED if work is as_rqeval else 1
            times[name].append(((perf_counter() - wall) * scale, (process_time() - cpu) * scale))
    print(f"{len(items)} items, {len(pairs)} pairs; torch threads {torch.get_num_threads()}")
    for name, seen in times.items():
        ratios = [median(other[i] / own[i] for other, own in zip(times[name], times["ours"], strict=True)) for i in (0, 1)]
        print(f"{name:<28} {len(pairs) / median(s[0] for s in seen):7.1f} pairs/s   ours is {ratios[0]:5.2f} x as fast (wall), {ratios[1]:5.2f} x (CPU)")
    apart = max(abs(a - b) for a, b in zip(results["library, one call"], results["ours"], strict=True))
    print(f"largest F1 difference from the library: {apart:.1e}")


if __name__ == "__main__":
    main()
