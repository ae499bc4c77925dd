"""Numbers of gold answers in one plain form."""

from __future__ import annotations

import re
from decimal import Decimal

_PLAIN = re.compile(r"(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?", re.ASCII)
_FRACTION = re.compile(r"\d+/0*[1-9]\d*", re.ASCII)


def plain(value: object) -> str | None:
    """`value` as digits with a point at most (`1,200` and `$1200.0` are `1200`; `3/4` and `50%` stay), or None where it is no finite number.

    A string keeps the decimals it has, for they say how exact the gold is; a float that is whole loses its `.0`.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal | float):
        return _text(format(Decimal(str(value)), "f"))
    return _text(value) if isinstance(value, str) else None


def _text(value: str) -> str | None:
    bare = value.strip().replace("\N{MINUS SIGN}", "-")
    sign = "-" if bare.startswith("-") else ""
    bare = bare[1:] if bare[:1] in {"+", "-"} else bare
    percent = "%" if bare.endswith("%") else ""
    bare = bare.removesuffix("%").strip().lstrip("$\N{EURO SIGN}\N{POUND SIGN}").strip()
    if _FRACTION.fullmatch(bare):
        return sign + bare + percent
    if not _PLAIN.fullmatch(bare) or not bare.strip(",."):
        return None
    digits = bare.replace(",", "")
    whole, point, decimals = digits.partition(".")
    if not decimals.strip("0"):
        point = decimals = ""
    return f"{sign if digits.strip('0.') else ''}{whole.lstrip('0') or '0'}{point}{decimals}{percent}"
