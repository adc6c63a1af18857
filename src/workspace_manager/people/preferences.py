"""A person's own choices: language and time zone of pages and letters, and the look of pages.
Sign-ins do not overwrite them.
"""

from django.db import transaction

from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import BadInput
from workspace_manager.people.messages import message
from workspace_manager.people.profile import is_language, is_time_zone
from workspace_manager.records.models import Person


def choose(person: Person, *, locale: str, timezone: str, theme: str) -> None:
    """Save the choices. Raises BadInput naming every unusable field."""
    errors: dict[str, Message] = {}
    if not is_language(locale):
        errors["locale"] = message("language")
    if not is_time_zone(timezone):
        errors["timezone"] = message("time_zone")
    if theme not in {"", *Person.Theme.values}:
        errors["theme"] = message("theme")
    if errors:
        raise BadInput(errors)
    chosen = {"locale": locale, "timezone": timezone, "theme": theme}
    with transaction.atomic():
        # An update, not a save, which would restore the row after a removal.
        if Person.objects.filter(id=person.id).update(**chosen):
            note("person:settings", person.username, actor=person.username, **chosen)
