"""`/manage/take-over`: proposed owners of existing accounts, their confirmation and its undoing."""

import uuid
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import take_over as stories
from workspace_manager.reconcile.items import last_run
from workspace_manager.reconcile.proposals import Proposal, digest, left_out, proposals
from workspace_manager.records.models import TakeOver
from workspace_manager.systems import registry
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, notice_of, on_error
from workspace_manager.web.pages.list_fields import ANY, PlainSelect
from workspace_manager.web.pages.numbers import numbers
from workspace_manager.web.pages.translate import as_text
from workspace_manager.wiring import connected_systems

PER_PAGE: Final = 50
EARLIER: Final = 20
"""The number of earlier confirmations shown."""


class Filters(forms.Form):
    """Filters; invalid values are ignored."""

    q = forms.CharField(label=gettext_lazy("Search"), max_length=100, required=False)
    system = forms.ChoiceField(widget=PlainSelect, label=gettext_lazy("System"), required=False)
    proposed = forms.ChoiceField(
        widget=PlainSelect,
        label=gettext_lazy("Proposed"),
        choices=[ANY, ("1", gettext_lazy("proposed")), ("0", gettext_lazy("not proposed"))],
        required=False,
    )

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET if request.method == "GET" else request.POST)
        field = self.fields["system"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [ANY, *((name, labels.system(name)) for name in registry().names())]
        self.is_valid()

    def asked(self) -> ListQuery:
        system = self.cleaned_data.get("system")
        return ListQuery(
            self.cleaned_data.get("q", ""), filters={"system": system} if system else {}
        )

    def shows(self, one: Proposal) -> bool:
        wanted = self.cleaned_data.get("proposed")
        return not wanted or bool(one.username) == (wanted == "1")

    def query(self) -> str:
        """Return the query for links to other pages of the list."""
        given = {name: value for name, value in self.cleaned_data.items() if value}
        return f"{urlencode(given)}&" if given else ""


def overview(request: HttpRequest) -> HttpResponse:
    """Show proposals, accounts without one and why, and earlier confirmations."""
    form = Filters(request)
    found = proposals(connected_systems(), form.asked())
    page = Paginator([one for one in found if form.shows(one)], PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "query": form.query(),
        "page": page,
        "entries": [
            {"proposal": one, "item": one.item, "system": labels.system(one.item.system)}
            for one in page.object_list
        ],
        "proposed": sum(bool(one.username) for one in found),
        "digest": digest(found),
        "left_out": left_out(form.asked()),
        "run": last_run(),
        "earlier": [
            {"row": row, **stories.results(row)}
            for row in TakeOver.objects.order_by("-confirmed_at")[:EARLIER]
        ],
    }
    return render(request, "manage/take_over.html", context)


def _back_to_list(request: HttpRequest) -> HttpResponse:
    if notice := notice_of(request):
        messages.error(request, notice.spoken())
    return HttpResponseRedirect(f"{reverse('take_over')}?{Filters(request).query()}".rstrip("?&"))


@on_error(_back_to_list)
def confirm(request: HttpRequest) -> HttpResponse:
    """Ask for a confirmation, with numbers; then confirm the proposals, and report the result
    once.
    """
    form = Filters(request)
    everything = request.POST.get("which") == "all"
    chosen = numbers(request.POST.getlist("chosen"))
    if not everything and not chosen:
        messages.warning(request, _("Nothing was selected."))
        return _back_to_list(request)
    if request.POST.get("sure") != "yes":
        return render(request, "manage/take_over_confirm.html", _asks(form, everything, chosen))
    row = stories.confirm(
        stories.run_to_confirm(),
        digest_shown=request.POST.get("digest", ""),
        asked=form.asked(),
        chosen=None if everything else chosen,
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    _say_result(request, row)
    return _back_to_list(request)


def _asks(form: Filters, everything: bool, chosen: list[int]) -> dict[str, Any]:
    found = [one for one in proposals(connected_systems(), form.asked()) if one.username]
    picked = [one for one in found if everything or one.item.n in chosen]
    people = [one for one in picked if one.new]
    return {
        "form": form,
        "digest": form.data.get("digest", ""),
        "everything": everything,
        "numbers": chosen,
        "people": len(people),
        "accounts": len(picked) - len(people),
        "some": [one.username for one in people[:PER_PAGE]],
    }


def _say_result(request: HttpRequest, row: TakeOver) -> None:
    found = stories.results(row)
    text = ngettext(
        "%(count)d account was taken over.", "%(count)d accounts were taken over.", found["taken"]
    )
    messages.success(request, text % {"count": found["taken"]})
    if found["left"]:
        more = ngettext(
            "%(count)d more follows automatically.",
            "%(count)d more follow automatically.",
            found["left"],
        )
        messages.info(request, more % {"count": found["left"]})
    for _n, why in stories.not_taken(row)[:EARLIER]:
        messages.warning(request, as_text(why))


@on_error(message_on("take_over"))
def undo(request: HttpRequest, take_over_id: uuid.UUID) -> HttpResponse:
    """Undo a confirmation, except for people who have signed in or made something since then."""
    undone = stories.undo(take_over_id, actor=person_of(request).username)
    text = ngettext(
        "%(count)d account no longer belongs to anybody.",
        "%(count)d accounts no longer belong to anybody.",
        undone.accounts,
    )
    messages.success(request, text % {"count": undone.accounts})
    if undone.kept:
        text = _("These people have signed in or created something since and are kept: %(names)s")
        messages.warning(request, text % {"names": ", ".join(undone.kept)})
    return HttpResponseRedirect(reverse("take_over"))
