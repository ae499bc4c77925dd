"""A whole re-scoring of stored generations by the embedded models. Run by hand, two commands:

    python -m tests.benchmarks.rescoring build FOLDER [ITEMS]   # GSM8K test items x (3 runs + 3 rewordings), replayed
    python -m tests.benchmarks.rescoring score FOLDER           # `backfill coherence`, then `backfill stability`: time, peak memory, share outside the models

No language model: an answer is the item's gold solution told anew. Each telling draws its own opening, joints between steps, restated
question and closing; one in six drops a step, swaps two or changes a number. So the texts of an item are near but not equal, as runs of a model are.
Time inside the models is wall time around onnxruntime's sessions and the encoder's forward passes; all else is outside, Prefect and publishing too.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
RUNS, OPERATORS = 3, ("synonym", "reorder", "paraphrase")
OPENINGS = (
    "Let's think step by step.",
    "Let me work through this.",
    "We need to find the answer to the question.",
    "Here is the solution.",
    "Okay, step by step.",
)
JOINTS = ("", "First, ", "So ", "Then ", "Next, ", "Now ", "This means that ", "We can see that ", "Therefore ", "After that, ")
CLOSINGS = ("The answer is {}.", "So the final answer is {}.", "Therefore, the answer is {}.", "Answer: {}")
MODEL = "name: told\nprovider: replay\nmodel: told\nversion: '1'\nreplay: told.jsonl\nlimits: {concurrency: 64, shard: 2000}\n"
RUN = """
name: rescoring
datasets: [{{name: gsm8k, path: {path}, limit: {items}}}]
configurations: [{{name: told, model: told.yaml, sampling: {{temperature: 0.7, max_tokens: 512}}}}]
suite: {{runs: {runs}, operators: [{operators}], dimensions: [{dimensions}]}}
judges: {{nli: embedded, bertscore: embedded, perturbation_gate: false}}
"""


def told(question: str, solution: str, random: Random) -> str:
    """One telling of a gold solution."""
    lines = re.sub(r"<<.*?>>", "", solution).split("\n")
    steps, answer = [line for line in lines if not line.startswith("####")], lines[-1].removeprefix("#### ")
    change = random.randrange(6)
    if change == 0 and len(steps) > 1:
        where = random.randrange(len(steps))
        changes: tuple[Callable[[], Any], ...] = (lambda: steps.pop(where), lambda: steps.append(steps.pop(where)))
        random.choice(changes)()
    if change == 1:
        steps[-1] = re.sub(r"\d+", lambda found: str(int(found[0]) + random.randrange(1, 9)), steps[-1], count=1)
    spoken = [(joint := random.choice(JOINTS)) + (step[:1].lower() + step[1:] if joint else step) for step in steps]
    restated = [question.split(". ")[0].rstrip(".?") + "."] if random.random() < 0.5 else []
    return "\n".join([random.choice(OPENINGS), *restated, *spoken, random.choice(CLOSINGS).format(answer)])


def build(folder: Path, items: int) -> None:
    """A store with answers scored for correctness only."""
    from flows.server import configure
    from warehouse.store import Store

    folder.mkdir(parents=True)
    place = Store(folder / "store").open()
    configure(place.root / "prefect")
    from flows.evaluate import evaluate
    from flows.work import run_flow
    from schemas.config import Dataset
    from tasks import datasets

    path = DATA / "gsm8k" / "test.jsonl"
    with (folder / "told.jsonl").open("w") as out:
        for item in datasets.load(Dataset(name="gsm8k", path=str(path), limit=items), Path(), 42).items:
            for operator in ("original", *OPERATORS):
                for run in range(RUNS if operator == "original" else 1):
                    text = told(item.question, item.solution or "", Random(f"{item.item_id} {operator} {run}"))
                    keys = {"item": item.item_id, "operator": operator, "run_index": run}
                    print(json.dumps(keys | {"text": text, "input_tokens": 80, "output_tokens": len(text) // 4}), file=out)
    (folder / "told.yaml").write_text(MODEL)
    for name, dimensions in (("run", "correctness"), ("all", "correctness, consistency, robustness, coherence, efficiency, stability")):
        text = RUN.format(path=path.resolve(), items=items, runs=RUNS, operators=", ".join(OPERATORS), dimensions=dimensions)
        (folder / f"{name}.yaml").write_text(text)
    run_flow(place, lambda: evaluate(str(folder / "run.yaml"), str(place.root)))


class Inside:
    """Wall seconds spent inside model calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            began = perf_counter()
            try:
                return work(*args, **named)
            finally:
                self.seconds += perf_counter() - began

        return timed


def score(folder: Path) -> None:
    """Backfill what the embedded models read, and say where the time went."""
    from flows.server import configure
    from warehouse.store import Store

    place = Store(folder / "store")
    configure(place.root / "prefect")
    import bert_score.utils

    import flows.backfill as flow
    from flows.work import run_flow
    from tasks.scorers import nli_embedded

    models = Inside()
    nli_embedded.spread = models.around(nli_embedded.spread)
    bert_score.utils.bert_encode = models.around(bert_score.utils.bert_encode)
    publishing = Inside()
    whole = {"wall": 0.0, "inside": 0.0, "scoring": 0.0}
    for dimension in ("coherence", "stability"):
        models.seconds, publishing.seconds = 0.0, 0.0
        stages: dict[str, float] = {}
        real, real_publish = flow.run_stage, flow.publish

        async def run_stage(stage: Any, *rest: Any, real: Any = real, stages: dict[str, float] = stages) -> int:
            began = perf_counter()
            done: int = await real(stage, *rest)
            stages[stage.table] = perf_counter() - began
            return done

        async def publish(*rest: Any, real: Any = real_publish) -> Any:
            began = perf_counter()
            result = await real(*rest)
            publishing.seconds += perf_counter() - began
            return result

        flow.run_stage, flow.publish = run_stage, publish  # type: ignore[assignment]
        began = perf_counter()
        done = run_flow(place, lambda dimension=dimension: flow.backfill(dimension, str(folder / "all.yaml"), str(place.root)))  # type: ignore[misc]
        wall = perf_counter() - began
        flow.run_stage, flow.publish = real, real_publish
        scoring = sum(stages.values())
        print(f"{dimension}: {done.generations} generations, new rows {done.rows}; {wall:.1f} s, of it stages { {k: round(v, 1) for k, v in stages.items()} },")
        print(f"  publishing {publishing.seconds:.1f} s, Prefect's start and stop and planning {wall - scoring - publishing.seconds:.1f} s;")
        print(f"  inside the models {models.seconds:.1f} s; outside {1 - models.seconds / scoring:.1%} of stages, {1 - models.seconds / wall:.1%} of all")
        whole = {"wall": whole["wall"] + wall, "inside": whole["inside"] + models.seconds, "scoring": whole["scoring"] + scoring}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"both: {whole['wall']:.1f} s, stages {whole['scoring']:.1f} s, inside the models {whole['inside']:.1f} s; ", end="")
    print(f"outside {1 - whole['inside'] / whole['scoring']:.1%} of the stages, {1 - whole['inside'] / whole['wall']:.1%} of the commands; peak {peak:.0f} MB")


if __name__ == "__main__":
    target = Path(sys.argv[2]).absolute()
    build(target, int(sys.argv[3]) if len(sys.argv) > 3 else 975) if sys.argv[1] == "build" else score(target)
