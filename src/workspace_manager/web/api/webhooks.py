"""`/webhooks`: addresses that events are sent to, for administrators.

See docs/howto/webhooks.md.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.records.models import WebhookEndpoint
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage, located
from workspace_manager.webhooks import endpoints
from workspace_manager.webhooks.webhook_views import (
    DeliveryView,
    NewSecretView,
    WebhookView,
    view_new_secret,
    view_webhook,
)

router = Router(auth=administrator)

Url = Annotated[Text, Field(max_length=1000)]
Events = Annotated[list[Annotated[Text, Field(max_length=100)]], Field(max_length=100)]
EXAMPLE = "https://tools.example.org/hook"


class WebhooksAsked(ListAsked, of=endpoints.WEBHOOKS):
    """Filters and order of the list of webhooks."""


class DeliveriesAsked(ListAsked, of=endpoints.DELIVERIES):
    """Filters and order of the list of deliveries."""


class NewWebhook(Input):
    """A new webhook."""

    url: Annotated[Url, describe("Starts with https.", EXAMPLE)]
    label: Annotated[Label, describe("What people call it.", "Tools")]
    events: Annotated[
        Events,
        describe("What it is told: types, `registration.*` or `*`.", ["registration.approved"]),
    ]


class WebhookChange(Input):
    """Changes; members left out stay as they are."""

    url: Annotated[Url | None, describe("Starts with https.", EXAMPLE)] = None
    label: Annotated[Label | None, describe("What people call it.", "Tools")] = None
    events: Annotated[
        Events | None,
        describe("What it is told: types, `registration.*` or `*`.", ["registration.approved"]),
    ] = None
    enabled: Annotated[bool | None, describe("Whether anything is sent there.", True)] = None


@router.get("", response=ListPage[WebhookView], summary="List webhooks")
def list_(request: HttpRequest, window: Query[WebhooksAsked]) -> dict[str, Any]:  # noqa: ARG001
    """Their secrets are shown when you make and rotate them, and never again."""
    return list_page(
        endpoints.open_endpoints(), window, endpoints.WEBHOOKS, each(WebhookView.from_row)
    )


@router.post("", response={201: NewSecretView}, summary="Add a webhook", openapi_extra=says(409))
def create(request: HttpRequest, response: HttpResponse, body: NewWebhook) -> Any:
    """The secret is shown only once. The receiver verifies deliveries with it."""
    made, clear = endpoints.make(
        body.url, label=body.label, events=body.events, actor=person_of(request).username
    )
    located(response, "webhook", webhook_id=made.id)
    return Status(201, view_new_secret(made.id, clear))


@router.get("/{webhook_id}", response=WebhookView, summary="Show a webhook", url_name="webhook")
def show(request: HttpRequest, webhook_id: uuid.UUID) -> WebhookView:  # noqa: ARG001
    return view_webhook(webhook_id)


@router.patch("/{webhook_id}", response=WebhookView, summary="Change a webhook")
def change(request: HttpRequest, webhook_id: uuid.UUID, body: WebhookChange) -> WebhookView:
    """Enabling a webhook sends the deliveries that waited."""
    typed = body.model_dump(exclude_none=True)
    endpoints.change(webhook_id, actor=person_of(request).username, **typed)
    return view_webhook(webhook_id)


@router.delete("/{webhook_id}", response={204: None}, summary="Delete a webhook")
def delete(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """Waiting deliveries are deleted, too."""
    endpoints.remove(webhook_id, actor=person_of(request).username)
    return HttpResponse(status=204)


@router.post("/{webhook_id}/rotate", response=NewSecretView, summary="Give a webhook a new secret")
def rotate(request: HttpRequest, webhook_id: uuid.UUID) -> NewSecretView:
    """The secret is shown once. The previous secret signs, too, for one day."""
    _, clear = endpoints.rotate(webhook_id, actor=person_of(request).username)
    return view_new_secret(webhook_id, clear)


@router.post(
    "/{webhook_id}/test",
    response={202: DeliveryView},
    summary="Send a webhook a test",
    openapi_extra=says(409),
)
def test(request: HttpRequest, webhook_id: uuid.UUID) -> Any:
    """Sends `webhook.test`, whatever events the webhook selects."""
    made = endpoints.test(webhook_id, actor=person_of(request).username)
    return Status(202, DeliveryView.from_row(made))


@router.get(
    "/{webhook_id}/deliveries",
    response=ListPage[DeliveryView],
    summary="List what a webhook was told, newest first",
)
def deliveries(
    request: HttpRequest,  # noqa: ARG001
    webhook_id: uuid.UUID,
    window: Query[DeliveriesAsked],
) -> dict[str, Any]:
    """Deliveries of the last 30 days."""
    rows = WebhookEndpoint.objects.get(id=webhook_id).deliveries.all()
    return list_page(rows, window, endpoints.DELIVERIES, each(DeliveryView.from_row))


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/redeliver",
    response={202: DeliveryView},
    summary="Send a delivery again",
    openapi_extra=says(409),
)
def redeliver(request: HttpRequest, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> Any:
    """With the same content and `webhook-id`."""
    row = endpoints.redeliver(webhook_id, delivery_id, actor=person_of(request).username)
    return Status(202, DeliveryView.from_row(row))
