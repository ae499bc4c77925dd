"""A store with two suites whose texts read like answers, and one item in which models wrote everything a page must not believe."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import polars as pl

from tests.warehouse.rows import RECORDED, fill
from tests.warehouse.worlds import OPERATORS, Ability, World, write
from warehouse.store import Store

LATER = RECORDED + timedelta(days=2)
HOSTILE_NAME = "<b>Bold</b> \u202egnp"
HOSTILE = {
    "script": "</script><script>window.pwned = 'script'</script>",
    "comment": "<!--<script>window.pwned = 'comment'</script>-->",
    "image": "<img src=x onerror=\"window.pwned = 'image'\"><svg onload=\"window.pwned='svg'\">",
    "override": "safe \u202egnp.exe\u202c \u2066hidden\u2069 \u200bzero",
    "control": "bell\x07 escape\x1b[31m null\x00 form\x0c",
    "separators": "line\u2028paragraph\u2029end",
    "template": "{{ 7 * 7 }} {% raw %} ${7*7} ]]> &lt;b&gt;",
    "prototype": "__proto__ constructor javascript:window.pwned='url'",
    "stacked": "Z" + "\u0351" * 500,
    "lines": "\n".join(f"line {i}" for i in range(20_000)),
    "long": "A" * 1_000_000 + "THE END",
}
SMALL, LARGE = (
    World({"Alpha": Ability()}, items={"gsm8k": 30}, suite="small"),
    World(
        {
            "Alpha": Ability(),
            "Alpha 2": Ability(correct=0.86, tokens=450, contradiction=0.02),
            "Beta": Ability(correct=0.6, tokens=40, contradiction=0.3, stubborn=0.9, similarity=0.92),
            "Gamma with a rather long display name": Ability(correct=0.72, tokens=140, errors=0.05),
            HOSTILE_NAME: Ability(correct=0.6, tokens=420, similarity=0.78),
        },
        items={"gsm8k": 60, "mmlu": 45, "strategyqa": 30},
        suite="large",
        seed=3,
    ),
)


def plant(store: Store) -> None:
    """Two suites, the newer one large; texts in all of its gsm8k items; the hostile set in its first item."""
    write(store, SMALL)
    write(store, LARGE)
    store.write("evaluations", fill("evaluations", [_evaluation(SMALL, RECORDED), _evaluation(LARGE, LATER)]))
    store.write(
        "model_versions",
        fill("model_versions", [{"model_version_id": "model-Alpha 2", "model": "Alpha 2", "predecessor": "model-Alpha", "recorded_at": LATER}]),
    )
    items = store.newest("items").collect().to_dicts()
    store.write("items", fill("items", [_item(row) for row in items]))
    store.write("prompts", fill("prompts", [_prompt(row, operator) for row in items if row["dataset"] == "gsm8k" for operator in OPERATORS]))
    spoken = store.newest("generations").filter(pl.col("generation_id").str.starts_with("large|"), pl.col("status") == "answered").collect()
    steps = {row["generation_id"]: row["n_steps"] for row in store.newest("traces").collect().to_dicts()}
    answered = {row["generation_id"]: row for row in store.newest("answers").collect().to_dicts()}
    generations, traces, answers = [], [], []
    for row in spoken.to_dicts():
        texts = _steps(row, steps.get(row["generation_id"], 3))
        generations.append(
            {
                **row,
                "text": "\n".join(texts),
                "recorded_at": LATER,
                "latency_ms": 900.0,
                "cost_usd": row["output_tokens"] * 4e-6,
                "finish_reason": "stop",
                "started_at": LATER,
            }
        )
        if row["operator"] == "original":
            traces.append(
                {"generation_id": row["generation_id"], "scorer": "traces", "status": "scored", "n_steps": len(texts), "steps": texts, "recorded_at": LATER}
            )
        answers.append({**answered[row["generation_id"]], "extracted": texts[-1][:60], "value": "38", "strategy": "marker", "recorded_at": LATER})
    store.write("generations", generations)
    store.write("answers", answers)
    store.write("traces", fill("traces", traces))


def _evaluation(world: World, at: Any) -> dict[str, Any]:
    return {
        "evaluation_id": f"evaluation-{world.suite}",
        "suite_id": world.suite,
        "run_name": f"run {world.suite}",
        "configuration_ids": list(world.abilities),
        "runs": world.runs,
        "operators": list(OPERATORS),
        "seed": 42,
        "reference_tokens": 512,
        "started_at": at,
        "recorded_at": at + timedelta(seconds=1),
    }


def _item(row: dict[str, Any]) -> dict[str, Any]:
    number = int(row["source_id"])
    question = f"A shop sells {number + 3} boxes with {number % 7 + 2} pens each. It gives {number % 5} pens away. How many pens are left?"
    if row["dataset"] == "gsm8k" and number == 0:
        question = " ".join(HOSTILE[name] for name in ("script", "image", "override", "control"))
    choices = ["one", "two", "<u>three</u>", "four"] if row["dataset"] == "mmlu" else None
    return {**row, "question": question, "choices": choices, "gold": str((number + 3) * (number % 7 + 2) - number % 5), "recorded_at": LATER}


def _prompt(row: dict[str, Any], operator: str) -> dict[str, Any]:
    item = int(row["source_id"])
    rejected = operator == "synonym" and item % 9 == 1
    question = f"{operator}: A store sells {item + 3} boxes holding {item % 7 + 2} pens each. It hands {item % 5} pens away. How many pens remain?"
    return {
        "prompt_id": f"{row['item_id']}|{operator}",
        "item_id": row["item_id"],
        "operator": operator,
        "template_digest": "template",
        "seed": 42,
        "status": "rejected" if rejected else "applied",
        "reason": "nli_contradiction" if rejected else None,
        "question": question,
        "messages": json.dumps([{"role": "user", "content": question}]),
        "p_contradiction_forward": 0.03,
        "p_contradiction_backward": 0.04,
    }


def _steps(row: dict[str, Any], n_steps: int) -> list[str]:
    if row["item_id"].endswith("gsm8k-00000") and row["configuration_id"] == "Alpha":
        names = list(HOSTILE)
        if row["operator"] == "original":
            return [HOSTILE[name] for name in names[row["run_index"] :: 3]]
        return [HOSTILE["script"] + HOSTILE["override"]]
    told = [
        "Each box holds the same number of pens.",
        "Boxes times pens gives 7 * 6 = 42.",
        "Some pens are given away, so 42 - 3 = 38.",
        "Nothing else leaves the shop.",
        "So the shop keeps the rest.",
    ]
    return [*told[: max(0, n_steps - 1)], f"Answer: {row['run_index'] + 37}"]
