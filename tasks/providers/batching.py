"""A micro-batching queue: single requests in, batches to a worker thread, single replies out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


class MicroBatches(Generic[In, Out]):
    """Runs `work` in a thread on what has queued up, at most `size` at once and only what `alike` says may go together.

    `work` returns one result or exception for each input, in order; what it raises is raised for the whole batch.
    """

    def __init__(self, work: Callable[[Sequence[In]], Sequence[Out | Exception]], alike: Callable[[In], object], *, size: int, wait_s: float = 0.02) -> None:
        self._work, self._alike, self._size, self._wait = work, alike, size, wait_s
        self._queued: list[tuple[In, asyncio.Future[Out]]] = []
        self._runner: asyncio.Task[None] | None = None

    async def ask(self, item: In) -> Out:
        """The result for `item`."""
        answer: asyncio.Future[Out] = asyncio.get_running_loop().create_future()
        self._queued.append((item, answer))
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        return await answer

    async def close(self) -> None:
        """Wait for the batch that is running; drop what is queued."""
        for _, answer in self._queued:
            answer.cancel()
        if self._runner is not None:
            await asyncio.gather(self._runner, return_exceptions=True)

    async def _run(self) -> None:
        await asyncio.sleep(self._wait)
        while batch := self._next():
            try:
                results = await asyncio.to_thread(self._work, [item for item, _ in batch])
            except Exception as error:  # noqa: BLE001 - handed to everyone who asked, not swallowed
                results = [error] * len(batch)
            for (_, answer), result in zip(batch, results, strict=True):
                if answer.done():
                    continue
                if isinstance(result, Exception):
                    answer.set_exception(result)
                else:
                    answer.set_result(result)
            await asyncio.sleep(self._wait)

    def _next(self) -> list[tuple[In, asyncio.Future[Out]]]:
        self._queued = [(item, answer) for item, answer in self._queued if not answer.done()]
        if not self._queued:
            return []
        kind = self._alike(self._queued[0][0])
        batch = [pair for pair in self._queued if self._alike(pair[0]) == kind][: self._size]
        taken = {id(answer) for _, answer in batch}
        self._queued = [pair for pair in self._queued if id(pair[1]) not in taken]
        return batch
