"""Values of blank settings that systems report themselves. They are asked for before a check or a
realm set-up compares with them, and kept, since most readers of settings make no calls.

A stored setting overrides them (docs/explanation/settings.md#what-a-system-says-itself).
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from django.db import transaction

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import REALM
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.wake import SETTINGS, wake_look
from workspace_manager.engine import pause
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import registry


def learn(systems: ConnectedSystems) -> bool:
    """Ask every system that can tell; return whether a value is new. A system that does not answer
    keeps its earlier values.
    """
    return bool([name for name in systems.by_name if learn_of(name, systems)])


def learn_of(name: str, systems: ConnectedSystems) -> bool:
    """Ask one system and keep its values by setting, where the setting has `own_words`. Return
    whether they are new; systems that compare with them are then checked again.
    """
    own_words: Callable[[], Mapping[str, str]] | None
    own_words = getattr(systems.by_name.get(name), "own_words", None)
    if own_words is None or pause.refuses(name, systems.settings.get(name)):
        return False
    try:
        told = dict(own_words())
    except ConnectorError:
        return False
    row, _ = SystemStatus.objects.get_or_create(system=name)
    if row.told == told:
        return False
    with transaction.atomic():
        SystemStatus.objects.filter(system=name).update(told=told)
        for other in compares(registry().names()):
            if other != name:
                wake_look(other, why=SETTINGS)
    return True


def compares(names: Iterable[str]) -> list[str]:
    """Return the systems whose checks compare with the wanted realm, and so with these values."""
    specs = registry().specs
    return [name for name in names if name in specs and REALM in specs[name].takes]


def complete_settings(
    settings: Mapping[str, SystemSettings], told: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, SystemSettings]:
    """Fill blank settings with reported values. `told`: these by system, if already loaded."""
    if told is None:
        told = dict(SystemStatus.objects.values_list("system", "told"))
    return {name: _completed(values, told.get(name) or {}) for name, values in settings.items()}


def _completed(values: SystemSettings, told: Mapping[str, Any]) -> SystemSettings:
    blank = {one.name for one in values.specs() if not getattr(values, one.name)}
    blanks = {name: str(text) for name, text in told.items() if name in blank}
    found: SystemSettings = dataclasses.replace(cast(Any, values), **blanks)
    return found
