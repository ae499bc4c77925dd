"""Local causal models: a tiny one made here, batched and left-padded."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, ContextOverflow, Unavailable
from schemas.records import Message, Reply, Request
from tasks.providers import check, open_provider
from tests.engine_kit import limits

# huggingface's own notices about its own future, while a checkpoint is written by this test
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random two-layer Llama with one token a character, whose checkpoint asks for top_k 1 and a repetition penalty."""
    import torch
    from tokenizers import Tokenizer, decoders, models
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    letters = Tokenizer(models.BPE(vocab={chr(i): i - 32 for i in range(32, 127)} | {"</s>": 95, "<pad>": 96}, merges=[]))
    letters.decoder = decoders.Fuse()
    template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }} {% endfor %}"
    PreTrainedTokenizerFast(tokenizer_object=letters, eos_token="</s>", pad_token="<pad>", chat_template=template).save_pretrained(folder)
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 160}
    net = LlamaForCausalLM(LlamaConfig(vocab_size=97, eos_token_id=95, pad_token_id=96, **shape))
    net.generation_config.update(do_sample=True, top_k=1, repetition_penalty=5.0)
    net.save_pretrained(folder)
    return folder


def asked(i: int, *, temperature: float = 0.7, content: str | None = None, seed: int | None = None) -> Request:
    words = (Message("user", content or "hello " * (i + 1)),)
    sampling = (("temperature", temperature), ("max_tokens", 16))
    return Request(f"g{i}", words, sampling, i if seed is None else seed, "c", "p", "i", "original", 0)


def replies(folder: Path, *together: Request, alone: tuple[Request, ...] = (), **fields: object) -> list[Reply | BaseException]:
    model = Model(**{"name": "tiny", "provider": "transformers", "model": str(folder), "limits": limits(concurrency=8), **fields})

    async def go() -> list[Reply | BaseException]:
        async with open_provider(model, Path()) as provider:
            first = list(await asyncio.gather(*map(provider.generate, together), return_exceptions=True))
            return first + [await provider.generate(one) for one in alone]

    return asyncio.run(go())


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_a_row_of_a_padded_batch_is_what_it_is_alone(temperature: float, checkpoint: Path) -> None:
    wanted = tuple(asked(i, temperature=temperature) for i in range(5))
    got = replies(checkpoint, *wanted, alone=wanted)
    texts = [reply.text for reply in got if isinstance(reply, Reply)]
    assert texts[:5] == texts[5:]
    assert len(set(texts[:5])) > 1


def test_the_seed_acts_and_the_checkpoints_own_top_k_does_not(checkpoint: Path) -> None:
    got = replies(checkpoint, *(asked(1, content="same", seed=seed) for seed in (1, 2, 3, 1)))
    texts = [reply.text for reply in got if isinstance(reply, Reply)]
    assert texts[0] == texts[3]
    assert len(set(texts)) == 3, "top_k 1 of the checkpoint still acts"


def test_tokens_are_counted_by_the_tokenizer_and_finish_reasons_are_told(checkpoint: Path) -> None:
    got = [reply for reply in replies(checkpoint, *(asked(1, content="ab", seed=seed, temperature=1.5) for seed in range(30))) if isinstance(reply, Reply)]
    assert {reply.usage.input_tokens for reply in got} == {len("user: ab ")}
    assert {reply.usage.source for reply in got} == {"tokenizer"}
    ended = [reply for reply in got if reply.finish_reason == "stop"]
    assert all(reply.usage.output_tokens == 16 for reply in got if reply.finish_reason == "length")
    assert ended, "no row ended by itself: raise the number of seeds"
    assert all(reply.usage.output_tokens == len(reply.text) + 1 for reply in ended)


def test_a_prompt_that_does_not_fit_fails_alone(checkpoint: Path) -> None:
    long, short = replies(checkpoint, asked(1, content="x" * 200), asked(2))
    assert isinstance(long, ContextOverflow)
    assert isinstance(short, Reply)


def test_a_base_models_template_is_used_as_written(checkpoint: Path) -> None:
    (got,) = replies(checkpoint, asked(1, content="ab"), chat_template="Instruct: {prompt}\nOutput:")
    assert isinstance(got, Reply)
    assert got.usage.input_tokens == len("Instruct: abOutput:")


def test_what_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(Unavailable, match="cannot load"):
        replies(tmp_path, asked(1))


def test_body_fields_and_budgets_are_refused(checkpoint: Path) -> None:
    with pytest.raises(ConfigError, match="extra"):
        check(Model(name="t", provider="transformers", model="x", extra={"top_k": 3}), Sampling())
    with pytest.raises(ConfigError, match="thinking"):
        check(Model(name="t", provider="transformers", model="x"), Sampling(thinking=512))
