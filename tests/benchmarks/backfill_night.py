"""A night to backfill: 7 configurations x ITEMS GSM8K items x (3 runs + 3 rewordings), replayed at list prices, no trace scored yet.

    python -m tests.benchmarks.backfill_night FOLDER [ITEMS]    # 40 items unless said; then the commands it prints

The texts are those of tests/benchmarks/rescoring.py: gold solutions told anew, seven tellers, output tokens a quarter of the characters.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from tests.benchmarks.rescoring import DATA, OPERATORS, RUNS, told

PRICES = [(0.15, 0.60), (0.15, 0.60), (0.30, 2.50), (0.60, 0.60), (1.0, 5.0), (2.5, 10.0), (3.0, 15.0)]
"""USD per million input and output tokens."""
MODEL = """
name: {name}
provider: replay
model: {name}
version: '1'
replay: {name}.jsonl
limits: {{concurrency: 64, shard: 500}}
prices: {{input: {input}, output: {output}}}
"""
RUN = """
name: night
datasets: [{{name: gsm8k, path: {path}, limit: {items}}}]
configurations:
{configurations}
suite: {{runs: {runs}, operators: [{operators}], dimensions: [{dimensions}]}}
judges: {{nli: embedded, bertscore: embedded, perturbation_gate: false}}
"""


def build(folder: Path, items: int) -> None:
    """Write run files, models and answers, then buy the answers: `efficiency` needs the extractor only."""
    from flows.server import configure
    from warehouse.store import Store

    folder.mkdir(parents=True)
    place = Store(folder / "store").open()
    configure(place.root / "prefect")
    from flows.evaluate import evaluate
    from flows.work import run_flow
    from schemas.config import Dataset
    from tasks import datasets

    path = DATA.resolve() / "gsm8k" / "test.jsonl"
    asked = datasets.load(Dataset(name="gsm8k", path=str(path), limit=items), Path(), 42).items
    names = [f"teller-{number}" for number in range(len(PRICES))]
    for name, (dear, dearer) in zip(names, PRICES, strict=True):
        (folder / f"{name}.yaml").write_text(MODEL.format(name=name, input=dear, output=dearer))
        with (folder / f"{name}.jsonl").open("w") as out:
            for item in asked:
                for operator in ("original", *OPERATORS):
                    for run in range(RUNS if operator == "original" else 1):
                        text = told(item.question, item.solution or "", Random(f"{name} {item.item_id} {operator} {run}"))
                        keys = {"item": item.item_id, "operator": operator, "run_index": run}
                        print(json.dumps(keys | {"text": text, "input_tokens": len(item.question) // 4, "output_tokens": len(text) // 4}), file=out)
    configurations = "\n".join(f"  - {{name: {name}, model: {name}.yaml, sampling: {{temperature: 0.7, max_tokens: 512}}}}" for name in names)
    for file, dimensions in (("bought", "efficiency"), ("night", "correctness, consistency, robustness, coherence, efficiency, stability")):
        options = {"path": path, "items": items, "configurations": configurations, "runs": RUNS, "operators": ", ".join(OPERATORS)}
        (folder / f"{file}.yaml").write_text(RUN.format(**options, dimensions=dimensions))
    run_flow(place, lambda: evaluate(str(folder / "bought.yaml"), str(place.root)), quiet=True)
    print(f"time sextant plan {folder}/night.yaml --store {folder}/empty")
    for dimension in ("correctness --again", "coherence"):  # `efficiency` read the answers already
        name, _, again = dimension.partition(" ")
        print(f"time sextant backfill {name} {folder}/night.yaml --store {folder}/store --quiet {again}")


if __name__ == "__main__":
    build(Path(sys.argv[1]).absolute(), int(sys.argv[2]) if len(sys.argv) > 2 else 40)
