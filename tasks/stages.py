"""The stages in order, and which of them a dimension reads. Adding evidence is one stage file and one line here."""

from __future__ import annotations

from collections.abc import Callable

from schemas.config import Judges
from schemas.records import ScorerCard
from tasks import answers, calibrations, equations, generations, items, prompts, rewordings, step_pairs, trace_pairs, traces
from tasks.scorers.answers import CARD as ANSWERS
from tasks.scorers.bertscore import bertscore_card
from tasks.scorers.equations import CARD as EQUATIONS
from tasks.scorers.nli import nli_card, step_pairs_card
from tasks.scorers.steps import CARD as TRACES
from tasks.stage import Stage

INPUTS = (items.STAGE, rewordings.STAGE, prompts.STAGE)
GENERATIONS = generations.STAGE
EVIDENCE: dict[str, Stage] = {
    "answers": answers.STAGE,
    "traces": traces.STAGE,
    "equations": equations.STAGE,
    "step_pairs": step_pairs.STAGE,
    "calibrations": calibrations.STAGE,
    "trace_pairs": trace_pairs.STAGE,
}
READ_BY: dict[str, tuple[str, ...]] = {
    "correctness": ("answers",),
    "consistency": ("answers",),
    "robustness": ("answers",),
    "coherence": ("traces", "equations", "step_pairs", "calibrations"),
    "efficiency": ("answers",),
    "stability": ("trace_pairs",),
}


def evidence_for(dimensions: tuple[str, ...]) -> list[Stage]:
    """The evidence stages that `dimensions` read, in order."""
    wanted = {name for dimension in dimensions for name in READ_BY[dimension]}
    return [stage for name, stage in EVIDENCE.items() if name in wanted]


def cards(dimensions: tuple[str, ...], judges: Judges) -> dict[str, ScorerCard]:
    """The configured scorer of each stage that `dimensions` read. Cheap: no model is loaded.

    Raises:
        Unavailable: a judge that cannot be had.
    """
    every: dict[str, Callable[[], ScorerCard]] = {"answers": lambda: ANSWERS, "traces": lambda: TRACES, "equations": lambda: EQUATIONS}
    every |= {"step_pairs": lambda: step_pairs_card(judges), "trace_pairs": lambda: bertscore_card(judges), "calibrations": lambda: nli_card(judges)}
    wanted = {stage.table for stage in evidence_for(dimensions)}
    return {name: make() for name, make in every.items() if name in wanted}
