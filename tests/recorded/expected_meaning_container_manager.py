"""The meanings of Portainer's answers, and of those of the engine behind it or alone.

There are six kinds of 404, and only the engine's own "no such container" is the absence of a
container. A code here begins with who said it.

See docs/systems/container-manager.md.
"""

from collections.abc import Mapping
from typing import Any

from tests.recorded.expected_meaning import NO_ANSWER, Table, rows

PROXY = "/api/endpoints/{environment}/docker"
STACK, STACKS = "/api/stacks/{stack}", "/api/stacks"
ENVIRONMENT = "/api/endpoints/{environment}"
OF_THE_ENGINE = (
    "/_ping",
    "/version",
    "/info",
    "/containers/json",
    "/containers/create",
    "/containers/prune",
    "/containers/{container}",
    "/containers/{container}/{verb}",
    "/exec/{exec}/{verb}",
    "/volumes",
    "/volumes/create",
    "/volumes/prune",
    "/volumes/{volume}",
    "/networks",
    "/networks/create",
    "/networks/prune",
    "/networks/{network}",
    "/networks/{network}/{verb}",
    "/images/json",
    "/images/create",
    "/images/{image}/{verb}",
    "/images/{image}",
    "/{unknown...}",
)

ROUTES = (
    f"{PROXY}/v1.{{minor}}{{engine...}}",
    *(PROXY + route for route in OF_THE_ENGINE),
    ENVIRONMENT,
    f"{ENVIRONMENT}/{{part...}}",
    "/api/endpoints",
    f"{STACKS}/create/{{type}}/{{method}}",
    STACK,
    f"{STACK}/{{verb...}}",
    STACKS,
    f"{STACKS}/",
    "/api/auth",
    "/api/auth/logout",
    "/api/status",
    "/api/system/{part...}",
    "/api/users",
    "/api/users/me",
    "/api/users/admin/{verb}",
    "/api/users/{user}",
    "/api/users/{user}/tokens",
    "/api/users/{user}/tokens/{token}",
    "/api/settings",
    "/api/settings/public",
    "/api/{unknown...}",
    *("/v1.{minor}" + route for route in OF_THE_ENGINE),
    *OF_THE_ENGINE,
)


def code(
    status: int | None, kind: str, text: str, document: Any, headers: Mapping[str, str]
) -> str:
    """Who refused and with which words; of a success what kind of thing came back."""
    if kind == "application/vnd.docker.raw-stream":
        return "frames" if text[:1] in {"", "\0", "\1", "\2"} else "stream without frames"
    if not text.strip():
        return "nothing"
    if (status or 0) < 300:
        return kind
    if not isinstance(document, dict):
        return f"text: {text.strip().splitlines()[0]}"
    who = "portainer" if "details" in document else "engine"
    said = str(document.get("message", "")).strip().splitlines() or [""]
    if who == "portainer" and " a stack: " in said[0]:
        # Compose's progress follows, with names in it.
        said = [said[0].partition(":")[0]]
    unauthorized = " (unauthorized)" if document.get("details") == "Unauthorized" else ""
    return f"{who}: {said[0]}{unauthorized}"


TABLE = Table(
    "container-manager",
    ROUTES,
    rows(
        (
            ("*", "*", NO_ANSWER, "*", "unavailable"),
            ("*", "*", 429, "*", "unavailable"),
            ("*", "*", "5xx", "*", "unavailable"),
            ("*", "*", 401, "*", "denied"),
            ("*", "*", 403, "*", "denied"),
            ("*", "*", 422, "portainer: * (unauthorized)", "denied"),
            # Only what was addressed can be gone; that something else is missing says that we asked
            # wrongly.
            (
                "*",
                "*/containers/{container}*",
                404,
                "engine: no container with name or ID *",
                "gone",
            ),
            ("*", "*/exec/{exec}/{verb}", 404, "engine: no exec session *", "gone"),
            ("*", "*/volumes/{volume}", 404, "engine: *no such volume", "gone"),
            ("*", "*/networks/{network}*", 404, "engine: network not found*", "gone"),
            ("*", "*/networks/{network}*", 404, "engine: *no such network", "gone"),
            ("*", "*/images/{image}*", 404, "engine: *image not known", "gone"),
            ("*", f"{STACK}*", 404, "portainer: Unable to find a stack *", "gone"),
            ("*", "*", 404, "*", "invalid"),
            ("*", "*", 409, "* is paused*", "unavailable"),
            ("*", "*", 409, "* is not running*", "unavailable"),
            ("*", "*", 409, "*", "conflict"),
            ("*", "*", "4xx", "*", "invalid"),
            ("POST", "*/containers/{container}/{verb}", 304, "nothing", "already"),
            ("*", "*", "3xx", "*", "invalid"),
        ),
        (
            # No call of ours asks for an upgrade or for a terminal; a command that printed nothing
            # is one that ran.
            ("*", "*", 101, "*", "invalid"),
            ("POST", "*/exec/{exec}/{verb}", 200, "frames", "done"),
            ("POST", "*/exec/{exec}/{verb}", 200, "nothing", "done"),
            ("POST", "*/exec/{exec}/{verb}", 200, "*", "invalid"),
            ("*", "*", "2xx", "*", "done"),
        ),
    ),
    code,
)
