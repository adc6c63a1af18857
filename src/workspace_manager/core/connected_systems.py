"""The systems as the stories see them: ready ones, their settings, and which are not configured."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from workspace_manager import systems
from workspace_manager.contract.connector import Connector, System
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import (
    CONTAINERS,
    DRIVE,
    IDENTITY,
    KindSpec,
    NoSettings,
    SystemSpec,
)
from workspace_manager.core.messages import message
from workspace_manager.core.system_protocols import Drive, IdentityProvider

S = TypeVar("S", bound=SystemSettings)

RECORDS: Final = SystemSpec(
    name="records",
    label=message("records"),
    icon="plans",
    settings=NoSettings,
    connect="workspace_manager.work.local_records:connect",
    kinds=(
        # Nobody counts it beside the database or repository that it stands for.
        KindSpec("records.component", message("component")),
        *(
            KindSpec(f"records.{name}", message(name), counted_as=message(f"counted.{name}", n=1))
            for name in ("snapshot", "stack", "project", "service_key")
        ),
    ),
)
"""Our own tables, for the engine a system like the others; it is in no list that people see."""
SNAPSHOTS: Final = SystemSpec(
    name="snapshots",
    label=message("snapshots"),
    icon="plans",
    settings=NoSettings,
    connect="workspace_manager.snapshots.store_system:connect",
    kinds=(
        KindSpec("snapshots.content", message("snapshot_content")),
        KindSpec("snapshots.restored", message("restored_content")),
        KindSpec("snapshots.in_place", message("content_in_place")),
    ),
)
"""Where content of snapshots lies, likewise."""
OURS: Final = {spec.name: spec for spec in (RECORDS, SNAPSHOTS)}
MANAGER: Final = "manager"
"""What findings about the manager itself are kept under; no system may have this name."""

AS_PERSON: Final = "as_person"
"""What a check as a person keeps its findings under; no system may have this name."""


def label_of(name: str) -> Message:
    """The label of a system, without article; its name if it is not installed."""
    if name in {MANAGER, AS_PERSON}:
        return message(name)
    return OURS[name].label if name in OURS else systems.label_of(name)


def is_own(kind: str, name: str, connected: "ConnectedSystems") -> bool:
    """Return whether an account of this name is one that its system or the manager uses itself."""
    system = kind.partition(".")[0]
    spec, settings = systems.registry().specs.get(system), connected.settings.get(system)
    return bool(spec and settings and spec.own_names(settings).has(name))


def kind_of(kind: str) -> KindSpec | None:
    """The declaration of a kind of thing; None when its system is not installed."""
    ours = OURS.get(kind.partition(".")[0])
    return ours.kind(kind) if ours else systems.registry().kinds.get(kind)


def label_of_kind(kind: str) -> Message:
    """The label of a kind of thing; its name if its system is not installed."""
    known = kind_of(kind)
    return known.label if known else quote_words(kind.replace("_", " ").replace(".", " "))


UNSAID: Final = "unsaid"


def unknown_kind(system: str) -> str:
    """The kind of what a person has in a system that failed to say what that is. No connector
    drives it, so that a step about it is stuck.
    """
    return f"{system}.{UNSAID}"


NOT_LOADED: Final = "operations.not_loaded"
"""The code of why a system is not connected, where what connects it is at fault."""


def is_unsaid(kind: str) -> bool:
    return kind.partition(".")[2] == UNSAID


def unreachable_account(kind: str, systems: "ConnectedSystems") -> Invalid:
    """Accounts are recorded in a system that is not configured, or that nobody here knows any more,
    or what connects it is at fault: a person decides.
    """
    name = kind.partition(".")[0]
    if systems.fails(name):
        advice = message("unsaid_advice", system=label_of(name))
        why = systems.unconnected[name]
        return Invalid(why, kind=kind, doing=message("finding"), advice=advice)
    key = "unreachable.not_configured" if kind_of(kind) else "not_installed"
    if is_unsaid(kind):
        key = "unsaid"
    return Invalid(
        message(key, system=label_of(name)),
        kind=kind,
        doing=message("finding"),
        advice=message(f"{key.removeprefix('unreachable.')}_advice", system=label_of(name)),
    )


@dataclass(frozen=True)
class ConnectedSystems:
    """The systems that `wiring.py` hands to a story. `by_name`: the configured ones; `settings` has
    every system.
    """

    by_name: Mapping[str, System]
    settings: Mapping[str, SystemSettings] = field(repr=False)
    unconnected: Mapping[str, Message] = field(default_factory=dict)
    """Why a system with good settings is not connected: what it lacks besides, or that its code
    cannot be loaded.
    """

    def connector(self, kind: str) -> Connector | None:
        """The connector of one kind of thing; None when its system is not configured."""
        system = self.by_name.get(kind.partition(".")[0])
        return system.connectors.get(kind) if system else None

    def configured(self, name: str) -> bool:
        return name in self.by_name

    def fails(self, name: str) -> bool:
        """Return whether it is set up, and what connects it is at fault: what it holds is still
        there.
        """
        why = self.unconnected.get(name)
        return why is not None and why.code == NOT_LOADED

    def specs(self) -> list[tuple[SystemSpec[Any], SystemSettings]]:
        """Each installed system with its settings as they stand, configured or not."""
        found = systems.registry().specs.items()
        return [(spec, self.settings[name]) for name, spec in found if name in self.settings]

    def settings_of(self, cls: type[S]) -> S:
        """The settings of the system that has this class of them. Raises KeyError when it is not
        installed.
        """
        for found in self.settings.values():
            if isinstance(found, cls):
                return found
        raise KeyError(cls)

    @property
    def drive(self) -> Drive | None:
        """None when no drive is configured."""
        return cast(Drive | None, self._provider(DRIVE))

    @property
    def containers(self) -> ContainerEngine | None:
        """None when no container manager is configured."""
        provider = self._provider(CONTAINERS)
        return cast(ContainerEngine, getattr(provider, CONTAINERS)) if provider else None

    @property
    def has_identity_provider(self) -> bool:
        """Return whether one is configured: without it nobody can be asked for, and nobody signs
        in.
        """
        return self._provider(IDENTITY) is not None

    def identity_provider(self) -> IdentityProvider:
        """Raises Unavailable when it is not configured."""
        system = self._provider(IDENTITY)
        if system is None:
            raise Unavailable(
                message("no_identity_provider"),
                kind="identity_provider",
                doing=message("finding"),
                advice=message("set_identity_provider"),
            )
        return cast(IdentityProvider, system)

    def _provider(self, capability: str) -> System | None:
        """The first configured system that provides it."""
        for name, spec in systems.registry().specs.items():
            if capability in spec.provides and name in self.by_name:
                return self.by_name[name]
        return None
