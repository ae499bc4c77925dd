"""What an import says when it is done."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.importers.evidence import Imported


def told(done: Sequence[Imported]) -> str:
    """One line per source, and how to have it scored."""
    lines = [
        f"{one.configuration}: {one.answers} answers of {one.items} items stored"
        + (f", {one.known} were stored already" if one.known else "")
        + f"; configuration {one.configuration_id[:12]}, suite {one.suite_id[:12]}"
        for one in done
    ]
    return "\n".join([*lines, "score them: sextant backfill correctness RUN.yaml (and consistency, coherence ...), where RUN.yaml names the judges"])
