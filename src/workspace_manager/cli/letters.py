"""`letters`: what people are told by e-mail, and what still waits to be sent."""

import click

from workspace_manager.cli.asking import asking
from workspace_manager.cli.example import example
from workspace_manager.cli.local_time import local
from workspace_manager.cli.output import JSON, NOTHING, print_json, say, show
from workspace_manager.core.listing import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.letters import emails as story
from workspace_manager.letters import mail_outbox
from workspace_manager.letters.listings import KINDS


@click.group()
def letters() -> None:
    """What people are told by e-mail."""


@letters.command("list", epilog=example("letters list"))
@asking(KINDS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List every letter in every language, by its subject."""
    letters = [
        {"name": name, "language": language, "subject": letter.subject, "text": letter.text}
        for name in story.LETTERS
        for language in story.LANGUAGES
        for letter in [story.preview(name, language)]
    ]
    columns = ("name", "language", "subject")
    found = KINDS.rows.chosen(letters, asked)
    items = [{name: one[name] for name in columns} for one in found]
    show(items, columns, as_json=as_json, empty=NOTHING)


@letters.command("show", epilog=example("letters show approved --language de"))
@click.argument("name", type=click.Choice(story.LETTERS))
@click.option("--language", type=click.Choice(story.LANGUAGES), default="en")
@click.option("--html", is_flag=True, help="Print the HTML instead of the plain text.")
def show_(name: str, language: str, html: bool) -> None:
    """Print one letter as it would be sent to somebody who does not exist."""
    letter = story.preview(name, language)
    click.echo(letter.html if html else f"{letter.subject}\n\n{letter.text}")


@letters.command(epilog=example("letters outbox"))
@JSON
def outbox(as_json: bool) -> None:
    """Say how many letters wait to be sent, and why."""
    found = mail_outbox.outbox()
    document = {
        "waiting": found.waiting,
        "since": in_utc(found.since),
        "attempts": found.attempts,
        "trouble": found.trouble and found.trouble.english,
        "next_try_at": in_utc(found.next_try_at),
    }
    if as_json:
        print_json(document)
    elif not found.waiting:
        say("No letter waits.")
    else:
        since = local(in_utc(found.since))
        say(f"{found.waiting} wait since {since}, tried {found.attempts} times.")
        if found.trouble:
            say(
                f"{found.trouble.english} Next try: {local(in_utc(found.next_try_at))}. Look at "
                f"WORKSPACE_EMAIL_URL."
            )
