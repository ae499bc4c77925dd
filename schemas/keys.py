"""Content digests: the same thing always has the same name."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Canonical JSON of `value`: sorted keys, no spaces, UTF-8, no NaN.

    Raises:
        ValueError: a float that is not finite.
        TypeError: something JSON has no form for.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def digest(*parts: Any) -> str:
    """Key of `parts`: the first 16 bytes of sha256 over their canonical JSON, as 32 hex digits."""
    return hashlib.sha256(canonical(list(parts))).hexdigest()[:32]


def seed_of(*parts: Any) -> int:
    """A seed in [0, 2**31) derived from `parts`, the same on every machine."""
    return int(digest(*parts)[:8], 16) & 0x7FFFFFFF
