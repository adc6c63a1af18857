"""Commands inside a container in memory: enough of a shell to tell how it ends and what it
prints. Nothing is ever run.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

FOREVER = float("inf")
_BINARIES = {
    *(
        "sh",
        "true",
        "false",
        "sleep",
        "echo",
        "id",
        "cat",
        "env",
        "whoami",
        "hostname",
        "ls",
        "test",
    ),
    *("php", "occ", "tini", "jupyterhub-singleuser", "start-singleuser.sh"),
}
NOT_FOUND = (
    'Error: runc: exec failed: unable to start container process: exec: "{0}": stat {0}: '
    "no such file or directory: "
    "OCI runtime attempted to invoke a command that was not found\n"
)


@dataclass
class Course:
    """The course of a command. `code` None: it never ends by itself. `on_term` None: it ignores
    SIGTERM, as PID 1 does by default.
    """

    output: list[tuple[int, str]] = field(default_factory=list)
    seconds: float = 0.0
    code: int | None = 0
    on_term: int | None = None


def exists(argv: Sequence[str]) -> bool:
    """Return whether the image has this binary."""
    return bool(argv) and argv[0].rsplit("/", 1)[-1] in _BINARIES


def foresee(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> Course:
    """Say how the command will go. An unknown binary is the caller's business (`exists`)."""
    name = argv[0].rsplit("/", 1)[-1]
    course = Course()
    if name == "sh" and len(argv) > 2 and argv[1] == "-c":
        _script(argv[2], course, dict(environment or {}))
        return course
    if not _command(list(argv), course, dict(environment or {})):
        course.code = None
        course.seconds = FOREVER
    return course


def _script(script: str, course: Course, environment: dict[str, str]) -> None:
    for part in _split(script):
        words = _words(part)
        if not words:
            continue
        if words[0] in {"while", "until"}:
            course.code, course.seconds = None, FOREVER
            return
        if words[0] == "trap" and len(words) >= 3:
            if "TERM" in words[2:] or "15" in words[2:]:
                course.on_term = _trapped(words[1])
            continue
        if words[0] == "exit":
            course.code = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
            return
        if words[0] == "exec":
            words = words[1:]
        if not _command(words, course, environment):
            course.code, course.seconds = None, FOREVER
            return


def _trapped(action: str) -> int | None:
    found = re.search(r"exit\s*(\d*)", action)
    return int(found[1] or 0) if found else None


def _command(words: list[str], course: Course, environment: dict[str, str]) -> bool:
    """Go one simple command further; False when it never ends."""
    name = words[0].rsplit("/", 1)[-1]
    stream = 2 if ">&2" in words or "1>&2" in words else 1
    arguments = [_expanded(w, environment) for w in words[1:] if w not in {">&2", "1>&2"}]
    course.code = 0
    if name == "echo":
        course.output.append((stream, " ".join(arguments) + "\n"))
    elif name == "sleep":
        seconds = arguments[0] if arguments else ""
        if not re.fullmatch(r"\d+(\.\d+)?", seconds):
            return False
        course.seconds += float(seconds)
    elif name == "false":
        course.code = 1
    elif name == "id":
        course.output.append((stream, "uid=0(root) gid=0(root)\n"))
    elif name == "whoami":
        course.output.append((stream, "root\n"))
    elif name == "env":
        course.output.extend((stream, f"{key}={value}\n") for key, value in environment.items())
    elif name in {"jupyterhub-singleuser", "start-singleuser.sh", "tini"}:
        return False
    elif name not in _BINARIES:
        course.output.append((2, f"/bin/sh: {words[0]}: not found\n"))
        course.code = 127
    return True


def _expanded(word: str, environment: dict[str, str]) -> str:
    return re.sub(r"\$(\w+)|\$\{(\w+)\}", lambda m: environment.get(m[1] or m[2], ""), word)


def _words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return part.split()


def _split(script: str) -> list[str]:
    """Cut at semicolons and newlines outside quotes and before a `done`."""
    parts, current, quote = [], "", ""
    for character in script:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in ";\n":
            parts.append(current)
            current = ""
            continue
        current += character
    return [*parts, current]
