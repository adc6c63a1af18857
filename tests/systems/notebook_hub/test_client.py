"""What the hub says of a user's servers is believed only when it says it."""

from typing import Any

import pytest

from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.systems.notebook_hub.client import Client, Server


@pytest.mark.parametrize(
    ("servers", "meant"),
    [
        ({}, None),
        ({"": {"ready": True, "pending": None}}, Server(ready=True, pending="")),
        ({"": {"ready": False, "pending": "spawn"}}, Server(ready=False, pending="spawn")),
        ({"named": {"ready": True}}, None),
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
            client.server("anna")
        assert refused.value.advice
    else:
        assert client.server("anna") == meant
