"""The exception tree. Catch by name; each message names the finding and the remedy.

SextantError                      exit code 1
+- InputError                     exit code 2: the user can mend it before anything runs
|  +- ConfigError                 a run, model or prompt file (file, key)
|  +- UnknownName                 no such dataset, model, dimension ...; names the nearest known
|  +- BadRow                      a row of a dataset or labelled file (file, line)
|  +- MissingSecret               an environment variable that a model needs
+- RunError                       exit code 1: the run could not be finished
|  +- StoreError                  the store cannot be read or written
|  |  +- DamagedFile              a Parquet or journal file whose content is not what its name says
|  +- CheckFailed                 a data check found offenders; nothing was published
|  +- Unavailable                 a judge, model, package, server or hub that cannot be had
|  +- ProviderError               one request to a model failed
|     +- Retryable                may succeed if asked again
|     |  +- RateLimited           429 or its kin; carries retry_after
|     |  +- ServerFault           5xx, overload, malformed reply
|     |  +- ConnectionLost        reset, refused, timed out
|     +- Permanent                will never succeed as asked
|        +- BadRequest            rejected parameters, unknown model, authentication
|        +- ContextOverflow       the prompt does not fit
|        +- ContentFiltered       refused by the provider's filter
+- BudgetReached                  exit code 3: resumable
+- Regressed                      exit code 4
+- EvidenceLacking                exit code 5: a gate was asked and the evidence is not enough
+- Interrupted                    exit code 130: resumable
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class SextantError(Exception):
    """Root of every error this product raises on purpose."""

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception's own would call the class with the finished message, which is not what UnknownName, BadRow or MissingSecret take
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[SextantError], args: tuple[Any, ...], state: dict[str, Any]) -> SextantError:
    """An error as another process raised it."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(SextantError):
    """Something the user wrote; mended before anything runs."""

    exit_code = 2


class ConfigError(InputError):
    """A run, model or prompt file; the message names file and key."""


class UnknownName(InputError):
    """A name no registry holds."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names) or 'none'}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class BadRow(InputError):
    """A row of a data file that cannot be used."""

    def __init__(self, file: object, line: int, finding: str) -> None:
        self.file, self.line, self.finding = str(file), line, finding
        super().__init__(f"{file}:{line}: {finding}")


class MissingSecret(InputError):
    """An environment variable that a model needs is not set."""

    def __init__(self, variable: str, model: str) -> None:
        super().__init__(f"model {model!r} needs the environment variable {variable}; set it and run again")


class RunError(SextantError):
    """The run could not be finished."""


class StoreError(RunError):
    """The store cannot be read or written."""


class DamagedFile(StoreError):
    """A file whose content is not what its name says."""


class CheckFailed(RunError):
    """A data check found offenders; nothing was published and nothing is lost."""


class Unavailable(RunError):
    """A judge, model, package, server or hub that cannot be had; never replaced by another."""


class ProviderError(RunError):
    """One request to a model failed. `status` is the HTTP code where there was one."""

    reason = "provider_error"

    def __init__(self, message: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class Retryable(ProviderError):
    """May succeed if asked again."""


class RateLimited(Retryable):
    """429 or its kin. `retry_after` in seconds holds for the whole model."""

    reason = "rate_limited"

    def __init__(self, message: str, *, status: int | None = 429, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message, status=status)


class ServerFault(Retryable):
    """5xx, overload, or a reply that is not what the API promises."""

    reason = "server_fault"

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message, status=status)


class ConnectionLost(Retryable):
    """Reset, refused or timed out before a whole reply arrived."""

    reason = "connection_lost"


class Permanent(ProviderError):
    """Will never succeed as asked."""

    reason = "permanent"


class BadRequest(Permanent):
    """Rejected parameters, unknown model, failed authentication."""

    reason = "bad_request"


class ContextOverflow(Permanent):
    """The prompt and its answer do not fit the model's window."""

    reason = "context_overflow"


class ContentFiltered(Permanent):
    """Refused by the provider's filter."""

    reason = "content_filter"


class BudgetReached(SextantError):
    """The cap would be passed by the next request; the run is resumable."""

    exit_code = 3


class Regressed(SextantError):
    """A comparison found a regression."""

    exit_code = 4


class EvidenceLacking(SextantError):
    """A gate was asked for and the evidence does not suffice."""

    exit_code = 5


class Interrupted(SextantError):
    """Stopped by the user; the run is resumable."""

    exit_code = 130
