"""Every system as a stand-in, beside the pages: what the systems say on a page is then what they do
say.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.server import StandIn
from workspace_sandbox.world import World


class Sandbox:
    """A running world, and its faults."""

    def __init__(self, world: World) -> None:
        self.world = world

    def stand_in(self, name: str) -> StandIn:
        """The stand-in of one system, by the beginning of its class's name."""
        (found,) = (one for one in self.world.stand_ins if type(one).__name__.startswith(name))
        return found

    def fault(self, name: str, **document: object) -> None:
        """From now on calls of this system go wrong, until `calm`."""
        self.stand_in(name).faults.add({"times": 10_000, "path": "", **document})

    def calm(self) -> None:
        """Everything works again."""
        for one in self.world.stand_ins:
            one.faults.waiting.clear()


@contextmanager
def sandbox(data_dir: Path, manager_url: str) -> Iterator[Sandbox]:
    """Run one in a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    world = World(data_dir=data_dir, manager_url=manager_url)
    try:
        asyncio.run_coroutine_threadsafe(world.start(), loop).result(PATIENCE_S)
        yield Sandbox(world)
    finally:
        asyncio.run_coroutine_threadsafe(world.stop(), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()
