"""The helper container of a switch: the volumes of a stack, those beside, no network, and tar."""

from collections.abc import Mapping, Sequence
from typing import Final

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import Conflict
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import switch_name
from workspace_manager.systems.container_manager.snapshots.tar_container import (
    BESIDE,
    DOTS,
    FOLDER,
    KIND,
    PACK,
    HelperContainer,
    create_helper,
)

BESIDE_FOLDER: Final = "/beside"
"""The folder of the volumes beside, each under its key."""


class CopyContainer(HelperContainer):
    """The helper that copies the content beside into the volumes of a stack."""

    def replace(self, key: str) -> None:
        """Empty a volume, fill it from the one beside, and compare both. Raises Conflict if they
        differ.

        What is copied is packed first, in the container's own layer: a full disk empties nothing.
        """
        doing = message("replacing_volumes")
        source = (f"--file=/{BESIDE}", f"--directory={BESIDE_FOLDER}", f"./{key}")
        self._run((*PACK, *DOTS, *source), message("packing_volume"))
        # Each name is printed, since a large volume takes longer than the time limit of an answer.
        self._run(("find", f"{FOLDER}/{key}", "-mindepth", "1", "-delete", "-print"), doing)
        self._unpack(key)
        wanted = self.pack(key, _drop, folder=BESIDE_FOLDER)
        if self.pack(key, _drop) != wanted:
            raise Conflict(message("volume_differs", volume=key), kind=KIND, doing=doing)


def create_copier(
    client: Client,
    image: str,
    target: Target,
    volumes: Mapping[str, str],
    beside: Mapping[str, str],
    *,
    stopped: Sequence[str],
) -> CopyContainer:
    """Create the container. `volumes`, `beside`: the name of each volume by its key. Raises Invalid
    if the image is missing.
    """
    binds = [f"{name}:{FOLDER}/{key}:rw" for key, name in volumes.items()]
    binds += [f"{name}:{BESIDE_FOLDER}/{key}:ro" for key, name in beside.items()]
    name, mark = switch_name(target["stack"]), target["mark"]
    made = create_helper(client, image, name, mark, binds=binds, stopped=stopped)
    return CopyContainer(client, image, made)


def _drop(_piece: bytes) -> None:
    """Only the facts are wanted."""
