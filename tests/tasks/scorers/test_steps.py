"""Traps of step splitting: each name says what a careless splitter does wrong."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.scorers.steps import adjacent, reading, split

HOSTILE = (
    "\\[" * 20_000,
    "$a " * 20_000,
    "(" * 50_000,
    ". " * 50_000,
    " " * 100_000 + "x",
    "a\n" * 50_000,
    "**a" * 33_000,
    "<<" * 50_000,
    "\n1.\n" * 20_000,
    "`" * 50_001,
)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Step 1: Add 3 and 4.\nStep 2: Double it.", ["Step 1: Add 3 and 4.", "Step 2: Double it."]),
        ("1. Buy apples. 2. Pay $3.50. 3. Go home.", ["1. Buy apples.", "2. Pay $3.50.", "3. Go home."]),
        ("- five\n- six\n* seven", ["- five", "- six", "* seven"]),
        ("Janet sells 9 eggs.\nShe earns $18.\n#### 18", ["Janet sells 9 eggs.", "She earns $18.", "#### 18"]),
        ("She has 5. He has 6! Who wins? We see.", ["She has 5.", "He has 6!", "Who wins?", "We see."]),
    ],
)
def test_numbers_bullets_lines_and_sentences_each_end_a_step(text: str, steps: list[str]) -> None:
    assert split(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        "It costs $3.50 per box and 1,234.75 in all.",
        "Some fruit, e.g. apples, i.e. 5 of them, vs. pears, cost 8%.",
        "Mr. Smith and Dr. Jones met Mrs. Lee.",
        "The U.S. population and J. K. Rowling grew.",
        "We list 2, 4, 6, ... and so on... until done",
        "Then $x = 1. Y = 2$ holds",
        "So \\[ a = 1. B = 2. \\] holds",
        "Using \\(f(x) = x. Y\\) we go on",
        "\\begin{align} a &= 1. \\\\\nB &= 2. \\end{align}",
        "```python\nx = 1. Y\n\nprint(x)\n```",
        "Call `a. B` now",
        "He pays 16 - 3 = <<16-3=13. A>>13 eggs",
        "He (who is 5. She is 6.) left",
        "See https://example.com/a.B?c=1.D for more",
        "It takes 5! = 120 ways",
        "Version 2.0.1 of approx. 5 items",
    ],
)
def test_no_step_ends_inside_decimals_abbreviations_ellipses_formulas_or_code(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Step 1:\nAdd.\n\nStep 2:\nDouble.", ["Step 1:\nAdd.", "Step 2:\nDouble."]),
        ("1.\nAdd.\n2.\nDouble.", ["1.\nAdd.", "2.\nDouble."]),
        ("**Step 3: Total**\nIt is 11.", ["**Step 3: Total**\nIt is 11."]),
        ("### Solution\nIt is 11.", ["### Solution\nIt is 11."]),
        ("One.\n---\nTwo.", ["One.", "---\nTwo."]),
        ("It is 11.\n\n***", ["It is 11.\n\n***"]),
    ],
)
def test_a_bare_marker_or_heading_is_no_step_of_its_own(text: str, steps: list[str]) -> None:
    assert split(text) == steps


def test_an_answer_letter_ends_a_sentence_but_an_initial_does_not() -> None:
    assert split("The answer is B. The rest is wrong.") == ["The answer is B.", "The rest is wrong."]
    assert split("It was George W. Bush who won.") == ["It was George W. Bush who won."]


def test_blank_text_has_no_steps() -> None:
    assert split("") == split(" \n\t\n") == []


def test_windows_line_ends_are_line_ends() -> None:
    assert split("One.\r\nTwo.\rThree.") == ["One.", "Two.", "Three."]


def test_a_line_wrapped_by_an_editor_is_one_step() -> None:
    text = "Since every one of the boxes holds exactly twelve of the pencils that\nwere bought, she has 24."
    assert split(text) == [text]


TEXTS = st.lists(
    st.sampled_from(["Step 1:", "1.", "- ", "She has 3.5 kg", "e.g. five", ". ", "\n", " ", "$x=1.$", "```", "A.", "Then", "!", "...", "(b)", "\\[", "\\]"])
).map("".join)


@given(TEXTS | st.text(max_size=200))
def test_nothing_is_lost_and_nothing_is_added(text: str) -> None:
    squeezed = re.sub(r"\s", "", text)
    assert re.sub(r"\s", "", "".join(split(text))) == squeezed


@given(TEXTS)
def test_trailing_white_space_changes_nothing(text: str) -> None:
    assert split(text) == split(text + " \n\n  ")


@pytest.mark.parametrize("text", ["Step 1: a is 5.\nStep 2: b is 6.", "1. One.\n2. Two.\n\n- x\n- y", "So:\n\\[ a = 1 \\]\nthen b."])
def test_white_space_at_line_ends_changes_nothing(text: str) -> None:
    assert split(text) == split(text.replace("\n", "  \t\n"))


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:6]) for text in HOSTILE])
def test_hostile_text_is_split_in_bounded_time(text: str) -> None:
    assert re.sub(r"\s", "", "".join(split(text))) == re.sub(r"\s", "", text)


def test_the_judge_reads_steps_without_markers_and_calculator_marks() -> None:
    assert adjacent(["Step 1: He has 5.", "- **She** pays 2*3=<<2*3=6>>6.", "#### 6"]) == [("He has 5.", "She pays 2*3=6."), ("She pays 2*3=6.", "6")]
    assert reading("Step 2:") == "Step 2:"
