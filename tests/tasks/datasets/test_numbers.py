"""Gold numbers in one plain form."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.datasets.numbers import plain


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("1,200", "1200"),
        ("$1,200.50", "1200.50"),
        (" +7 ", "7"),
        ("\N{MINUS SIGN}4", "-4"),
        ("-$3", "-3"),
        ("007", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-0.0", "0"),
        ("0.50", "0.50"),
        ("3/4", "3/4"),
        ("-3/4", "-3/4"),
        ("12.0 %", "12%"),
        (1e21, "1" + "0" * 21),
        (1e-7, "0.0000001"),
        (51.0, "51"),
        (Decimal("2.50"), "2.50"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_numbers_people_write_in_data_files(value: object, form: str) -> None:
    assert plain(value) == form


@pytest.mark.parametrize(
    "value",
    [
        True,
        None,
        "",
        " ",
        "-",
        "$",
        ".",
        ",",
        "1,20",
        "1.2.3",
        "--5",
        "1 2",
        "twelve",
        "3/0",
        "\u0663",
        math.nan,
        math.inf,
        Decimal("NaN"),
        [1],
        "1e3x",
        "NaN",
        "%",
    ],
)
def test_what_is_no_number_is_none_not_zero(value: object) -> None:
    assert plain(value) is None


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(), st.integers(0, 3))
def test_thousands_commas_change_nothing(value: int, decimals: int) -> None:
    assert plain(f"{value:,}") == str(value) == plain(value) == plain(f"{value:,}." + "0" * decimals)


def test_a_hundred_thousand_digits_end_in_time() -> None:
    assert plain("1" * 100_000 + "x") is None
    assert plain("1,111" * 20_000 + ".") is None
