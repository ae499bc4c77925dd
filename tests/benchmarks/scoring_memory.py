"""Peak memory of scoring long traces and many pairs, each in a process of its own. Run by hand: python -m tests.benchmarks.scoring_memory

long    a pair of 50,000-token traces through the real encoder, and one pair of 50,000-token steps through the real judge (cut to its window, flagged)
many    1,000,000 distinct pairs through `Judge.stream` with an engine that answers at once: the model stands outside, the streaming is the product's
real    20,000 distinct pairs through the real embedded judge, memory noted half way and at the end
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from schemas.config import Judges
from tasks.scorers.nli import Judge, load_judge, nli_card

EMBEDDED = Judges(nli="embedded", bertscore="embedded", device="cpu")
WORDS = ("the", "cat", "has", "three", "eggs", "and", "sells", "two", "of", "them", "at", "a", "market", "so", "she", "makes", "six", "dollars")


def peak() -> float:
    """Peak resident megabytes of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def trace(words: int, seed: int) -> str:
    """Sentences of eight words: one token a word in both vocabularies, and one for each stop."""
    random = Random(seed)
    return " ".join(" ".join(random.choices(WORDS, k=8)) + "." for _ in range(words // 8))


def pairs(n: int) -> Iterator[tuple[str, str]]:
    """Distinct pairs, made as they are asked for."""
    return ((f"Anna has {i} eggs.", f"She sells {i % 97} of them and keeps {i - i % 97}.") for i in range(n))


class AtOnce:
    """An engine without a model."""

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> tuple[Any, list[bool]]:
        return np.tile([0.2, 0.3, 0.5], (len(pairs), 1)), [False] * len(pairs)


def long() -> None:
    from tasks.scorers.bertscore import load_encoder

    encoder = load_encoder(EMBEDDED)
    encoder.score([("a cat", "a dog")])
    began, loaded = perf_counter(), peak()
    a, b = trace(44_500, 1), trace(44_500, 2)
    tokens = sum(len(chunk) for chunk in encoder.texts.chunks(a))
    (score,) = encoder.score([(a, b)])
    print(f"BERTScore, two traces of {tokens} tokens: {score}; {perf_counter() - began:.1f} s; peak {loaded:.0f} MB loaded, {peak():.0f} MB after")
    began = perf_counter()
    (judged,) = load_judge(EMBEDDED).score([(a, b)])
    print(f"NLI, the same as one pair: truncated {judged.truncated}; {perf_counter() - began:.1f} s; peak {peak():.0f} MB")


def stream(judge: Judge, n: int) -> None:
    began = perf_counter()
    for seen, _ in enumerate(judge.stream(pairs(n)), 1):
        if seen in (n // 10, n // 2, n):
            print(f"{seen} pairs: {perf_counter() - began:.1f} s, peak {peak():.0f} MB")


def main() -> None:
    if len(sys.argv) == 1:
        for name in ("long", "many", "real"):
            print(f"-- {name}", flush=True)
            subprocess.run([sys.executable, "-m", "tests.benchmarks.scoring_memory", name], check=True)
    elif sys.argv[1] == "long":
        long()
    elif sys.argv[1] == "many":
        stream(Judge(nli_card(EMBEDDED), AtOnce()), 1_000_000)
    else:
        stream(load_judge(EMBEDDED), 20_000)


if __name__ == "__main__":
    main()
