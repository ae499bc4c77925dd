"""Running a flow from the command line: Prefect server, Ctrl-C, and errors that stay errors."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx

from flows.display import shown
from flows.server import prefect_server
from schemas.errors import Unavailable
from tasks.notices import notice
from warehouse.store import Store

T = TypeVar("T")


def run_flow(store: Store, start: Callable[[], Coroutine[Any, Any, T]], *, quiet: bool = False) -> T:
    """Run the coroutine that `start` makes against a Prefect server, with progress shown.

    `start` imports the flow itself: Prefect reads its settings when it is first imported.
    Ctrl-C once finishes what is in flight and stops resumable; twice stops now.

    Raises:
        Unavailable: Prefect's server failed.
    """
    with shown(quiet):
        if not quiet:
            notice("reaching Prefect" if "PREFECT_API_URL" in os.environ else "starting Prefect")
        with prefect_server(store.root / "prefect") as url:
            if not quiet:
                notice(f"this run's Prefect page: {url.removesuffix('/api')}")
            try:
                return asyncio.run(_interruptible(start))
            except (httpx.HTTPStatusError, httpx.TransportError) as error:  # of Prefect's client; a provider's are ours by then
                where = f"a server of this run writes its log to {store.root / 'prefect' / 'server.log'}"
                told = f"the Prefect server at {url} failed ({type(error).__name__}); is its disk full? {where}"
                raise Unavailable(f"{told}; whatever has arrived is stored, run the same command again to go on") from error


async def _interruptible(start: Callable[[], Coroutine[Any, Any, T]]) -> T:
    from prefect import tags

    from tasks.generations import STOP

    def stop() -> None:
        if STOP.is_set():
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        notice("finishing what is in flight, then stopping; Ctrl-C again stops now (what has arrived is stored either way)")
        STOP.set()

    STOP.clear()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop)
    with tags("sextant", "command-line"):
        return await start()
