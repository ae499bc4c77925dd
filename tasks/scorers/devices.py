"""Where a model runs and in which number format."""

from __future__ import annotations

import importlib.metadata
import os
from typing import Any

from schemas.errors import Unavailable
from tasks.scorers.batching import cores


def calm_threads() -> None:
    """As many torch threads as there are cores (`SEXTANT_THREADS` overrides), waiting asleep: spinning threads that share cores are slower than one.

    Loading a model draws no progress bar of its own from then on: stages tell how far they are.

    The waiting rule holds only where torch was not imported before.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    import torch
    from transformers.utils.logging import disable_progress_bar

    quiet: Any = disable_progress_bar
    quiet()
    torch.set_num_threads(cores())


def resolve_device(device: str) -> str:
    """'cpu' or a CUDA device for `device` ('auto' takes CUDA where there is one).

    Raises:
        Unavailable: CUDA is asked for and not there.
    """
    if device == "cpu" or (device == "auto" and importlib.metadata.version("torch").endswith("+cpu")):
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda" if device == "auto" else device
    if device == "auto":
        return "cpu"
    raise Unavailable(f"device {device!r} is asked for and torch sees no CUDA; set `judges.device: cpu`")


def number_format(device: str) -> str:
    """float32 on the CPU, float16 on a GPU: part of a judge's fingerprint because it moves scores."""
    return "float32" if device == "cpu" else "float16"
