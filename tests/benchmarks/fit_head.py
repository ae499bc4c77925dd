"""How `tasks/scorers/aegis_head.json` was fitted. Run by hand, about 5 minutes: python -m tests.benchmarks.fit_head OUT.json

Multinomial logistic regression on 768 numbers of the frozen int8 encoder. Pairs: CAD-SNLI train (5,000 drawn), MNLI mismatched (1,000) and ConjNLI dev (623)
with their labels; from GSM8K train solutions (1,500) and StrategyQA train facts (700 items) consistent neighbours as neutral, and a step with its altered
next step (negation, swapped entity, step of another item) as contradiction. Changed numbers are left out: no head can see them, the equation check does.
Read off on held-out sets by judge_card.py. Weights: NLI pairs 1.5, GSM8K neighbours 3, StrategyQA neighbours 6 (false alarms cost more than misses), altered 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from schemas.config import Dataset
from schemas.records import Item
from tasks import datasets
from tasks.scorers import nli_embedded
from tasks.scorers.calibration import Pair, nli_pairs, step_pairs_of
from tasks.scorers.nli import LABELS

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
RIDGE = 3e-3


def facts(file: Path, n: int) -> list[Item]:
    """Items of StrategyQA whose solution is the list of their facts."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    Random(3).shuffle(rows)
    return [Item(f"sq{i}", "strategyqa", str(i), row["question"], "boolean", "yes", solution="\n".join(row["facts"])) for i, row in enumerate(rows[:n])]


def pairs() -> list[tuple[Pair, float]]:
    """Training pairs with their weights."""
    cad = nli_pairs(DATA / "nli" / "cad_train.tsv")
    Random(0).shuffle(cad)
    plain = [*cad[:5000], *nli_pairs(DATA / "nli" / "tf_mnli_mm"), *nli_pairs(DATA / "nli" / "conj_dev.tsv")]
    gsm8k = datasets.load(Dataset(name="gsm8k", path=str(DATA / "gsm8k" / "train_first1500.jsonl")), Path(), 42).items
    worked = [(pair, 3.0) for pair in step_pairs_of(gsm8k, seed=42, limit=None)]
    worked += [(pair, 6.0) for pair in step_pairs_of(facts(DATA / "strategyqa" / "train.jsonl", 700), seed=43, limit=None)]
    return [(pair, 1.5) for pair in plain] + [(p, w if p.role == "false_alarm" else 1.0) for p, w in worked if p.alteration != "number"]


def fit(features: Any, labels: list[int], weights: list[float]) -> tuple[Any, Any]:
    """Weighted ridge logistic regression on standardised features, given back for raw ones."""
    import torch

    raw, gold, weight = torch.tensor(features, dtype=torch.float32), torch.tensor(labels), torch.tensor(weights)
    middle, spread = raw.mean(0), raw.std(0) + 1e-3
    scaled = (raw - middle) / spread
    w, b = torch.zeros(3, raw.shape[1], requires_grad=True), torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([w, b], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimizer.zero_grad()
        each = torch.nn.functional.cross_entropy(scaled @ w.T + b, gold, reduction="none")
        value = (each * weight).sum() / weight.sum() + RIDGE * (w**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    w, b = w.detach() / spread, b.detach()
    return w.numpy(), (b - w @ middle).numpy()


def main() -> None:
    chosen = pairs()
    engine = nli_embedded.load()
    features, _ = engine.features([(pair.premise, pair.hypothesis) for pair, _ in chosen])
    w, b = fit(features, [LABELS.index(pair.gold_label) for pair, _ in chosen], [weight for _, weight in chosen])
    head = {"labels": LABELS, "input": "pooler output (384), then the first token of the last layer (384)", "fit": "tests/benchmarks/fit_head.py"}
    Path(sys.argv[1]).write_text(json.dumps(head | {"W": w.astype(float).round(6).tolist(), "b": b.astype(float).round(6).tolist()}), encoding="utf-8")


if __name__ == "__main__":
    main()
