"""`/people/{username}/letters`: the e-mails to a person, and whether they were sent, for
administrators.
"""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from workspace_manager.letters import mail_outbox
from workspace_manager.letters.letter_views import SENT, SentView, view_sent
from workspace_manager.records.models import Person
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


class SentAsked(ListAsked, of=SENT):
    """Filters and order of the e-mails to a person."""


@router.get(
    "/{username}/letters", response=ListPage[SentView], summary="List the e-mails to a person"
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[SentAsked],
) -> dict[str, Any]:
    """Newest first. A sent e-mail may still be unread."""
    person = Person.objects.get(username=username)
    return list_page(mail_outbox.to_person(person), window, SENT, each(view_sent))
