"""Output of the command line: tables or JSON, and errors as a sentence with advice, never a
traceback.
"""

import getpass
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import click
from django.core.exceptions import ImproperlyConfigured, ObjectDoesNotExist
from django.db import OperationalError, ProgrammingError
from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

from workspace_manager.cli.layout import block, cell, laid_out, plain, wrap_hanging
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.csv_table import BadFile
from workspace_manager.core.refusal import BadInput, Forbidden, Refused
from workspace_manager.core.views import View
from workspace_manager.inbox.put_off import NotWaiting
from workspace_manager.records.models import (
    ApiToken,
    Component,
    Person,
    Plan,
    Project,
    Registration,
    ServiceKey,
    Snapshot,
    TakeOver,
    Tombstone,
    UnapprovedSignIn,
    WebhookDelivery,
    WebhookEndpoint,
)

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

MISSING: Mapping[type[ObjectDoesNotExist], str] = {
    Person.DoesNotExist: "Nobody here has this name. See: workspace-manager people list",
    Plan.DoesNotExist: "There is no plan with this id. See: workspace-manager plans list",
    Registration.DoesNotExist: (
        "There is no registration with this id. See: workspace-manager registrations list"
    ),
    UnapprovedSignIn.DoesNotExist: (
        "No refused sign-in has this id. See: workspace-manager strangers list"
    ),
    Tombstone.DoesNotExist: ("This name is not reserved. See: workspace-manager tombstones list"),
    TakeOver.DoesNotExist: (
        "There is no take-over with this id. See: workspace-manager take-over history"
    ),
    ServiceKey.DoesNotExist: "There is no key with this id. See: workspace-manager keys list",
    Snapshot.DoesNotExist: (
        "There is no snapshot with this id. See: workspace-manager snapshots list"
    ),
    Component.DoesNotExist: (
        "There is no component or stack with this id. Its page has it in its address."
    ),
    WebhookEndpoint.DoesNotExist: (
        "There is no webhook with this id. See: workspace-manager webhooks list"
    ),
    WebhookDelivery.DoesNotExist: (
        "There is no delivery with this id. See: workspace-manager webhooks deliveries ID"
    ),
    ApiToken.DoesNotExist: "There is no token with this id. See: workspace-manager tokens list",
    NotWaiting: "Nothing with this key waits. See: workspace-manager inbox",
    Project.DoesNotExist: "There is no project with this id. Its page has it in its address.",
}
"""Messages for missing rows, with the command that lists them."""

WORDS = click.option(
    "--q",
    "words",
    default="",
    metavar="WORDS",
    help="Only where each of these words stands; who is called exactly so comes first.",
)
MOST_ERRORS = 20
NOTHING = "Nothing like that is found."
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """Turn exceptions of stories into a sentence and exit code 1; 2 for unusable arguments."""
    try:
        yield
    except (Refused, Forbidden) as no:
        fail(no.reason)
    except BadInput as wrong:
        reject_usage("; ".join(f"{field}: {text}" for field, text in wrong.errors.items()))
    except ConnectorError as trouble:
        fail(_of_a_system(trouble))
    except ObjectDoesNotExist as missing:
        fail(MISSING.get(type(missing), "There is no such thing."))
    except ImproperlyConfigured as wrong:
        fail(str(wrong))
    except (OperationalError, ProgrammingError) as database:
        fail(
            f"The database cannot be used ({database}). Check WORKSPACE_DATABASE_URL, "
            f"and run: workspace-manager migrate"
        )


@contextmanager
def reading(file: str, *, consequence: str) -> Iterator[None]:
    """Turn the errors of a table into its first wrong lines, and exit code 1."""
    try:
        yield
    except BadFile as wrong:
        lines = [f"line {line}: {text}" if line else str(text) for line, text in wrong.errors]
        more = [f"and {len(lines) - MOST_ERRORS} more."] if len(lines) > MOST_ERRORS else []
        first = f"{consequence} {file} has errors:"
        fail("\n".join([first, *lines[:MOST_ERRORS], *more]))


def fail(sentence: str) -> NoReturn:
    """Print an error and exit with 1."""
    _end(sentence, 1)


def reject_usage(sentence: str) -> NoReturn:
    """Print why the arguments cannot be used and exit with 2."""
    _end(sentence, 2)


def _end(sentence: str, code: int) -> NoReturn:
    _print(errors, wrap_hanging(Text("✗ ", "bold red"), sentence, _width(errors)))
    raise click.exceptions.Exit(code)


def say(sentence: str, *, first: Text | str = "") -> None:
    """Print a text, on a terminal wrapped between words with a hanging indent: behind its leading
    blanks, and behind `first`.
    """
    rest = sentence.lstrip("\n ")
    console.print("\n" * (len(sentence) - len(sentence.lstrip("\n"))), end="")
    blanks = len(sentence.lstrip("\n")) - len(rest)
    begin = Text.assemble(" " * blanks, first)
    _print(console, wrap_hanging(begin, rest, _width(console)))


def print_note(sentence: str) -> None:
    """Print a line to standard error, so that programs read only the output."""
    errors.print(plain(sentence))


def _print(where: Console, lines: Iterable[Text]) -> None:
    for line in lines:
        where.print(line)


def _width(where: Console) -> int | None:
    """Return the terminal's width; None in a pipe, where lines stay whole for grep."""
    return where.width if where.file.isatty() else None


def _of_a_system(trouble: ConnectorError) -> str:
    label = label_of(trouble.system).english
    detail = trouble.detail if trouble.detail.endswith((".", "!", "?")) else f"{trouble.detail}."
    return f"{label[:1].upper()}{label[1:]}, {trouble.doing}: {detail} {trouble.advice}".strip()


def show(
    rows: Sequence[Mapping[str, Any] | View], columns: Sequence[str], *, as_json: bool, empty: str
) -> None:
    """Print a list: JSON as `{"items", "count"}`, or a table of some columns, or `empty`."""
    if as_json:
        print_json({"items": list(rows), "count": len(rows)})
        return
    if not rows:
        say(empty)
        return
    told = [one.model_dump() if isinstance(one, View) else one for one in rows]
    _print(console, laid_out(told, columns, _width(console)))


def show_one(row: Mapping[str, Any]) -> None:
    _print(console, block(((k, cell(k, v)) for k, v in row.items()), _width(console)))


def print_json(document: Any) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, default=_encode))


def _encode(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else str(value)


def actor() -> str:
    """Return the actor for the audit log: the account on this host."""
    try:
        return f"command line ({getpass.getuser()})"
    except (KeyError, OSError):
        return "command line"
