"""Which parts of a compose file are carried out and in which form, which need a setting, and which
are refused.

The reference page docs/reference/compose-features.md is held to these tables by a test.
"""

from collections.abc import Mapping
from typing import Final

from workspace_manager.knowledge_stacks import compose_shapes as shapes
from workspace_manager.knowledge_stacks.compose_shapes import Shape

TOP: Final = ("services", "volumes", "networks", "version")
"""`version` says nothing any more, and is left out."""

SERVICE: Final[Mapping[str, Shape]] = {
    "cap_drop": shapes.list_of(shapes.WORD),
    "command": shapes.COMMAND,
    "cpus": shapes.any_of(shapes.number, shapes.text(r"[0-9]+(?:\.[0-9]+)?")),
    "depends_on": shapes.checked_later,
    "entrypoint": shapes.COMMAND,
    "environment": shapes.checked_later,
    "expose": shapes.list_of(shapes.PORT),
    "extra_hosts": shapes.HOSTS,
    "healthcheck": shapes.HEALTH,
    "hostname": shapes.WORD,
    "image": shapes.IMAGE,
    "init": shapes.flag,
    "labels": shapes.checked_later,
    "mem_limit": shapes.SIZE,
    "mem_reservation": shapes.SIZE,
    "networks": shapes.checked_later,
    "pids_limit": shapes.whole,
    "read_only": shapes.flag,
    "restart": shapes.text(r"no|always|unless-stopped|on-failure(?::[0-9]+)?"),
    "shm_size": shapes.SIZE,
    "stop_grace_period": shapes.TIME,
    "stop_signal": shapes.text(r"[A-Z0-9+-]+"),
    "tmpfs": shapes.any_of(shapes.TMPFS, shapes.list_of(shapes.TMPFS)),
    "ulimits": shapes.LIMITS,
    "user": shapes.any_of(shapes.whole, shapes.text(r"[\w.-]+(?::[\w.-]+)?")),
    "volumes": shapes.checked_later,
    "working_dir": shapes.any_of(shapes.PATH, shapes.text("/")),
}

_TEXTS: Final = shapes.list_of(shapes.ANY_TEXT)
PRIVILEGED: Final[Mapping[str, Shape]] = {
    "cap_add": shapes.list_of(shapes.WORD),
    "cgroup": shapes.ANY_TEXT,
    "cgroup_parent": shapes.ANY_TEXT,
    "device_cgroup_rules": _TEXTS,
    "devices": _TEXTS,
    "gpus": shapes.text("all"),
    "ipc": shapes.ANY_TEXT,
    "network_mode": shapes.ANY_TEXT,
    "pid": shapes.ANY_TEXT,
    "privileged": shapes.flag,
    "runtime": shapes.ANY_TEXT,
    "security_opt": _TEXTS,
    "sysctls": shapes.any_of(_TEXTS, shapes.names_to(shapes.scalar, shapes.WORD)),
    "userns_mode": shapes.ANY_TEXT,
    "uts": shapes.ANY_TEXT,
}
"""Of a service: what reaches the host. Carried out only where a setting allows it."""

MANAGED: Final = ("container_name", "ports", "name")
"""What the manager decides itself."""
MANAGED_LABELS: Final = ("workspace.", "com.docker.", "io.podman.", "io.portainer.")
"""How labels begin that say whose something is, or to whom Portainer shows it."""

DRIVER_OPTS: Final[Mapping[str, Shape]] = {
    "driver_opts": shapes.names_to(shapes.scalar, shapes.ANY_TEXT)
}
"""Of a volume or network: what reaches the host."""
VOLUME: Final[Mapping[str, Shape]] = {
    "driver": shapes.text("local"),
    "labels": shapes.checked_later,
}
NETWORK: Final[Mapping[str, Shape]] = {
    "driver": shapes.text("bridge"),
    "internal": shapes.flag,
    "labels": shapes.checked_later,
}
LONG_VOLUME: Final[Mapping[str, Shape]] = {
    "read_only": shapes.flag,
    "source": shapes.ANY_TEXT,
    "target": shapes.PATH,
    "type": shapes.ANY_TEXT,
}
LONG_TMPFS: Final[Mapping[str, Shape]] = {"target": shapes.PATH, "type": shapes.ANY_TEXT}

VARIABLES_IN: Final = ("environment", "labels")
"""Where `${NAME}` is carried out: in what is data to the program, and nowhere else."""
SECRETS_IN: Final = "environment"
"""Where that may be a secret: labels are shown to whoever may list containers."""

PROVIDED: Final = {
    "": ("WORKSPACE_STACK_NAME", "WORKSPACE_STACK_URL", "WORKSPACE_STACK_PORT"),
    "sign_in": (
        "OIDC_ISSUER",
        "OIDC_CLIENT_ID",
        "OIDC_CLIENT_SECRET",
        "OIDC_ADMIN_GROUP",
        "OIDC_USER_GROUP",
    ),
    "sql_database": (
        "SQL_FLAVOUR",
        "SQL_HOST",
        "SQL_PORT",
        "SQL_DATABASE",
        "SQL_USER",
        "SQL_PASSWORD",
    ),
    "triplestore_repository": ("SPARQL_URL", "SPARQL_USER", "SPARQL_PASSWORD"),
    "drive": ("DRIVE_URL", "DRIVE_LOGIN", "DRIVE_PASSWORD"),
}
"""The variables that each need brings; "": those that every knowledge stack has."""

NEEDS: Final = tuple(need for need in PROVIDED if need)
SECRET: Final = frozenset(
    {"OIDC_CLIENT_SECRET", "SQL_PASSWORD", "SPARQL_PASSWORD", "DRIVE_PASSWORD"}
)
"""Never in the file: the engine puts them in when it starts the containers."""


def provided(needs: tuple[str, ...]) -> frozenset[str]:
    """The variables a template with these needs may use besides its own parameters."""
    return frozenset(name for need in ("", *needs) for name in PROVIDED.get(need, ()))
