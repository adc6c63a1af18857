"""`workspace-manager`, and `python -m workspace_manager.cli`: the table of commands.

Listing them (`--help`, shell completion) loads no command and does not set up Django, which takes a
second; a command is loaded when it runs.
"""

import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import IO, Any, Final

import click

from workspace_manager import __version__

GROUP: Final = "workspace_manager.commands"
"""The entry point group through which other distributions add commands."""

OURS: Final[Mapping[str, tuple[str, str]]] = {
    "administrators": ("administrators:administrators", "List, add and remove administrators."),
    "audit": ("audit:audit", "Show and verify the audit log."),
    "backfill-ontology-projects": (
        "backfill_ontology_projects:backfill",
        "Link projects to ontology projects.",
    ),
    "check": ("check:check", "Run every check of one system, or of all."),
    "health": ("health:health", "Show the state of the connected systems."),
    "hold": ("hold:hold", "Show and end a hold."),
    "inbox": ("inbox:inbox", "Show what needs attention."),
    "keys": ("keys:keys", "Service keys and the keys of stored secrets."),
    "letters": ("letters:letters", "Preview e-mails and show unsent ones."),
    "migrate": ("run_parts:migrate", "Bring the database schema to this version."),
    "people": ("people:people", "List, suspend, resume and remove people."),
    "plans": ("plans:plans", "Show plans and decide about their steps."),
    "reconcile": ("reconcile:reconcile", "Find and repair differences from the records."),
    "registrations": ("registrations:registrations", "List, approve and reject registrations."),
    "serve": ("run_parts:serve", "Serve pages and REST API."),
    "settings": ("settings:settings", "Settings of the connected systems."),
    "setup": ("setup:setup", "Prepare a system for the workspace."),
    "snapshots": ("snapshots:snapshots", "Copies of what is in components."),
    "strangers": ("strangers:strangers", "Decide about refused sign-ins."),
    "systems": ("systems:systems", "The connected systems."),
    "take-over": ("take_over:take_over", "Take over existing people and accounts."),
    "tokens": ("tokens:tokens", "Personal tokens for the REST API."),
    "templates": ("templates:templates", "Manage templates for knowledge stacks."),
    "tombstones": ("tombstones:tombstones", "List and release reserved names."),
    "webhooks": ("webhooks:webhooks", "Show webhooks and their deliveries."),
    "worker": ("run_parts:worker", "Run plans."),
}
"""Each command's place below this package, and its line in the list of commands."""

SANDBOX: Final = "workspace-manager-sandbox"
OF_THE_SANDBOX: Final[Mapping[str, str]] = {
    "demo": "Everything on this machine, until Ctrl-C.",
    "sandbox": "The connected systems alone, on this machine.",
    "storm": "Many people leave while systems fail.",
}
"""Listed by name, to tell users which distribution is missing: the manager imports nothing of
it.
"""


class UsageMistake(click.ClickException):
    """Wrong usage, reported without loading a command."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"✗ {self.message}", file=file or sys.stderr)


class MissingDistribution(UsageMistake):
    """A command of a distribution that is not installed here."""

    def __init__(self, command: str) -> None:
        super().__init__(
            f"`{command}` belongs to the distribution {SANDBOX}, which is not installed here: "
            f"pip install {SANDBOX}=={__version__} (in a clone of the repository: pip "
            f"install ./sandbox)"
        )


class NoText(UsageMistake):
    """An argument with bytes that are no characters: Python turns them into lone surrogates, which
    no database stores.
    """

    def __init__(self, argument: str) -> None:
        shown = argument.encode(errors="backslashreplace").decode()
        super().__init__(
            f"“{shown}” is no text: the terminal sent bytes that are not in its encoding (UTF-8?)."
        )


class Cli(click.Group):
    """A group of commands that are loaded when they run."""

    def __init__(self, *args: Any, starts: Iterable[tuple[EntryPoint, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.starts: dict[str, EntryPoint] = {}
        for start, help_line in starts:
            if start.name not in self.starts:
                self.starts[start.name] = start
                self.add_command(click.Command(start.name, help=help_line))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse arguments that no command could store or print."""
        for argument in args:
            if not _is_text(argument):
                raise NoText(argument)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Load the requested command; its errors end in a sentence from here on."""
        if args[0] in OF_THE_SANDBOX and args[0] not in self.starts:
            raise MissingDistribution(args[0])
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is None or name is None:
            return name, listed, rest
        ready = EntryPoint("", "workspace_manager.cli.ready:errors_as_sentences", GROUP)
        ctx.with_resource(ready.load()())
        return name, self.starts[name].load(), rest


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _starts() -> Iterable[tuple[EntryPoint, str]]:
    """Yield our commands first, so that no other distribution can replace one."""
    for name, (place, help_line) in OURS.items():
        yield EntryPoint(name, f"{__package__}.{place}", GROUP), help_line
    for entry in entry_points(group=GROUP):
        distribution = entry.dist.name if entry.dist else "another distribution"
        yield entry, OF_THE_SANDBOX.get(entry.name, f"A command of {distribution}.")


main = Cli(
    name="workspace-manager",
    help="Let people into a shared research workspace, and let them go again.",
    starts=_starts(),
)
click.version_option(__version__, prog_name="workspace-manager", message="%(prog)s %(version)s")(
    main
)

if __name__ == "__main__":
    sys.exit(main())
