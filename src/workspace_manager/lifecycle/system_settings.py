"""Store settings of a system: validated before they are saved. What waited for it is tried again; a new credential lifts its pause."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SettingsInvalid, SystemSettings, parse
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.planning import pausing
from workspace_manager.lifecycle.refusal import BadInput
from workspace_manager.records.models import StoredSetting


def save(system: str, cls: type[SystemSettings], values: Mapping[str, str], *, actor: str) -> None:
    """Store the given settings; a blank secret keeps the stored one. Raises BadInput naming every unusable value, storing nothing."""
    specs = {spec.name: spec for spec in cls.specs()}
    plain = {
        name: text for name, text in values.items() if name not in specs or not specs[name].secret
    }
    hidden = {
        name: Secret(text, name=f"{system}.{name}")
        for name, text in values.items()
        if name in specs and specs[name].secret and text
    }
    try:
        parse(cls, plain, hidden)
    except SettingsInvalid as wrong:
        raise BadInput(wrong.errors) from wrong
    with transaction.atomic():
        now = timezone.now()
        for name, text in plain.items():
            StoredSetting.objects.update_or_create(
                system=system,
                name=name,
                defaults={"value": text.strip(), "secret": None, "changed_at": now},
            )
        for name, secret in hidden.items():
            StoredSetting.objects.update_or_create(
                system=system,
                name=name,
                defaults={"value": "", "secret": secret, "changed_at": now},
            )
        history.note(
            "settings:changed", system, actor=actor, names=" ".join(sorted([*plain, *hidden]))
        )
        if hidden or "admin_username" in plain:
            pausing.resume(system, actor=actor)
        pausing.wake(system)
