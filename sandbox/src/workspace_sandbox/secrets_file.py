"""What a sandbox makes up once and keeps with its data: ports, administrators' passwords, client
secrets, keys.
"""

import json
import os
import secrets
from pathlib import Path

from workspace_sandbox.children import free_ports

NAMES = (
    "identity_provider", "drive", "sql_server", "triplestore", "ontology_editor", "notebook_hub",
    "container_manager",
)  # fmt: skip


def read_or_make(data_dir: Path) -> dict[str, str]:
    """Give the values of this sandbox; makes them on the first start. Readable by their owner
    alone.
    """
    file = data_dir / "sandbox.json"
    if file.exists():
        kept: dict[str, str] = json.loads(file.read_text())
        return kept
    names = (*NAMES, "sql_control")
    values = {
        f"{name}.port": str(port) for name, port in zip(names, free_ports(len(names)), strict=True)
    }
    for name in (
        "identity_provider.admin", "drive.admin", "sql_server.admin", "triplestore.admin",
        "ontology_editor.key",
        "container_manager.key", "notebook_hub.token", "client.manager", "client.drive",
        "client.notebook_hub",
        "client.ontology_editor", "client.sql_admin_tool", "manager.key",
    ):  # fmt: skip
        values[name] = secrets.token_hex(16)
    data_dir.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        json.dump(values, out)
    return values
