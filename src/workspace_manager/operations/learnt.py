"""What systems say themselves of settings that were left blank: asked for when a system is checked
or the realm set up, and kept, since most readers of the settings make no call.

A setting that is set overrides it (docs/explanation/settings.md#what-a-system-says-itself).
"""

import contextlib
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, cast

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import SystemStatus


def learn(systems: ConnectedSystems) -> None:
    """Ask every system that can tell; what one that does not answer told before stays."""
    for name in systems.by_name:
        learn_of(name, systems)


def learn_of(name: str, systems: ConnectedSystems) -> None:
    """Ask one system, and keep what it says: by the name of the setting, where it has
    `own_words`.
    """
    own_words: Callable[[], Mapping[str, str]] | None
    own_words = getattr(systems.by_name.get(name), "own_words", None)
    if own_words is None:
        return
    with contextlib.suppress(ConnectorError):
        told = dict(own_words())
        SystemStatus.objects.update_or_create(system=name, defaults={"told": told})


def completed(
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
