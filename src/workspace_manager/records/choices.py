"""Values of a column that say what people call them: `READY = "ready", _("ready")`."""

from django.db import models


def without_labels(choices: type[models.TextChoices]) -> list[tuple[str, str]]:
    """The choices as a migration keeps them: another wording is no change of the database."""
    return [(one.value, one.name.replace("_", " ").title()) for one in choices]
