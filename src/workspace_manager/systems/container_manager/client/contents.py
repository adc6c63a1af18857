"""Calls to the engine that move content: a container made for that, a command whose output is
read while it comes, and a file put beside.

No connection is upgraded: through Portainer to a local socket an upgraded one gives nothing
(docs/systems/container-manager.md#environments-and-the-engine-behind-them).
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.systems.container_manager.client.answers import as_object
from workspace_manager.systems.container_manager.client.connection import Connection
from workspace_manager.systems.container_manager.client.frames import OUTPUT, read_frames
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import VOLUMES_KIND

KIND: Final = VOLUMES_KIND
TAIL: Final = 4096
"""Bytes that are kept of what a command says of its failure."""


class Output:
    """What a command gives while it runs. `said`: the end of what it says beside it."""

    def __init__(self, frames: Iterator[tuple[int, bytes]]) -> None:
        self._frames = frames
        self.said = b""

    def __iter__(self) -> Iterator[bytes]:
        """Give its pieces. Raises Unavailable where the stream is cut."""
        try:
            for stream, data in self._frames:
                if stream == OUTPUT:
                    yield data
                else:
                    self.said = (self.said + data)[-TAIL:]
        except ValueError as cut:
            doing = message("running_command")
            raise Unavailable(message("output_cut"), kind=KIND, doing=doing) from cut


class Contents:
    """The calls about content of the client."""

    connection: Connection

    def image(self, name: str) -> dict[str, Any]:
        """Look at an image. Raises NotFound when the engine has none of that name."""
        doing = message("looking_at_image")
        path = f"/images/{quote(name, safe='/:@')}/json"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="image")
        return as_object(answer)

    def create_container(self, name: str, wanted: Mapping[str, Any]) -> str:
        """Create it; gives its id. Raises NotFound where its image is not there."""
        answer = self.connection.engine(
            "POST",
            "/containers/create",
            doing=message("creating_helper"),
            kind=KIND,
            thing="image",
            accept=(200, 201),
            params={"name": name},
            json_body=dict(wanted),
        )
        found = as_object(answer).get("Id")
        if not isinstance(found, str) or not found:
            raise answer.error(Invalid, message("no_container_described", shape=answer.shape))
        return found

    def remove_at_once(self, container_id: str) -> None:
        """Kill and remove a container of ours that holds nothing. Raises NotFound where it is
        gone.
        """
        doing = message("removing_container")
        self.connection.engine(
            "DELETE",
            f"/containers/{segment(container_id, kind=KIND, doing=doing)}",
            doing=doing,
            kind=KIND,
            thing="container",
            accept=(204,),
            params={"force": "1", "v": "1"},
        )

    def create_volume(self, name: str, labels: Mapping[str, str]) -> None:
        """Create an empty one; one that is there already stays as it is."""
        self.connection.engine(
            "POST",
            "/volumes/create",
            doing=message("creating_volume"),
            kind=KIND,
            accept=(200, 201),
            json_body={"Name": name, "Labels": dict(labels)},
        )

    @contextlib.contextmanager
    def run_command(self, exec_id: str) -> Iterator[Output]:
        """Run a prepared command, and give its output while it comes."""
        doing = message("running_command")
        call = self.connection.stream(
            "POST",
            f"/exec/{segment(exec_id, kind=KIND, doing=doing)}/start",
            doing=doing,
            kind=KIND,
            thing="exec",
            json_body={"Detach": False, "Tty": False},
        )
        with call as pieces:
            yield Output(read_frames(pieces))

    def put_archive(
        self, container_id: str, folder: str, archive: Iterator[bytes], size: int
    ) -> None:
        """Unpack an archive of `size` bytes into a folder of a container, as the engine does:
        whatever is in it belongs to root.
        """
        doing = message("putting_content")
        call = self.connection.stream(
            "PUT",
            f"/containers/{segment(container_id, kind=KIND, doing=doing)}/archive",
            doing=doing,
            kind=KIND,
            thing="container",
            params={"path": folder},
            content=archive,
            headers={"Content-Type": "application/x-tar", "Content-Length": str(size)},
        )
        with call as pieces:
            for _ in pieces:
                pass
