"""What a request to create a stack asks for, in its three forms (facts 1.4)."""

import json
import re
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Request
from workspace_sandbox.stand_ins.container_manager.payload import Payload, form, invalid


def stack_wanted(request: Request, method: str) -> dict[str, Any]:
    """Read name, Env and file of a creation by string, file or repository. Raises Stop."""
    if method == "file":
        return _from_form(request)
    shape = "stacks.composeStackFrom"
    shape += "GitRepositoryPayload" if method == "repository" else "FileContentPayload"
    given = Payload(request.body, shape)
    name, env = given.text("Name"), given.env()
    if not name:
        raise invalid("Invalid stack name")
    found = {
        "name": name,
        "env": env,
        "template": given.get("FromAppTemplate"),
        "file": given.text("StackFileContent"),
    }
    if method == "string":
        if not found["file"]:
            raise invalid("Invalid stack file content")
        return found
    return {**found, **_git(given)}


def _from_form(request: Request) -> dict[str, Any]:
    given = form(request.body, request.headers.get("Content-Type", ""))
    if not given.get("Name"):
        raise invalid("Invalid stack name")
    if not given.get("file"):
        raise invalid("Invalid Compose file. Ensure that the Compose file is uploaded correctly")
    env = json.loads(given.get("Env") or "[]")
    return {"name": given["Name"], "env": env, "template": False, "file": given["file"]}


def _git(given: Payload) -> dict[str, Any]:
    url = given.text("RepositoryURL")
    secured = bool(given.get("RepositoryAuthentication"))
    if not re.fullmatch(r"https?://[^\s/]+/\S*", url):
        raise invalid("Invalid repository URL. Must correspond to a valid URL format")
    if secured and not given.text("RepositoryPassword"):
        raise invalid(
            "Invalid repository credentials. Password must be specified when authentication is enabled"
        )
    user = {"Username": given.text("RepositoryUsername"), "Password": "", "GitCredentialID": 0}
    return {
        "git": {"url": url, "password": given.text("RepositoryPassword")},
        "git_shown": {
            "URL": url,
            "ReferenceName": given.text("RepositoryReferenceName") or "refs/heads/main",
            "ConfigFilePath": given.text("ComposeFile") or "docker-compose.yml",
            "Authentication": user if secured else None,
            "ConfigHash": "14bfca16e1340470db7a581bcabb14de46d7b2ac",
            "TLSSkipVerify": False,
        },
    }
