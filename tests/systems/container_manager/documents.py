"""The documents of Portainer and of the engine that the check reads, held against their tables."""

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.container_manager import members
from workspace_manager.systems.container_manager.client.answers import (
    as_object,
    read_entries,
    require_all,
)
from workspace_manager.systems.container_manager.connector import ContainerManager


def undecided(manager: ContainerManager) -> dict[str, tuple[str, ...]]:
    """The members without a row, by document. A container has to be there."""
    client = manager.client
    found = {"version": members.VERSION.undecided(client.engine_version())}
    if not manager.settings.direct:
        found["status"] = members.STATUS.undecided(client.status())
        found["owner"] = members.OWNER.undecided(client.me())
        found["environment"] = members.ENVIRONMENT.undecided(client.environment())
    answer = _asked(manager, "/containers/json?all=1")
    rows = require_all(answer, read_entries(answer, answer.json(), dict))
    assert rows
    for row in rows:
        name = row["Names"][0].lstrip("/")
        found[f"listed {name}"] = members.LISTED.undecided(row)
        one = as_object(_asked(manager, f"/containers/{row['Id']}/json"))
        found[f"inspected {name}"] = members.INSPECTED.undecided(one)
    return found


def _asked(manager: ContainerManager, path: str) -> Answer:
    return manager.client.connection.engine("GET", path, doing=quote_words("reading a document"))
