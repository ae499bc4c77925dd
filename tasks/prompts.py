"""Stage `prompts`: the exact messages per item, operator and template, with the gate's verdict. Frozen when first planned.

A rewording is made once per item, operator and seed; a further template renders the same rewording.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from prefect import task

from schemas.config import Judges, Template
from schemas.keys import digest
from schemas.records import LLM_PARAPHRASE, ORIGINAL, Item, Rewording
from tasks import rewordings
from tasks.identities import fingerprint, json_text, template_digest
from tasks.items import read_items
from tasks.perturbations import PERTURBATIONS, reword_all
from tasks.scope import Scope, now, store_of
from tasks.stage import OPTIONS, Shard, Stage, advanced, save, shards

VERSION = "1"
SHARD = 150
GATE_COLUMNS = ("operator_version", "status", "reason", "question", "choices", "judge", "p_contradiction_forward", "p_contradiction_backward")


def plan(scope: Scope, _units: pl.DataFrame) -> list[Shard]:
    """Shards of items that lack a prompt for one of the suite's operators and templates."""
    operators = (ORIGINAL, *scope.suite.operators)
    templates = {identity.template_digest: identity.loaded.template for identity in scope.identities}
    wanted = pl.DataFrame({"item_id": sorted(scope.item_ids)}, schema={"item_id": pl.String})
    wanted = wanted.join(pl.DataFrame({"operator": operators}), how="cross").join(pl.DataFrame({"template_digest": list(templates)}), how="cross")
    stored = scope.store.scan("prompts").filter(pl.col("seed") == scope.suite.seed).select("item_id", "operator", "template_digest")
    lacking = wanted.lazy().join(stored, on=["item_id", "operator", "template_digest"], how="anti").collect()
    waiting = set(rewordings.waiting(scope))
    lacking = lacking.filter((pl.col("operator") != LLM_PARAPHRASE) | ~pl.col("item_id").is_in(list(waiting)))
    settings = {
        "operators": list(operators),
        "templates": [template.model_dump() for template in templates.values()],
        "seed": scope.suite.seed,
        "judges": scope.judges.model_dump(),
        "rewriter": scope.rewriter.configuration_id if scope.rewriter else None,
        "waiting": digest(sorted(waiting)),
    }
    return shards(scope, "prompts", VERSION, sorted(set(lacking["item_id"])), SHARD, **settings)


@task(name="prompts", task_run_name="prompts {shard[stage]}", **OPTIONS)
async def make(shard: Shard) -> dict[str, Any]:
    """Reword and render the prompts of one shard's items; what is stored stays as it is."""
    return await asyncio.to_thread(_make, shard)


def _make(shard: Shard) -> dict[str, Any]:
    items = read_items(shard["store"], shard["ids"])
    stored = store_of(shard["store"]).newest("prompts").filter(pl.col("item_id").is_in(shard["ids"]), pl.col("seed") == shard["seed"]).collect()
    frozen = {(row["item_id"], row["operator"]): {name: row[name] for name in GATE_COLUMNS} for row in stored.iter_rows(named=True)}
    made = frozen | _reword(items, shard, frozen)
    present = set(stored.select("item_id", "operator", "template_digest").iter_rows())
    rows = []
    for item in items:
        for operator in shard["operators"]:
            for raw in shard["templates"]:
                template = Template.model_validate(raw)
                if (item.item_id, operator) in made and (item.item_id, operator, template_digest(template)) not in present:
                    rows.append(_row(item, operator, template, shard["seed"], made[item.item_id, operator]))
    result = save(shard, {"prompts": rows})
    advanced(shard, len(items))
    return result


def _reword(items: Sequence[Item], shard: Shard, frozen: dict[tuple[str, str], Any]) -> dict[tuple[str, str], dict[str, Any]]:
    made: dict[tuple[str, str], dict[str, Any]] = {}
    doubtful: list[tuple[Item, Rewording]] = []
    bought = rewordings.bought(store_of(shard["store"]), items, shard["rewriter"]) if shard["rewriter"] else {}
    for item in items:
        if (item.item_id, ORIGINAL) not in frozen:
            made[item.item_id, ORIGINAL] = _verdict(Rewording(ORIGINAL, "applied", None, item.question, item.choices))
        lacking = [name for name in shard["operators"] if name != ORIGINAL and (item.item_id, name) not in frozen]
        known = [name for name in lacking if name in PERTURBATIONS or name in dict(item.perturbations)]
        reply = bought.get(item.item_id) if LLM_PARAPHRASE in lacking and LLM_PARAPHRASE not in known else None
        if reply is not None and reply.text is not None:
            item = replace(item, perturbations=(*item.perturbations, (LLM_PARAPHRASE, reply.text)))
            known.append(LLM_PARAPHRASE)
        elif reply is not None:
            made[item.item_id, LLM_PARAPHRASE] = _verdict(Rewording(LLM_PARAPHRASE, "unavailable", reply.reason, None, (), reply.version))
        asked = {LLM_PARAPHRASE} if shard["rewriter"] else set()
        made |= {(item.item_id, name): _verdict(Rewording(name, "unavailable", "not_given", None)) for name in set(lacking) - {*known} - asked}
        for rewording in reword_all(item, known, shard["seed"]):
            made[item.item_id, rewording.operator] = _verdict(_by(rewording, reply))
            doubtful += [(item, _by(rewording, reply))] if rewording.status == "applied" else []
    judges = Judges.model_validate(shard["judges"])
    if judges.perturbation_gate and doubtful:
        made |= _judged(doubtful, judges)
    return made


def _by(rewording: Rewording, reply: rewordings.Bought | None) -> Rewording:
    return replace(rewording, version=reply.version) if reply is not None and rewording.operator == LLM_PARAPHRASE else rewording


def _verdict(rewording: Rewording, **judged: Any) -> dict[str, Any]:
    facts = {"operator_version": rewording.version, "status": rewording.status, "reason": rewording.reason, "question": rewording.question}
    empty = {"judge": None, "p_contradiction_forward": None, "p_contradiction_backward": None}
    return {**facts, "choices": list(rewording.choices), **empty, **judged}


def _judged(doubtful: Sequence[tuple[Item, Rewording]], judges: Judges) -> dict[tuple[str, str], dict[str, Any]]:
    """The NLI part of the gate: a contradiction in either direction rejects the rewording."""
    from tasks.scorers.nli import load_judge

    judge = load_judge(judges)
    forward = judge.score([(item.question, rewording.question or "") for item, rewording in doubtful])
    backward = judge.score([(rewording.question or "", item.question) for item, rewording in doubtful])
    made = {}
    for (item, rewording), there, back in zip(doubtful, forward, backward, strict=True):
        verdict = _verdict(
            rewording, judge=fingerprint(judge.card), p_contradiction_forward=there.p_contradiction, p_contradiction_backward=back.p_contradiction
        )
        if "contradiction" in (there.label, back.label):
            verdict |= {"status": "rejected", "reason": "nli_contradiction"}
        made[item.item_id, rewording.operator] = verdict
    return made


def _row(item: Item, operator: str, template: Template, seed: int, verdict: dict[str, Any]) -> dict[str, Any]:
    digested = template_digest(template)
    messages = None
    if verdict["status"] == "applied":
        messages = json_text([{"role": "user", "content": render(template, item.answer_type, verdict["question"], verdict["choices"])}])
    return {
        "prompt_id": digest("prompt", item.item_id, operator, digested, seed, messages),
        "item_id": item.item_id,
        "operator": operator,
        "template": template.name,
        "template_digest": digested,
        "seed": seed,
        "messages": messages,
        "recorded_at": now(),
        **verdict,
    }


def render(template: Template, answer_type: str, question: str, choices: Sequence[str]) -> str:
    """The user message: the template's text for `answer_type` with question, options ("A. ...") and letters filled in."""
    letters = [chr(ord("A") + position) for position in range(len(choices))]
    options = "\n".join(f"{letter}. {choice}" for letter, choice in zip(letters, choices, strict=True))
    listed = f"{', '.join(letters[:-1])}, or {letters[-1]}" if len(letters) > 1 else "".join(letters)
    fields = {"{question}": question, "{options}": options, "{letters}": listed}
    text: str = getattr(template, answer_type)
    # one pass: a question that itself holds "{options}" stays as it is
    return re.sub(r"\{(?:question|options|letters)\}", lambda field: fields[field[0]], text)


STAGE = Stage("prompts", VERSION, plan, make)
