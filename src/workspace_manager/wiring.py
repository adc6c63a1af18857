"""Stored settings in, ready systems out: the one place where the systems, their settings and their secrets meet.

A setting is pinned by `WORKSPACE_<SYSTEM>__<NAME>`, or by the file that `WORKSPACE_<SYSTEM>__<NAME>_FILE` names; otherwise it is stored. One missing or wrong setting degrades its own system only:
it is then not in `ready`, and `problems()` says why.
"""

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from django.conf import settings as django_settings

from workspace_manager.contract.connector import Finding, System
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.contract.settings import EMPTY, SettingsInvalid, SystemSettings, parse
from workspace_manager.core.connected_systems import ConnectedSystems, IdentityProvider
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.drive_credentials.refused import Shared
from workspace_manager.operations.pinned import misspelt as misspelt_pins
from workspace_manager.operations.pinned import pin_name, pinned_by
from workspace_manager.operations.pinned import pinned as pinned_text
from workspace_manager.operations.realm_wanted import wanted_realm
from workspace_manager.records.models import Registration, StoredSetting, SystemStatus, VaultEntry
from workspace_manager.systems.container_manager import connector as container_manager
from workspace_manager.systems.container_manager.settings import (
    Settings as ContainerManagerSettings,
)
from workspace_manager.systems.drive import connector as drive
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.identity_provider import connector as identity_provider
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import (
    Settings as IdentityProviderSettings,
)
from workspace_manager.systems.notebook_hub import connector as notebook_hub
from workspace_manager.systems.notebook_hub.settings import Settings as NotebookHubSettings
from workspace_manager.systems.ontology_editor import connector as ontology_editor
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditorSettings
from workspace_manager.systems.sql_server import connector as sql_server
from workspace_manager.systems.sql_server.settings import Settings as SqlServerSettings
from workspace_manager.systems.triplestore import connector as triplestore
from workspace_manager.systems.triplestore.settings import Settings as TriplestoreSettings
from workspace_manager.work.local_records import RecordsSystem

SETTINGS: Final[Mapping[str, type[SystemSettings]]] = {
    "identity_provider": IdentityProviderSettings,
    "drive": DriveSettings,
    "sql_server": SqlServerSettings,
    "triplestore": TriplestoreSettings,
    "ontology_editor": OntologyEditorSettings,
    "notebook_hub": NotebookHubSettings,
    "container_manager": ContainerManagerSettings,
}
"""Every connected system, in the order people see them."""


@dataclass(frozen=True)
class Configured:
    """The settings of one system as they stand: parsed, or why they cannot be; and which are pinned by the environment."""

    settings: SystemSettings
    pinned: frozenset[str]
    errors: Mapping[str, str]

    @property
    def missing(self) -> list[str]:
        return self.settings.missing


def configured(system: str) -> Configured:
    """Read one system's settings. A value that cannot be used is left out and reported in `errors`."""
    cls = SETTINGS[system]
    values, hidden, pinned, errors = _as_set(system)
    try:
        return Configured(parse(cls, values, hidden), pinned, errors)
    except SettingsInvalid as wrong:
        errors |= wrong.errors
        for name in errors:
            values.pop(name, None)
            hidden.pop(name, None)
        return Configured(parse(cls, values, hidden), pinned, errors)


def _as_set(
    system: str,
) -> tuple[dict[str, str], dict[str, Secret], frozenset[str], dict[str, str]]:
    """The texts and secrets of one system as they are stored or pinned, the names of the pinned ones, and which file cannot be read."""
    values: dict[str, str] = {}
    hidden: dict[str, Secret] = {}
    for row in StoredSetting.objects.filter(system=system):
        if row.secret is not None:
            hidden[row.name] = row.secret
        else:
            values[row.name] = row.value
    pinned = set()
    errors: dict[str, str] = {}
    for spec in SETTINGS[system].specs():
        try:
            text = pinned_text(system, spec.name)
        except (OSError, ValueError):
            pinned.add(spec.name)
            errors[spec.name] = (
                f"The file that {pin_name(system, spec.name)}_FILE names cannot be read."
            )
            continue
        if text is None:
            continue
        pinned.add(spec.name)
        if spec.secret and text in {"", EMPTY}:
            hidden.pop(spec.name, None)
        elif spec.secret:
            hidden[spec.name] = Secret(text, name=f"{system}.{spec.name}")
        else:
            values[spec.name] = text
    return values, hidden, frozenset(pinned), errors


_connected: dict[str, tuple[SystemSettings, object, System]] = {}
_resumed: dict[str, datetime | None] = {}
_lock = threading.Lock()


def _forget_refusals(name: str, system: System, resumed: Mapping[str, datetime | None]) -> None:
    """Each process remembers refused credentials by itself; a resume by anybody is seen here by all."""
    if resumed.get(name) != _resumed.setdefault(name, resumed.get(name)):
        _resumed[name] = resumed.get(name)
        system.try_again()


def _connect(
    name: str, settings: SystemSettings, lent: ContainerEngine | RealmWants | None
) -> System:
    """Connect, or reuse what is connected with equal settings: connections and tokens are kept warm."""
    with _lock:
        known = _connected.get(name)
        if known and known[0] == settings and known[1] == lent:
            return known[2]
        system = _new(name, settings, lent)
        _connected[name] = (settings, lent, system)
        return system


def _new(name: str, settings: SystemSettings, lent: ContainerEngine | RealmWants | None) -> System:
    engine = lent if not isinstance(lent, RealmWants) else None
    match settings:
        case IdentityProviderSettings():
            wants = lent if isinstance(lent, RealmWants) else None
            return identity_provider.connect(settings, resolve, wants)
        case DriveSettings():
            return drive.connect(settings, resolve, engine, refusals=Shared())
        case SqlServerSettings():
            return sql_server.connect(settings, resolve)
        case TriplestoreSettings():
            return triplestore.connect(settings, resolve)
        case OntologyEditorSettings():
            return ontology_editor.connect(settings, resolve)
        case NotebookHubSettings():
            return notebook_hub.connect(settings, resolve, engine)
        case ContainerManagerSettings():
            return container_manager.connect(settings, resolve)
    raise AssertionError(f"no system takes {type(settings).__name__} ({name})")


def connected_systems() -> ConnectedSystems:
    """Every system as it is configured now. Makes no call to any of them."""
    states = {name: configured(name) for name in SETTINGS}
    settings = {name: state.settings for name, state in states.items()}
    ready: dict[str, System] = {}
    systems = ConnectedSystems(ready=ready, settings=settings)
    ready["records"] = RecordsSystem(systems)
    engine: ContainerEngine | None = None
    usable = [name for name, state in states.items() if not state.missing and not state.errors]
    if "container_manager" in usable:
        manager = _connect("container_manager", settings["container_manager"], None)
        ready["container_manager"] = manager
        engine = cast(container_manager.ContainerManager, manager).engine
    for name in usable:
        if name == "container_manager" or (
            name == "notebook_hub" and not _hub_reachable(settings[name], engine)
        ):
            continue
        ready[name] = _connect(name, settings[name], _lent(name, settings, engine))
    resumed = dict(SystemStatus.objects.values_list("system", "resumed_at"))
    for name, system in ready.items():
        _forget_refusals(name, system, resumed)
    return systems


def _lent(
    name: str, settings: Mapping[str, SystemSettings], engine: ContainerEngine | None
) -> ContainerEngine | RealmWants | None:
    """What one system needs of the others."""
    if name in {"drive", "notebook_hub"}:
        return engine
    if name == "identity_provider":
        return wanted_realm(settings, base_url=django_settings.BASE_URL)
    return None


def misspelt(system: str) -> list[Finding]:
    """Variables that were meant to pin a setting of this system, as it seems, and pin none."""
    names = {one: [spec.name for spec in cls.specs()] for one, cls in SETTINGS.items()}
    return [
        Findings(system).warning(
            "environment",
            f"{variable} is set in the environment, but there is no such setting: it is ignored",
            f"Did you mean {right}?" if right else f"Names: {pin_name(system, '<NAME>')}.",
        )
        for variable, (whose, right) in misspelt_pins(names).items()
        if whose == system
    ]


def tried_out(system: str, typed: Mapping[str, str], *, without: Collection[str] = ()) -> System:
    """One system as it would be with these values, to be looked at; nothing is stored.

    A blank secret is the stored one, `{empty}` none; `without` names settings whose stored value is left out. Raises BadInput, and
    Refused when a setting is pinned or missing.
    """
    cls = SETTINGS[system]
    values, hidden, _, unreadable = _as_set(system)
    if unreadable:
        raise BadInput(unreadable)
    refuse_pinned(system, typed)
    for name in without:
        values.pop(name, None)
        hidden.pop(name, None)
    secret = {spec.name for spec in cls.specs() if spec.secret}
    values |= {name: text for name, text in typed.items() if name not in secret}
    for name in secret & typed.keys():
        if typed[name] == EMPTY:
            hidden.pop(name, None)
        elif typed[name]:
            hidden[name] = Secret(typed[name], name=f"{system}.{name}")
    try:
        settings = parse(cls, values, hidden)
    except SettingsInvalid as wrong:
        raise BadInput(wrong.errors) from wrong
    systems = connected_systems()
    manager = systems.ready.get("container_manager")
    engine = cast(container_manager.ContainerManager, manager).engine if manager else None
    if settings.missing or (system == "notebook_hub" and not _hub_reachable(settings, engine)):
        missing = ", ".join(settings.missing) or "the container manager, or an address of the hub"
        raise Refused(f"This cannot be tested yet. Missing: {missing}.")
    # Never one that is warm: what it remembers of a refusal is of another try. The drive remembers refused pairs for all.
    return _new(system, settings, _lent(system, {**systems.settings, system: settings}, engine))


def refuse_pinned(system: str, typed: Collection[str]) -> None:
    """Raises Refused for settings that the environment sets: they cannot be stored."""
    variables = ", ".join(sorted({by for one in typed if (by := pinned_by(system, one))}))
    if variables:
        raise Refused(
            f"Set by the environment ({variables}), so it cannot be stored. Change it there."
        )


def _hub_reachable(settings: SystemSettings, engine: ContainerEngine | None) -> bool:
    assert isinstance(settings, NotebookHubSettings)
    return engine is not None or bool(settings.api_url)


def resolve(reference: SecretRef) -> Secret:
    """Turn a reference into its secret at the moment of use. Raises NotFound, or what the system that keeps it raises."""
    place, _, rest = reference.partition("/")
    found: Secret | None = None
    if place == "vault":
        entry = VaultEntry.objects.filter(id=rest).first()
        found = entry.secret if entry else None
    elif place == "registration":
        registration = Registration.objects.filter(id=rest).first()
        found = registration.password_hash if registration else None
    elif place == "settings":
        system, _, name = rest.partition("/")
        value = getattr(configured(system).settings, name, None)
        found = value if isinstance(value, Secret) else None
    elif place == "identity_provider.attributes":
        sub, _, name = rest.partition("/")
        return _identity_provider().read_attribute(sub, name)
    else:
        raise Invalid(
            f"there is no place {place!r} for secrets", kind="records", doing="reading a secret"
        )
    if found is None:
        raise NotFound("the secret is not kept any more", kind="records", doing="reading a secret")
    return found


def _identity_provider() -> IdentityProvider:
    return connected_systems().identity_provider()
