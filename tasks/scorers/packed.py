"""Linear layers on oneDNN with weights laid out once: PyTorch's own go to MKL, which leaves AVX-512 unused on CPUs that are not Intel's."""

from __future__ import annotations

from types import MethodType
from typing import Any


def pack(model: Any) -> int:
    """Give every float32 linear layer of `model` that is on the CPU a packed copy of its weights to work with; returns how many got one."""
    import torch

    onednn: Any = torch.backends.mkldnn
    if not onednn.is_available() or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return 0
    found = [module for module in model.modules() if type(module) is torch.nn.Linear and _fits(module.weight)]
    for module in found:
        _pack(module)
    return len(found)


def _fits(weight: Any) -> bool:
    return str(weight.dtype) == "torch.float32" and weight.device.type == "cpu"


def _pack(module: Any) -> None:
    import torch

    linear: Any = torch.ops.mkldnn._linear_pointwise
    weights = torch.ops.mkldnn._reorder_linear_weight(module.weight.detach())
    module.forward = MethodType(lambda self, states: linear(states, weights, self.bias, "none", [], ""), module)
