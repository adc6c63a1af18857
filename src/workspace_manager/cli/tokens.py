"""`tokens` and `keys`: personal API tokens, and the keys that encrypt what is stored."""

import uuid

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.output import JSON, actor, print_json, say, show
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import tokens as story
from workspace_manager.records.models import ApiToken, Person
from workspace_manager.records.reencrypt import reencrypt


@click.group()
def tokens() -> None:
    """Personal tokens for the REST API."""


@tokens.command(epilog=example('tokens create --person ada --name "nightly report"'))
@click.option("--person", required=True, metavar="NAME", help="Whose it is: a user name.")
@click.option("--name", required=True, help="What it is for.")
@JSON
def create(person: str, name: str, as_json: bool) -> None:
    """Make a token and print it once."""
    token, clear = story.create(Person.objects.get(username=person), name=name, actor=actor())
    if as_json:
        print_json({"id": str(token.id), "name": token.name, "token": clear})
    else:
        say(f"{clear}\nThis is shown once. Send it as: Authorization: Bearer …")


@tokens.command("list", epilog=example("tokens list"))
@JSON
def list_(as_json: bool) -> None:
    """List tokens, never their text."""
    items = [
        {
            "id": str(t.id),
            "person": t.person.username,
            "name": t.name,
            "created_at": in_utc(t.created_at),
            "last_used_at": in_utc(t.last_used_at),
        }
        for t in ApiToken.objects.select_related("person")
    ]
    show(
        items,
        ("id", "person", "name", "created_at", "last_used_at"),
        as_json=as_json,
        empty="There is no token.",
    )


@tokens.command(epilog=example("tokens revoke dca16297"))
@click.argument("token_id", type=IdOf(ApiToken), metavar="ID")
def revoke(token_id: uuid.UUID) -> None:
    """End a token at once."""
    story.revoke(ApiToken.objects.get(id=token_id), actor=actor())
    say("The token is ended.")


@click.group()
def keys() -> None:
    """The keys that encrypt stored secrets (WORKSPACE_SECRET_KEYS)."""


@keys.command(epilog=example("keys rotate"))
def rotate() -> None:
    """Encrypt every stored secret again with the first key."""
    say(
        f"{reencrypt()} stored secrets are encrypted with the first key. The others can "
        f"be taken out of WORKSPACE_SECRET_KEYS."
    )
