"""Encrypt every stored secret again with the first key."""

from django.apps import apps
from django.db import transaction

from workspace_manager.records.fields import SecretField


def reencrypt() -> int:
    """Return the number of secrets. Sessions contain encrypted tokens too: they end when their key
    is removed.
    """
    count = 0
    for model in apps.get_app_config("records").get_models():
        names = [field.name for field in model._meta.get_fields() if isinstance(field, SecretField)]
        for name in names:
            with transaction.atomic():
                for row in model._default_manager.select_for_update().exclude(**{name: None}):
                    row.save(update_fields=[name])
                    count += 1
    return count
