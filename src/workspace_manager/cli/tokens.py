"""`tokens`: personal API tokens."""

import uuid

import click

from workspace_manager.access import tokens as story
from workspace_manager.access.token_views import TOKENS, PersonTokenView
from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.local_time import ZONE, local
from workspace_manager.cli.output import JSON, NOTHING, actor, print_json, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import ApiToken, Person


@click.group()
def tokens() -> None:
    """Personal tokens for the REST API."""


@tokens.command(epilog=example('tokens create --person ada --name "nightly report"'))
@click.option("--person", required=True, metavar="NAME", help="Whose it is: a user name.")
@click.option("--name", required=True, help="What it is for.")
@click.option(
    "--scope",
    type=click.Choice(story.Scope.values),
    help="What it may do; without it the most that the person's role allows.",
)
@click.option(
    "--until",
    metavar="MOMENT",
    help="When it ends: a date or a moment, in this terminal's time zone.",
)
@JSON
def create(person: str, name: str, scope: str | None, until: str | None, as_json: bool) -> None:
    """Make a token and print it once."""
    whose = Person.objects.get(username=person)
    token, clear = story.create(
        whose,
        name=name,
        actor=actor(),
        scope=scope or story.widest_scope(whose),
        until=story.read_end(until, ZONE) if until is not None else None,
    )
    if as_json:
        print_json({**PersonTokenView.from_row(token).model_dump(), "token": clear})
    else:
        say(
            f"{clear}\nThis is shown once. Send it as: Authorization: Bearer …\n"
            f"Scope: {token.scope}. It ends: {local(in_utc(token.expires_at))}."
        )


@tokens.command("list", epilog=example("tokens list --person ada"))
@click.option("--person", metavar="NAME", help="Those of one person.")
@asking(TOKENS)
@JSON
def list_(asked: ListQuery, person: str | None, as_json: bool) -> None:
    """List tokens, without their text."""
    rows = TOKENS.found(ApiToken.objects.select_related("person"), asked)
    if person is not None:
        rows = rows.filter(person=Person.objects.get(username=person))
    show(
        list(map(PersonTokenView.from_row, rows)),
        ("id", "person", "name", "scope", "created_at", "expires_at", "last_used_at"),
        as_json=as_json,
        empty=NOTHING if asked != ListQuery() else "There is no token.",
    )


@tokens.command(epilog=example("tokens revoke dca16297"))
@click.argument("token_id", type=IdOf(ApiToken), metavar="ID")
def revoke(token_id: uuid.UUID) -> None:
    """Revoke a token at once."""
    story.revoke(ApiToken.objects.get(id=token_id), actor=actor())
    say("The token is ended.")
