"""DeBERTa's attention without the positions that no pair of the batch has: same numbers, a third less work on short pairs.

transformers compares every token with all 2 x 256 relative positions, copied once per sequence, and reads a few of them off. A batch of
length n has 2n - 1: only these are compared, head by head, without copies.
"""

from __future__ import annotations

from types import MethodType
from typing import Any


def narrow(model: Any) -> int:
    """Let every disentangled attention of `model` leave out positions that its batch does not have; returns how many there are."""
    from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention

    found: list[Any] = [module for module in model.modules() if type(module) is DisentangledSelfAttention and module.relative_attention]
    for module in found:
        module.disentangled_attention_bias = MethodType(_bias, module)
    return len(found)


def _bias(attention: Any, query: Any, key: Any, relative: Any, embeddings: Any, scale_factor: int) -> Any:
    """What position adds to the attention scores, (batch x heads, length, length), as transformers computes it."""
    length, width = query.size(1), query.size(2)
    middle = attention.pos_ebd_size
    places = relative.reshape(length, length)
    span = min(middle, int(places.max()) + 1)  # not `length`: buckets can lie further out than the distance they stand for
    embeddings = embeddings[middle - span : middle + span]
    scale = (width * scale_factor) ** 0.5
    shared = attention.share_att_key
    bias = 0
    if "c2p" in attention.pos_att_type:
        projected = (attention.key_proj if shared else attention.pos_key_proj)(embeddings)
        bias = _read_off(attention, query, projected, (places + span).clamp(0, 2 * span - 1)) / scale
    if "p2c" in attention.pos_att_type:
        projected = (attention.query_proj if shared else attention.pos_query_proj)(embeddings)
        bias = bias + _read_off(attention, key, projected, (span - places).clamp(0, 2 * span - 1)).transpose(-1, -2) / scale
    return bias


def _read_off(attention: Any, states: Any, positions: Any, index: Any) -> Any:
    """Products of each state (batch x heads, length, width) with the positions (2 x span, heads x width) that `index` (length, length) names."""
    heads, (rows, length, width) = attention.num_attention_heads, states.shape
    by_head = states.view(-1, heads, length, width).transpose(0, 1).reshape(heads, -1, width)
    products = by_head.bmm(positions.view(-1, heads, width).permute(1, 2, 0)).view(heads, -1, length, positions.size(0))
    return products.gather(-1, index.expand(heads, rows // heads, length, length)).transpose(0, 1).reshape(rows, length, length)
