"""The NLI judge: does a step contradict the one before it? One cross-encoder, named in the run file, never replaced.

A judge reads (premise, hypothesis) and gives three probabilities. Its labels are found by name and tried on three known
pairs at load, because label orders differ between models and a wrong order looks like a plausible score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from schemas.config import Judges
from schemas.errors import Unavailable
from schemas.records import ScorerCard
from tasks.identities import fingerprint
from tasks.scorers import nli_embedded, nli_transformers, steps
from tasks.scorers.batching import blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LABELS = ("entailment", "neutral", "contradiction")
BLOCK = 1024
"""Pairs scored together: bounds memory, and wide enough to sort by length."""

KNOWN = (
    ("A man is playing a guitar on stage.", "A man is playing an instrument.", "entailment"),
    ("A man is playing a guitar on stage.", "The man is famous in his home town.", "neutral"),
    ("A man is playing a guitar on stage.", "Nobody is playing an instrument.", "contradiction"),
)


@dataclass(frozen=True)
class PairScore:
    """Three probabilities that sum to one, the most probable label, and whether the pair was cut to the judge's window."""

    label: str
    p_entailment: float
    p_neutral: float
    p_contradiction: float
    truncated: bool


class Engine(Protocol):
    """What runs a model: probabilities (n, 3) in the order of `LABELS`, and which pairs were cut."""

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray[np.float64], list[bool]]:
        """Score `pairs`, independent of how they are grouped."""
        ...


@dataclass(frozen=True)
class Judge:
    """A loaded judge with its card."""

    card: ScorerCard
    engine: Engine

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """One score per (premise, hypothesis), in order. Equal pairs are read once."""
        return list(self.stream(pairs))

    def stream(self, pairs: Iterable[tuple[str, str]]) -> Iterator[PairScore]:
        """As `score`, block by block: memory does not grow with the number of pairs."""
        for block in blocks(pairs, BLOCK):
            distinct = list(dict.fromkeys(block))
            probabilities, truncated = self.engine.probabilities(distinct)
            known = {pair: _pair_score(p.tolist(), cut) for pair, p, cut in zip(distinct, probabilities, truncated, strict=True)}
            yield from (known[pair] for pair in block)


def _pair_score(p: Sequence[float], truncated: bool) -> PairScore:
    return PairScore(LABELS[max(range(3), key=p.__getitem__)], p[0], p[1], p[2], truncated)


def nli_card(judges: Judges) -> ScorerCard:
    """Card of the judge that `judges` names. Reads digests, loads no model.

    Raises:
        Unavailable: the judge's files cannot be had; the message says how to get them.
    """
    if judges.nli == "embedded":
        return nli_embedded.card()
    return nli_transformers.card(judges.nli, judges.nli_revision, judges.device)


def step_pairs_card(judges: Judges) -> ScorerCard:
    """Card of the `step_pairs` stage: the judge (its own fingerprint is what calibrations carry) and the splitter that cut the steps."""
    card = nli_card(judges)
    return replace(card, parameters={**card.parameters, "judge": fingerprint(card), "splitter": fingerprint(steps.CARD)})


_loaded: dict[tuple[str, str | None, str], Judge] = {}
_loading = Lock()


def load_judge(judges: Judges) -> Judge:
    """The judge that `judges` names, loaded once per process and tried on three known pairs.

    Raises:
        Unavailable: the judge cannot be had, names no contradiction label, or fails on the known pairs.
    """
    key = (judges.nli, judges.nli_revision, judges.device)
    with _loading:
        if key not in _loaded:
            card = nli_card(judges)
            engine: Engine = nli_embedded.load() if judges.nli == "embedded" else nli_transformers.load(judges.nli, judges.nli_revision, judges.device)
            judge = Judge(card, engine)
            try_out(judge)
            _loaded[key] = judge
        return _loaded[key]


def try_out(judge: Judge) -> None:
    """Score the three known pairs.

    Raises:
        Unavailable: a label is not the known one: its labels are misnamed or the weights are not an NLI model's.
    """
    found = judge.score([(premise, hypothesis) for premise, hypothesis, _ in KNOWN])
    wrong = [f"{known[1]!r} is {known[2]}, read as {score.label}" for known, score in zip(KNOWN, found, strict=True) if score.label != known[2]]
    if wrong:
        name = judge.card.model or judge.card.name
        raise Unavailable(
            f"NLI judge {name} fails the known pairs ({'; '.join(wrong)}): mend id2label in its config.json or name another judge in `judges.nli`"
        )


def is_local(name: str) -> bool:
    """Whether a judge's name is a folder on this machine, not a hub id."""
    return Path(name).expanduser().is_dir()
