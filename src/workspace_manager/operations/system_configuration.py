"""Current settings of the systems, stored or pinned.

A setting is pinned by `WORKSPACE_<SYSTEM>__<NAME>`, or by the file that
`WORKSPACE_<SYSTEM>__<NAME>_FILE` names. An unusable setting is left out and reported in `errors`,
so that it affects its own system only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import EMPTY, SettingsInvalid, SystemSettings, parse
from workspace_manager.operations.messages import message
from workspace_manager.operations.pinned_settings import pin_name, pinned_values
from workspace_manager.records.models import StoredSetting
from workspace_manager.systems import registry

S = TypeVar("S", bound=SystemSettings)


@dataclass(frozen=True)
class SystemConfiguration:
    """The settings of one system, parsed or with the reasons why not, and the names of pinned
    ones.
    """

    settings: SystemSettings
    pinned: frozenset[str]
    messages: Mapping[str, Message] = field(default_factory=dict)
    """Reasons why settings cannot be used, by name."""

    @property
    def errors(self) -> Mapping[str, str]:
        """The reasons in English."""
        return {name: why.english for name, why in self.messages.items()}

    @property
    def missing(self) -> list[str]:
        return self.settings.missing

    @property
    def usable(self) -> bool:
        return not self.missing and not self.messages


@dataclass
class RawSettings:
    """Stored or pinned texts and secrets of a system, the names of pinned ones, and of unreadable
    ones.
    """

    values: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, Secret] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    unreadable: dict[str, Message] = field(default_factory=dict)

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self.values.pop(name, None)
            self.hidden.pop(name, None)

    def put(self, system: str, name: str, text: str, *, secret: bool) -> None:
        """Add an entered text; a blank secret, or `{empty}`, is none."""
        if secret and text in {"", EMPTY}:
            self.hidden.pop(name, None)
        elif secret:
            self.hidden[name] = Secret(text, name=f"{system}.{name}")
        else:
            self.values[name] = text


def settings_class(system: str) -> type[SystemSettings]:
    return registry().specs[system].settings


def read_settings(system: str) -> SystemConfiguration:
    return _parsed(system, as_set(system))


def settings_of(cls: type[S]) -> S:
    """Return the settings of the system with this settings class. Raises KeyError if it is not
    installed.
    """
    for name, spec in registry().specs.items():
        if spec.settings is cls:
            found = read_settings(name).settings
            if isinstance(found, cls):
                return found
    raise KeyError(cls)


def every_configured() -> dict[str, SystemConfiguration]:
    """Read the settings of all systems in one query."""
    rows = list(StoredSetting.objects.all())
    return {name: _parsed(name, as_set(name, rows)) for name in registry().specs}


def _parsed(system: str, found: RawSettings) -> SystemConfiguration:
    cls, wrong = settings_class(system), dict(found.unreadable)
    try:
        settings = parse(cls, found.values, found.hidden)
    except SettingsInvalid as invalid:
        wrong |= {name: quote_words(why) for name, why in invalid.messages.items()}
        found.forget(wrong)
        settings = parse(cls, found.values, found.hidden)
    return SystemConfiguration(settings, frozenset(found.pinned), wrong)


def as_set(system: str, rows: Iterable[StoredSetting] | None = None) -> RawSettings:
    """Return the stored and pinned texts of a system."""
    found = RawSettings()
    for row in StoredSetting.objects.filter(system=system) if rows is None else rows:
        if row.system != system:
            continue
        if row.secret is not None:
            found.hidden[row.name] = row.secret
        else:
            found.values[row.name] = row.value
    specs = {spec.name: spec for spec in settings_class(system).specs()}
    for name, text in pinned_values(system, specs).items():
        found.pinned.add(name)
        if text is None:
            variable = f"{pin_name(system, name)}_FILE"
            found.unreadable[name] = message("unreadable", variable=variable)
        else:
            found.put(system, name, text, secret=specs[name].secret)
    return found
