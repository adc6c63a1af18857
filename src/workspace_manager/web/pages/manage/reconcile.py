"""`/manage/reconcile`: differences from the records, and actions on them."""

from datetime import date, datetime
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from workspace_manager.core.refusal import BadInput
from workspace_manager.core.timestamps import parse_moment
from workspace_manager.engine.preview import await_looks
from workspace_manager.reconcile import repairs, walk
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.listings import ITEMS
from workspace_manager.records.models import ReconcileItem, ReconcileRun
from workspace_manager.systems import label_of
from workspace_manager.web.messages import message
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import NOT_HERE, attempt, message_on, notice_of, on_error
from workspace_manager.web.pages.list_fields import Choices, OneOf
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.numbers import numbers
from workspace_manager.web.pages.translate import as_text
from workspace_manager.wiring import connected_systems

PER_PAGE: Final = 50


class DifferencesForm(ListForm):
    """The form of the list of differences. Snoozed ones are hidden by default."""

    listed = ITEMS

    ignored = OneOf(label=gettext_lazy("Snoozed"), required=False)

    def offered(self) -> dict[str, Choices]:
        shown: Choices = [("", gettext_lazy("hidden")), ("1", gettext_lazy("shown too"))]
        return {**super().offered(), "ignored": shown}


def overview(request: HttpRequest) -> HttpResponse:
    """Show present differences by system, and the progress of the last comparison."""
    form = DifferencesForm(request.GET)
    rows = ITEMS.found(open_items(ignored=bool(form.cleaned_data.get("ignored"))), form.asked())
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    run = ReconcileRun.objects.prefetch_related("parts").first()
    context = {
        "form": form,
        "query": form.query,
        "page": page,
        "entries": [_entry(row) for row in page.object_list],
        "run": run,
        "parts": [(label_of(part.system), part) for part in run.parts.all()] if run else [],
    }
    return render(request, "manage/reconcile.html", context)


def _entry(row: ReconcileItem) -> dict[str, Any]:
    return {
        "item": row,
        "system": as_text(label_of(row.system)),
        "what": labels.difference(row.difference),
        "repairs": repairs.offered_actions(row),
        "advice": repairs.advice(row),
    }


def begin(request: HttpRequest) -> HttpResponse:
    """Order a comparison of all systems; the worker makes it."""
    walk.begin(person_of(request).username)
    messages.success(request, _("The comparison is running. Reload this page in a moment."))
    return HttpResponseRedirect(reverse("reconcile"))


def _back_to_list(request: HttpRequest, n: int, done: str = "") -> HttpResponse:
    """Redirect to the list with the result of the action."""
    if notice := notice_of(request):
        messages.error(request, f"{n}: {notice.spoken()}")
    else:
        messages.success(request, done)
    return HttpResponseRedirect(reverse("reconcile"))


@on_error(_back_to_list)
def connect(request: HttpRequest, n: int) -> HttpResponse:
    """Assign an account to a person."""
    username, actor = request.POST.get("username", "").strip(), person_of(request).username
    repairs.connect(n, username, actor=actor, systems=connected_systems())
    done = _("It is recorded as an account of %(name)s.") % {"name": username}
    return _back_to_list(request, n, done)


@on_error(_back_to_list)
def adopt(request: HttpRequest, n: int) -> HttpResponse:
    """Assign an account to its proposed owner."""
    repairs.adopt(n, actor=person_of(request).username, systems=connected_systems())
    return _back_to_list(request, n, _("The account is assigned."))


@on_error(_back_to_list)
def disconnect(request: HttpRequest, n: int) -> HttpResponse:
    """Undo the assignment of an account."""
    repairs.disconnect(n, actor=person_of(request).username)
    done = _(
        "Removed from the records. The next comparison shows whether the account still exists."
    )
    return _back_to_list(request, n, done)


@on_error(_back_to_list)
def ignore(request: HttpRequest, n: int) -> HttpResponse:
    """Snooze a difference."""
    _put_off(request, n)
    return _back_to_list(request, n, _("Snoozed."))


def _put_off(request: HttpRequest, n: int) -> None:
    reason, until = request.POST.get("reason", ""), _day(request.POST.get("until", ""))
    if until is None:
        raise BadInput({"until": message("choose_a_day")})
    repairs.ignore(n, reason=reason, until=until, actor=person_of(request).username)


def _day(text: str) -> datetime | None:
    """Return the end of a day in the reader's time zone; None for text that is no day."""
    try:
        return parse_moment(f"{date.fromisoformat(text)}T23:59", get_current_timezone())
    except ValueError:
        return None


@on_error(_back_to_list)
def draft(request: HttpRequest, n: int, what: str) -> HttpResponse:
    """Make the plan of a repair and show it. Nothing is done before it is confirmed."""
    if what not in repairs.PLANNED:
        raise Http404
    plan = repairs.draft(n, what, actor=person_of(request).username, systems=connected_systems())
    await_looks(plan)
    return HttpResponseRedirect(reverse("plan", args=[plan.id]))


@on_error(message_on("plan", "plan_id"))
def approve(request: HttpRequest, plan_id: Any) -> HttpResponse:
    """Start a repair that was shown."""
    actor, digest = person_of(request).username, request.POST.get("digest", "")
    repairs.approve(plan_id, digest=digest, actor=actor)
    return HttpResponseRedirect(reverse("plan", args=[plan_id]))


def decide_differences(request: HttpRequest) -> HttpResponse:
    """Adopt or snooze all selected differences, and report the result once."""
    chosen = numbers(request.POST.getlist("chosen"))[:PER_PAGE]
    actor, done, systems = person_of(request).username, 0, connected_systems()
    failed: dict[str, list[str]] = {}
    for n in chosen:
        if request.POST.get("decision") == "adopt":
            why = attempt(repairs.adopt, n, actor=actor, systems=systems)
        else:
            why = attempt(_put_off, request, n)
        if why is None:
            done += 1
        elif why != NOT_HERE:
            failed.setdefault(why.spoken(), []).append(str(n))
    if not chosen:
        messages.warning(request, _("Nothing was selected."))
    if done:
        text = ngettext("%(count)d was dealt with.", "%(count)d were dealt with.", done)
        messages.success(request, text % {"count": done})
    for reason, which in failed.items():
        messages.error(request, f"{', '.join(which)}: {reason}")
    return HttpResponseRedirect(reverse("reconcile"))
