"""The documents that the hub's check reads, as a hub gives them, held against their tables."""

from typing import Any

import httpx

from workspace_manager.systems.notebook_hub.client.calls import PAGE, Client
from workspace_manager.systems.notebook_hub.connector import NotebookHub
from workspace_manager.systems.notebook_hub.members import ABOUT, TOKEN, USER, VERSION


def undecided(hub: NotebookHub) -> dict[str, tuple[str, ...]]:
    """The members without a row, by document. Somebody's server has to run."""
    client: Client = hub.client()
    public = httpx.get(f"{hub.settings.hub_api}/", trust_env=False).json()
    users, _ = client.users(0)
    assert len(users) < PAGE
    every: list[Any] = [one for one in users if isinstance(one, dict)]
    assert any(one.get("servers") for one in every)
    found = {
        "version": VERSION.undecided(public),
        "about": ABOUT.undecided(client.info()),
        "token": TOKEN.undecided(client.me()),
    }
    return found | {f"user {n}": USER.undecided(one) for n, one in enumerate(every)}
