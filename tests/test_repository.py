"""House rules that matter are tests."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGES = ("schemas", "warehouse", "tasks", "flows")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module and node.level == 0}
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_data_moves_right_only_so_no_package_imports_one_after_it(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    after = set(PACKAGES[PACKAGES.index(package) + 1 :])
    assert not imported(path) & after


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tails_make_a_codebase_so_no_file_passes_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_only_stage_files_decorate_tasks_and_only_flow_files_decorate_flows() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(ROOT).parts
        if re.search(r"^@task\b", text, re.M):
            assert len(parts) == 2 and parts[0] in ("tasks", "flows"), path
        if re.search(r"^@flow\b", text, re.M):
            assert parts[0] == "flows" and len(parts) == 2, path


def test_no_file_in_flows_is_named_like_a_package_it_would_shadow() -> None:
    distributions = importlib.metadata.packages_distributions()
    for path in (ROOT / "flows").glob("*.py"):
        assert path.stem not in distributions, path


def test_our_four_package_names_are_ours_alone_in_this_environment() -> None:
    distributions = importlib.metadata.packages_distributions()
    for package in PACKAGES:
        assert set(distributions[package]) == {"sextant-reasoning"}


def test_every_command_is_in_the_readme() -> None:
    for name in COMMANDS:
        assert f"sextant {name.replace('_', '-')}" in README, name


def test_the_readmes_file_tree_names_what_is_there() -> None:
    tree = README.split("```text", 1)[1].split("```", 1)[0]
    for line in tree.splitlines():
        name = line.split("  ")[0].strip()
        if name:
            assert (ROOT / name).exists(), name


def test_help_answers_without_importing_anything_heavy() -> None:
    code = "import sys; import flows.cli as c; c._register(); print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    assert not {"prefect", "torch", "polars", "pyarrow", "transformers", "great_expectations", "spacy", "onnxruntime"} & set(loaded)


@pytest.mark.parametrize("name", ["datasets", "providers", "perturbations"])
def test_every_registry_entry_is_documented_and_tested(name: str) -> None:
    module = importlib.import_module(f"tasks.{name}")
    registry = {"datasets": "DATASETS", "providers": "PROVIDERS", "perturbations": "PERTURBATIONS"}[name]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "tasks" / name).rglob("*.py"))
    for entry in getattr(module, registry):
        assert f"`{entry}`" in README, entry
        assert entry in tests, entry


def test_the_makefile_has_at_most_eight_targets() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert len(phony.split()) <= 8
