"""Choices of columns, with the labels that people read: `READY = "ready", _("ready")`."""

from django.db import models


def without_labels(choices: type[models.TextChoices]) -> list[tuple[str, str]]:
    """Return the choices for a migration: a new label is no change of the database."""
    return [(one.value, one.name.replace("_", " ").title()) for one in choices]
