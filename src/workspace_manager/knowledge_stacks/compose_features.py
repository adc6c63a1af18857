"""The parts of a compose file: which are carried out and in which form, which need a setting, and
which are refused.

The reference page docs/reference/compose-features.md is held to these tables by a test.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
"""JSON Schema: a keyword says nothing of values of another type than its own. Two are ours:
`refusal` names what is said where a keyword is not met, if it is not that the form is wrong, and
`reaches_host` is met where a setting allows it.
"""
Parts: TypeAlias = Mapping[str, Schema]


def text(pattern: str, *also: str, refusal: str = "shape") -> Schema:
    """A text that is all of this pattern, or a value of another type."""
    whole = rf"\A(?:{pattern})\Z"
    return {"type": ["string", *also], "pattern": whole, "refusal": {"pattern": refusal}}


def list_of(inner: Schema, *also: str) -> Schema:
    """A list that has nothing twice, as the published schema wants it."""
    unique = {"uniqueItems": True, "refusal": {"uniqueItems": "repeated"}}
    return {"type": ["array", *also], "items": inner, **unique}


def names_to(inner: Schema, names: Schema, items: Schema | None = None) -> Schema:
    """A mapping whose names have one form and whose values another, or a list of items."""
    # Not by additionalProperties, whose errors come in another order in each process.
    mapping = {"type": ["object"], "patternProperties": {"": inner}, "propertyNames": names}
    return {**mapping, **list_of(items, "object")} if items else mapping


def parts(*also: str, **known: Schema) -> Schema:
    """A mapping of these parts, any of which may be left out."""
    return {"type": ["object", *also], "properties": known, "additionalProperties": False}


NAME: Final = r"[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}"
WORD: Final = r"[A-Za-z0-9][A-Za-z0-9_.-]*"
PATH: Final = r"/[^:,\s]*[^:,\s/]"
"""Absolute, inside a container, and without what separates it from something else."""
MANAGED_LABELS: Final = ("workspace.", "com.docker.", "io.podman.", "io.portainer.")
"""How labels begin that say whose something is, or to whom Portainer shows it."""

_FLAG: Final = {"type": "boolean"}
_WHOLE: Final = {"type": "integer"}
_SCALAR: Final = {"type": ["string", "number", "boolean"]}
_TEXT: Final = {"type": "string"}
_WORD: Final = text(WORD)
_SIZE: Final = text(r"[0-9]+(?:\.[0-9]+)?[bkmgBKMG]?[bB]?", "integer")
_TIME: Final = text(r"(?:[0-9]+(?:\.[0-9]+)?(?:us|ms|s|m|h))+")
_COMMAND: Final = {"type": ["string", "array"], "items": _TEXT}
_ADDRESS: Final = r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]+|host-gateway)"
_TRANSPORTS: Final = (
    "atomic|containers-storage|dir|docker-archive|docker-daemon|oci|oci-archive|sif"
)
_IMAGE: Final = text(
    # Of a registry: what podman takes for a path of its host begins with the name of a transport.
    rf"(?!(?:{_TRANSPORTS}|ostree|tarball):)[a-z0-9][\w.-]*(?::[0-9]+(?=/))?(?:/[\w.-]+)*"
    r"(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)
_MOUNTED: Final = r"(?:(?:size|mode|uid|gid)=[0-9]+[kmg]?|noexec|nosuid|nodev|ro|rw)"
_TMPFS: Final = text(rf"{PATH}(?::{_MOUNTED}(?:,{_MOUNTED})*)?")
_HEALTH: Final = parts(
    disable=_FLAG, interval=_TIME, retries=_WHOLE, start_period=_TIME, test=_COMMAND, timeout=_TIME
)
_VALUE: Final = {**_TEXT, "refusal": {"type": "no_value"}}
_ENVIRONMENT: Final = names_to(_VALUE, text(r"[A-Za-z_][A-Za-z0-9_.-]*", refusal="name"))
_OTHERS_LABEL: Final = rf"(?!{'|'.join(map(re.escape, MANAGED_LABELS))})(?s:.*)"
_LABELS: Final = names_to(_VALUE, text(_OTHERS_LABEL, refusal="managed"))
_CONDITION: Final = text("service_(?:started|healthy|completed_successfully)")
_START: Final = parts("null", condition=_CONDITION, required=_FLAG, restart=_FLAG)

LONG_TMPFS: Final[Parts] = {"target": text(PATH), "type": _TEXT}
LONG_VOLUME: Final[Parts] = {
    "read_only": _FLAG,
    "source": _TEXT,
    "target": text(PATH),
    "type": text("volume|tmpfs|bind", refusal="not_carried_out"),
}
_MOUNT: Final = {
    **parts("string", **LONG_VOLUME),
    "required": ["type", "target"],
    "if": {"properties": {"type": {"const": "tmpfs"}}, "required": ["type"]},
    "then": parts("string", **LONG_TMPFS),
}

SERVICE: Final[Parts] = {
    "cap_drop": list_of(_WORD),
    "command": _COMMAND,
    "cpus": text(r"[0-9]+(?:\.[0-9]+)?", "number"),
    "depends_on": names_to(_START, _TEXT, _TEXT),
    "entrypoint": _COMMAND,
    "environment": _ENVIRONMENT,
    "expose": list_of(text(r"[0-9]+(?:-[0-9]+)?(?:/(?:tcp|udp))?", "integer")),
    "extra_hosts": names_to(text(_ADDRESS), _WORD, text(rf"{WORD}[:=]{_ADDRESS}")),
    "healthcheck": _HEALTH,
    "hostname": _WORD,
    "image": _IMAGE,
    "init": _FLAG,
    "labels": _LABELS,
    "mem_limit": _SIZE,
    "mem_reservation": _SIZE,
    "networks": names_to(parts("null", aliases=list_of(_WORD)), _TEXT, _TEXT),
    "pids_limit": _WHOLE,
    "read_only": _FLAG,
    "restart": text(r"no|always|unless-stopped|on-failure(?::[0-9]+)?"),
    "shm_size": _SIZE,
    "stop_grace_period": _TIME,
    "stop_signal": text(r"[A-Z0-9+-]+"),
    "tmpfs": {**_TMPFS, **list_of(_TMPFS, "string")},
    "ulimits": names_to(parts("integer", soft=_WHOLE, hard=_WHOLE), text("[a-z]+")),
    "user": text(r"[\w.-]+(?::[\w.-]+)?"),
    "volumes": list_of(_MOUNT),
    "working_dir": text(rf"/|{PATH}"),
}

PRIVILEGED: Final[Parts] = {
    **dict.fromkeys(("cgroup", "cgroup_parent", "ipc", "network_mode", "pid", "runtime"), _TEXT),
    **dict.fromkeys(("userns_mode", "uts"), _TEXT),
    "cap_add": list_of(_WORD),
    "device_cgroup_rules": list_of(_TEXT),
    "devices": {"type": "array", "items": _TEXT},
    "gpus": text("all"),
    "privileged": _FLAG,
    "security_opt": list_of(_TEXT),
    "sysctls": names_to(_SCALAR, _WORD, _TEXT),
}
"""Of a service: what reaches the host. Carried out only where a setting allows it."""
DRIVER_OPTS: Final[Parts] = {"driver_opts": names_to(_SCALAR, _TEXT)}
"""Of a volume or network: what reaches the host."""
VOLUME: Final[Parts] = {"driver": text("local", refusal="not_carried_out"), "labels": _LABELS}
NETWORK: Final[Parts] = {
    "driver": text("bridge", refusal="not_carried_out"),
    "internal": _FLAG,
    "labels": _LABELS,
}


def _things(known: Parts, opened: Parts, name: str = NAME, **more: Any) -> Schema:
    host = {feature: {**form, "reaches_host": True} for feature, form in opened.items()}
    return names_to({**parts(**known, **host), **more}, text(name, refusal="name"))


FILE: Final = parts(
    services={
        **_things(SERVICE, PRIVILEGED, required=["image"], refusal={"required": "no_image"}),
        "minProperties": 1,
        "maxProperties": 20,
        "refusal": {
            **dict.fromkeys(("type", "minProperties"), "no_services"),
            "maxProperties": "too_many_services",
        },
    },
    # A volume is named before a colon, where one letter is a drive of Windows.
    volumes=_things(VOLUME, DRIVER_OPTS, rf"(?=..){NAME}"),
    networks=_things(NETWORK, DRIVER_OPTS),
)
"""All that is carried out, with environment and labels as mappings of texts."""
KINDS: Final = tuple(FILE["properties"])

MANAGED: Final = ("container_name", "ports", "name")
"""What the manager decides itself."""

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


def provided_variables(needs: tuple[str, ...]) -> frozenset[str]:
    """The variables a template with these needs may use besides its own parameters."""
    return frozenset(name for need in ("", *needs) for name in PROVIDED.get(need, ()))
