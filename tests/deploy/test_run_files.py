"""The run files and manifests under deploy/ are what they say, without any container or key."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tasks import providers
from tasks.probes import is_alias
from tasks.run_files import load_run

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_nights_run_file_names_the_papers_judges_and_every_parameter_is_one_its_model_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_run(DEPLOY / "runs" / "nightly.yaml")
    assert loaded.run.judges.nli == "cross-encoder/nli-deberta-v3-small"
    assert loaded.run.judges.bertscore == "distilbert-base-uncased"
    for configuration in loaded.configurations:
        if configuration.model.api_key_env:
            monkeypatch.setenv(configuration.model.api_key_env, "x")
        providers.check(configuration.model, configuration.configuration.sampling)
    probed = {c.configuration.name for c in loaded.configurations if is_alias(c.model, c.model_base)}
    assert probed == {"deepseek-v3", "gemini-2.5-flash"}, "dated names and commits need no probe"


def test_the_worker_of_compose_has_every_key_that_the_nights_models_name() -> None:
    worker = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["worker"]["environment"]
    loaded = load_run(DEPLOY / "runs" / "nightly.yaml")
    named = {c.model.api_key_env for c in loaded.configurations} | {loaded.run.alert_webhook_env}
    assert named - {None} <= set(worker)


def test_images_are_pinned_and_nothing_runs_as_root() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    images = [service["image"] for service in compose["services"].values()]
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    images += [line.split()[1] for line in dockerfile.splitlines() if line.startswith("FROM ")]
    assert all(":" in image and not image.endswith(":latest") for image in images)
    assert dockerfile.index("USER sextant") < dockerfile.index("ENTRYPOINT")
    manifests = list(yaml.safe_load_all((DEPLOY / "k8s" / "sextant.yaml").read_text()))
    for manifest in manifests:
        if manifest["kind"] == "Deployment":
            assert manifest["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"] is True
