"""`/manage/reconcile`: what the systems hold otherwise than recorded, and what is done about it."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.listing import Asked
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.timestamps import named
from workspace_manager.engine.preview import await_looks
from workspace_manager.reconcile import repairs, walk
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.listings import ITEMS
from workspace_manager.records.models import Person, Plan, ReconcileItem, ReconcileRun
from workspace_manager.systems import label_of, registry
from workspace_manager.web.messages import message
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice
from workspace_manager.web.pages.lists import ANY, PlainSelect
from workspace_manager.web.pages.numbers import numbers
from workspace_manager.web.pages.translate import as_text
from workspace_manager.wiring import connected_systems

PER_PAGE: Final = 50
DIFFERENCES: Final = {
    "unknown_account": gettext_lazy("account of nobody"),
    "unknown_thing": gettext_lazy("thing of nobody"),
    "missing": gettext_lazy("missing"),
    "identity_recreated": gettext_lazy("user made again"),
    "identity_gone": gettext_lazy("user gone"),
    "identity_disabled": gettext_lazy("user disabled"),
    "wrong_sub": gettext_lazy("account of another id"),
    "open_while_suspended": gettext_lazy("open while suspended"),
    "holder_not_shared": gettext_lazy("right that nobody shared"),
    "holder_lacks": gettext_lazy("right that is lacking"),
}


class Filters(forms.Form):
    """What is looked for. A value that cannot be is passed over, as if it were not asked for."""

    q = forms.CharField(label=gettext_lazy("Search"), max_length=100, required=False)
    system = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("System"), required=False)
    difference = forms.ChoiceField(
        widget=PlainSelect, label=gettext_lazy("What is otherwise"), required=False
    )
    ignored = forms.ChoiceField(
        widget=PlainSelect,
        label=gettext_lazy("Put off"),
        choices=[("", gettext_lazy("hidden")), ("1", gettext_lazy("shown too"))],
        required=False,
    )

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET)
        offered: dict[str, list[tuple[str, str | Promise]]] = {
            "system": [(name, as_text(label_of(name))) for name in registry().names()],
            "difference": list(DIFFERENCES.items()),
        }
        for name, choices in offered.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [ANY, *choices]
        self.is_valid()

    def asked(self) -> Asked:
        said = {name: self.cleaned_data.get(name) for name in ("system", "difference")}
        filters = {name: value for name, value in said.items() if value}
        return Asked(self.cleaned_data.get("q", ""), filters=filters)

    def query(self) -> str:
        """For the links to other pages of the list."""
        said = {name: value for name, value in self.cleaned_data.items() if value}
        return f"{urlencode(said)}&" if said else ""


def overview(request: HttpRequest) -> HttpResponse:
    """What is otherwise now, by system, and how far the last comparison came."""
    return _page(request)


def _page(request: HttpRequest, why: ErrorNotice | None = None) -> HttpResponse:
    form = Filters(request)
    rows = ITEMS.found(open_items(ignored=bool(form.cleaned_data.get("ignored"))), form.asked())
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    run = ReconcileRun.objects.prefetch_related("parts").first()
    context = {
        "form": form,
        "query": form.query(),
        "page": page,
        "entries": [_entry(row) for row in page.object_list],
        "run": run,
        "parts": [(label_of(part.system), part) for part in run.parts.all()] if run else [],
        "trouble": why,
    }
    return render(request, "manage/reconcile.html", context, status=why.status if why else 200)


def _entry(row: ReconcileItem) -> dict[str, Any]:
    return {
        "item": row,
        "system": as_text(label_of(row.system)),
        "what": DIFFERENCES[row.difference],
        "repairs": repairs.offered(row),
        "advice": repairs.advice(row),
    }


def begin(request: HttpRequest) -> HttpResponse:
    """Compare everything now: the worker does it."""
    walk.begin(person_of(request).username)
    messages.success(request, _("The systems are being read. Look again in a moment."))
    return HttpResponseRedirect(reverse("reconcile"))


def connect(request: HttpRequest, n: int) -> HttpResponse:
    """Say whose an account is."""
    username = request.POST.get("username", "").strip()
    done = _("It is recorded as an account of %(name)s.") % {"name": username}
    return _done(
        request,
        n,
        lambda actor: repairs.connect(n, username, actor=actor, systems=connected_systems()),
        done,
    )


def adopt(request: HttpRequest, n: int) -> HttpResponse:
    """Take an account for whose it may be."""
    return _done(
        request,
        n,
        lambda actor: repairs.adopt(n, actor=actor, systems=connected_systems()),
        _("It is theirs from now on."),
    )


def disconnect(request: HttpRequest, n: int) -> HttpResponse:
    """Take back whose an account is."""
    return _done(
        request,
        n,
        lambda actor: repairs.disconnect(n, actor=actor),
        _("By the records it is nobody’s now. The next comparison shows what is there."),
    )


def ignore(request: HttpRequest, n: int) -> HttpResponse:
    """Put one off."""
    return _done(request, n, _putting_off(request, n), _("It is put off."))


def _putting_off(request: HttpRequest, n: int) -> Callable[[str], object]:
    reason, until = request.POST.get("reason", ""), _day(request.POST.get("until", ""))

    def put_off(actor: str) -> object:
        if until is None:
            raise BadInput({"until": message("choose_a_day")})
        return repairs.ignore(n, reason=reason, until=until, actor=actor)

    return put_off


def _day(text: str) -> datetime | None:
    """The end of a day in the reader's time zone; None for what is no day."""
    try:
        return named(f"{date.fromisoformat(text)}T23:59", get_current_timezone())
    except ValueError:
        return None


def draft(request: HttpRequest, n: int, what: str) -> HttpResponse:
    """Make the plan that repairs it, and show that: nothing is done before it is confirmed."""
    if what not in repairs.PLANNED:
        raise Http404
    made: list[Plan] = []

    def drafted(actor: str) -> None:
        made.append(repairs.draft(n, what, actor=actor, systems=connected_systems()))

    failure = _failure(request, drafted)
    if failure:
        messages.error(request, f"{n}: {failure.spoken()}")
        return HttpResponseRedirect(reverse("reconcile"))
    await_looks(made[0])
    return HttpResponseRedirect(reverse("plan", args=[made[0].id]))


def approve(request: HttpRequest, plan_id: Any) -> HttpResponse:
    """Start a repair that was shown."""
    actor, digest = person_of(request).username, request.POST.get("digest", "")
    try:
        repairs.approve(plan_id, digest=digest, actor=actor)
    except Plan.DoesNotExist as gone:
        raise Http404 from gone
    except Refused as no:
        messages.error(request, error_notice(no).spoken())
    return HttpResponseRedirect(reverse("plan", args=[plan_id]))


def several(request: HttpRequest) -> HttpResponse:
    """Adopt or put off all that were ticked, and say once what became of it."""
    chosen = numbers(request.POST.getlist("chosen"))[:PER_PAGE]
    actor, done, systems = person_of(request).username, 0, connected_systems()
    failed: dict[str, list[str]] = {}
    for n in chosen:
        try:
            if request.POST.get("decision") == "adopt":
                repairs.adopt(n, actor=actor, systems=systems)
            else:
                _putting_off(request, n)(actor)
            done += 1
        except ReconcileItem.DoesNotExist:
            continue
        except Person.DoesNotExist:
            gone = ErrorNotice(message("nobody_of_this_name"))
            failed.setdefault(gone.spoken(), []).append(str(n))
        except (Refused, BadInput, ConnectorError) as no:
            failed.setdefault(error_notice(no).spoken(), []).append(str(n))
    if not chosen:
        messages.warning(request, _("Nothing was ticked."))
    if done:
        text = ngettext("%(count)d was dealt with.", "%(count)d were dealt with.", done)
        messages.success(request, text % {"count": done})
    for why, which in failed.items():
        messages.error(request, f"{', '.join(which)}: {why}")
    return HttpResponseRedirect(reverse("reconcile"))


def _done(request: HttpRequest, n: int, story: Callable[[str], object], done: str) -> HttpResponse:
    """Do it and come back to the list with what became of it."""
    failure = _failure(request, story)
    if failure:
        messages.error(request, f"{n}: {failure.spoken()}")
    else:
        messages.success(request, done)
    return HttpResponseRedirect(reverse("reconcile"))


def _failure(request: HttpRequest, story: Callable[[str], object]) -> ErrorNotice | None:
    try:
        story(person_of(request).username)
    except ReconcileItem.DoesNotExist as gone:
        raise Http404 from gone
    except Person.DoesNotExist:
        return ErrorNotice(message("nobody_of_this_name"))
    except (Refused, BadInput, ConnectorError) as no:
        return error_notice(no)
    return None
