"""`webhooks`: addresses that receive events."""

import uuid

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, print_json, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint
from workspace_manager.webhooks import endpoints as story
from workspace_manager.webhooks.webhook_views import DeliveryView, WebhookView, view_new_secret

ID = click.argument("webhook_id", type=IdOf(WebhookEndpoint), metavar="ID")
ONCE = "This is shown once. The receiver uses it to verify that a delivery comes from here."


@click.group()
def webhooks() -> None:
    """Addresses that receive events."""


@webhooks.command("list", epilog=example("webhooks list"))
@asking(story.WEBHOOKS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List webhooks, without their secrets."""
    rows = story.WEBHOOKS.found(story.open_endpoints(), asked)
    columns = ("id", "label", "url", "events", "disabled", "failing_since", "waiting")
    empty = NOTHING if asked.q else "There is no webhook."
    show(list(map(WebhookView.from_row, rows)), columns, as_json=as_json, empty=empty)


@webhooks.command(
    epilog=example(
        "webhooks add https://tools.example.org/hook --label Tools --event registration.approved"
    )
)
@click.argument("url")
@click.option("--label", required=True, help="What people call it.")
@click.option(
    "--event",
    "events",
    multiple=True,
    default=("*",),
    help="What it is told, as registration.approved or registration.*; everything without it.",
)
@JSON
def add(url: str, label: str, events: tuple[str, ...], as_json: bool) -> None:
    """Send events to URL, and print the webhook's secret once."""
    made, clear = story.make(url, label=label, events=events, actor=actor())
    _print(made, clear, as_json=as_json)


@webhooks.command(epilog=example("webhooks remove 7ffb6cd4"))
@ID
def remove(webhook_id: uuid.UUID) -> None:
    """Delete a webhook and its waiting deliveries."""
    story.remove(webhook_id, actor=actor())
    say("The webhook is deleted.")


@webhooks.command(epilog=example("webhooks rotate 7ffb6cd4"))
@ID
@JSON
def rotate(webhook_id: uuid.UUID, as_json: bool) -> None:
    """Make a new secret and print it once. The previous one signs too for a day."""
    made, clear = story.rotate(webhook_id, actor=actor())
    _print(made, clear, as_json=as_json)


@webhooks.command(epilog=example("webhooks test 7ffb6cd4"))
@ID
def test(webhook_id: uuid.UUID) -> None:
    """Send a test event, whatever events the webhook selects."""
    story.test(webhook_id, actor=actor())
    say("A test is sent. See what becomes of it with: webhooks deliveries")


@webhooks.command(epilog=example("webhooks enable 7ffb6cd4"))
@ID
def enable(webhook_id: uuid.UUID) -> None:
    """Enable a webhook. Deliveries that waited are sent."""
    story.change(webhook_id, actor=actor(), enabled=True)
    say("The webhook is switched on.")


@webhooks.command(epilog=example("webhooks disable 7ffb6cd4"))
@ID
def disable(webhook_id: uuid.UUID) -> None:
    """Disable a webhook. Events are not stored for it meanwhile."""
    story.change(webhook_id, actor=actor(), enabled=False)
    say("The webhook is switched off.")


@webhooks.command(epilog=example("webhooks deliveries 7ffb6cd4 --state failed"))
@ID
@asking(story.DELIVERIES)
@JSON
def deliveries(webhook_id: uuid.UUID, asked: ListQuery, as_json: bool) -> None:
    """List the deliveries of a webhook, newest first, at most 200."""
    rows = WebhookEndpoint.objects.get(id=webhook_id).deliveries.all()
    found = story.DELIVERIES.found(rows, asked)[:200]
    columns = ("id", "type", "created_at", "state", "tries", "trouble", "next_try_at")
    empty = NOTHING if asked.q or asked.filters else "It was told nothing yet."
    show(list(map(DeliveryView.from_row, found)), columns, as_json=as_json, empty=empty)


@webhooks.command(epilog=example("webhooks redeliver 7ffb6cd4 0b5c8a5e"))
@ID
@click.argument("delivery_id", type=IdOf(WebhookDelivery), metavar="DELIVERY")
def redeliver(webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> None:
    """Repeat one delivery."""
    story.redeliver(webhook_id, delivery_id, actor=actor())
    say("It is sent again.")


def _print(made: WebhookEndpoint, clear: str, *, as_json: bool) -> None:
    if as_json:
        print_json(view_new_secret(made.id, clear))
    else:
        say(f"{clear}\n{ONCE}")
