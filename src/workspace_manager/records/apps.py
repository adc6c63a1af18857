"""The Django application of the tables."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "workspace_manager.records"
    label = "records"
    default_auto_field = "django.db.models.BigAutoField"
