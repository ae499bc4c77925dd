"""How often a judge is wrong, on pairs whose label is known: the pairs, and the rows of the `calibrations` table.

Coherence reads neighbouring steps, so the judge is measured on neighbouring steps: consistent gold ones (a contradiction there
is a false alarm), and a gold step with its *altered* next step (a contradiction there is a detection).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from schemas.errors import BadRow, InputError
from schemas.keys import digest, seed_of
from schemas.records import Item, ScorerCard
from tasks.identities import fingerprint
from tasks.local_files import file_digest
from tasks.scorers.alterations import ALTERATIONS, alter
from tasks.scorers.nli import LABELS, Judge
from tasks.scorers.steps import adjacent, split

NONE = "none"
DIGEST = 16
"""Hex digits by which a judge's card names a training file."""
HEADERS = (("label", "gold_label"), ("premise", "sentence1"), ("hypothesis", "sentence2"))


@dataclass(frozen=True)
class Pair:
    """A pair with the label it should have. `cluster` is what intervals resample."""

    role: str
    alteration: str
    pair_id: str
    cluster: str
    gold_label: str
    premise: str
    hypothesis: str


def calibrate(judge: Judge, items: Sequence[Item], *, seed: int, limit: int | None, pair_set: str) -> list[dict[str, object]]:
    """Measure `judge` on gold solutions: rows of `calibrations`, without `recorded_at`.

    Args:
        judge: a loaded judge.
        items: items with worked solutions; those without are passed over.
        seed: seed of every alteration.
        limit: most items read.
        pair_set: name of the set; refused where the judge's card lists it as training data.

    Raises:
        InputError: the judge was trained on the set.
    """
    refuse_training_data(judge.card, pair_set)
    return rows_of(judge, step_pairs_of(items, seed=seed, limit=limit), pair_set)


def rows_of(judge: Judge, pairs: Sequence[Pair], pair_set: str) -> list[dict[str, object]]:
    """Score `pairs`; one row of `calibrations` each, without `recorded_at`."""
    scorer = fingerprint(judge.card)
    scores = judge.score([(pair.premise, pair.hypothesis) for pair in pairs])
    return [
        {
            "scorer": scorer,
            "pair_set": pair_set,
            "role": pair.role,
            "alteration": pair.alteration,
            "pair_id": pair.pair_id,
            "cluster": pair.cluster,
            "gold_label": pair.gold_label,
            "label": score.label,
            "p_entailment": score.p_entailment,
            "p_neutral": score.p_neutral,
            "p_contradiction": score.p_contradiction,
            "truncated_pair": score.truncated,
        }
        for pair, score in zip(pairs, scores, strict=True)
    ]


def step_pairs_of(items: Sequence[Item], *, seed: int, limit: int | None) -> list[Pair]:
    """Pairs from worked solutions: every consistent neighbouring pair, and one altered pair per item and alteration."""
    worked = [(item, pairs) for item in items if (pairs := adjacent(split(item.solution or "")))][:limit]
    steps = {item.item_id: pairs[-1][1] for item, pairs in worked}
    found: list[Pair] = []
    for item, pairs in worked:
        found += [Pair("false_alarm", NONE, f"{item.item_id}:{i}", item.item_id, "neutral", a, b) for i, (a, b) in enumerate(pairs, start=2)]
        others = [step for other, step in steps.items() if other != item.item_id]
        found += _altered(item, pairs, others, seed)
    return found


def _altered(item: Item, pairs: Sequence[tuple[str, str]], others: Sequence[str], seed: int) -> Iterator[Pair]:
    for alteration in ALTERATIONS:
        random = Random(seed_of("alteration", seed, item.item_id, alteration))
        for index in random.sample(range(len(pairs)), len(pairs)):
            premise, step = pairs[index]
            wrong = alter(alteration, step, question=item.question, others=others, random=random)
            if wrong is not None and wrong != step:
                yield Pair("detection", alteration, f"{item.item_id}:{index + 2}", item.item_id, "contradiction", premise, wrong)
                break


def refuse_training_data(card: ScorerCard, *names: str) -> None:
    """Stop where one of `names` (a set's name, a file's stem or its digest) is training data of the judge.

    Raises:
        InputError: a figure measured there would flatter the judge.
    """
    known = [value for key in ("trained_on", "training_files") if isinstance(value := card.parameters.get(key), list)]
    for name in names:
        if any(name == listed or (len(listed) == DIGEST and name.startswith(listed)) for values in known for listed in map(str, values)):
            raise InputError(f"the judge {card.model} was trained on this set ({name}): a rate measured there flatters it; name another set")


def nli_pairs(path: Path) -> list[Pair]:
    """Pairs of a tab-separated file: label, premise, hypothesis; a header line may name and order the columns.

    Raises:
        BadRow: a line without three fields or with an unknown label.
        InputError: the file cannot be read or holds no pair.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    order = _order(lines[0].rstrip("\r").split("\t"))
    found = []
    for number, line in enumerate(lines[order is not None :], start=1 + (order is not None)):
        if line.strip():
            found.append(_nli_pair(path, number, line.rstrip("\r").split("\t"), order or (0, 1, 2)))
    if not found:
        raise InputError(f"{path} holds no pair; each line is label, premise, hypothesis, separated by tabs")
    return found


def _order(header: Sequence[str]) -> tuple[int, int, int] | None:
    names = [name.strip().lower() for name in header]
    places = [next((i for i, name in enumerate(names) if name in wanted), -1) for wanted in HEADERS]
    return None if min(places) < 0 else (places[0], places[1], places[2])


def _nli_pair(path: Path, number: int, fields: Sequence[str], order: tuple[int, int, int]) -> Pair:
    if len(fields) <= max(order):
        raise BadRow(path, number, f"{len(fields)} fields; label, premise and hypothesis are needed, separated by tabs")
    label, premise, hypothesis = (fields[place].strip() for place in order)
    if label.lower() not in LABELS:
        raise BadRow(path, number, f"label {label!r}; it must be entailment, neutral or contradiction")
    return Pair("nli", NONE, digest(number, premise, hypothesis), digest(premise), label.lower(), premise, hypothesis)


def set_names(path: Path) -> tuple[str, str]:
    """What a judge's card may call a file: its stem, and the digest of its content."""
    return path.stem, file_digest(path)
