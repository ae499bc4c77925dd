"""Sextant's own items, generated from a seed: 250 distinct ones, and an easy set apart. MIT, no download.

URL: none, this repository. From seed 42: 100 arithmetic word problems of two to four steps with worked solutions, 75 adversarial items (contradictions
among statements or numbers, invalid inferences, yes and no in turn), and 75 probes of robustness (idle details, reversed order, number words, negations).
42 templates, each one function; the template is the bootstrap cluster and the category the subject. An arithmetic item reads: Nora buys 4 packs of pencils,
each pack holds 12; she shares all of them equally among 6 children; how many does each child get? Golds are computed. `subjects: [easy]` draws one-step
items instead.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import ConfigError, UnknownName
from schemas.keys import seed_of
from schemas.records import Item
from tasks.datasets.base import DatasetEntry, Loaded, identified
from tasks.datasets.synthetic import adversarial_logic as logic
from tasks.datasets.synthetic import adversarial_numbers as numbers
from tasks.datasets.synthetic import arithmetic, arithmetic_more, easy
from tasks.datasets.synthetic import probes_language as language
from tasks.datasets.synthetic import probes_numbers as probes
from tasks.datasets.synthetic.draft import Draft, Draw, Template

VERSION = "1"
"""Raised with any change that moves an item."""

TEMPLATES: dict[str, tuple[Template, ...]] = {
    "arithmetic": (
        *(arithmetic.packs_shared, arithmetic.change, arithmetic.times_as_many, arithmetic.bakery, arithmetic.reading, arithmetic.bus, arithmetic.savings),
        *(arithmetic_more.garden, arithmetic_more.ages, arithmetic_more.percent_sold, arithmetic_more.journey, arithmetic_more.tickets),
        *(arithmetic_more.exchange, arithmetic_more.boxes),
    ),
    "adversarial": (
        *(logic.syllogism, logic.conditional, logic.cycle, logic.must_be_false, logic.culprit, numbers.total_mismatch, numbers.undetermined),
        *(numbers.percent_undone, numbers.machines, numbers.bat_and_ball, numbers.overlap, numbers.first_error, numbers.weekday_claim),
    ),
    "probe": (
        *(probes.idle_detail, probes.backwards, probes.number_words, probes.decimals, probes.clock, probes.convert, probes.parity, probes.turned_product),
        *(probes.not_multiple, language.invented_nouns, language.negations, language.seats, language.place_in_list, language.either_direction),
        language.counted_list,
    ),
    "easy": (
        *(easy.plus, easy.taken_away, easy.times_two, easy.legs_of, easy.has_more, easy.in_the_basket, easy.same_colour, easy.right_sum),
        *(easy.largest, easy.colour_of, easy.the_animal, easy.sides_of),
    ),
}
SIZES = {"arithmetic": 100, "adversarial": 75, "probe": 75, "easy": 120}
STANDARD = ("arithmetic", "adversarial", "probe")


def load(spec: Dataset, path: Path | None) -> Loaded:
    """All items of the wanted categories from `spec.seed`; the three standard ones where none is named.

    Raises:
        ConfigError: a path was given.
        UnknownName: no such category.
    """
    if path is not None:
        raise ConfigError("dataset synthetic is generated; leave `path` out, or add `fields` to read a file of your own")
    for subject in spec.subjects or ():
        if subject not in TEMPLATES:
            raise UnknownName("subject of dataset synthetic", subject, TEMPLATES)
    items = [item for subject in spec.subjects or STANDARD for item in category(subject, spec.seed, spec.name)]
    return Loaded(items, f"synthetic {VERSION} seed {spec.seed}", "generated", ENTRY.licence)


def category(subject: str, seed: int, dataset: str = "synthetic") -> list[Item]:
    """All items of one category, its size shared equally among its templates."""
    templates: Sequence[Template] = TEMPLATES[subject]
    each, more = divmod(SIZES[subject], len(templates))
    families = ((template, range(n, n + each + (n < more))) for n, template in enumerate(templates))
    return [_item(dataset, subject, template, n, draft) for template, turns in families for n, draft in _family(template, turns, seed)]


def _family(template: Template, turns: range, seed: int) -> Iterator[tuple[int, Draft]]:
    """One draft for each of `turns`, no two with the same question. Turns start apart, so that no answer comes first in every template."""
    attempt, questions = 0, set[str]()
    for turn in turns:
        while True:
            draft = template(Draw(random.Random(seed_of("synthetic", VERSION, seed, template.__name__, attempt)), turn))
            attempt += 1
            if draft.question not in questions:
                break
        questions.add(draft.question)
        yield turn - turns.start, draft


def _item(dataset: str, subject: str, template: Template, n: int, draft: Draft) -> Item:
    name = template.__name__
    item = Item("", dataset, f"{name}-{n}", draft.question, draft.answer_type, draft.gold, draft.choices, subject, name, solution=draft.solution)
    return identified(item)


ENTRY = DatasetEntry("synthetic", "generated word problems, contradictions and probes", "MIT", "this repository", ("number", "choice", "boolean"), 250, load)
