from __future__ import annotations

from pathlib import Path

import pytest

from schemas.config import Template
from tasks.prompts import render
from tasks.run_files import PROMPTS, load_yaml

BARE = load_yaml(PROMPTS / "bare.yaml", Template)


def test_bare_is_the_question_alone_but_for_the_options_of_a_choice() -> None:
    assert render(BARE, "number", "How many?", []) == "How many?"
    assert render(BARE, "boolean", "Is it?", []) == "Is it?"
    assert render(BARE, "choice", "Which?", ["x", "y", "z", "w"]) == "Which?\nA. x\nB. y\nC. z\nD. w\nAnswer with A, B, C, or D."


def test_a_question_that_holds_a_field_of_the_template_stays_as_it_is() -> None:
    assert render(BARE, "choice", "What is {options}?", ["{question}", "b"]).startswith("What is {options}?\nA. {question}\nB. b\n")


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_template_asks_each_type_and_shows_the_options(path: Path) -> None:
    template = load_yaml(path, Template)
    assert template.name == path.stem
    for answer_type in ("number", "choice", "boolean", "text"):
        assert "QQQ" in render(template, answer_type, "QQQ", ["o1", "o2"])
    assert "A. o1" in render(template, "choice", "q", ["o1", "o2"])
