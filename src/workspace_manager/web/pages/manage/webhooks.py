"""`/manage/webhooks`: addresses that events are sent to, and their deliveries."""

import uuid
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from workspace_manager.records.models import WebhookEndpoint
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, message_on, on_error, refuse_invalid
from workspace_manager.webhooks import endpoints, outbox

PER_PAGE: Final = 50


class WebhookForm(forms.Form):
    """A webhook as typed."""

    label = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        help_text=gettext_lazy("Starts with https."),
        widget=forms.TextInput({"inputmode": "url", "spellcheck": "false", "autocomplete": "off"}),
    )
    events = forms.CharField(
        label=gettext_lazy("Events"),
        max_length=2000,
        help_text=gettext_lazy(
            "Separated by spaces: registration.approved, registration.* for all of one kind, or "
            "* for all events."
        ),
        widget=forms.Textarea({"rows": 2, "spellcheck": "false", "class": "code"}),
    )


class ChangedWebhook(WebhookForm):
    """The form of an existing webhook; an empty address stays as it is."""

    url = forms.CharField(
        label=gettext_lazy("Another address"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("Starts with https. Leave empty to keep the address."),
        widget=forms.TextInput({"inputmode": "url", "spellcheck": "false", "autocomplete": "off"}),
    )


def _overview(request: HttpRequest) -> HttpResponse:
    form = WebhookForm(request.POST or None)
    complain(request, form)
    context = {"webhooks": endpoints.open_endpoints(), "form": form, "known": outbox.types()}
    return render(request, "manage/webhooks.html", context)


@on_error(_overview)
@sensitive_variables()
def overview(request: HttpRequest) -> HttpResponse:
    """Show all webhooks, with the form of a new one."""
    if request.method != "POST":
        return _overview(request)
    form = WebhookForm(request.POST)
    refuse_invalid(form)
    made, clear = endpoints.make(
        form.cleaned_data["url"],
        label=form.cleaned_data["label"],
        events=form.cleaned_data["events"].split(),
        actor=person_of(request).username,
    )
    return _fresh(request, made, clear)


@sensitive_variables()
def _detail(request: HttpRequest, webhook_id: uuid.UUID, address: str = "") -> HttpResponse:
    webhook = _get_webhook(webhook_id)
    initial = {"label": webhook.label, "events": " ".join(webhook.events)}
    form = ChangedWebhook(request.POST if "events" in request.POST else None, initial=initial)
    complain(request, form)
    page = Paginator(webhook.deliveries.all(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"webhook": webhook, "form": form, "page": page, "address": address}
    return render(request, "manage/webhook.html", context)


@on_error(_detail)
def detail(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Show a webhook with its deliveries, or change it."""
    if request.method != "POST":
        return _detail(request, webhook_id)
    webhook, form = _get_webhook(webhook_id), ChangedWebhook(request.POST)
    refuse_invalid(form)
    typed: dict[str, Any] = {**form.cleaned_data, "events": form.cleaned_data["events"].split()}
    if not typed["url"]:
        del typed["url"]
    endpoints.change(webhook.id, actor=person_of(request).username, **typed)
    messages.success(request, _("Saved."))
    return _back(webhook.id)


@sensitive_variables()
def show_address(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Show the whole address in this one answer: the part after the host may be a password."""
    webhook = _get_webhook(webhook_id)
    address = endpoints.show_address(webhook.id, actor=person_of(request).username)
    return _detail(request, webhook_id, address)


def switch(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Disable a webhook, or enable it again."""
    webhook = _get_webhook(webhook_id)
    actor = person_of(request).username
    endpoints.change(webhook.id, actor=actor, enabled=bool(webhook.disabled))
    return _back(webhook.id)


def delete(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Delete a webhook and its waiting deliveries."""
    endpoints.remove(_get_webhook(webhook_id).id, actor=person_of(request).username)
    messages.success(request, _("The webhook is deleted."))
    return HttpResponseRedirect(reverse("webhooks"))


@sensitive_variables()
def rotate(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Give a webhook a new secret."""
    webhook, clear = endpoints.rotate(
        _get_webhook(webhook_id).id, actor=person_of(request).username
    )
    return _fresh(request, webhook, clear)


@on_error(message_on("webhook", "webhook_id"))
def test(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Send a webhook a test event."""
    endpoints.test(_get_webhook(webhook_id).id, actor=person_of(request).username)
    messages.success(request, _("A test is on its way. Reload this page in a moment."))
    return _back(webhook_id)


@on_error(message_on("webhook", "webhook_id"))
def redeliver(request: HttpRequest, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> HttpResponse:
    """Send a delivery again."""
    endpoints.redeliver(webhook_id, delivery_id, actor=person_of(request).username)
    messages.success(request, _("It is sent again. Reload this page in a moment."))
    return _back(webhook_id)


@sensitive_variables()
def _fresh(request: HttpRequest, webhook: WebhookEndpoint, clear: str) -> HttpResponse:
    # Only in this answer: a redirect would have to store the secret somewhere.
    return render(request, "manage/webhook_fresh.html", {"webhook": webhook, "clear": clear})


def _get_webhook(webhook_id: uuid.UUID) -> WebhookEndpoint:
    return get_object_or_404(endpoints.open_endpoints(), id=webhook_id)


def _back(webhook_id: uuid.UUID) -> HttpResponse:
    return HttpResponseRedirect(reverse("webhook", args=[webhook_id]))
