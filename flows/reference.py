"""Run files and model files explained from their types: the commented file of `sextant init`, the docs page and the JSON Schema for editors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from schemas.config import Model, Run

HEADER = """\
# A Sextant run file. Only `name`, `datasets` and `configurations` are required; each other key stands here with its default, commented out.
# `sextant plan {name}` says what it would cost, `sextant evaluate {name}` runs it.
name: mine
datasets:
  - {{name: synthetic, limit: 20}}      # or gsm8k, mmlu, strategyqa, gsm_symbolic; or any name with `path: my.jsonl`
configurations:
  - name: my-model
    model: my-model.yaml               # see `sextant init --model`
"""
MODEL_HEADER = """\
# A Sextant model file. `name`, `provider`, `model` and something that pins the version are required.
name: my-model
provider: openai
model: my-model
version: "2026-11-30"                  # what pins it, where the name holds no date
base_url: http://localhost:8000/v1
"""


GROUP = "see below"
"""Default of a key that holds further keys."""


@dataclass(frozen=True)
class Key:
    """One key of a file: dotted place, type, default as YAML (None where required), meaning."""

    place: str
    kind: str
    default: str | None
    text: str


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[Key]:
    """All keys of `model`, nested ones after their parent, in file order."""
    for name, field in model.model_fields.items():
        inner = _inner(field.annotation)
        listed = inner is not None and "tuple" in str(field.annotation)
        yield Key(prefix + name, _kind(field, inner, listed), _default(field), field.description or "")
        if inner is not None:
            yield from keys(inner, f"{prefix}{name}{'[]' if listed else ''}.")


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type):
        return annotation if issubclass(annotation, BaseModel) else None
    return next((found for part in get_args(annotation) if (found := _inner(part))), None)


def _kind(field: FieldInfo, inner: type[BaseModel] | None, listed: bool) -> str:
    if inner is not None:
        return "list" if listed else "mapping"
    text = str(field.annotation).replace("typing.", "").replace("NoneType", "None")
    for old, new in (("<class '", ""), ("'>", ""), ("tuple[", "list["), (", ...]", "]"), (" | None", ""), ("Literal", "one of ")):
        text = text.replace(old, new)
    text = text.split("Annotated[")[-1].split(",")[0] if "Annotated[" in text else text
    return text.removeprefix("Optional[").removesuffix("]") if text.startswith("Optional[") else text.replace(" | ", " or ")


def _default(field: FieldInfo) -> str | None:
    if field.is_required():
        return None
    value = field.default
    if isinstance(value, BaseModel):
        return GROUP
    return json.dumps(value, ensure_ascii=False)


def commented(model: type[BaseModel], name: str) -> str:
    """A file to start from: the required keys filled in, then every key commented out, with default and meaning."""
    lines = [(HEADER if model is Run else MODEL_HEADER).format(name=name).rstrip()]
    for key in keys(model):
        depth = key.place.count(".")
        if depth == 0:
            lines.append("")
        value = {None: " (required)", GROUP: ""}.get(key.default, f" {key.default}")
        lines.append(f"#{'  ' * depth}{key.place.split('.')[-1].removesuffix('[]')}:{value}    # {key.text}")
    return "\n".join(lines) + "\n"


def page() -> str:
    """The Markdown reference of run files and model files."""
    parts = ["# Run files and model files\n\nGenerated from `schemas/config.py` by `make docs`; a test fails when it is stale.\n"]
    for title, model in (("Run file", Run), ("Model file", Model)):
        rows = [f"| `{key.place}` | {key.kind} | {'required' if key.default is None else f'`{key.default}`'} | {key.text} |" for key in keys(model)]
        parts.append(f"\n## {title}\n\n| key | type | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")
    return "".join(parts)


def json_schema() -> str:
    """JSON Schema of a run file, for editors (`# yaml-language-server: $schema=...`)."""
    return json.dumps(Run.model_json_schema(), indent=2)


def generated() -> dict[str, str]:
    """The generated pages of `docs/references`: file name -> Markdown."""
    from warehouse.reference import markdown

    return {"run-files.md": page(), "relations.md": markdown()}
