"""The systems behind a workspace, asked by their own APIs as their administrators would."""

from typing import Any

import httpx

from tests.life.person import Workspace


def identity_provider(
    workspace: Workspace, path: str, body: Any = None, *, method: str = "GET"
) -> httpx.Response:
    """Ask the identity provider's admin API."""
    idp = workspace.system("identity_provider")
    token = httpx.post(
        f"{idp['url']}/realms/master/protocol/openid-connect/token",
        data={
            "grant_type": "password", "client_id": "admin-cli", "username": idp["admin_username"],
            "password": idp["admin_password"],
        },
        trust_env=False,
    ).json()["access_token"]  # fmt: skip
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    return httpx.request(
        method,
        f"{idp['url']}/admin/realms/{idp['realm']}{path}",
        json=body,
        headers=headers,
        trust_env=False,
    )


def running_containers(workspace: Workspace) -> list[str]:
    """Names of the containers that run, by the container manager."""
    manager = workspace.system("container_manager")
    found: list[dict[str, Any]] = httpx.get(
        f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker/containers/json",
        headers={"X-API-Key": manager["api_key"]}, trust_env=False,
    ).json()  # fmt: skip
    return [name.lstrip("/") for container in found for name in container["Names"]]
