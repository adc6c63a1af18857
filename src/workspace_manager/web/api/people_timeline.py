"""`/people/{username}/timeline`: the history of a person in sentences, for administrators."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from workspace_manager.audit.timeline import Timeline
from workspace_manager.audit.timeline_list import TIMELINE, EventView
from workspace_manager.people.everybody import find_subject
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import ListAsked
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


class TimelineAsked(ListAsked, of=TIMELINE):
    """Filters and window of a timeline. Words are looked for in names of events, actors, kinds of
    plans and subjects of letters.
    """


@router.get(
    "/{username}/timeline",
    response=ListPage[EventView],
    summary="List what happened to somebody, newest first",
)
def timeline(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[TimelineAsked],
) -> dict[str, Any]:
    """Works for applicants and approved people too, as far as known, and for former members as long
    as their name is reserved.
    """
    found = Timeline(find_subject(username), window.asked())
    part = found[window.offset : window.offset + window.limit]
    return {"items": list(map(EventView.from_row, part)), "count": found.count()}
