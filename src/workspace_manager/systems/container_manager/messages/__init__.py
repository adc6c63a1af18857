"""Messages of the container manager."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.container_manager.messages.calls import CLIENT
from workspace_manager.systems.container_manager.messages.inventory import INVENTORY
from workspace_manager.systems.container_manager.messages.labels import LABELS
from workspace_manager.systems.container_manager.messages.snapshots import SNAPSHOTS
from workspace_manager.systems.container_manager.messages.stacks import STACKS

_ENGLISH: dict[str, English] = {
    # checks.py
    "check_reachable": "reachable",
    "check_key": "key",
    "check_engine": "engine",
    "check_containers": "containers",
    "check_role": "role",
    "check_environment": "environment",
    "check_api_version": "API version",
    "containers_listed": (
        "{n} container can be listed",
        "{n} containers can be listed",
    ),
    "portainer_answers": "Portainer {version} answers",
    "portainer_answers_unknown": "Portainer of unknown version answers",
    "key_belongs_to": "the key belongs to {owner}",
    "engine_answers": "the engine answers: version {version}, API {api}",
    "owner_is_administrator": "the owner of the key is an administrator",
    "owner_is_regular": (
        "the owner of the key is a regular user, who cannot see or stop other people's containers"
    ),
    "make_token_as_administrator": (
        "Create the access token as an administrator in Portainer, and save it as api_key."
    ),
    "environment_not_docker": "environment {number} ({name}) is not a Docker environment",
    "set_docker_environment": "Set environment_id to the number of a Docker environment.",
    "environment_held_for_down": (
        "Portainer shows environment {number} ({name}) as down; that may be out of date"
    ),
    "if_engine_answers": (
        "If the next line says that the engine answers, ignore this. Otherwise start the container "
        "engine."
    ),
    "environment_is_up": "environment {number} ({name}) exists and is up",
    "api_recent_enough": "the engine's API {version} is recent enough",
    "api_too_old": "the engine's API version is {version}; at least 1.24 is needed",
    "upgrade_engine": "Upgrade the container engine.",
    # members.py
    "check_key_owner": "owner of the key",
    "owner_has_to_change_password": (
        "the owner of the key has to change the password at the next sign-in to Portainer"
    ),
    "change_owners_password": "Sign in to Portainer as the owner of the key, and set a password.",
    "check_engine_certificate": "certificate of the engine",
    "engine_not_verified": "Portainer does not verify the certificate of the engine",
    "verify_engine": (
        "Switch the verification on in the settings of the environment (TLS with server "
        "verification)."
    ),
    "check_engine_system": "operating system of the engine",
    "engine_is_not_linux": (
        "the engine does not run Linux containers, which notebooks, the drive and stacks need"
    ),
    "use_linux_engine": (
        "Set environment_id, or the address, to an engine that runs Linux containers."
    ),
    # connector/engine.py, connector/container.py
    "engine_shows_containers": "the engine shows its {count} containers to us",
    "environment_shows_containers": (
        "environment {number} ({name}) shows its {count} containers to us"
    ),
    "no_container_named": "there is no container {name}",
    "container_is": "container {name} is {status}, process {pid}",
    "end_not_shown": "the stop was sent, but the engine still shows the container as running",
    "looked_at_again": "The manager checks again. If this stays, look at the container's log.",
    # settings.py
    "setting_url": "Address",
    "setting_url_help": (
        "Portainer's address without /api, for example https://portainer.example.org. With "
        "docker://host:port or unix:///path.sock the manager calls a Docker or podman engine "
        "directly and needs neither key nor environment."
    ),
    "setting_api_key": "API key",
    "setting_api_key_help": (
        "Access token of a Portainer administrator (My account, Access tokens). The token of a "
        "regular user sees only that user's containers and proves nothing."
    ),
    "setting_environment_id": "Environment number",
    "setting_environment_id_help": (
        "The number in Portainer's address bar after choosing the environment: "
        "…/#!/1/docker/dashboard is number 1."
    ),
    "setting_stack_address": "Address of knowledge stacks",
    "setting_stack_address_help": (
        "The address at which people open a stack, with {{port}}, {{name}} or both in it, for "
        "example https://{{name}}.stacks.example.org if a proxy leads there. Empty: the stack's "
        "port on the host of the address above."
    ),
    "setting_stack_ports": "Ports of knowledge stacks",
    "setting_stack_ports_help": (
        "Each stack reserves one of these ports on the host of the engine for its web page. Enter "
        "the first and the last, between 1024 and 65535."
    ),
    "setting_allow_privileged_stacks": "Stacks may reach the host",
    "setting_allow_privileged_stacks_help": (
        "Whether a template may ask for privileges, for paths of the host or for the host's "
        "network. People who can use such a template can do the same on the host."
    ),
    # names.py
    "impossible_unique_part": (
        "the unique part of a stack's name must be 4 to 32 lower-case letters or digits"
    ),
    **CLIENT,
    **STACKS,
    **INVENTORY,
    **SNAPSHOTS,
}

message = Catalogue(
    "container_manager",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"container_manager_labels.{key}" for key in LABELS},
)
