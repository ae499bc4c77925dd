"""Sampling by seeded Gumbel noise: argmax(logits / T + noise) draws from softmax(logits / T), row by row reproducible."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any


def processors(named: Mapping[str, Any], seeds: Sequence[int | None]) -> Any:
    """Logits processors for greedy decoding that samples each row with its own generator; none at temperature 0.

    Args:
        named: temperature, top_p.
        seeds: one for each row; a fresh one is drawn for None.
    """
    from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopPLogitsWarper

    temperature, top_p = float(named.get("temperature", 1.0)), named.get("top_p")
    chain: list[Any] = []
    if temperature > 0:
        chain.append(TemperatureLogitsWarper(temperature))
        if top_p is not None and top_p < 1:
            chain.append(TopPLogitsWarper(float(top_p)))
        chain.append(_gumbel(seeds))
    return LogitsProcessorList(chain)


def _gumbel(seeds: Sequence[int | None]) -> Any:
    import torch
    from transformers import LogitsProcessor

    generators = [torch.Generator().manual_seed(random.SystemRandom().getrandbits(31) if seed is None else seed) for seed in seeds]

    class Gumbel(LogitsProcessor):
        def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.Tensor:
            rows = [torch.rand(scores.shape[-1], generator=generator).clamp_(1e-20, 1 - 1e-7) for generator in generators]
            return scores.float() - torch.log(-torch.log(torch.stack(rows).to(scores.device)))

    return Gumbel()
