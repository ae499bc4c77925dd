"""The embedded judge on everything it was not fitted to. Run by hand, about a minute: python -m tests.benchmarks.judge_card [ITEMS=600]

SNLI sample and CAD dev (accuracy, confusion), GSM8K test steps, the synthetic set's steps and StrategyQA dev facts (false alarms, detection per alteration).
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from schemas.config import Dataset, Judges
from tasks import datasets
from tasks.scorers.calibration import calibrate, nli_pairs, rows_of
from tasks.scorers.calibration_report import report
from tasks.scorers.nli import load_judge
from tests.benchmarks.fit_head import DATA, facts


def main() -> None:
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    judge = load_judge(Judges(nli="embedded"))
    for name in ("tf_snli", "cad_dev.tsv"):
        began = perf_counter()
        rows = rows_of(judge, nli_pairs(DATA / "nli" / name), name)
        print(report(rows, name=f"embedded on {name}", seconds=perf_counter() - began), "\n", flush=True)
    sets = {
        "gsm8k": datasets.load(Dataset(name="gsm8k", path=str(DATA / "gsm8k" / "test.jsonl")), Path(), 42).items,
        "synthetic": datasets.load(Dataset(name="synthetic"), Path(), 42).items,
        "strategyqa-dev": facts(DATA / "strategyqa" / "dev.jsonl", 229),
    }
    for name, items in sets.items():
        began = perf_counter()
        rows = calibrate(judge, items, seed=42, limit=limit, pair_set=name)
        print(report(rows, name=f"embedded on {name}", seconds=perf_counter() - began), "\n", flush=True)


if __name__ == "__main__":
    main()
