"""`storm`: people leave while every system answers badly, and the systems' own ledgers say what
came of it.
"""

import random

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.output import fail, say
from workspace_sandbox.demo import DemoFailed
from workspace_sandbox.storm.run import Storm, StormFailed


@click.command(epilog=example("storm --people 20 --seed 7"))
@click.option("--people", default=200, show_default=True, help="How many are removed.")
@click.option("--seed", type=int, help="Of the faults. Default: drawn, and printed.")
@click.option(
    "--rate",
    type=click.FloatRange(0, 0.5),
    default=0.05,
    show_default=True,
    help="Of all calls that meet a fault.",
)
@click.option(
    "--no-late-looks", is_flag=True, help="Do not wait for the looks after the last token."
)
def storm(people: int, seed: int | None, rate: float, no_late_looks: bool) -> None:
    """Remove many people on stand-ins under random faults, while others come in; count what was
    lost, false or repeated.
    """
    seed = random.SystemRandom().randrange(10_000) if seed is None else seed
    try:
        outcome = Storm(people, seed, rate=rate, late=not no_late_looks, say=say).run()
    except (DemoFailed, StormFailed) as why:
        fail(f"seed {seed}: {why}")
    for line in outcome.lines():
        say(line)
    if not outcome.clean:
        fail(
            f"The storm broke something. Have it again: workspace-manager storm --people "
            f"{people} --seed {seed}"
        )
