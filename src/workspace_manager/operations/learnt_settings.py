"""What systems say themselves of settings that were left blank: asked for before whoever compares
with it is checked, or the realm set up, and kept, since most readers of the settings make no call.

A setting that is set overrides it (docs/explanation/settings.md#what-a-system-says-itself).
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
    """Ask every system that can tell; whether one said something new. What one that does not answer
    told before stays.
    """
    return bool([name for name in systems.by_name if learn_of(name, systems)])


def learn_of(name: str, systems: ConnectedSystems) -> bool:
    """Ask one system, and keep what it says: by the name of the setting, where it has `own_words`.
    Whether that is new; then whoever compares with it is looked at again.
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
    """Those whose checks compare with what systems say: with the realm as it shall be."""
    specs = registry().specs
    return [name for name in names if name in specs and REALM in specs[name].takes]


def complete_settings(
    settings: Mapping[str, SystemSettings], told: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, SystemSettings]:
    """The settings with what was told in the place of blanks. `told`: by system, where it is read
    already.
    """
    if told is None:
        told = dict(SystemStatus.objects.values_list("system", "told"))
    return {name: _completed(values, told.get(name) or {}) for name, values in settings.items()}


def _completed(values: SystemSettings, told: Mapping[str, Any]) -> SystemSettings:
    blank = {one.name for one in values.specs() if not getattr(values, one.name)}
    blanks = {name: str(text) for name, text in told.items() if name in blank}
    found: SystemSettings = dataclasses.replace(cast(Any, values), **blanks)
    return found
