"""Calls to the engine that move content: a container for that purpose, a command whose output is
read while it arrives, and an uploaded file.

No connection is upgraded: through Portainer to a local socket, an upgraded one has no output
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
"""Bytes kept of a command's error output."""


class Output:
    """The output of a command while it runs. `said`: the end of its error output."""

    def __init__(self, frames: Iterator[tuple[int, bytes]]) -> None:
        self._frames = frames
        self.said = b""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the pieces. Raises Unavailable if the stream is cut."""
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
    """The client's calls about content."""

    connection: Connection

    def image(self, name: str) -> dict[str, Any]:
        """Return an image. Raises NotFound if the engine does not have it."""
        doing = message("looking_at_image")
        path = f"/images/{quote(name, safe='/:@')}/json"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="image")
        return as_object(answer)

    def create_container(self, name: str, wanted: Mapping[str, Any]) -> str:
        """Create a container and return its id. Raises NotFound if its image is missing."""
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
        """Kill and remove a container of ours without content. Raises NotFound if it is gone."""
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
        """Create an empty volume; an existing one stays as it is."""
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
        """Run a prepared command, and yield its output while it arrives."""
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
        """Unpack an archive of `size` bytes into a folder of a container. Everything in it belongs
        to root, as the engine unpacks it.
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
