"""Commands inside the containers of the engine in memory, and the frames their output comes in."""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.container_manager import archives, process
from workspace_sandbox.stand_ins.container_manager.engine import DRIVE_CONTAINER, Containers, Record
from workspace_sandbox.stand_ins.container_manager.wire import EngineRefusal

Output: TypeAlias = list[tuple[int, str | bytes]]
Occ: TypeAlias = Callable[[Sequence[str]], tuple[int, str]]
"""The drive's command-line tool: takes the whole command, gives exit code and output."""
_OF_VOLUMES = {"tar": archives.run_tar, "find": archives.run_find}
_USERS = {"", "root", "www-data", "nobody", "daemon", "jovyan"}


def frame(stream: int, output: str | bytes) -> bytes:
    """Return one frame: stream number, three zero bytes, length, output."""
    data = output.encode() if isinstance(output, str) else output
    return bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data


class Execs:
    """Exec sessions. `occ` answers what is run in the container of the drive."""

    def __init__(self, containers: Containers, occ: Occ | None) -> None:
        self._containers = containers
        self.occ = occ

    @property
    def sessions(self) -> dict[str, Record]:
        found: dict[str, Record] = self._containers.state["execs"]
        return found

    def create(self, container: Record, body: Mapping[str, Any]) -> str:
        argv = [str(part) for part in body.get("Cmd") or []]
        number = container["id"]
        if not argv:
            raise EngineRefusal(
                500,
                "invalid argument",
                "must provide a non-empty command to start an exec session: ",
            )
        if container["status"] == "paused":
            cause = f"cannot create exec session as container {number} is paused"
            raise EngineRefusal(409, cause)
        if container["status"] != "running":
            raise EngineRefusal(
                500,
                "container state improper",
                "can only create exec sessions on running containers: ",
            )
        session = {
            "id": secrets.token_hex(32),
            "container": number,
            "argv": argv,
            "env": [str(entry) for entry in body.get("Env") or []],
            "user": str(body.get("User") or ""),
            "tty": bool(body.get("Tty")),
            "stdout": bool(body.get("AttachStdout")),
            "stderr": bool(body.get("AttachStderr")),
            "state": "created",
            "exit_code": 0,
        }
        self.sessions[str(session["id"])] = session
        self._containers.changed()
        return str(session["id"])

    def find(self, number: str) -> Record:
        if number not in self.sessions:
            raise EngineRefusal(
                404, "no such exec session", f"no exec session with ID {number} found: "
            )
        return self.sessions[number]

    def of(self, container: Record) -> list[str]:
        return [s["id"] for s in self.sessions.values() if s["container"] == container["id"]]

    async def start(self, session: Record, *, detached: bool) -> bytes:
        """Run it and give its output as it goes over the wire; detached sessions give nothing and
        never show an end.
        """
        if session["state"] != "created":
            raise EngineRefusal(
                500,
                "exec session state improper",
                f"can only start created exec sessions, while container "
                f"{session['container']} session {session['id']} "
                f'state is "{session["state"]}": ',
            )
        user = session["user"].partition(":")[0]
        if user not in _USERS and not user.isdigit():
            self._end(session, 125)
            raise EngineRefusal(
                500, "no matching entries in passwd file", f"unable to find user {user}: "
            )
        session["state"] = "running"
        self._containers.changed()
        if detached:
            return b""
        output, code = await self._run(session)
        self._end(session, code)
        return self._on_wire(session, output)

    async def _run(self, session: Record) -> tuple[Output, int]:
        container = self._containers.containers.get(session["container"])
        argv = session["argv"]
        if container is not None and self.occ and container["name"] == DRIVE_CONTAINER:
            code, text = await asyncio.to_thread(self.occ, argv)
            return ([(1 if code == 0 else 2, text)] if text else []), code
        if container is not None and argv[0] in _OF_VOLUMES:
            volumes = self._containers.state["volumes"]
            data, said, code = _OF_VOLUMES[argv[0]](argv, container, volumes)
            return [*([(1, data)] if data else []), *([(2, said)] if said else [])], code
        if not process.exists(argv):
            return [
                (2, process.NOT_FOUND.format(argv[0])),
                (
                    2,
                    (
                        "Error: read unixpacket @->/proc/self/fd/14/attach: read: connection "
                        "reset by peer\n"
                    ),
                ),
            ], 127
        environment = dict(entry.partition("=")[::2] for entry in session["env"])
        course = process.foresee(argv, environment)
        if container is None or (
            course.seconds and await self._containers.ends_within(container, course.seconds)
        ):
            return [], 137
        return [*course.output], course.code or 0

    def _on_wire(self, session: Record, output: Output) -> bytes:
        if session["tty"]:
            text = "".join(str(one) for _, one in output)
            return text.replace("\n", "\r\n").encode()
        shown = {1: session["stdout"], 2: session["stderr"]}
        return b"".join(frame(stream, text) for stream, text in output if shown[stream])

    def _end(self, session: Record, code: int) -> None:
        session.update(state="stopped", exit_code=code)
        self._containers.changed()
