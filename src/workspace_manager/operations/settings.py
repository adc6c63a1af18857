"""Store a system's settings, validated first. Work that waited for the system is tried again, and
another credential than the refused one ends its pause.

Pinned settings are refused here, for REST, pages and the command line alike.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import EMPTY, SettingsInvalid, parse
from workspace_manager.contract.system import SystemSpec
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.wake import SETTINGS, wake_look
from workspace_manager.engine import pause
from workspace_manager.operations.messages import message
from workspace_manager.operations.origins import refuse_another
from workspace_manager.operations.pinned_settings import pinned_by
from workspace_manager.operations.system_configuration import as_set, read_settings
from workspace_manager.records.models import StoredSetting
from workspace_manager.systems import registry

NEEDED = message("needed")


def installed_spec(system: str) -> SystemSpec[Any]:
    """Return the spec of an installed system. Raises Refused."""
    spec = registry().specs.get(system)
    if spec is None:
        raise Refused(message("not_installed", name=system))
    return spec


def refuse_pinned(system: str, typed: Collection[str]) -> None:
    """Raise Refused for pinned settings, which cannot be stored."""
    variables = ", ".join(sorted({by for one in typed if (by := pinned_by(system, one))}))
    if variables:
        raise Refused(message("pinned", variables=variables))


def save(system: str, values: Mapping[str, str], *, actor: str) -> None:
    """Store settings; a blank secret keeps the stored one, `{empty}` forgets it.

    Raises BadInput naming every unusable value, and Refused for pinned ones; nothing is stored
    then.
    """
    cls = installed_spec(system).settings
    refuse_pinned(system, values)
    specs = {spec.name: spec for spec in cls.specs()}
    plain = {
        name: text for name, text in values.items() if name not in specs or not specs[name].secret
    }
    hidden = {
        name: Secret(text, name=f"{system}.{name}")
        for name, text in values.items()
        if name in specs and specs[name].secret and text and text != EMPTY
    }
    forgotten = [name for name, text in values.items() if text == EMPTY and name not in plain]
    needed = [name for name in forgotten if specs[name].required]
    if needed:
        raise BadInput(dict.fromkeys(needed, NEEDED))
    try:
        parse(cls, plain, hidden)
    except SettingsInvalid as wrong:
        raise BadInput(wrong.messages) from wrong
    to = " ".join(sorted(refuse_another(system, as_set(system), values)))
    before = read_settings(system).settings
    with transaction.atomic():
        for name, text in plain.items():
            _put(system, name, value=text.strip(), secret=None)
        for name, secret in hidden.items():
            _put(system, name, value="", secret=secret)
        kept = StoredSetting.objects.filter(system=system, name__in=forgotten, secret__isnull=False)
        names = sorted(kept.values_list("name", flat=True))
        if names:
            kept.delete()
            note("settings:forgotten", system, actor=actor, names=" ".join(names))
        if plain or hidden:
            names = sorted([*plain, *hidden])
            note("settings:changed", system, actor=actor, names=" ".join(names), origin=to)
        now = read_settings(system).settings
        pause.resume_if_changed(system, now, actor=actor, before=before)
        for one in (system, *_borrowers(system)):
            wake_look(one, why=SETTINGS)
        pause.make_plans_due(system)


def _borrowers(system: str) -> list[str]:
    """Return the systems that take something from this one: their checks depend on its settings."""
    lent = {*installed_spec(system).provides}
    return [name for name, spec in registry().specs.items() if lent & {*spec.takes}]


def _put(system: str, name: str, *, value: str, secret: Secret | None) -> None:
    StoredSetting.objects.update_or_create(
        system=system,
        name=name,
        defaults={"value": value, "secret": secret, "changed_at": timezone.now()},
    )
