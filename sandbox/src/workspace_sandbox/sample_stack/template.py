"""The sample template as data: what an administrator types on the template's page."""

from typing import Any, Final

from workspace_sandbox.sample_stack.image import NAME, PORT

TEMPLATE: Final = "sample"
HEALTH_TEXT: Final = "ok"
NEEDS: Final = ("sign_in", "sql_database", "triplestore_repository", "drive")

_COMPOSE: Final = """\
services:
  web:
    image: {image}
    restart: unless-stopped
    stop_grace_period: 5s
    read_only: true
    cap_drop: [ALL]
    tmpfs: [/tmp]
    volumes: ["kept:/data"]
{network}    environment:
      GREETING: ${{GREETING}}
      DATA_DIR: /data
      WORKSPACE_STACK_NAME: ${{WORKSPACE_STACK_NAME}}
      WORKSPACE_STACK_URL: ${{WORKSPACE_STACK_URL}}
{variables}volumes:
  kept: {{}}
"""
_VARIABLES: Final = {
    "sign_in": "OIDC_ISSUER OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_ADMIN_GROUP OIDC_USER_GROUP",
    "sql_database": "SQL_FLAVOUR SQL_HOST SQL_PORT SQL_DATABASE SQL_USER SQL_PASSWORD",
    "triplestore_repository": "SPARQL_URL SPARQL_USER SPARQL_PASSWORD",
    "drive": "DRIVE_URL DRIVE_LOGIN DRIVE_PASSWORD",
}


def template(
    *, on_loopback: bool = False, needs: tuple[str, ...] = NEEDS, name: str = TEMPLATE
) -> dict[str, Any]:
    """Everything of the template, by the names of its fields.

    `on_loopback`: the systems are on the engine's own loopback, as those of a sandbox are. Then the
    web part shares the host's network, which the setting `allow_privileged_stacks` has to allow,
    and listens on the port that was reserved for it.
    """
    network = "    network_mode: host\n" if on_loopback else ""
    listens = {"WEB_PORT": str(PORT)}
    if on_loopback:
        listens = {"WEB_PORT": "${WORKSPACE_STACK_PORT}", "WEB_ADDRESS": "127.0.0.1"}
    told = {one: f"${{{one}}}" for need in needs for one in _VARIABLES[need].split()}
    lines = "".join(f'      {key}: "{value}"\n' for key, value in {**listens, **told}.items())
    return {
        "name": name,
        "label": "Sample stack",
        "description": (
            "Signs its members in, and writes what they note into the database, the repository "
            "and the drive."
        ),
        "compose": _COMPOSE.format(image=f"{NAME}:latest", network=network, variables=lines),
        "parameters": [{"name": "GREETING", "label": "Greeting", "default": "", "required": False}],
        "needs": list(needs),
        "web_service": "web",
        "web_port": PORT,
        "health_path": "/health",
        "health_text": HEALTH_TEXT,
        "open_path": "/",
        "redirect_path": "/oidc/callback",
    }
