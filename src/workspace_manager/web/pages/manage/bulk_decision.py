"""`/manage/registrations/several`: one decision on all selected registrations, confirmed once and
reported once.
"""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from workspace_manager.people import approve as stories
from workspace_manager.records.models import Registration
from workspace_manager.web.pages.answers import ErrorNotice, attempt, on_error
from workspace_manager.web.pages.manage.registrations import Decision, approval, rejection

LONGEST_S = 15
"""Seconds. Each approval is a call to the identity provider inside the request; the remaining
people are shown for a continuation.
"""


@dataclass
class Result:
    """The result of a decision on several registrations."""

    done: list[Registration] = field(default_factory=list)
    failed: list[tuple[Registration, ErrorNotice]] = field(default_factory=list)
    not_tried: list[Registration] = field(default_factory=list)
    """Registrations whose system is down or refuses us."""
    not_reached: list[Registration] = field(default_factory=list)


def _ask(request: HttpRequest, rows: list[Registration] | None = None) -> HttpResponse:
    context = {
        "rows": _chosen_registrations(request) if rows is None else rows,
        "decision": "approve" if request.POST.get("decision") == "approve" else "reject",
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "manage/registrations_several.html", context)


@on_error(_ask)
def decide_registrations(request: HttpRequest) -> HttpResponse:
    """Ask for a confirmation, then decide on all of them."""
    rows = _chosen_registrations(request)
    if not rows:
        messages.warning(
            request, _("Nobody is selected. Select the people you want to decide about.")
        )
        return HttpResponseRedirect(reverse("registrations"))
    if not request.POST.get("confirmed"):
        return _ask(request, rows)
    approves = request.POST.get("decision") == "approve"
    if not approves:
        stories.checked_reason(request.POST.get("reason", ""))
    result = _decide(approval(request) if approves else rejection(request), rows)
    _say(request, result, approves=approves)
    if result.not_reached:
        return _ask(request, result.not_reached)
    return HttpResponseRedirect(reverse("registrations"))


def _chosen_registrations(request: HttpRequest) -> list[Registration]:
    """Return the selected registrations that are still pending."""
    ids = list(_uuids(request.POST.getlist("chosen")))
    waiting = Registration.objects.filter(status=Registration.Status.PENDING)
    return list(waiting.filter(id__in=ids).order_by("created_at"))


def _uuids(texts: list[str]) -> Iterator[uuid.UUID]:
    for text in texts:
        try:
            yield uuid.UUID(text)
        except ValueError:
            continue


def _decide(decide: Decision, rows: list[Registration]) -> Result:
    result, until = Result(), time.monotonic() + LONGEST_S
    for n, row in enumerate(rows):
        why = attempt(decide, row.id)
        if why is None:
            result.done.append(row)
        else:
            result.failed.append((row, why))
        if why and why.is_outage:
            result.not_tried = rows[n + 1 :]
            break
        if time.monotonic() >= until:
            result.not_reached = rows[n + 1 :]
            break
    return result


def _say(request: HttpRequest, result: Result, *, approves: bool) -> None:
    """Report the result in at most two notices."""
    if result.done:
        count = len(result.done)
        text = (
            ngettext("%(count)d person was approved.", "%(count)d people were approved.", count)
            if approves
            else ngettext(
                "%(count)d person was rejected.", "%(count)d people were rejected.", count
            )
        )
        messages.success(request, text % {"count": count})
    if result.failed:
        messages.error(request, _failures(result))


def _failures(result: Result) -> str:
    """Return a text with the failed people, by reason."""
    by_reason: dict[str, list[str]] = {}
    for row, why in result.failed:
        by_reason.setdefault(why.spoken(), []).append(row.username)
    named = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in by_reason.items())
    count = len(result.failed)
    text = ngettext("%(count)d was not: %(names)s.", "%(count)d were not: %(names)s.", count)
    said = text % {"count": count, "names": named}
    if result.not_tried:
        count = len(result.not_tried)
        text = ngettext(
            "%(count)d was not processed and is still pending.",
            "%(count)d were not processed and are still pending.",
            count,
        )
        said = f"{said} {text % {'count': count}}"
    return said
