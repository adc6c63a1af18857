"""Webhooks and their deliveries as every door shows them."""

from operator import not_
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.views import OR_NONE, SAID, CodedMessage, View, as_data
from workspace_manager.webhooks.endpoints import open_endpoints
from workspace_manager.webhooks.signature import message_id


class WebhookView(View):
    """A webhook, without its secret, and without what in its address may be one."""

    id: Annotated[Uuid, describe("The id of the webhook.")]
    url: Annotated[
        str,
        Field(validation_alias="origin"),
        describe(
            "Where it leads: scheme, host and port of its address.", "https://tools.example.org"
        ),
    ]
    label: Annotated[str, describe("What people call it.", "Tools")]
    events: Annotated[list[str], describe("What it is told.", ["registration.approved"])]
    enabled: Annotated[
        bool,
        Field(validation_alias="disabled"),
        BeforeValidator(not_),
        describe("Whether anything is sent there.", True),
    ]
    disabled: Annotated[
        Literal["person", "gone", "failing"] | None,
        OR_NONE,
        describe("Why not: somebody said so, it answered 410, or it took nothing for three days."),
    ]
    disabled_at: Annotated[When | None, describe("Since when not.")]
    failing_since: Annotated[When | None, describe("Since when each try failed.")]
    waiting: Annotated[int, describe("How many deliveries wait.", 0)]
    left_out: Annotated[int, describe("Events that were not stored, since too many waited.", 0)]
    old_secret_until: Annotated[
        When | None,
        Field(validation_alias="old_until"),
        describe("Until when the secret from before the rotation signs too."),
    ]
    created_at: Annotated[When, describe("When it was made.")]
    created_by: Annotated[UserName, describe("Who made it.")]


class NewSecretView(WebhookView):
    """A webhook with its secret, which is shown this once."""

    secret: Annotated[str, describe("What signs, shown this once.", "whsec_EXAMPLE")]


class DeliveryView(View):
    """One event on its way to one webhook."""

    id: Annotated[Uuid, describe("The id of the delivery.")]
    message_id: Annotated[
        str,
        Field(validation_alias="id"),
        BeforeValidator(message_id),
        describe("Its `webhook-id` in every try.", "msg_0b5c8a5e6a444a5b9a672f0d5f3c1f11"),
    ]
    type: Annotated[str, describe("What happened.", "registration.approved")]
    body: Annotated[str, describe("What is sent, as it is signed.", "{}")]
    created_at: Annotated[When, describe("When it happened.")]
    state: Annotated[
        Literal["waiting", "delivered", "failed"], describe("Whether it was delivered.")
    ]
    tries: Annotated[int, describe("How often it was tried.", 1)]
    status: Annotated[int | None, describe("What the last try was answered with.", 204)]
    trouble: Annotated[
        str | None,
        SAID,
        describe("Why the last try did not go well.", "no answer within 10 seconds"),
    ]
    trouble_message: Annotated[CodedMessage | None, as_data("trouble")] = None
    ended_at: Annotated[When | None, describe("When it was delivered, or given up.")]
    next_try_at: Annotated[When | None, describe("When it is tried next.")]

    @field_validator("next_try_at", mode="before")
    @classmethod
    def _never_after_the_end(cls, at: Any, info: ValidationInfo) -> Any:
        return None if info.data.get("ended_at") else at


def view_webhook(webhook_id: UUID) -> WebhookView:
    """One webhook. Raises DoesNotExist."""
    return WebhookView.from_row(open_endpoints().get(id=webhook_id))


def view_new_secret(webhook_id: UUID, secret: str) -> NewSecretView:
    """One webhook, with the secret that was made just now."""
    return NewSecretView.from_row(open_endpoints().get(id=webhook_id), secret=secret)
