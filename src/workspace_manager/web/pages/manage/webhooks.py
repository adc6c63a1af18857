"""`/manage/webhooks`: addresses that are told of what happens, and what they were told."""

import uuid
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import error_notice
from workspace_manager.web.pages.translate import as_text
from workspace_manager.webhooks import endpoints, outbox

PER_PAGE: Final = 50


class WebhookForm(forms.Form):
    """A webhook as it is typed."""

    label = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        help_text=gettext_lazy("Where it leads: https."),
        widget=forms.TextInput({"inputmode": "url", "spellcheck": "false", "autocomplete": "off"}),
    )
    events = forms.CharField(
        label=gettext_lazy("Events"),
        max_length=2000,
        help_text=gettext_lazy(
            "Separated by blanks: registration.approved, registration.* for all of one kind, "
            "or * for all there are."
        ),
        widget=forms.Textarea({"rows": 2, "spellcheck": "false", "class": "code"}),
    )


class ChangedWebhook(WebhookForm):
    """One that is there: its address is typed anew, or stays."""

    url = forms.CharField(
        label=gettext_lazy("Another address"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("Empty: the address stays. Where it leads: https."),
        widget=forms.TextInput({"inputmode": "url", "spellcheck": "false", "autocomplete": "off"}),
    )


def overview(request: HttpRequest) -> HttpResponse:
    """All of them, and a form for another."""
    if request.method != "POST":
        return _overview(request, WebhookForm())
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            return _made(request, form)
        except (BadInput, Refused) as no:
            _say(form, no)
    return _overview(request, form, status=422)


@sensitive_variables()
def _made(request: HttpRequest, form: WebhookForm) -> HttpResponse:
    made, clear = endpoints.make(
        form.cleaned_data["url"],
        label=form.cleaned_data["label"],
        events=form.cleaned_data["events"].split(),
        actor=person_of(request).username,
    )
    return _fresh(request, made, clear)


def _overview(request: HttpRequest, form: WebhookForm, *, status: int = 200) -> HttpResponse:
    context = {"webhooks": endpoints.standing(), "form": form, "known": outbox.types()}
    return render(request, "manage/webhooks.html", context, status=status)


def detail(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """One: change it, and see what it was told."""
    webhook = _found(webhook_id)
    if request.method != "POST":
        return _detail(request, webhook, _as_it_is(webhook))
    form = ChangedWebhook(request.POST)
    if form.is_valid():
        typed: dict[str, Any] = {**form.cleaned_data, "events": form.cleaned_data["events"].split()}
        if not typed["url"]:
            del typed["url"]
        try:
            endpoints.change(webhook.id, actor=person_of(request).username, **typed)
        except BadInput as wrong:
            _say(form, wrong)
        else:
            messages.success(request, _("Saved."))
            return _back(webhook.id)
    return _detail(request, webhook, form, status=422)


def _as_it_is(webhook: WebhookEndpoint) -> ChangedWebhook:
    return ChangedWebhook(initial={"label": webhook.label, "events": " ".join(webhook.events)})


@sensitive_variables()
def show_address(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Show the whole address, on this one answer: what follows the host may be a password."""
    webhook = _found(webhook_id)
    address = endpoints.show_address(webhook.id, actor=person_of(request).username)
    return _detail(request, webhook, _as_it_is(webhook), address=address)


@sensitive_variables()
def _detail(
    request: HttpRequest,
    webhook: WebhookEndpoint,
    form: WebhookForm,
    *,
    address: str = "",
    status: int = 200,
) -> HttpResponse:
    page = Paginator(webhook.deliveries.all(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"webhook": webhook, "form": form, "page": page, "address": address}
    return render(request, "manage/webhook.html", context, status=status)


def switch(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Send nothing there, or send again."""
    webhook = _found(webhook_id)
    actor = person_of(request).username
    endpoints.change(webhook.id, actor=actor, enabled=bool(webhook.disabled))
    return _back(webhook.id)


def delete(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """And what waits for it."""
    endpoints.remove(_found(webhook_id).id, actor=person_of(request).username)
    messages.success(request, _("The webhook is deleted."))
    return HttpResponseRedirect(reverse("webhooks"))


@sensitive_variables()
def rotate(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Give it a new secret."""
    webhook, clear = endpoints.rotate(_found(webhook_id).id, actor=person_of(request).username)
    return _fresh(request, webhook, clear)


def test(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Send it something that means nothing."""
    try:
        endpoints.test(_found(webhook_id).id, actor=person_of(request).username)
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    else:
        messages.success(request, _("A test is on its way. Look again in a moment."))
    return _back(webhook_id)


def redeliver(request: HttpRequest, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> HttpResponse:
    """Send one delivery again."""
    try:
        endpoints.redeliver(webhook_id, delivery_id, actor=person_of(request).username)
    except (WebhookEndpoint.DoesNotExist, WebhookDelivery.DoesNotExist) as gone:
        raise Http404 from gone
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    else:
        messages.success(request, _("It is sent again. Look again in a moment."))
    return _back(webhook_id)


@sensitive_variables()
def _fresh(request: HttpRequest, webhook: WebhookEndpoint, clear: str) -> HttpResponse:
    # On this one answer and nowhere else: a redirect would have to keep it somewhere.
    return render(request, "manage/webhook_fresh.html", {"webhook": webhook, "clear": clear})


def _say(form: WebhookForm, no: BadInput | Refused) -> None:
    if isinstance(no, Refused):
        form.add_error(None, as_text(no.message))
        return
    for field, why in no.messages.items():
        form.add_error(field if field in form.fields else None, as_text(why))


def _found(webhook_id: uuid.UUID) -> WebhookEndpoint:
    found = endpoints.standing().filter(id=webhook_id).first()
    if found is None:
        raise Http404
    return found


def _back(webhook_id: uuid.UUID) -> HttpResponse:
    return HttpResponseRedirect(reverse("webhook", args=[webhook_id]))
