"""Reading run files, model files and prompt templates: YAML in, frozen types out, every error with file and key."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from schemas.config import Configuration, Model, Run, Template
from schemas.errors import ConfigError, UnknownName
from schemas.records import DIMENSIONS, LLM_PARAPHRASE

PROMPTS = Path(__file__).parent.parent / "deploy" / "prompts"
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class LoadedConfiguration:
    """A configuration with the model and template files it names."""

    configuration: Configuration
    model: Model
    model_base: Path
    template: Template


@dataclass(frozen=True)
class LoadedRun:
    """A run file with everything it names."""

    path: Path
    run: Run
    configurations: tuple[LoadedConfiguration, ...]
    rewriter: LoadedConfiguration | None = None
    """The model behind `llm_paraphrase`."""

    @property
    def base(self) -> Path:
        """Folder that relative paths in the run file start from."""
        return self.path.parent


def load_run(path: Path) -> LoadedRun:
    """Read a run file and the model and template files it names.

    Raises:
        ConfigError: unreadable file, unknown key, wrong type, unknown dimension, model file or template.
    """
    run = load_yaml(path, Run)
    _known(path, "suite.dimensions", run.suite.dimensions, DIMENSIONS)
    return LoadedRun(path.resolve(), run, tuple(_configuration(path, c, f"configurations.{c.name}") for c in run.configurations), _rewriter(path, run))


def _rewriter(path: Path, run: Run) -> LoadedConfiguration | None:
    if run.rewriter is None:
        return None
    return _configuration(path, Configuration(name=LLM_PARAPHRASE, model=run.rewriter.model, sampling=run.rewriter.sampling), "rewriter")


def _configuration(path: Path, configuration: Configuration, key: str) -> LoadedConfiguration:
    model_path = path.parent / configuration.model
    if not model_path.is_file():
        known = [p.name for p in model_path.parent.glob("*.yaml")]
        raise ConfigError(f"{path}: {key}.model: {UnknownName('model file', model_path.name, known)}")
    template_path = PROMPTS / f"{configuration.template}.yaml"
    if not template_path.is_file():
        template_path = path.parent / configuration.template
    if not template_path.is_file():
        known = [p.stem for p in PROMPTS.glob("*.yaml")]
        raise ConfigError(f"{path}: {key}.template: {UnknownName('template', configuration.template, known)}")
    model = load_yaml(model_path, Model)
    return LoadedConfiguration(configuration, model, model_path.parent.resolve(), load_yaml(template_path, Template))


def _known(path: Path, key: str, names: tuple[str, ...], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"{path}: {key}: {UnknownName(key.rsplit('.', 1)[-1].rstrip('s'), name, known)}")


def load_yaml(path: Path, kind: type[T]) -> T:
    """Read one YAML file as `kind`.

    Raises:
        ConfigError: the file is missing, not YAML, or does not fit; the message names file and key.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file; `sextant init` writes a run file to start from") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f":{place.line + 1}" if place else ""
        raise ConfigError(f"{path}{line}: not valid YAML: {getattr(error, 'problem', error)}") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: expected a mapping of keys, found {type(raw).__name__}")
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_first_problem(error, raw, kind)}") from error


def _first_problem(error: ValidationError, raw: dict[str, Any], kind: type[BaseModel]) -> str:
    problems, more = error.errors(include_url=False), error.error_count() - 1
    problem = next((each for each in problems if each["type"] == "extra_forbidden"), problems[0])  # a misspelt key is what makes another one missing
    place = ".".join(str(part) for part in problem["loc"]) or "(file)"
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(problem["loc"][-1]), _keys_at(kind, problem["loc"][:-1]), n=1)
        message = f"unknown key; did you mean {near[0]!r}?" if near else f"unknown key; known: {', '.join(_keys_at(kind, problem['loc'][:-1]))}"
    elif problem["type"] == "missing":
        message = "required key is missing"
    elif problem["type"] != "value_error" and not isinstance(problem["input"], dict):
        # our own validators say what they found; a refused base_url must not be repeated
        message = f"{message} (found {str(problem['input'])[:80]!r})"
    return f"{place}: {message}" + (f" (and {more} more)" if more else "")


def _keys_at(kind: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    current: Any = kind
    for part in location:
        if isinstance(part, str) and isinstance(current, type) and issubclass(current, BaseModel) and part in current.model_fields:
            current = current.model_fields[part].annotation
        current = _model_in(current)
    return sorted(current.model_fields) if isinstance(current, type) and issubclass(current, BaseModel) else []


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if isinstance(found := _model_in(inner), type) and issubclass(found, BaseModel)), annotation)
