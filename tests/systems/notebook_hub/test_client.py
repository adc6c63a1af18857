"""The hub's account of a user's servers is believed only where the hub gives it."""

from typing import Any

import pytest

from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.systems.notebook_hub.client.calls import Client, Server


@pytest.mark.parametrize(
    ("servers", "meant"),
    [
        ({}, ()),
        ({"": {"ready": True, "pending": None}}, (Server("", active=True),)),
        ({"": {"ready": False, "pending": "spawn"}}, (Server("", active=True, pending="spawn"),)),
        ({"": {"ready": False, "stopped": True}}, (Server("", active=False),)),
        ({"named": {"ready": False}}, (Server("named", active=True),)),
        (
            {"b": {"ready": True}, "": {"ready": True, "state": {"object_name": "nb-anna"}}},
            (Server("", active=True, container="nb-anna"), Server("b", active=True)),
        ),
        (None, Denied),
        ([], Invalid),
        ("none", Invalid),
        ({"": "running"}, Invalid),
    ],
)
def test_no_server_is_said_and_not_guessed(
    monkeypatch: pytest.MonkeyPatch, servers: Any, meant: Any
) -> None:
    """A token without the scope read:servers gets the user without them: that is no proof that none
    runs.
    """
    client = Client("http://hub/hub/api", None)
    document = {"name": "anna"} if servers is None else {"name": "anna", "servers": servers}
    monkeypatch.setattr(client, "_get", lambda *_, **__: document)
    if isinstance(meant, type) and issubclass(meant, ConnectorError):
        with pytest.raises(meant) as refused:
            client.servers("anna")
        assert refused.value.advice
    else:
        assert client.servers("anna") == meant
