"""`/webhooks`: addresses that are told of what happens, for administrators.

See docs/howto/webhooks.md.
"""

import uuid
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed, located
from workspace_manager.web.pages.translate import Coded, said
from workspace_manager.webhooks import endpoints, signature

router = Router(auth=administrator)

Url = Annotated[Text, Field(max_length=1000)]
Events = Annotated[list[Annotated[Text, Field(max_length=100)]], Field(max_length=100)]
State = Literal["waiting", "delivered", "failed"]
EXAMPLE = "https://tools.example.org/hook"


class WebhooksAsked(ListAsked, of=endpoints.WEBHOOKS):
    """Which webhooks."""


class DeliveriesAsked(ListAsked, of=endpoints.DELIVERIES):
    """Which deliveries."""


class NewWebhook(Input):
    """A new webhook."""

    url: Annotated[Url, describe("Where it leads: https.", EXAMPLE)]
    label: Annotated[Label, describe("What people call it.", "Tools")]
    events: Annotated[
        Events,
        describe("What it is told: types, `registration.*` or `*`.", ["registration.approved"]),
    ]


class WebhookChange(Input):
    """What is to be different; what is left out stays."""

    url: Annotated[Url | None, describe("Where it leads: https.", EXAMPLE)] = None
    label: Annotated[Label | None, describe("What people call it.", "Tools")] = None
    events: Annotated[
        Events | None,
        describe("What it is told: types, `registration.*` or `*`.", ["registration.approved"]),
    ] = None
    enabled: Annotated[bool | None, describe("Whether anything is sent there.", True)] = None


class WebhookShown(BaseModel):
    """A webhook, without its secret, and without what in its address may be one."""

    id: Annotated[Uuid, describe("The id of the webhook.")]
    url: Annotated[
        str,
        describe(
            "Where it leads: scheme, host and port of its address.", "https://tools.example.org"
        ),
    ]
    label: Annotated[str, describe("What people call it.", "Tools")]
    events: Annotated[list[str], describe("What it is told.", ["registration.approved"])]
    enabled: Annotated[bool, describe("Whether anything is sent there.", True)]
    disabled: Annotated[
        Literal["person", "gone", "failing"] | None,
        describe("Why not: somebody said so, it answered 410, or it took nothing for three days."),
    ]
    disabled_at: Annotated[When | None, describe("Since when not.")]
    failing_since: Annotated[When | None, describe("Since when each try failed.")]
    waiting: Annotated[int, describe("How many deliveries wait.", 0)]
    left_out: Annotated[int, describe("Events that were not stored, since too many waited.", 0)]
    old_secret_until: Annotated[
        When | None, describe("Until when the secret from before the rotation signs too.")
    ]
    created_at: Annotated[When, describe("When it was made.")]
    created_by: Annotated[UserName, describe("Who made it.")]


class FreshWebhook(WebhookShown):
    """A webhook with its secret, which is shown this once."""

    secret: Annotated[str, describe("What signs, shown this once.", "whsec_EXAMPLE")]


class DeliveryShown(BaseModel):
    """One event on its way to one webhook."""

    id: Annotated[Uuid, describe("The id of the delivery.")]
    message_id: Annotated[
        str, describe("Its `webhook-id` in every try.", "msg_0b5c8a5e6a444a5b9a672f0d5f3c1f11")
    ]
    type: Annotated[str, describe("What happened.", "registration.approved")]
    body: Annotated[str, describe("What is sent, as it is signed.", "{}")]
    created_at: Annotated[When, describe("When it happened.")]
    state: Annotated[State, describe("Whether it was delivered.")]
    tries: Annotated[int, describe("How often it was tried.", 1)]
    status: Annotated[int | None, describe("What the last try was answered with.", 204)]
    trouble: Annotated[
        str | None, describe("Why the last try did not go well.", "no answer within 10 seconds")
    ]
    trouble_message: Coded | None = None
    next_try_at: Annotated[When | None, describe("When it is tried next.")]
    ended_at: Annotated[When | None, describe("When it was delivered, or given up.")]


@router.get("", response=Listed[WebhookShown], summary="List webhooks")
def list_(request: HttpRequest, window: Query[WebhooksAsked]) -> dict[str, Any]:  # noqa: ARG001
    """Their secrets are shown when they are made and rotated, and never again."""
    return listed(endpoints.open_endpoints(), window, endpoints.WEBHOOKS, each(shown))


@router.post("", response={201: FreshWebhook}, summary="Add a webhook", openapi_extra=says(409))
def create(request: HttpRequest, response: HttpResponse, body: NewWebhook) -> Any:
    """The secret is shown this once: whoever receives proves with it that a delivery is ours."""
    made, clear = endpoints.make(
        body.url, label=body.label, events=body.events, actor=person_of(request).username
    )
    located(response, "webhook", webhook_id=made.id)
    return Status(201, {**_found(made.id), "secret": clear})


@router.get("/{webhook_id}", response=WebhookShown, summary="Show a webhook", url_name="webhook")
def show(request: HttpRequest, webhook_id: uuid.UUID) -> dict[str, Any]:  # noqa: ARG001
    return _found(webhook_id)


@router.patch("/{webhook_id}", response=WebhookShown, summary="Change a webhook")
def change(request: HttpRequest, webhook_id: uuid.UUID, body: WebhookChange) -> dict[str, Any]:
    """One that is switched on again is sent what waits since before."""
    typed = body.model_dump(exclude_none=True)
    endpoints.change(webhook_id, actor=person_of(request).username, **typed)
    return _found(webhook_id)


@router.delete("/{webhook_id}", response={204: None}, summary="Delete a webhook")
def delete(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """What waits for it is deleted too."""
    endpoints.remove(webhook_id, actor=person_of(request).username)
    return HttpResponse(status=204)


@router.post("/{webhook_id}/rotate", response=FreshWebhook, summary="Give a webhook a new secret")
def rotate(request: HttpRequest, webhook_id: uuid.UUID) -> dict[str, Any]:
    """It is shown this once. The one before signs beside it for a day."""
    _, clear = endpoints.rotate(webhook_id, actor=person_of(request).username)
    return {**_found(webhook_id), "secret": clear}


@router.post(
    "/{webhook_id}/test",
    response={202: DeliveryShown},
    summary="Send a webhook a test",
    openapi_extra=says(409),
)
def test(request: HttpRequest, webhook_id: uuid.UUID) -> Any:
    """Of type `webhook.test`, whatever the webhook is told otherwise."""
    made = endpoints.test(webhook_id, actor=person_of(request).username)
    return Status(202, delivery_shown(made))


@router.get(
    "/{webhook_id}/deliveries",
    response=Listed[DeliveryShown],
    summary="List what a webhook was told, newest first",
)
def deliveries(
    request: HttpRequest,  # noqa: ARG001
    webhook_id: uuid.UUID,
    window: Query[DeliveriesAsked],
) -> dict[str, Any]:
    """Of the last 30 days."""
    rows = WebhookEndpoint.objects.get(id=webhook_id).deliveries.all()
    return listed(rows, window, endpoints.DELIVERIES, each(delivery_shown))


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/redeliver",
    response={202: DeliveryShown},
    summary="Send a delivery again",
    openapi_extra=says(409),
)
def redeliver(request: HttpRequest, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> Any:
    """As it was, and under the same `webhook-id`."""
    row = endpoints.redeliver(webhook_id, delivery_id, actor=person_of(request).username)
    return Status(202, delivery_shown(row))


def _found(webhook_id: uuid.UUID) -> dict[str, Any]:
    return shown(endpoints.open_endpoints().get(id=webhook_id))


def shown(row: WebhookEndpoint) -> dict[str, Any]:
    """One webhook. `row`: with how many deliveries wait."""
    return {
        "id": str(row.id),
        "url": row.origin,
        "label": row.label,
        "events": row.events,
        "enabled": not row.disabled,
        "disabled": row.disabled or None,
        "disabled_at": in_utc(row.disabled_at),
        "failing_since": in_utc(row.failing_since),
        "waiting": getattr(row, "waiting", 0),
        "left_out": row.left_out,
        "old_secret_until": in_utc(row.old_until),
        "created_at": in_utc(row.created_at),
        "created_by": row.created_by,
    }


def delivery_shown(row: WebhookDelivery) -> dict[str, Any]:
    """One delivery."""
    return {
        "id": str(row.id),
        "message_id": signature.message_id(row),
        "type": row.type,
        "body": row.body,
        "created_at": in_utc(row.created_at),
        "state": row.state,
        "tries": row.tries,
        "status": row.status,
        **said("trouble", row.trouble),
        "next_try_at": None if row.ended_at else in_utc(row.next_try_at),
        "ended_at": in_utc(row.ended_at),
    }
