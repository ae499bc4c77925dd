"""The whole pipeline on a real language model, the real judge and the real encoder, as the quickstart runs them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import polars as pl
import pytest
from replay_run import query

from flows.evaluate import evaluate, outstanding
from tasks.run_files import load_run
from tasks.scope import prepare
from warehouse.store import Store

pytest.importorskip("xllamacpp", reason="the local engine is an extra: pip install -e '.[local]'")
pytestmark = [pytest.mark.models, pytest.mark.usefixtures("prefect")]
RUN = """
name: real
datasets: [{{name: synthetic, subjects: [easy], limit: 3}}]
configurations:
  - {{name: smollm2, model: {model}, sampling: {{temperature: 0.7, max_tokens: 24}}}}
suite: {{runs: 2, operators: [paraphrase]}}
judges: {{nli: embedded, bertscore: embedded}}
"""


def test_a_real_model_is_asked_over_http_scored_published_and_asked_nothing_twice(tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "deploy" / "models" / "smollm2-135m-instruct.yaml"
    run, store = tmp_path / "run.yaml", tmp_path / "store"
    run.write_text(RUN.format(model=model))
    asyncio.run(evaluate(str(run), str(store)))
    generations = Store(store).scan("generations").collect()
    assert set(generations["status"]) <= {"answered", "truncated", "empty"}
    assert set(generations["usage_source"]) == {"provider"}
    assert generations.filter(pl.col("status") == "answered")["output_tokens"].min() > 0
    texts = generations.filter(pl.col("operator") == "original").group_by("item_id").agg(pl.col("text").n_unique(), pl.col("seed").n_unique())
    assert texts["seed"].to_list() == [2, 2, 2]
    assert texts["text"].max() == 2
    scores = query(store, "select dimension, value, status from marts.dimension_scores where protocol = 'paper' and dataset = 'all'")
    assert {"correctness", "coherence", "efficiency", "stability"} <= {dimension for dimension, value, _ in scores if value is not None}
    assert "smollm2" in (store / "report.html").read_text(encoding="utf-8")
    assert not outstanding(prepare(load_run(run), Store(store)))
