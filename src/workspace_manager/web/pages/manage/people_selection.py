"""`/manage/people-chosen`: a bulk action. One page names everybody and what will happen, and one
shows each result.
"""

import uuid
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from workspace_manager.people import bulk_actions as story
from workspace_manager.people import bulk_orders, end_dates
from workspace_manager.people.bulk_orders import Act, BulkAction
from workspace_manager.people.suspension_terms import LONGEST_REASON, Terms, read_until
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import on_error
from workspace_manager.web.pages.manage.people_list import PeopleForm
from workspace_manager.wiring import connected_systems

FIELDS: Final = ("reason", "until", "day", "subject", "text")
"""Fields of the confirmation."""
LOCAL: Final = "%Y-%m-%dT%H:%M"
"""Format of the field for a moment, in the reader's time zone."""


def _ask(request: HttpRequest, names: list[str] | None = None) -> HttpResponse:
    if names is None:
        names = list(dict(_names_and_marks(request.POST.getlist("chosen"))))
    act = Act(request.POST["act"])
    here = {one.username: one for one in Person.objects.filter(username__in=names)}
    people = [here[name] for name in names if name in here]
    seen = story.preview(people, act, actor=person_of(request).username)
    rows = [(one, f"{story.mark_of(one)}:{one.username}") for one, no in seen if not no]
    context: dict[str, Any] = {
        "act": act.value,
        "drafts": act == Act.REMOVAL,
        "rows": rows,
        "not_asked": len(names) - len(rows),
        "left_out": [(one, no) for one, no in seen if no],
        "gone": [name for name in names if name not in here],
        "typed": {name: request.POST.get(name, "") for name in FIELDS},
        "order": uuid.uuid4(),
        "query": request.POST.get("query", ""),
        "today": end_dates.today().isoformat(),
        "longest_reason": LONGEST_REASON,
        "longest_subject": story.LONGEST_SUBJECT,
        "longest_text": story.LONGEST_TEXT,
    }
    return render(request, "manage/people_chosen.html", context)


@on_error(_ask)
def change_people(request: HttpRequest) -> HttpResponse:
    """Ask for a confirmation, then do it."""
    if request.POST.get("act") not in set(Act):
        return _back(request)
    if "confirmed" not in request.POST:
        return _confirm_first(request)
    chosen = dict(_names_and_marks(request.POST.getlist("chosen")))
    order = _number(request.POST.get("order", ""))
    if order is None:
        return _ask(request)
    actor, systems = person_of(request).username, connected_systems()
    story.carry_out(order, _read_form(request), chosen, actor=actor, systems=systems)
    return HttpResponseRedirect(reverse("people_chosen_result", args=[order]))


def _number(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _confirm_first(request: HttpRequest) -> HttpResponse:
    if request.POST.get("everybody") and _list_form(request).errors:
        # An unreadable filter is ignored where a list is only shown, not where the list is acted
        # on.
        messages.error(request, _("One of the filters is invalid. Open the list again."))
        return _back(request)
    people = _chosen_names(request)
    if not people:
        messages.warning(request, _("Nobody is selected. Select people first."))
        return _back(request)
    if len(people) > story.MOST:
        text = _("These are more than %(most)d people. Narrow them down with a filter.")
        messages.error(request, text % {"most": story.MOST})
        return _back(request)
    return _ask(request, people)


def _chosen_names(request: HttpRequest) -> list[str]:
    """Return the selected user names, or those of all listed people; at most one more than
    allowed.
    """
    if request.POST.get("everybody"):
        return [one.username for one in _list_form(request).people()[: story.MOST + 1]]
    return list(dict.fromkeys(request.POST.getlist("chosen")))[: story.MOST + 1]


def _list_form(request: HttpRequest) -> PeopleForm:
    return PeopleForm(QueryDict(request.POST.get("query", "")))


def _names_and_marks(texts: list[str]) -> list[tuple[str, str]]:
    """Return user names and marks from the form."""
    parts = [text.partition(":") for text in texts]
    return [(name, mark) for mark, _colon, name in parts]


def _read_form(request: HttpRequest) -> BulkAction:
    """Return the action from the form. Raises BadInput."""
    typed, act = request.POST, Act(request.POST["act"])
    if act == Act.SUSPEND:
        text = typed.get("until", "").strip()
        until = read_until(text, timezone.get_current_timezone()) if text else None
        # A browser sends two characters for a line break, and counts and shows it as one.
        reason = typed.get("reason", "").replace("\r\n", "\n")
        return BulkAction(act, Terms(reason, until, endless=until is None))
    if act == Act.END_DATE:
        return BulkAction(act, day=end_dates.read_day(typed.get("day", "")))
    text = typed.get("text", "").replace("\r\n", "\n").expandtabs(4).strip()
    return BulkAction(act, subject=typed.get("subject", "").strip(), text=text)


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the list with its filters."""
    query = _list_form(request).query
    return HttpResponseRedirect(f"{reverse('people')}{'?' if query else ''}{query.rstrip('&')}")


def result(request: HttpRequest, order: uuid.UUID) -> HttpResponse:
    """Show the result for each person."""
    found = bulk_orders.results(order)
    context: dict[str, Any] = {"found": found}
    if found:
        not_reached = [one.person for one in found.results if not one.reached]
        context |= {
            "act": found.act.value,
            "drafts": found.act == Act.REMOVAL,
            "done": [one for one in found.results if one.reached and not one.why],
            "refused": [one for one in found.results if one.why],
            "not_reached": not_reached,
            "goes_on": _goes_on(request, order, not_reached),
        }
    return render(request, "manage/people_chosen_result.html", context)


def _goes_on(request: HttpRequest, order: uuid.UUID, names: list[str]) -> dict[str, Any] | None:
    """Return the form that continues with the remaining people; None if the order is no longer
    stored, or is somebody else's.
    """
    sent = bulk_orders.sent_by(person_of(request).username, order)
    if sent is None:
        return None
    wanted = sent.wanted
    until = wanted.terms.until
    typed = (
        wanted.terms.reason or "",
        until.astimezone(timezone.get_current_timezone()).strftime(LOCAL) if until else "",
        wanted.day.isoformat() if wanted.day else "",
        wanted.subject,
        wanted.text,
    )
    return {
        "order": bulk_orders.next_of(order),
        "chosen": [f"{sent.chosen[name]}:{name}" for name in names],
        "typed": {name: text for name, text in zip(FIELDS, typed, strict=True) if text},
    }
