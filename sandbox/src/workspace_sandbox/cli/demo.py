"""`demo`: the whole life of a person on this machine, with one command."""

import signal
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import console, fail, print_json, print_note, say
from workspace_sandbox.demo import Demo, DemoFailed, parts_by_default


@click.command(epilog=example("demo --port 8000 --data my-demo"))
@click.option(
    "--port", default=8000, show_default=True, help="Of the manager's pages; 0 takes a free one."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep everything here. Default: a temporary folder.",
)
@click.option("--fresh", is_flag=True, help="Begin anew, although --data holds an earlier demo.")
@click.option(
    "--real/--stand-ins",
    default=None,
    help="Use real Keycloak, MariaDB, podman, JupyterHub, RDF4J, and what the folder of parts has; "
    "or stand-ins alone. Default: stand-ins, and a real MariaDB where it is installed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line when ready.")
def demo(port: int, data: Path | None, fresh: bool, real: bool | None, as_json: bool) -> None:
    """Start all systems, the manager and its worker on loopback; Ctrl-C stops everything."""
    ended = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        ended.set()
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    only = parts_by_default(data, fresh=fresh) if real is None else frozenset[str]()
    running = Demo(port=port, data_dir=data, real=bool(real or only), only=only, fresh=fresh)
    try:
        if not as_json:
            say("Starting the systems, the manager and its worker …")
        told = running.start()
        if as_json:
            print_json(told)
        else:
            _tell(told)
        while not ended.wait(1):
            for name in running.ended():
                print_note(
                    f"The {name} ended. Start it again beside this demo, or stop the "
                    f"demo with Ctrl-C."
                )
    except KeyboardInterrupt:
        pass
    except DemoFailed as why:
        running.stop()
        fail(str(why))
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        running.stop()


def _tell(told: dict[str, Any]) -> None:
    administrator = told["administrator"]
    console.print(f"\n[bold]The workspace is ready:[/] [link]{told['manager']}[/link]\n")
    say(f"  administrator   {administrator['username']:<10} {administrator['password']}")
    for person in told["people"]:
        word = "person" if person["linked"] else "never signed in"
        say(f"  {word:<15} {person['username']:<10} {person['password']}")
    say(
        "\nEverybody signs in through the identity provider; two people wait in the "
        "queue to be approved."
    )
    say(
        "Try: approve Barbara, sign in as Grace and make a database, then remove Alan "
        "and watch the seven steps.\n"
    )
    for name, system in told["systems"].items():
        address = system.get("url") or f"{system.get('host')}:{system.get('port')}"
        say(f"  {name.replace('_', ' '):<18} {address:<28} {system['part']}")
    for note in told["notes"]:
        say(f"  ! {note}")
    say(f"\nE-mails are written to {told['mail']}.")
    say(f"For commands in another terminal, there: . {told['shell']}")
    say("Ctrl-C stops everything.")
