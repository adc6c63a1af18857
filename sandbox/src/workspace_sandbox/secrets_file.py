"""The values that a sandbox draws once and keeps with its data: ports, administrators' passwords,
client secrets, keys.
"""

import json
import os
import secrets
from pathlib import Path

from workspace_manager.systems import registry
from workspace_sandbox.children import free_ports

SECRETS = (
    "identity_provider.admin", "drive.admin", "sql_server.admin", "triplestore.admin",
    "ontology_editor.key",
    "container_manager.key", "notebook_hub.token", "client.manager", "client.drive",
    "client.notebook_hub",
    "client.ontology_editor", "client.sql_admin_tool", "manager.key",
)  # fmt: skip


def read_or_make(data_dir: Path) -> dict[str, str]:
    """Give the values of this sandbox; makes what is missing: everything on the first start, later
    the port and the client's secret of a system that was installed since.

    Readable by their owner alone.
    """
    file = data_dir / "sandbox.json"
    kept: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    ports = [f"{name}.port" for name in (*registry().specs, "sql_control")]
    lacking = [port for port in ports if port not in kept]
    clients = [f"client.{name}" for name in sorted(registry().outside)]
    values = {
        **{name: secrets.token_hex(16) for name in (*SECRETS, *clients)},
        "drive.app_password": secrets.token_hex(36),
        **{name: str(port) for name, port in zip(lacking, free_ports(len(lacking)), strict=True)},
        **kept,
    }
    if values != kept:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            json.dump(values, out)
    return values
