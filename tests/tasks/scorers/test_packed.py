"""Traps of packed linear layers: other numbers, layers that must stay as they are."""

from __future__ import annotations

import pytest
import torch

from tasks.scorers.packed import pack


@pytest.fixture
def model() -> torch.nn.Module:
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(48, 96), torch.nn.GELU(), torch.nn.Linear(96, 3, bias=False)).eval()


@pytest.mark.parametrize("shape", [(1, 48), (5, 48), (2, 7, 48)])
def test_packed_layers_give_the_numbers_of_plain_ones(model: torch.nn.Module, shape: tuple[int, ...]) -> None:
    states = torch.randn(shape)
    with torch.inference_mode():
        before = model(states)
        assert pack(model) == 2
        assert torch.allclose(model(states), before, atol=1e-5)


def test_a_part_of_a_tensor_that_lies_scattered_in_memory_is_read_right(model: torch.nn.Module) -> None:
    states = torch.randn(48, 9, 2).permute(2, 1, 0)
    with torch.inference_mode():
        before = model(states)
        pack(model)
        assert torch.allclose(model(states), before, atol=1e-5)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float64])
def test_layers_of_another_number_format_are_left_alone(model: torch.nn.Module, kind: torch.dtype) -> None:
    assert pack(model.to(kind)) == 0
