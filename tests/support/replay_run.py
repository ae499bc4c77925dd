"""A small run on the replay provider: the whole pipeline with the embedded judges, no network and no language model."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb

STEPS = "1. We read the question.\n2. We add the numbers: {a} + {b} = {c}.\n3. Answer: {c}"

MODEL = """
name: {name}
provider: replay
model: {name}
version: "{version}"
replay: {name}.jsonl
limits: {{concurrency: 4, shard: 20}}
prices: {{input: 1.0, output: 2.0}}
"""
RUN = """
name: replayed
datasets:
  - {{name: sums, path: sums.jsonl, answer_type: number, limit: {items}}}
configurations:
{configurations}
suite: {{runs: {runs}, operators: [synonym, reorder, paraphrase]}}
judges: {{nli: embedded, bertscore: embedded, perturbation_gate: false}}
"""
CONFIGURATION = "  - {{name: {name}, model: {name}.yaml, sampling: {{temperature: {temperature}, max_tokens: 64}}}}\n"


def write_run(
    folder: Path, *, items: int = 12, runs: int = 3, temperature: float = 0.7, names: tuple[str, ...] = ("good", "poor"), version: str = "1", delay_s: float = 0
) -> Path:
    """Write run file, model files, items and recorded answers; `good` answers right, `poor` is right on even runs only."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = [f"Anna buys {n + 2} apples and {n + 3} pears at the market. How many pieces of fruit does Anna have in total?" for n in range(40)]
    rows = [{"question": q, "answer": str(2 * n + 5), "source_id": f"sum-{n}"} for n, q in enumerate(questions)]
    (folder / "sums.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    for name in names:
        (folder / f"{name}.yaml").write_text(MODEL.format(name=name, version=version))
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(line | {"delay_s": delay_s}) for line in _answers(name)))
    configurations = "".join(CONFIGURATION.format(name=name, temperature=temperature) for name in names)
    path = folder / "run.yaml"
    path.write_text(RUN.format(items=items, runs=runs, configurations=configurations))
    return path


def _answers(name: str) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []
    for n in range(40):
        a, b = n + 2, n + 3
        for run in range(5):
            c = a + b if name == "good" or run % 2 == 0 else a + b + 1
            text = STEPS.format(a=a, b=b, c=c)
            # the numbers survive every rewording, so this line answers the reworded prompts too
            lines.append({"contains": f" {a} apples", "run_index": run, "text": text, "input_tokens": 30, "output_tokens": 20 + run})
    return [*lines, {"text": "I do not know.", "input_tokens": 30, "output_tokens": 5}]


def query(store: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()
