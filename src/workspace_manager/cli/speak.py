"""How the command line speaks: tables or JSON, and errors as a sentence with what to do, never a traceback."""

import getpass
import json
import sys
from collections.abc import Sequence
from typing import Any

import click
from django.core.exceptions import ImproperlyConfigured, ObjectDoesNotExist
from django.db import OperationalError, ProgrammingError
from rich.console import Console
from rich.table import Table

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.lifecycle.refusal import BadInput, Forbidden, Refused

# A pipe has no width: lines are not broken there, so that grep finds them.
console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 240)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Cli(click.Group):
    """Turn what stories raise into a sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (Refused, Forbidden) as no:
            fail(no.reason)
        except BadInput as wrong:
            fail("; ".join(f"{field}: {text}" for field, text in wrong.errors.items()))
        except ConnectorError as trouble:
            fail(f"{trouble} {trouble.advice}".strip())
        except ObjectDoesNotExist as missing:
            fail(f"There is no such thing: {missing}")
        except ImproperlyConfigured as wrong:
            fail(str(wrong))
        except (OperationalError, ProgrammingError) as database:
            fail(
                f"The database cannot be used ({database}). Check WORKSPACE_DATABASE_URL, and run: workspace-manager migrate"
            )


def fail(sentence: str) -> None:
    """Say what is wrong and end with exit code 1."""
    errors.print(f"[bold red]✗[/] {_plain(sentence)}")
    raise click.exceptions.Exit(1)


def say(sentence: str) -> None:
    """One line for people."""
    console.print(_plain(sentence))


def _plain(text: str) -> str:
    # Rich reads square brackets as markup; people's texts are shown as they are.
    return text.replace("[", "\\[")


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], *, as_json: bool, empty: str
) -> None:
    """Print a list: JSON as `{"items", "count"}`, or a table of some columns, or what an empty list means."""
    if as_json:
        print_json({"items": list(rows), "count": len(rows)})
        return
    if not rows:
        say(empty)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_plain("" if row.get(c) is None else str(row.get(c))) for c in columns))
    console.print(table)


def print_json(document: Any) -> None:
    """One JSON document on one line."""
    click.echo(json.dumps(document, ensure_ascii=False, default=str))


def actor() -> str:
    """Who acts, in the history: the account on this host."""
    try:
        return f"command line ({getpass.getuser()})"
    except (KeyError, OSError):
        return "command line"
