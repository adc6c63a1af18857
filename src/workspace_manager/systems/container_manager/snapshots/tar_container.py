"""A helper container beside a stack, with the stack's volumes, no network, and tar."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import (
    ConnectorError,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import TableFacts
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.client.contents import Output
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    HELPER_LABEL,
    STOPPED_LABEL,
    VOLUMES_KIND,
    helper_name,
)
from workspace_manager.systems.container_manager.snapshots.archive import (
    ArchiveCut,
    pass_on,
    wrap,
)

KIND: Final = VOLUMES_KIND
FOLDER: Final = "/volumes"
"""The folder of the volumes in it, each under its key."""
BESIDE: Final = "workspace-snapshot.tar"
"""The archive to unpack, in the container's own layer, which is deleted with the container."""
LIVES_S: Final = 7 * 24 * 3600
"""Seconds until a forgotten helper ends. Its record of stopped containers stays."""
PACK: Final = (
    *("tar", "--create", "--format=posix", "--numeric-owner", "--sparse"),
    *("--xattrs", "--acls", "--sort=name"),
)
UNPACK: Final = (
    *("tar", "--extract", f"--file=/{BESIDE}", "--numeric-owner", "--same-owner"),
    *("--same-permissions", "--sparse", "--xattrs", "--xattrs-include=*", "--acls"),
)
DOTS: Final = ("--checkpoint=1000", "--checkpoint-action=dot")
"""Output after each 10 MB: a large volume takes longer than the time limit of an answer."""
NOTHING: Final = ("find", FOLDER, "-mindepth", "1", "-maxdepth", "0", "-delete")
"""A command that finds nothing to delete."""
CHANGED: Final = 1
"""tar's exit code if a file changed while it was packed."""
NOT_STARTED: Final = (125, 126, 127)
UNFIT: Final = (b"nrecognized option", b"find: unrecognized:", b"find: unknown predicate")
"""What another tar, and another find, say of our options."""
KILLED: Final = 137


def create_helper(
    client: Client,
    image: str,
    name: str,
    mark: str,
    *,
    binds: Sequence[str] = (),
    stopped: Sequence[str] = (),
) -> str:
    """Create a helper container and return its id. Raises Invalid if the image is missing."""
    wanted: dict[str, Any] = {
        "Image": image,
        "Entrypoint": ["sleep"],
        "Cmd": [str(LIVES_S)],
        "User": "0",
        "Labels": {HELPER_LABEL: mark, STOPPED_LABEL: json.dumps([*stopped])},
        "HostConfig": {
            "Binds": [*binds],
            "NetworkMode": "none",
            # The output is the content, so the engine must not log it.
            "LogConfig": {"Type": "none"},
            "SecurityOpt": ["no-new-privileges"],
        },
    }
    try:
        return client.create_container(name, wanted)
    except NotFound as none:
        raise unfit_image(message("helper_image_missing", image=image)) from none


class HelperContainer:
    """One helper container, in which tar runs."""

    def __init__(self, client: Client, image: str, container_id: str) -> None:
        self._client = client
        self._image = image
        self.id = container_id

    def start(self) -> None:
        self._client.start(self.id)

    def remove(self) -> None:
        with contextlib.suppress(NotFound):
            self._client.remove_at_once(self.id)

    def probe(self) -> None:
        """Raise Invalid if the image cannot empty a volume."""
        self._run(NOTHING, message("replacing_volumes"))

    def pack(
        self, key: str, take: Callable[[bytes], object], *, folder: str = FOLDER
    ) -> TableFacts:
        """Forward a volume as an archive, in pieces, and return the facts of its content."""
        doing = message("packing_volume")
        command = (*PACK, "--file=-", f"--directory={folder}", f"./{key}")
        with self._running(command, doing) as output:
            try:
                return pass_on(iter(output), take, name=key)
            except ArchiveCut:
                # The exit code says more than that the archive was cut.
                cut = Unavailable(message("output_cut"), kind=KIND, doing=doing)
        raise cut

    def unpack(self, key: str, pieces: Iterator[bytes], size: int) -> None:
        """Fill a volume from an archive of `size` bytes, which is stored beside it meanwhile."""
        archive, length = wrap(pieces, size, name=BESIDE)
        self._client.put_archive(self.id, "/", archive, length)
        self._unpack(key)

    def _unpack(self, key: str) -> None:
        command = (*UNPACK, *DOTS, f"--directory={FOLDER}", f"./{key}")
        self._run(command, message("unpacking_volume"))

    def _run(self, command: Sequence[str], doing: Message) -> None:
        """Run a command, and drop its output."""
        with self._running(command, doing) as output:
            for _ in output:
                pass

    @contextlib.contextmanager
    def _running(self, command: Sequence[str], doing: Message) -> Iterator[Output]:
        """Run a command, and check its exit code after its output was read. Raises Unavailable and
        Invalid.
        """
        exec_id = self._client.create_command(self.id, command, user="0", environment={})
        with self._client.run_command(exec_id) as output:
            yield output
        code = self._client.inspect_command(exec_id).exit_code
        if code:
            raise self._failure(command, code, output.said, doing)
        if code is None:
            raise Unavailable(message("end_not_shown"), kind=KIND, doing=doing)

    def _failure(
        self, command: Sequence[str], code: int, said: bytes, doing: Message
    ) -> ConnectorError:
        """Return the error of a failed command. Its words name somebody's files, so nobody sees
        them.
        """
        if code in NOT_STARTED or any(words in said for words in UNFIT):
            return unfit_image(message("helper_image_unfit", image=self._image))
        if b"No space left" in said or b"Disk quota exceeded" in said:
            full = message("engine_disk_full")
            return Unavailable(full, kind=KIND, doing=doing, advice=message("make_room_there"))
        if code == KILLED:
            return Unavailable(message("helper_ended"), kind=KIND, doing=doing)
        if code == CHANGED and "--create" in command:
            return Unavailable(message("files_changed"), kind=KIND, doing=doing)
        text = message("find_failed" if command[0] == "find" else "tar_failed", code=code)
        return Invalid(text, kind=KIND, doing=doing, advice=message("look_at_volume"))


class TarContainer(HelperContainer):
    """The helper of a stack, created and not yet started."""

    def __init__(
        self,
        client: Client,
        image: str,
        target: Target,
        volumes: Mapping[str, str],
        *,
        stopped: Sequence[str] = (),
        writes: bool = False,
    ) -> None:
        """Create the container. `volumes`: the name of each by its key. Raises Invalid if the image
        is missing.
        """
        how = "rw" if writes else "ro"
        binds = [f"{name}:{FOLDER}/{key}:{how}" for key, name in volumes.items()]
        name, mark = helper_name(target["stack"]), target["mark"]
        made = create_helper(client, image, name, mark, binds=binds, stopped=stopped)
        super().__init__(client, image, made)


def unfit_image(text: Message) -> Invalid:
    advice = message("set_helper_image")
    return Invalid(text, kind=KIND, doing=message("creating_helper"), advice=advice)
