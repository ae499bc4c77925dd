"""Where a run's store lies, and what happens each time one is opened for work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.notices import notice
from warehouse.published import bring
from warehouse.store import Store, store_at

DEFAULT = "sextant-data"


def store_for(in_run_file: str | None, option: str | None) -> Store:
    """The store: `store:` in the run file, else `--store`, else SEXTANT_STORE, else `sextant-data/` in the working folder."""
    return store_at(in_run_file or option or os.environ.get("SEXTANT_STORE") or DEFAULT)


def run_name() -> str:
    """Name of a flow run on the Prefect page: the flow and its run file."""
    from prefect.runtime import flow_run

    return f"{flow_run.flow_name} {Path(str(flow_run.parameters.get('run_file', ''))).stem}"


@contextmanager
def opened(store: Store) -> Iterator[Store]:
    """Hold the writer lock; set damaged files aside, recover journals, close evaluations whose process died; say so."""
    from tasks import evaluations, generations

    with store.writing(waiting=notice):
        bring(store)
        for path in store.set_aside_damaged():
            notice(f"damaged file set aside as {path}; its work is planned again")
        for line in generations.recover(store):
            notice(line)
        evaluations.close_dead(store)
        yield store
