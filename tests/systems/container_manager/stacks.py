"""A small stack, as the work with knowledge stacks asks for it."""

from typing import Any

from workspace_manager.systems.container_manager.names import stack_target

STACK = "ws-ada-herbarium-ab12cd34"
MARK = "3f2b8c1d-1111-2222-3333-444455556666"
TARGET = stack_target(STACK, MARK)
FILE = """\
services:
  web:
    image: sandbox/notebook
    environment:
      PASSWORD: "${PASSWORD}"
    volumes: ["data:/data"]
    PORTS
volumes:
  data: {}
"""


def wish(*, file: str = FILE, port: int = 0, health: str = "", text: str = "") -> dict[str, Any]:
    ports = f'ports: ["127.0.0.1:{port}:8080"]' if port else ""
    file = file.replace("PORTS", ports)
    return {"running": True, "file": file, "health": health, "health_text": text}
