"""What a night has to do: which versions there are, what serves behind each alias, which configurations are not finished under the suite."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from flows.alerts import Alert, tell_operator, webhook_of
from flows.evaluate import unfinished
from schemas.errors import BudgetReached, SextantError
from schemas.keys import digest
from tasks.engine import Ledger
from tasks.identities import Identity
from tasks.probes import Probe, Served, is_alias, probe, served_by_label, standing_label, stored_probes
from tasks.run_files import LoadedRun
from tasks.scope import Scope, narrowed, prepare
from tasks.tracking import tracked
from warehouse.current import is_current
from warehouse.store import Store


@dataclass(frozen=True)
class Night:
    """Tonight's work: configurations to evaluate per repeat label. `redrawn` are those evaluated anew because their alias moved."""

    scope: Scope
    probes: tuple[Probe, ...]
    work: Mapping[str, tuple[str, ...]]
    redrawn: frozenset[str]
    alerts: tuple[Alert, ...]
    is_published: bool

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is new: nothing to evaluate, publish or tell."""
        return not self.work and not self.alerts and self.is_published

    def said(self) -> str:
        """One line for the operator."""
        probed = f"{len(self.probes)} probe{'' if len(self.probes) == 1 else 's'} of aliases" if self.probes else "no request"
        if self.is_quiet:
            return f"nothing new: all {len(self.scope.identities)} configurations are evaluated under suite {self.scope.suite_id[:12]}; {probed} made"
        names = [name for group in self.work.values() for name in group]
        return f"to evaluate: {', '.join(names) or 'nothing'}; {probed} made"


async def look(loaded: LoadedRun, store: Store, probed: Sequence[str] | None = None) -> Night:
    """Find tonight's work: one request per model that only an alias names, none at all where `probed` names probes already made.

    Raises:
        InputError, Unavailable: as `prepare`; BudgetReached: a probe could pass the cap.
    """
    scope = prepare(tracked(loaded), store)
    earlier = stored_probes(store)
    made = [found for found in earlier if found.probe_id in probed] if probed is not None else await _probes(scope)
    tonight = {found.model_version_id: found for found in made}
    work: dict[str, tuple[str, ...]] = {}
    redrawn, alerts = set(), []
    for identity in scope.identities:
        seen = [found for found in earlier if found.model_version_id == identity.model_version_id and found not in made]
        label, alert = _label(scope, identity, tonight.get(identity.model_version_id), seen)
        alerts += [alert] if alert else []
        if _stands_elsewhere(scope, identity, label) or unfinished(narrowed(labelled(scope, label), [identity.name])):
            work[label] = (*work.get(label, ()), identity.name)
            moved = label != loaded.run.repeat or _stands_elsewhere(scope, identity, label)
            redrawn |= {identity.name} if moved else set()
    return Night(scope, tuple(made), work, frozenset(redrawn), tuple(alerts), is_current(store))


async def glance(loaded: LoadedRun, store: Store) -> Night:
    """`look` outside a flow: what stops it is told to the operator's webhook, then raised."""
    webhook = webhook_of(loaded.run)
    try:
        return await look(loaded, store)
    except SextantError as error:
        await tell_operator([stopped(loaded, error)], loaded.run, webhook)
        raise


def stopped(loaded: LoadedRun, error: SextantError, cost_usd: float | None = None) -> Alert:
    """The alert of a night that `error` ended."""
    kind = "budget" if isinstance(error, BudgetReached) else "failed"
    return Alert(kind, f"nightly {loaded.run.name} stopped: {error}", cost_usd=cost_usd)


def labelled(scope: Scope, label: str) -> Scope:
    """The same scope under another repeat label."""
    run = scope.loaded.run.model_copy(update={"repeat": label})
    return replace(scope, loaded=replace(scope.loaded, run=run))


def _stands_elsewhere(scope: Scope, identity: Identity, label: str) -> bool:
    """Whether the marts read the configuration's answers of another label: wanting these again makes them the ones that count."""
    return standing_label(scope.store, scope.suite_id, identity.configuration_id) not in (label, None)


async def _probes(scope: Scope) -> list[Probe]:
    ledger = Ledger(scope.loaded.run.budget.max_usd)
    aliases = {i.model_version_id: i for i in scope.identities if is_alias(i.loaded.model, i.loaded.model_base)}
    return [await probe(scope.store, identity, ledger) for identity in aliases.values()]


def _label(scope: Scope, identity: Identity, found: Probe | None, seen: Sequence[Probe]) -> tuple[str, Alert | None]:
    """The repeat label under which a configuration is wanted tonight, and what there is to say of its alias."""
    base = scope.loaded.run.repeat
    if found is None:
        return base, None
    redraws = f"{base}-drift-".removeprefix("-")
    answered = served_by_label(scope.store, [identity.configuration_id])
    served = {label: by for label, by in answered.items() if label == base or label.startswith(redraws)}
    standing = standing_label(scope.store, scope.suite_id, identity.configuration_id)
    current = standing if standing in served else next(reversed(served), base)
    if found.failure:
        return current, _alert("probe_failed", identity, f"probe failed ({found.failure}); whether it changed is not known")
    if not served or _known(found.served, served.get(current, ())):
        return current, None
    was = ", ".join(sorted({str(by) for by in served.get(current, ())})) or "nothing stored"
    change = f"serves {found.served}, its stored answers came from {was}"
    if scope.loaded.run.on_drift == "reevaluate":
        former = [label for label, by in served.items() if _known(found.served, by)]
        label = former[-1] if former else redraws + digest(found.served.model, found.served.fingerprint)[:8]
        return label, _alert("drift", identity, f"{change}; evaluated anew under the label {label}")
    if _known(found.served, [before.served for before in seen if not before.failure]):
        return current, None
    return current, _alert("drift", identity, f"{change}; scores are of the former, set `on_drift: reevaluate` to buy them anew")


def _known(served: Served, others: Collection[Served]) -> bool:
    return any(served.agrees(other) for other in others)


def _alert(kind: str, identity: Identity, finding: str) -> Alert:
    title = f"{identity.name}: {identity.loaded.model.model} ({identity.resolved_version}) {finding}"
    return Alert(kind, title, configuration=identity.name, configuration_id=identity.configuration_id)
