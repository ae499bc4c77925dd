"""GSM-Symbolic through reasoning-gym."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from schemas.config import Dataset
from tasks.datasets import DATASETS, load


def test_the_remedy_is_told_where_the_package_is_not_installed() -> None:
    code = (
        "import sys; sys.modules['reasoning_gym'] = None\n"
        "from pathlib import Path; from schemas.config import Dataset; from schemas.errors import Unavailable; from tasks.datasets import load\n"
        "try: load(Dataset(name='gsm_symbolic'), Path(), 42)\n"
        "except Unavailable as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert "needs reasoning-gym: pip install -e '.[symbolic]'" in done.stdout


def test_four_distinct_items_of_each_template_clustered_by_template() -> None:
    pytest.importorskip("reasoning_gym", reason="the optional package reasoning-gym is not installed")
    loaded = load(Dataset(name="gsm_symbolic"), Path(), 42)
    assert len(loaded.items) == 340 == DATASETS["gsm_symbolic"].size
    assert set(Counter(item.template for item in loaded.items).values()) == {4}
    assert len({item.question for item in loaded.items}) == 340
    assert not any("Give the result" in item.question or re.search(r"\d\.\d{4}", item.question) for item in loaded.items)


def test_the_same_seed_gives_the_same_items_and_the_next_seed_shares_none() -> None:
    pytest.importorskip("reasoning_gym", reason="the optional package reasoning-gym is not installed")
    once, again, other = (load(Dataset(name="gsm_symbolic", seed=seed), Path(), 42) for seed in (42, 42, 43))
    assert once.items == again.items and once.version != other.version
    assert len({item.question for item in once.items} & {item.question for item in other.items}) < 10
