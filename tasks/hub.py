"""The Hugging Face hub, through its own client; nothing else in the product talks to it.

Environment is read at each call, so that a mirror, a cache or the offline switch can be set for one run: `HF_ENDPOINT`, `HF_HOME`, `HF_HUB_CACHE`,
`HF_HUB_OFFLINE`, `HF_TOKEN`. A full commit hash as revision, once fetched, is read from the cache without any request.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from tqdm.auto import tqdm  # type: ignore[import-untyped]

from schemas.errors import Unavailable

Kind = Literal["model", "dataset"]


def snapshot(repo_id: str, revision: str | None, *, kind: Kind = "model", allow: Sequence[str] = ()) -> Path:
    """Folder that holds the files of `repo_id` at `revision`; its name is the commit hash.

    Args:
        repo_id: `owner/name` on the hub.
        revision: commit hash, tag or branch; the default branch when None.
        kind: which of the hub's two name spaces.
        allow: glob patterns of the files wanted; all files when empty.

    Raises:
        Unavailable: missing repository, revision or file, gated, offline, or no connection; the message tells the remedy.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_UPDATE_CHECK", "1")
    import httpx2
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    where = f"{kind} {repo_id}" + (f" at revision {revision}" if revision else "")
    try:
        folder = Path(
            snapshot_download(
                repo_id,
                repo_type=kind,
                revision=revision,
                endpoint=_endpoint(),
                cache_dir=_cache(),
                local_files_only=_offline(),
                allow_patterns=list(allow) or None,
                tqdm_class=_Quiet,
            )
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, HFValidationError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise Unavailable(f"{where} cannot be had: {_finding(error)}") from error
    if not folder.is_dir() or not any(folder.rglob("*")):
        raise Unavailable(f"{where} holds no file like {', '.join(allow) or '*'}; check the revision and the file names")
    return folder


def commit(repo_id: str, revision: str | None) -> str:
    """The commit that `revision` of a model names now, the default branch where None; asks the hub, downloads nothing.

    Raises:
        Unavailable: missing repository or revision, gated, offline, or no connection.
    """
    import httpx2
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    if _offline():
        raise Unavailable(f"model {repo_id}: its commit cannot be asked with HF_HUB_OFFLINE set; set `revision` to a commit, or unset it")
    try:
        found = HfApi(endpoint=_endpoint(), token=os.environ.get("HF_TOKEN") or None).model_info(repo_id, revision=revision, timeout=30).sha
    except (HfHubHTTPError, HFValidationError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise Unavailable(f"model {repo_id}: the hub does not say which commit it is at: {_finding(error)}") from error
    if not found:
        raise Unavailable(f"model {repo_id}: the hub names no commit; set `revision` to one")
    return found


def files(repo_id: str, revision: str | None, names: Sequence[str], *, kind: Kind = "dataset") -> list[Path]:
    """The files `names` of `repo_id`, in their order, all below one snapshot folder.

    Raises:
        Unavailable: as `snapshot`, and where one of the files is not in the repository.
    """
    folder = snapshot(repo_id, revision, kind=kind, allow=names)
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise Unavailable(
            f"{kind} {repo_id} at revision {folder.name} holds no file {missing[0]}; check split, subjects and revision, or read local files with `path`"
        )
    return [folder / name for name in names]


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


def _cache() -> Path | None:
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("HF_HOME")
    return Path(home).expanduser() / "hub" if home else None


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "TRUE", "YES", "ON"}


class _Quiet(tqdm):  # type: ignore[misc]
    """A progress bar that prints nothing: our own display says what is fetched."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "disable": True})


def _finding(error: Exception) -> str:
    """What went wrong and what to do about it, in one line."""
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError, RevisionNotFoundError

    endpoint = _endpoint() or "the hub"
    if isinstance(error, GatedRepoError):
        return f"it is gated; accept its terms on {endpoint} and set HF_TOKEN"
    if isinstance(error, RepositoryNotFoundError):
        return f"no such repository on {endpoint}, or it is private: check the name, or set HF_TOKEN"
    if isinstance(error, RevisionNotFoundError):
        return f"no such revision on {endpoint}; check `revision`"
    if isinstance(error, HFValidationError):
        return "this is not a repository name; write owner/name, or the path of a local folder that exists"
    if _offline():
        return "HF_HUB_OFFLINE is set and it is not in the cache; unset it once to fetch, or give a local path"
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status == 401:
        return f"{endpoint} refused access (401); set HF_TOKEN"
    cause = " ".join(str(error).split())[:160]
    return f"{endpoint} could not be reached or failed ({type(error).__name__}: {cause}); check the connection or HF_ENDPOINT, or give a local path"
