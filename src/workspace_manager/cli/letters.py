"""`letters`: preview e-mails, and show the outbox."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.local_time import local
from workspace_manager.cli.output import JSON, NOTHING, print_json, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.letters import emails as story
from workspace_manager.letters import mail_outbox
from workspace_manager.letters.letter_views import KINDS, OutboxView, view_letters


@click.group()
def letters() -> None:
    """E-mails to people."""


@letters.command("list", epilog=example("letters list"))
@asking(KINDS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List every letter in every language, by its subject."""
    items = KINDS.chosen(view_letters(), asked)
    show(items, ("name", "language", "subject"), as_json=as_json, empty=NOTHING)


@letters.command("show", epilog=example("letters show approved --language de"))
@click.argument("name", type=click.Choice(story.LETTERS))
@click.option("--language", type=click.Choice(story.LANGUAGES), default="en")
@click.option("--html", is_flag=True, help="Print the HTML instead of the plain text.")
def show_(name: str, language: str, html: bool) -> None:
    """Preview one e-mail with an invented recipient."""
    letter = story.preview(name, language)
    click.echo(letter.html if html else f"{letter.subject}\n\n{letter.text}")


@letters.command(epilog=example("letters outbox"))
@JSON
def outbox(as_json: bool) -> None:
    """Show how many e-mails wait to be sent, and why."""
    found = mail_outbox.outbox()
    if as_json:
        print_json(OutboxView.from_row(found))
    elif not found.waiting:
        say("No e-mail is waiting.")
    else:
        since = local(in_utc(found.since))
        say(f"{found.waiting} wait since {since}, tried {found.attempts} times.")
        if found.trouble:
            say(
                f"{found.trouble.english} Next try: {local(in_utc(found.next_try_at))}. Look at "
                f"WORKSPACE_EMAIL_URL."
            )
