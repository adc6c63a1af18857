"""`reconcile connect|adopt|remove|…`: act on one difference."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.local_time import ZONE, local
from workspace_manager.cli.output import actor, fail, reject_usage, say
from workspace_manager.cli.plans import print_plan
from workspace_manager.core.timestamps import in_utc, parse_moment
from workspace_manager.engine.preview import await_looks
from workspace_manager.plan_kinds import view_plan
from workspace_manager.reconcile import repairs
from workspace_manager.wiring import connected_systems

NUMBER = click.argument("n", type=click.IntRange(min=1))
HELP = {
    "remove": "Remove an account or a thing of nobody.",
    "shut": "Disable an account that is open although its person is suspended.",
    "take": "Take a right that nobody shared.",
    "give_back": "Give back a right that somebody has by the records.",
}


@click.command(epilog=example("reconcile connect 17 anna"))
@NUMBER
@click.argument("name")
def connect(n: int, name: str) -> None:
    """Record the account of difference N as NAME's."""
    item = repairs.connect(n, name, actor=actor(), systems=connected_systems())
    say(f"{item.name} is recorded as an account of {name}.")


@click.command(epilog=example("reconcile disconnect 17"))
@NUMBER
def disconnect(n: int) -> None:
    """Remove the account of difference N from the records; the account itself stays."""
    item = repairs.disconnect(n, actor=actor())
    say(f"By the records {item.name} is nobody's now.")


@click.command(epilog=example("reconcile adopt 17"))
@NUMBER
def adopt(n: int) -> None:
    """Give the account of difference N to the person whose it may be by the records."""
    item = repairs.adopt(n, actor=actor(), systems=connected_systems())
    say(f"{item.name} belongs to {item.username} from now on.")


@click.command(epilog=example('reconcile ignore 17 --reason "Reports" --until 2027-01-31'))
@NUMBER
@click.option("--reason", required=True, metavar="TEXT", help="Reason, shown to administrators.")
@click.option(
    "--until",
    required=True,
    metavar="MOMENT",
    help="A date (its first minute, in this terminal's time zone) or a moment.",
)
def ignore(n: int, reason: str, until: str) -> None:
    """Put difference N off."""
    try:
        moment = parse_moment(until, ZONE)
    except ValueError:
        reject_usage(f"“{until}” is no date and no moment. Write --until 2027-01-31.")
    item = repairs.ignore(n, reason=reason, until=moment, actor=actor())
    say(f"It is shown again: {local(in_utc(moment))} ({item.name}).")


def repair_command(what: str) -> click.Command:
    """Return the command that shows one repair, asks, and starts it."""
    typed = what.replace("_", "-")

    @click.command(typed, help=HELP[what], epilog=example(f"reconcile {typed} 17"))
    @NUMBER
    @click.option("--yes", is_flag=True, help="Do not ask.")
    def command(n: int, yes: bool) -> None:
        plan = repairs.draft(n, what, actor=actor(), systems=connected_systems())
        await_looks(plan)
        print_plan(view_plan(plan))
        if not yes and not click.confirm("\nStart it?"):
            fail("Nothing was started.")
        repairs.approve(plan.id, digest=plan.digest, actor=actor())
        say(f"\nIt runs as plan {plan.id}.")

    return command


COMMANDS = (connect, disconnect, adopt, *(repair_command(what) for what in repairs.PLANNED), ignore)
