"""`audit`: list, export and verify the audit log."""

from typing import IO, Any, Final

import click

from workspace_manager.audit.log import AUDIT, EntryView, VerificationView, exported
from workspace_manager.audit.verify import ExpectedSeal
from workspace_manager.audit.verify import verify as verify_all
from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, print_json, print_note, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.records.models import AuditEntry

COLUMNS: Final = ("at", "actor", "action", "subject")
MOST: Final = 1000
MOST_DIGITS: Final = 18
"""The longest number that a table's ids can have."""


class Seal(click.ParamType[ExpectedSeal]):
    """A seal that was recorded elsewhere."""

    name = "seal"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> ExpectedSeal:
        number, _, digest = str(value).partition(":")
        if not number.isdecimal() or len(number) > MOST_DIGITS or not digest:
            self.fail(f"{value!r} is no seal, as 812:5b0c…; `audit verify` shows one.", param, ctx)
        return ExpectedSeal(int(number), digest)


@click.group()
def audit() -> None:
    """The audit log."""


@audit.command("list", epilog=example("audit list --person grace --since 2026-12-01"))
@asking(AUDIT)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    default=50,
    show_default=True,
    help="How many at most.",
)
@JSON
def list_(asked: ListQuery, limit: int, as_json: bool) -> None:
    """List entries, newest first."""
    items = [
        EntryView.from_row(row) for row in AUDIT.found(AuditEntry.objects.all(), asked)[:limit]
    ]
    empty = NOTHING if asked != ListQuery() else "Nothing was done yet."
    show(items, COLUMNS, as_json=as_json, empty=empty)
    if len(items) == limit and not as_json:
        print_note(f"These are the newest {limit}; --limit shows more, `audit export` all.")


@audit.command("export", epilog=example("audit export - --person grace"))
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=False))
@asking(AUDIT, ordered=False)
def export(file: IO[str], asked: ListQuery) -> None:
    """Write entries into FILE, oldest first; - writes them to the terminal.

    The format is comma-separated values, or one JSON object per line if FILE ends in .jsonl. Cells
    that a spreadsheet would read as a formula begin with an apostrophe.
    """
    form = "jsonl" if str(file.name).endswith(".jsonl") else "csv"
    written = 0 if form == "jsonl" else -1  # the row of column names is no entry
    for line in exported(AUDIT.found(AuditEntry.objects.all(), asked), form):
        file.write(line)
        written += 1
    print_note(f"{written} {'entry' if written == 1 else 'entries'} written.")


@audit.command(epilog=example("audit verify"))
@click.option(
    "--expect",
    type=Seal(),
    metavar="NUMBER:DIGEST",
    help="A seal you wrote down: it has to be there, so that no end was cut off.",
)
@JSON
@click.pass_context
def verify(context: click.Context, expect: ExpectedSeal | None, as_json: bool) -> None:
    """Verify that no entry was changed, inserted or deleted, and no ended plan was changed;
    otherwise the exit code is 1.
    """
    found = verify_all(expect)
    if as_json:
        print_json(VerificationView.from_row(found))
    else:
        for problem in found.problems:
            say(problem.why.english, first="✗ ")
        if found.verifies:
            say(f"The audit verifies: {found.sealed} sealed entries in {found.seals} seals.")
            say(f"Plans that ended, and are as they were noted then: {found.plans}.")
        if found.unsealed:
            say(f"{found.unsealed} are not sealed yet; a worker seals them within minutes.")
        if last := found.last_seal:
            say(f"The newest seal, to be written down elsewhere: {last.number}:{last.digest}")
    if not found.verifies:
        context.exit(1)
