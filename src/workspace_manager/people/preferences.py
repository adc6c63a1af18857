"""What somebody chooses for themselves: the language and time zone they are spoken to in, on pages
and in letters, and how pages look. A sign-in does not take it back.
"""

from django.db import transaction

from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import BadInput
from workspace_manager.people.messages import message
from workspace_manager.people.profile import is_language, is_time_zone
from workspace_manager.records.models import Person


def choose(person: Person, *, locale: str, timezone: str, theme: str) -> None:
    """Keep it with the person. Raises BadInput naming every unusable field."""
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
        # An update, not a save: a removal that ended just now left no row, and none shall come
        # back.
        if Person.objects.filter(id=person.id).update(**chosen):
            note("person:settings", person.username, actor=person.username, **chosen)
