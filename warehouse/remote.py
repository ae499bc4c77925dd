"""Object storage under a store: the few requests of the S3 API it needs, and where the files lie on this machine meanwhile.

Credentials and endpoint come from the environment alone (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, ...), never from a file of ours.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemas.errors import StoreError
from schemas.keys import digest

SCHEME = "s3://"
TIMEOUTS = {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": 2, "mode": "standard"}}
TRIES = 3
AT_ONCE = 1000
"""Most keys of one delete request: the API's own limit."""


@dataclass(frozen=True)
class Remote:
    """The objects below `s3://bucket/prefix`. Names are relative to it."""

    address: str

    def __post_init__(self) -> None:
        if not self._bucket:
            raise StoreError(f"{self.address!r} names no bucket; write s3://bucket/prefix")

    @property
    def mirror(self) -> Path:
        """Folder of this machine that holds the same files: below SEXTANT_MIRROR, else the user's data folder."""
        base = os.environ.get("SEXTANT_MIRROR") or Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sextant"
        return Path(base).absolute() / f"{self._bucket}-{digest('mirror', self.address, os.environ.get('AWS_ENDPOINT_URL'))[:12]}"

    def names(self, folder: str) -> dict[str, str]:
        """ETag by name of every object below `folder`."""
        found: dict[str, str] = {}
        page: dict[str, str] = {}
        with self._told("list"):
            while True:
                reply = self._files.call_s3("list_objects_v2", Bucket=self._bucket, Prefix=self._key(folder), **page)
                found |= {entry["Key"][len(self._key("")) :]: str(entry["ETag"]) for entry in reply.get("Contents", ()) if not entry["Key"].endswith("/")}
                if not reply["IsTruncated"]:
                    return found
                page = {"ContinuationToken": reply["NextContinuationToken"]}

    def get(self, name: str, target: Path) -> None:
        """Copy an object to `target`, which appears whole."""
        temporary = target.with_name(f".{uuid.uuid4().hex}.tmp")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._told("read", name):
                self._files.get_file(self._at(name), str(temporary))
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    def put(self, name: str, source: Path) -> None:
        """Store a file as an object, which appears whole."""
        with self._told("write", name):
            self._files.put_file(str(source), self._at(name))

    def read(self, name: str) -> tuple[bytes, str] | None:
        """Content and ETag of a small object; None where there is none."""
        with self._told("read", name):
            try:
                reply = self._files.call_s3("get_object", Bucket=self._bucket, Key=self._key(name))
            except FileNotFoundError as error:
                if "bucket" in str(error).lower():
                    raise
                return None
            return self._body(reply), str(reply["ETag"])

    def swap(self, name: str, body: bytes, expected: str | None) -> str | None:
        """Write `body` where the object's ETag is `expected` (None: where there is no object); its new ETag, or None where another was faster."""
        condition = {"IfNoneMatch": "*"} if expected is None else {"IfMatch": expected}
        with self._told("write", name):
            try:
                reply = self._files.call_s3("put_object", Bucket=self._bucket, Key=self._key(name), Body=body, **condition)
            except OSError as error:
                if _status(error) not in (404, 409, 412) or "bucket" in str(error).lower():
                    raise
                now = self.read(name)  # a repeated request is refused where its first try had arrived
                return now[1] if now and now[0] == body else None
            return str(reply["ETag"])

    def delete(self, names: Collection[str]) -> None:
        """Remove objects; one that is not there is removed already."""
        listed = [{"Key": self._key(name)} for name in names]
        with self._told("delete"):
            for start in range(0, len(listed), AT_ONCE):
                self._files.call_s3("delete_objects", Bucket=self._bucket, Delete={"Objects": listed[start : start + AT_ONCE], "Quiet": True})

    @property
    def _bucket(self) -> str:
        return self.address.removeprefix(SCHEME).split("/", 1)[0]

    @property
    def _prefix(self) -> str:
        return self.address.removeprefix(SCHEME).partition("/")[2].strip("/")

    def _key(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name

    def _at(self, name: str) -> str:
        return f"{self._bucket}/{self._key(name)}"

    @property
    def _files(self) -> Any:
        return _client(os.environ.get("AWS_ENDPOINT_URL"), os.environ.get("AWS_ACCESS_KEY_ID"))

    def _body(self, reply: Any) -> bytes:
        import fsspec.asyn

        return bytes(fsspec.asyn.sync(self._files.loop, reply["Body"].read))

    @contextmanager
    def _told(self, doing: str, name: str = "") -> Iterator[None]:
        """Any failure as a StoreError that names the finding and the remedy."""
        from aiohttp import ClientError
        from botocore.exceptions import BotoCoreError

        what = f"cannot {doing} {self.address}{f' ({name})' if name else ''}"
        try:
            yield
        except FileNotFoundError as error:
            raise StoreError(f"{what}: no such bucket or object; create the bucket, or mend the address") from error
        except PermissionError as error:
            raise StoreError(f"{what}: access denied; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket's policy") from error
        except (OSError, BotoCoreError, ClientError, TimeoutError) as error:
            told = str(error) or type(error).__name__
            raise StoreError(f"{what}: {told[:300]}; check the network, AWS_ENDPOINT_URL and the credentials, then run again: nothing is lost") from error


@lru_cache
def _client(endpoint: str | None, _user: str | None) -> Any:
    """The one client of this process for an endpoint and user."""
    try:
        import s3fs
    except ImportError as error:
        raise StoreError("a store on object storage needs s3fs: pip install 's3fs==2026.9.0', or install Sextant with the extra `s3`") from error
    files = s3fs.S3FileSystem(endpoint_url=endpoint, use_listings_cache=False, skip_instance_cache=True, config_kwargs=TIMEOUTS)
    files.retries = TRIES
    return files


def _status(error: BaseException) -> int | None:
    """HTTP status of the reply behind an error."""
    reply = getattr(error, "response", None) or getattr(error.__cause__, "response", None)
    return reply["ResponseMetadata"]["HTTPStatusCode"] if reply else None
