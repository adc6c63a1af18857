"""Service keys: the credential of a person in one system, revealed to its owner once and then
forgotten here.
"""

from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.secret import Secret
from workspace_manager.core import audit
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Person, Plan, ServiceKey
from workspace_manager.work.components import CREATION, KINDS
from workspace_manager.work.labels import checked_label
from workspace_manager.work.messages import message


def reveal(key: ServiceKey, *, by: Person) -> Secret:
    """Give the secret to its owner, once. Raises Refused when it was revealed already, or is not in
    force yet.
    """
    with transaction.atomic():
        key = ServiceKey.objects.select_for_update().get(id=key.id)
        if key.secret is None:
            raise Refused(message("revealed"))
        if not _in_force(key):
            raise Refused(message("key_not_in_force"))
        secret: Secret = key.secret
        key.secret, key.revealed_at = None, timezone.now()
        key.save(update_fields=["secret", "revealed_at"])
        audit.note("service_key:revealed", key.owner.username, actor=by.username, system=key.system)
    return secret


def rename(key: ServiceKey, label: str, *, by: Person) -> ServiceKey:
    """Call a key something else; the account keeps its name.

    Raises BadInput for a label that cannot be, Refused for a key that is gone.
    """
    label = checked_label(label)
    with transaction.atomic():
        rows = ServiceKey.objects.select_for_update(of=("self",)).select_related("owner")
        current = rows.filter(id=key.id).first()
        if current is None:
            raise Refused(message("key_gone"))
        current.label = label
        current.save(update_fields=["label"])
        audit.note(
            "service_key:renamed", current.owner.username, actor=by.username, system=key.system
        )
    return current


def _in_force(key: ServiceKey) -> bool:
    """Whether no creation is under way that would still send this secret."""
    kinds = [kind for kind, made_by in KINDS.items() if key.system == made_by.SYSTEM]
    about = Component.objects.filter(owner=key.owner, kind__in=kinds).values_list("id", flat=True)
    return not Plan.objects.filter(
        kind=CREATION.name, state__in=Plan.OPEN, about__in=[str(i) for i in about]
    ).exists()
