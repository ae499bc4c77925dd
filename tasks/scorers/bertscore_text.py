"""Texts to token vectors for BERTScore: the bert-score library's tokenisation and model, batched by length, each text once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from schemas.errors import Unavailable
from tasks.scorers.batching import batches
from tasks.scorers.bertscore_match import Text
from tasks.scorers.devices import calm_threads, number_format
from tasks.scorers.packed import pack
from tasks.scorers.pair_text import readable

TOKENS_PER_BATCH = 1024
ROWS_PER_BATCH = 16
BLOCK_CHARS = 250_000
"""Characters of new text encoded together."""
HELD_TOKENS = 400_000
"""Token vectors kept for later pairs (384 floats each: 600 MB); beyond it a text is encoded again when its next pair comes."""


@dataclass(frozen=True)
class TextEncoder:
    """The library's model cut to `layer` layers, its tokenizer, and the window in tokens, control tokens included."""

    model: Any
    tokenizer: Any
    window: int

    @classmethod
    def load(cls, folder: Path, layer: int, device: str) -> TextEncoder:
        """Load an encoder as the library does.

        Raises:
            Unavailable: it does not load, or has fewer layers than asked for.
        """
        calm_threads()
        import torch
        from bert_score.utils import get_model, get_tokenizer
        from safetensors import SafetensorError

        if "t5" in str(folder):
            raise Unavailable(f"the bert-score library takes every path that holds 't5' for a T5 model: link or move {folder} to another name")
        try:
            tokenizer, model = get_tokenizer(str(folder)), get_model(str(folder), layer)
        except (OSError, ValueError, KeyError, AssertionError, ImportError, RuntimeError, SafetensorError) as error:
            raise Unavailable(f"BERTScore encoder {folder} does not load: {error}; mend `judges.bertscore` or `judges.bertscore_layer`") from error
        window = min(tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None) or 512, 512)
        tokenizer.model_max_length = window  # some say 1e30, on which the library overflows
        model = model.to(device, getattr(torch, number_format(device)))
        pack(model)
        return cls(model, tokenizer, window)

    def groups(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[list[int], Mapping[str, Text]]]:
        """Indices of scorable pairs block by block, with the encoded texts of the block. Pairs with a blank text never appear."""
        usable = [i for i, pair in enumerate(pairs) if pair[0].strip() and pair[1].strip()]
        left = Counter(text for i in usable for text in set(pairs[i]))
        held: dict[str, Text] = {}
        for block in _blocks(usable, pairs):
            wanted = dict.fromkeys(text for i in block for text in pairs[i])
            held.update(self.encode([text for text in wanted if text not in held]))
            yield [i for i in block if all(_has_words(held[text]) for text in pairs[i])], held
            left.subtract(text for i in block for text in set(pairs[i]))
            held = _keep(held, left)

    def encode(self, texts: Sequence[str]) -> dict[str, Text]:
        """Encode distinct texts, each cut into as many chunks as it needs."""
        import torch
        from bert_score.utils import bert_encode, padding

        chunks = [(text, ids) for text in texts for ids in self.chunks(text)]
        vectors: list[Any] = [None] * len(chunks)
        for rows in batches([len(ids) for _, ids in chunks], tokens=TOKENS_PER_BATCH, rows=ROWS_PER_BATCH):
            padded, _, mask = padding([chunks[i][1] for i in rows], self.tokenizer.pad_token_id, dtype=torch.long)
            embedded = bert_encode(self.model, padded.to(self.model.device), mask.to(self.model.device))
            embedded = torch.nn.functional.normalize(embedded, dim=-1)
            for i, row in zip(rows, embedded, strict=True):
                vectors[i] = row[: len(chunks[i][1])].clone()
        control = torch.tensor([self.tokenizer.cls_token_id, self.tokenizer.sep_token_id])
        out = {}
        for text, group in groupby(range(len(chunks)), key=lambda i: chunks[i][0]):
            own = list(group)
            ids = torch.tensor([token for i in own for token in chunks[i][1]])
            weights = (~torch.isin(ids, control)).float().to(self.model.device)
            out[text] = Text(torch.cat([vectors[i] for i in own]), weights, len(own))
        return out

    def chunks(self, text: str) -> list[list[int]]:
        """Token ids of `text` in chunks that fit the window, control tokens included, cut between words where there is a space."""
        from bert_score.utils import sent_encode

        text = readable(text)
        ids = sent_encode(self.tokenizer, text)
        if len(ids) < self.window:
            return [ids]
        encoding = self.tokenizer(text.strip(), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        inner, offsets = encoding["input_ids"], encoding["offset_mapping"]
        room = self.window - self.tokenizer.num_special_tokens_to_add()
        if len(inner) <= room:
            return [ids]
        head, tail = [self.tokenizer.cls_token_id], [self.tokenizer.sep_token_id]
        return [head + inner[a:b] + tail for a, b in _cuts(text.strip(), offsets, room)]


def _cuts(text: str, offsets: Sequence[tuple[int, int]], room: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(offsets):
        end = min(start + room, len(offsets))
        if end < len(offsets):
            between_words = (i for i in range(end, start + room // 2, -1) if text[offsets[i][0] - 1].isspace() or text[offsets[i][0]].isspace())
            end = next(between_words, end)
        yield start, end
        start = end


def _blocks(usable: Sequence[int], pairs: Sequence[tuple[str, str]]) -> Iterator[list[int]]:
    block: list[int] = []
    seen: set[str] = set()
    size = 0
    for i in usable:
        new = set(pairs[i]) - seen
        size += sum(map(len, new))
        seen |= new
        block.append(i)
        if size >= BLOCK_CHARS:
            yield block
            block, seen, size = [], set(), 0
    if block:
        yield block


def _keep(held: Mapping[str, Text], left: Mapping[str, int]) -> dict[str, Text]:
    kept: dict[str, Text] = {}
    tokens = 0
    for text, encoded in held.items():
        tokens += len(encoded.weights)
        if left[text] and tokens <= HELD_TOKENS:
            kept[text] = encoded
    return kept


def _has_words(encoded: Text) -> bool:
    return bool(encoded.weights.any())
