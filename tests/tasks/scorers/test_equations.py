"""Traps of checking arithmetic in prose."""

from __future__ import annotations

import pytest

from tasks.scorers.equations import check, verdicts

TRUE = (
    "5 + 3 = 8",
    "16 - 3 - 4 = <<16-3-4=9>>9 duck eggs",
    "20% of 50 = 10",
    "50 * 20% = 10",
    "5/20 = 25%",
    "5/20*100 = 25%",
    "10/3 = 3.33",
    "20/3 = 6.66",
    "2.5 * 1.5 = 3.8",
    "\\frac{1}{2} \\times 10 = 5",
    "$$5 \\cdot 3 = 15$$",
    "\\[ 3 \\text{ apples} \\times 4 = 12 \\text{ apples} \\]",
    "$5 x 3 = $15",
    "5 times 3 equals 15",
    "2 1/2 * 4 = 10",
    "½ * 10 = 5",
    "1 1/2 / 1/2 = 3",
    "1,000 + 500 = 1,500",
    "$350 000 x 5/100 = $17 500",
    "50 cents * 4 = $2",
    "5(3) = 15",
    "(2+3)*4=20",
    "- 5 + 3 = 8",
    "5 − 8 = −3",
    "**5 * 3 = 15**",
    "2**3 = 8",
    "2^3 = 8",
    "6 ÷ 2 = 3",
    "٣ + ٤ = ٧",
    "8 = 5 + 3",
    "22/7 ≈ 3.14",
    "9% per hour * 5 hours = 45%",
    "$60 / 3 days = $20/day",
)
FALSE = (
    "5 + 3 = 9",
    "16 - 3 - 4 = <<16-3-4=8>>9",
    "20% of 50 = 11",
    "10/3 = 3.34",
    "17/2 = 8",
    "1,000 + 500 = 1,600",
    "5 apples * 3 = 16 apples",
    "4/0 = 4",
    "5 − 8 = 3",
    "2 * 3.5 = 7.5",
)
UNDECIDABLE = ("2x + 3 = 7", "2x = 10", "3 weeks = 3*7", "12 - y + 3 = 15", "2 hours * 1 = 120 minutes")
NONE = ("x = 5", "Total = 5 * 3", "There are 5 apples.", "It is 5 <= 3+1", "a => 5+1", "", "3 weeks = 21 days")


@pytest.mark.parametrize("step", TRUE)
def test_an_equation_that_holds_is_true(step: str) -> None:
    found = check(step)
    assert (found.n_true, found.n_false, found.n_undecidable) == (found.n, 0, 0), verdicts(step)
    assert found.n >= 1


@pytest.mark.parametrize("step", FALSE)
def test_an_equation_that_does_not_hold_is_false_and_named(step: str) -> None:
    found = check(step)
    assert found.n_false == 1
    assert len(found.false) == 1


@pytest.mark.parametrize("step", UNDECIDABLE)
def test_an_unknown_or_a_change_of_units_is_not_called_false(step: str) -> None:
    found = check(step)
    assert (found.n_true, found.n_false, found.n_undecidable) == (0, 0, 1)


@pytest.mark.parametrize("step", NONE)
def test_a_definition_or_a_comparison_is_no_equation(step: str) -> None:
    assert check(step).n == 0


def test_every_link_of_a_chain_is_checked() -> None:
    assert [verdict for _, verdict in verdicts("2*3 + 4 = 6 + 4 = 11")] == ["true", "false"]


def test_a_mark_and_its_text_are_one_equation_when_they_agree_and_two_when_not() -> None:
    assert check("9 * 2 = $<<9*2=18>>18").n <= 2
    assert check("3 + 4 = <<3+4=7>>8").n_false == 1


def test_two_equations_in_one_sentence_do_not_run_into_each_other() -> None:
    assert check("12 - 5 = 7 and 7 - 2 = 5, so 3*2 = 6").n_true == 3


def test_a_dash_in_prose_is_no_minus() -> None:
    assert check("Apples - 3*4 = 12 eggs").n_false == 0


@pytest.mark.parametrize(
    "step", ["__import__('os').system('x') = 1+1", "1+" * 20_000 + "=1", "2^" * 5_000 + "=1", "9" * 50_000 + "+1=2", "9^40*" * 100 + "1=1", "1=1+" * 5_000]
)
def test_hostile_text_is_read_in_bounded_time_and_never_evaluated(step: str) -> None:
    found = check(step)
    assert found.n == found.n_true + found.n_false + found.n_undecidable
