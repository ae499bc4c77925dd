"""Greedy matching of two texts' token vectors: precision, recall and F1 of BERTScore (Zhang et al. 2020, without idf)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ROWS = 1024
"""Candidate tokens compared at once: the similarity matrix of two 50,000-token traces is never held whole."""


@dataclass(frozen=True)
class Text:
    """An encoded text: unit vectors (tokens, width), weights (tokens,) that are 0 at control tokens, and its number of chunks."""

    vectors: Any
    weights: Any
    chunks: int


def greedy(candidate: Text, reference: Text) -> tuple[float, float, float]:
    """Precision, recall, F1: each token takes its most similar token of the other text; control tokens can be taken but do not count."""
    import torch

    precision = torch.empty(len(candidate.vectors), device=candidate.vectors.device)
    recall = torch.full((len(reference.vectors),), -2.0, device=reference.vectors.device)
    for start in range(0, len(candidate.vectors), ROWS):
        similar = candidate.vectors[start : start + ROWS] @ reference.vectors.T
        precision[start : start + ROWS] = similar.amax(1).float()
        recall = torch.maximum(recall, similar.amax(0).float())
    p = float((precision * candidate.weights).sum() / candidate.weights.sum())
    r = float((recall * reference.weights).sum() / reference.weights.sum())
    return p, r, 2 * p * r / (p + r) if p + r else 0.0
