"""Text and files as SQL, where DuckDB takes no parameters: views, comments, settings."""

from __future__ import annotations

from collections.abc import Iterable


def quoted(text: str) -> str:
    """`text` as a string literal."""
    return "'" + text.replace("'", "''") + "'"


def read_parquet(paths: Iterable[str]) -> str:
    """A table function over evidence files of one table; there must be one at least."""
    return f"read_parquet([{', '.join(map(quoted, paths))}], union_by_name = true)"
