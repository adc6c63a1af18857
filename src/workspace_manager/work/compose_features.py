"""Which parts of a compose file are carried out, which need a setting, and which are refused.

The reference page docs/reference/compose-features.md is held to these tables by a test.
"""

from typing import Final

TOP: Final = ("services", "volumes", "networks", "version")
"""`version` says nothing any more, and is left out."""

SERVICE: Final = (
    "cap_drop",
    "command",
    "cpus",
    "depends_on",
    "entrypoint",
    "environment",
    "expose",
    "extra_hosts",
    "healthcheck",
    "hostname",
    "image",
    "init",
    "labels",
    "mem_limit",
    "mem_reservation",
    "networks",
    "pids_limit",
    "read_only",
    "restart",
    "shm_size",
    "stop_grace_period",
    "stop_signal",
    "tmpfs",
    "ulimits",
    "user",
    "volumes",
    "working_dir",
)

PRIVILEGED: Final = (
    "cap_add",
    "cgroup",
    "cgroup_parent",
    "device_cgroup_rules",
    "devices",
    "gpus",
    "ipc",
    "network_mode",
    "pid",
    "privileged",
    "runtime",
    "security_opt",
    "sysctls",
    "userns_mode",
    "uts",
)
"""Of a service: what reaches the host. Carried out only where a setting allows it."""

MANAGED: Final = ("container_name", "ports", "name")
"""What the manager decides itself."""

VOLUME: Final = ("driver", "labels")
NETWORK: Final = ("driver", "internal", "labels")
LONG_VOLUME: Final = ("read_only", "source", "target", "type")
LONG_TMPFS: Final = ("target", "type")

VARIABLES_IN: Final = ("environment", "labels")
"""Where `${NAME}` is carried out: in what is data to the program, and nowhere else."""

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
