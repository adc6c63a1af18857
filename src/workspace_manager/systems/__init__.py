"""The connected systems, one folder each with the same shape, and those of other distributions.

A system knows only the contract: no other system, no web framework, no table. Only its `client`
touches the wire. Each declares itself in one value, its `SYSTEM`. `registry()` finds ours by their
folders and the others by the entry point group `workspace_manager.systems`; there is no other list
of systems.
"""

import functools
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import Change, Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.guarded_spec import GuardedSpec, guard_spec
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.spec_check import find_misfit
from workspace_manager.contract.system import TAKEN_NAMES, KindSpec, SystemSpec
from workspace_manager.systems.messages import message

GROUP: Final = "workspace_manager.systems"
Spec: TypeAlias = SystemSpec[Any]


@dataclass(frozen=True)
class Registry:
    """The installed systems in the order of pages, and what is wrong with unusable ones."""

    specs: Mapping[str, GuardedSpec]
    outside: frozenset[str] = frozenset()
    """Names of the systems of other distributions."""
    wrong: tuple[Finding, ...] = ()

    @functools.cached_property
    def kinds(self) -> Mapping[str, KindSpec]:
        """Return every kind of thing of every installed system."""
        return {kind.kind: kind for spec in self.specs.values() for kind in spec.kinds}

    def coming_back(self) -> tuple[KindSpec, ...]:
        """Return the kinds that an earlier credential can bring back, in the order of systems."""
        return tuple(kind for kind in self.kinds.values() if kind.comes_back_by)

    def names(self) -> list[str]:
        """Return every system that administrators should see, including unusable ones."""
        return [*self.specs, *sorted({one.system for one in self.wrong} - self.specs.keys())]

    def wrong_with(self, name: str) -> list[Finding]:
        return [finding for finding in self.wrong if finding.system == name]


@functools.cache
def registry() -> Registry:
    """Find the installed systems, once. Imports no client."""
    ours = {spec.name: spec for spec in _ours()}
    outside, wrong = _outside(ours)
    found = sorted([*ours.values(), *outside.values()], key=lambda spec: (spec.order, spec.name))
    return Registry({spec.name: spec for spec in found}, frozenset(outside), tuple(wrong))


def gives(change: Change) -> bool:
    """Return whether a change gives somebody something, as its kind declares. A change of an
    unknown kind does unless it gives only false values.
    """
    kind = registry().kinds.get(change.kind)
    return kind.gives(change) if kind else any((change.after or {}).values())


def lock_of(change: Change) -> str:
    """Return the lock that a change needs for its write; "" for none."""
    kind = registry().kinds.get(change.kind)
    return kind.lock(change.target) if kind else ""


def label_of(name: str) -> Message:
    """Return a system's label; its name if it is not installed."""
    spec = registry().specs.get(name)
    return spec.label if spec else quote_words(name.replace("_", " "))


def _ours() -> Iterator[GuardedSpec]:
    for folder in pkgutil.iter_modules(__path__):
        if folder.ispkg:
            module = importlib.import_module(f"{__name__}.{folder.name}")
            yield _with_sentences(module.SYSTEM, module)


def _with_sentences(spec: SystemSpec[Any], module: ModuleType) -> GuardedSpec:
    """Import the system's catalogue, so that its stored messages can be shown before it is
    connected.
    """
    beside = f"{module.__name__}.messages"
    name = spec.messages or (beside if hasattr(module, "__path__") and find_spec(beside) else "")
    if name:
        importlib.import_module(name)
    return guard_spec(spec)


def _outside(ours: Mapping[str, Spec]) -> tuple[dict[str, GuardedSpec], list[Finding]]:
    found: dict[str, list[tuple[EntryPoint, GuardedSpec]]] = {}
    wrong: list[Finding] = []
    for entry in sorted(set(entry_points(group=GROUP)), key=lambda one: (one.name, one.value)):
        spec = _loaded(entry, ours)
        if isinstance(spec, Finding):
            wrong.append(spec)
        else:
            found.setdefault(spec.name, []).append((entry, spec))
    for name, entries in found.items():
        if len(entries) > 1:
            brought = ", ".join(sorted(_distribution(entry) for entry, _ in entries))
            wrong.append(
                Findings(name).failing(
                    message("spec"),
                    message("twice_outside", name=name),
                    message("twice_outside_advice", distributions=brought),
                )
            )
    return {name: one[0][1] for name, one in found.items() if len(one) == 1}, wrong


def _loaded(entry: EntryPoint, ours: Mapping[str, Spec]) -> GuardedSpec | Finding:
    """Return the spec an entry point names, or what is wrong with it."""
    who, findings = _distribution(entry), Findings(entry.name)
    if entry.name in ours.keys() | TAKEN_NAMES:
        if entry.name in ours:
            said = message("twice", distribution=who, name=entry.name)
            return findings.failing(
                message("spec"), said, message("twice_advice", distribution=who)
            )
        said = message("reserved", distribution=who, name=entry.name)
        return findings.failing(message("spec"), said, message("reserved_advice", distribution=who))
    advice = message("unloadable_advice", distribution=who)
    try:
        spec = entry.load()
        if isinstance(spec, ModuleType):
            spec = spec.SYSTEM
        wrong = find_misfit(entry.name, spec, steps=_steps(ours.values()))
        if wrong is None:
            return _with_sentences(spec, importlib.import_module(entry.module))
    except Exception as error:  # noqa: BLE001 - a module may raise anything when it is imported
        why = f"{type(error).__name__}: {error}"
        said = message("unloadable", distribution=who, name=entry.name, why=why)
        return findings.failing(message("spec"), said, advice)
    return findings.failing(
        message("spec"), message("malformed", distribution=who, why=wrong), advice
    )


def _steps(ours: Iterable[Spec]) -> set[str]:
    """Return the names of our steps that shut and open; another distribution may not use them."""
    return {step for spec in ours for step in (spec.shut_step, spec.open_step) if step}


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
