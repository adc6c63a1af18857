"""`/manage/people-chosen`: one thing done with several people. One page names everybody and what
happens, one says what became of each.
"""

import uuid
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from workspace_manager.core.refusal import BadInput
from workspace_manager.people import end_dates
from workspace_manager.people import several as story
from workspace_manager.people.several import Act, Wanted
from workspace_manager.people.suspension_terms import LONGEST_REASON, Terms, read_until
from workspace_manager.records.models import AuditEntry, Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.web.pages.manage.people_list import PeopleFilters
from workspace_manager.wiring import connected_systems

FIELDS: Final = ("reason", "until", "day", "subject", "text")
"""What is typed on the page that asks."""


def several(request: HttpRequest) -> HttpResponse:
    """Ask once more, then do it."""
    if request.POST.get("act") not in set(Act):
        return _back(request)
    if "confirmed" not in request.POST:
        return _asked_first(request)
    chosen = dict(_marked(request.POST.getlist("chosen")))
    people = _by_name(list(chosen))
    try:
        order, wanted = uuid.UUID(request.POST.get("order", "")), _wanted(request)
        story.carry_out(
            order,
            wanted,
            chosen,
            actor=person_of(request).username,
            systems=connected_systems(),
        )
    except BadInput as no:
        return _ask(request, people, error_notice(no))
    except ValueError:
        return _ask(request, people)
    return HttpResponseRedirect(reverse("people_chosen_result", args=[order]))


def _asked_first(request: HttpRequest) -> HttpResponse:
    people = _chosen(request)
    if not people:
        messages.warning(request, _("Nobody was ticked. Tick the people you mean first."))
        return _back(request)
    if len(people) > story.MOST:
        text = _("These are more than %(most)d people. Narrow them down with a filter.")
        messages.error(request, text % {"most": story.MOST})
        return _back(request)
    return _ask(request, people)


def _chosen(request: HttpRequest) -> list[Person]:
    """Those who were ticked, or everybody the list was asked for; one more than can be at most."""
    if request.POST.get("everybody"):
        return list(
            PeopleFilters(QueryDict(request.POST.get("query", ""))).found()[: story.MOST + 1]
        )
    return _by_name(request.POST.getlist("chosen"))


def _by_name(names: list[str]) -> list[Person]:
    some = names[: story.MOST + 1]
    return list(Person.objects.filter(username__in=some).order_by("username"))


def _marked(texts: list[str]) -> list[tuple[str, str]]:
    """User names and marks, as the page that asked put them."""
    parts = [text.partition(":") for text in texts]
    return [(name, mark) for mark, _colon, name in parts]


def _wanted(request: HttpRequest) -> Wanted:
    """The form as it was typed. Raises BadInput."""
    typed, act = request.POST, Act(request.POST["act"])
    if act == Act.SUSPEND:
        text = typed.get("until", "").strip()
        until = read_until(text, timezone.get_current_timezone()) if text else None
        return Wanted(act, Terms(typed.get("reason", ""), until, endless=until is None))
    if act == Act.END_DATE:
        return Wanted(act, day=end_dates.read_day(typed.get("day", "")))
    text = typed.get("text", "").replace("\r\n", "\n").expandtabs(4).strip()
    return Wanted(act, subject=typed.get("subject", "").strip(), text=text)


def _ask(
    request: HttpRequest, people: list[Person], why: ErrorNotice | None = None
) -> HttpResponse:
    act = Act(request.POST["act"])
    seen = story.preview(people, act, actor=person_of(request).username)
    context: dict[str, Any] = {
        "act": act.value,
        "drafts": act == Act.REMOVAL,
        "rows": [(one, f"{story.mark_of(one)}:{one.username}") for one, no in seen if not no],
        "left_out": [(one, no) for one, no in seen if no],
        "typed": {name: request.POST.get(name, "") for name in FIELDS},
        "order": uuid.uuid4(),
        "query": request.POST.get("query", ""),
        "today": end_dates.today().isoformat(),
        "longest_reason": LONGEST_REASON,
        "longest_subject": story.LONGEST_SUBJECT,
        "longest_text": story.LONGEST_TEXT,
        "trouble": why,
    }
    status = why.status if why else 200
    return render(request, "manage/people_chosen.html", context, status=status)


def _back(request: HttpRequest) -> HttpResponse:
    """To the list as it was asked for."""
    query = PeopleFilters(QueryDict(request.POST.get("query", ""))).query
    return HttpResponseRedirect(f"{reverse('people')}{'?' if query else ''}{query.rstrip('&')}")


def result(request: HttpRequest, order: uuid.UUID) -> HttpResponse:
    """What became of each."""
    try:
        found = story.results(order)
    except AuditEntry.DoesNotExist as missing:
        raise Http404 from missing
    context: dict[str, Any] = {"found": found}
    if found:
        context |= {
            "act": found.act.value,
            "drafts": found.act == Act.REMOVAL,
            "done": [one for one in found.results if one.reached and not one.why],
            "refused": [one for one in found.results if one.why],
            "not_reached": [one for one in found.results if not one.reached],
        }
    return render(request, "manage/people_chosen_result.html", context)
