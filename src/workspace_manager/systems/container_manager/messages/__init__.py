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
    "key_belongs_to": "the key is {owner}'s",
    "engine_answers": "the engine answers: version {version}, API {api}",
    "owner_is_administrator": "the key's owner is an administrator",
    "owner_is_regular": (
        "the key's owner is a regular user: other people's containers are hidden from it and stops "
        "are refused"
    ),
    "make_token_as_administrator": (
        "Make the access token as an administrator in Portainer and store it as api_key."
    ),
    "environment_not_docker": "environment {number} ({name}) is not a Docker environment",
    "set_docker_environment": "Set environment_id to the number of a Docker environment.",
    "environment_held_for_down": (
        "Portainer holds environment {number} ({name}) for down; that may be out of date"
    ),
    "if_engine_answers": (
        "If the next line says that the engine answers, ignore this; else start the container "
        "engine."
    ),
    "environment_is_up": "environment {number} ({name}) exists and is up",
    "api_recent_enough": "the engine's API {version} is recent enough",
    "api_too_old": "the engine's API version is {version}; at least 1.24 is needed",
    "upgrade_engine": "Upgrade the container engine.",
    # members.py
    "check_key_owner": "owner of the key",
    "owner_has_to_change_password": (
        "the key’s owner has to change the password at the next sign-in to Portainer"
    ),
    "change_owners_password": "Sign in to Portainer as the key’s owner and set a password.",
    "check_engine_certificate": "certificate of the engine",
    "engine_not_verified": "Portainer does not verify the certificate of the engine",
    "verify_engine": (
        "Have Portainer verify it in the environment’s settings (TLS with server verification)."
    ),
    "check_engine_system": "operating system of the engine",
    "engine_is_not_linux": (
        "the engine runs no containers of Linux, which notebooks, drive and stacks are"
    ),
    "use_linux_engine": "Set environment_id, or the address, to an engine of Linux.",
    # connector/engine.py, connector/container.py
    "engine_shows_containers": "the engine shows us its {count} containers",
    "environment_shows_containers": "environment {number} ({name}) shows us its {count} containers",
    "no_container_named": "there is no container {name}",
    "container_is": "container {name} is {status}, process {pid}",
    "end_not_shown": "it was sent, but the engine does not show its end yet",
    "looked_at_again": "It is looked at again; if it stays, look at the container's log.",
    # settings.py
    "setting_url": "Address",
    "setting_url_help": (
        "Portainer's address without /api, like https://portainer.example.org. docker://host:port "
        "and unix:///path.sock speak to a Docker or podman engine directly; then neither key nor "
        "environment is used."
    ),
    "setting_api_key": "API key",
    "setting_api_key_help": (
        "Access token of a Portainer administrator (My account, Access tokens). A regular user's "
        "token sees its own containers only, so that nothing could be proven with it."
    ),
    "setting_environment_id": "Environment number",
    "setting_environment_id_help": (
        "The number in Portainer's address bar after choosing the environment: "
        "…/#!/1/docker/dashboard is number 1."
    ),
    "setting_stack_address": "Address of knowledge stacks",
    "setting_stack_address_help": (
        "How people reach one: an address with {{port}} and/or {{name}} in it, like "
        "https://{{name}}.stacks.example.org where a proxy leads there. Blank: its port on the "
        "host of the address above."
    ),
    "setting_stack_ports": "Ports of knowledge stacks",
    "setting_stack_ports_help": (
        "Each stack reserves one of these for its web part, on the host of the engine. First and "
        "last, between 1024 and 65535."
    ),
    "setting_allow_privileged_stacks": "Stacks may reach the host",
    "setting_allow_privileged_stacks_help": (
        "Whether a template may ask for privileges, paths of the host or the host's network. Who "
        "can use such a template may do on the host what it can do."
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
