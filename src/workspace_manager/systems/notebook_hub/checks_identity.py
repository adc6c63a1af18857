"""Checks whether a refused identity could still start a server: the hub's cookies and tokens
outlive a person's removal.

The hub's API does not tell. So the configuration that we give operators
(docs/howto/notebook-hub.md) puts it into the `info` of the manager's service, where this reads it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings, Hides
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM, Client
from workspace_manager.systems.notebook_hub.messages import message

NAME = message("check_refused_identities")
SPAWNER = message("check_spawner")
_NO_CONTAINERS = (
    *("jupyterhub.spawner.", "kubespawner.", "batchspawner.", "sudospawner.", "systemdspawner."),
)
"""Spawners that start servers outside a container engine; an operator's own class may do
anything.
"""
OLDEST = 17
"""The first oauthenticator that asks the identity provider again; older ones accept every
identity.
"""

SAY = Findings(SYSTEM)


def findings(client: Client, info: object) -> Iterator[Finding]:
    """Check the authenticator and the spawner that the hub names, and what its configuration tells
    in `info`.
    """
    try:
        about = client.info()
    except ConnectorError as error:
        why = message("does_not_say_authenticator", why=error.message)
        yield _warning(why, hides=(NAME.code, SPAWNER.code))
        return
    yield _identities(_class_and_version(about, "authenticator"), info)
    spawner, _ = _class_and_version(about, "spawner")
    if spawner.startswith(_NO_CONTAINERS):
        text = message("spawns_no_containers", name=spawner)
        yield SAY.warning(SPAWNER, text, message("set_docker_spawner"))


def _class_and_version(about: Mapping[str, Any], what: str) -> tuple[str, str]:
    found = about.get(what)
    known = found if isinstance(found, Mapping) else {}
    return str(known.get("class", "")), str(known.get("version", ""))


def _identities(authenticator: tuple[str, str], info: object) -> Finding:
    wrong = list(_authenticator(*authenticator))
    told = info.get("asked_afresh") if isinstance(info, Mapping) else None
    wrong += _settings(told) if isinstance(told, Mapping) else ()
    if wrong:
        text = message("can_start_for_removed", why=join_messages(wrong, by="; "))
        return SAY.failing(NAME, text, message("set_up_hub"))
    if not isinstance(told, Mapping):
        return _warning(message("does_not_say_whether"))
    return SAY.ok(NAME, message("asks_before_each_start"))


def _authenticator(name: str, version: str) -> Iterator[Message]:
    number = re.match(r"\d{1,4}", version)
    if not name.startswith("oauthenticator."):
        yield message("signs_in_by", name=name) if name else message("signs_in_by_unknown")
    elif number and int(number[0]) < OLDEST:
        yield message("authenticator_too_old", version=version, oldest=OLDEST)


def _settings(told: Mapping[str, Any]) -> Iterator[Message]:
    """Yield each setting that lets a refused identity through. All must be as in our
    configuration.
    """
    if not told.get("enable_auth_state"):
        yield message("no_auth_state")
    if not told.get("refresh_pre_spawn"):
        yield message("no_refresh_before_spawn")
    if not told.get("auth_refresh_age"):
        yield message("no_refresh_age")
    if not told.get("auth_refresh_strict"):
        yield message("no_refresh_strict")
    if told.get("userdata_from_id_token"):
        yield message("believes_id_token")


def _warning(text: Message, hides: Hides = ()) -> Finding:
    return SAY.warning(NAME, text, message("let_info_tell"), hides=hides)
