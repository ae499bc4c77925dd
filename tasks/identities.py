"""Names of configurations, suites, prompts and generations: digests of what they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from schemas.config import Suite, Template
from schemas.keys import canonical, digest, seed_of
from schemas.records import Item, ScorerCard
from tasks.run_files import LoadedConfiguration


@dataclass(frozen=True)
class Identity:
    """A configuration with its ids. `resolved_version` is what pins its weights."""

    loaded: LoadedConfiguration
    resolved_version: str
    model_version_id: str
    configuration_id: str
    template_digest: str

    @property
    def name(self) -> str:
        """Display name."""
        return self.loaded.configuration.name


def template_digest(template: Template) -> str:
    """Digest of the texts of `template`."""
    return digest("template", template.model_dump())


def sampling_of(loaded: LoadedConfiguration) -> dict[str, Any]:
    """Everything beside the prompt that shapes an answer: sampling, thinking, extra body fields, chat template, thinking tags."""
    model = loaded.model
    settings = {**loaded.configuration.sampling.model_dump(), "extra": model.extra}
    if model.chat_template is not None:
        settings["chat_template"] = model.chat_template
    if model.thinking_tags != (("<think>", "</think>"),):
        settings["thinking_tags"] = [list(pair) for pair in model.thinking_tags]
    return settings


def identify(loaded: LoadedConfiguration, resolved_version: str) -> Identity:
    """Ids of `loaded` under the version its weights are pinned to."""
    model = loaded.model
    version_id = digest("model_version", model.provider, model.model, model.base_url, resolved_version)
    prompt = template_digest(loaded.template)
    configuration_id = digest("configuration", version_id, loaded.configuration.system_prompt, prompt, sampling_of(loaded))
    return Identity(loaded, resolved_version, version_id, configuration_id, prompt)


def suite_id(items: Sequence[Item], suite: Suite) -> str:
    """Digest of item ids per dataset, K, operators, seed and reference tokens. Templates are part of the configuration."""
    by_dataset: dict[str, list[str]] = {}
    for item in items:
        by_dataset.setdefault(item.dataset, []).append(item.item_id)
    content = {name: sorted(ids) for name, ids in by_dataset.items()}
    return digest("suite", content, suite.runs, sorted(suite.operators), suite.seed, suite.reference_tokens)


def generation_id(configuration_id: str, prompt_id: str, run_index: int, repeat: str) -> str:
    """Digest of configuration, prompt, run index and repeat label; without the run index K runs would collapse into one."""
    return digest("generation", configuration_id, prompt_id, run_index, repeat)


def request_seed(seed: int, item_id: str, operator: str, run_index: int, repeat: str) -> int:
    """Seed sent with one request: one constant seed would make K runs equal."""
    return seed_of("request", seed, item_id, operator, run_index, repeat)


def fingerprint(card: ScorerCard) -> str:
    """Digest of everything that moves a unit score; notes do not."""
    return digest("scorer", card.stage, card.name, card.version, card.parameters, card.model_digest, card.libraries)


def json_text(value: Any) -> str:
    """Canonical JSON as text, for JSON columns."""
    return canonical(value).decode()


def from_json(text: str) -> Any:
    """Read a JSON column."""
    return json.loads(text)
