"""Messages of the notebook hub."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.notebook_hub.messages.inventory import INVENTORY
from workspace_manager.systems.notebook_hub.messages.labels import LABELS
from workspace_manager.systems.notebook_hub.messages.names import NAMES

_ENGLISH: dict[str, English] = {
    # checks.py
    "check_reachable": "reachable",
    "check_token": "token",
    "check_container_manager": "container manager",
    "check_container_names": "container names",
    "check_kept_containers": "stopped containers",
    "check_refused_identities": "refused identities",
    "containers_fit": (
        "{n} container begins with {prefix} and fits the escape rule",
        "{n} containers begin with {prefix} and fit the escape rule",
    ),
    "containers_do_not_fit": (
        "{strange} of {all} notebook containers have names that the escape rule '{escape}' does "
        "not make, like {example}"
    ),
    "some_kept": (
        (
            "{n} stopped notebook container still exists, {example}: it contains the drive "
            "password of its last start. The next start uses that password again, even for a new "
            "person with the same name"
        ),
        (
            "{n} stopped notebook containers still exist, for example {example}: each contains the "
            "drive password of its last start. The next start uses that password again, even for a "
            "new person with the same name"
        ),
    ),
    "hub_answers": "JupyterHub {version} answers",
    "token_may_stop": "the token works and may stop servers",
    "token_may_not_stop": "the token works, but may not stop servers",
    "token_may_stop_some": (
        "the token works, but may stop the servers of some users only, because its scopes have a "
        "filter"
    ),
    "check_servers": "servers of each person",
    "servers_are_shown": "the hub shows every server of each user",
    "servers_are_not_shown": (
        "the token does not show servers, so a server in a container with another name than the "
        "spawner's is not found"
    ),
    "servers_of_some_are_shown": (
        "the token shows the servers of some users only, because its scopes have a filter"
    ),
    "hub_is_not_asked": (
        "there is no API token, so the manager does not ask the hub: a server whose container has "
        "another name than {prefix} and the user name is not found"
    ),
    "check_users": "users of the hub",
    "users_are_not_listed": (
        "the token may not list the hub's users, so the check cannot compare names that differ "
        "only in case, or servers with an earlier prefix"
    ),
    "give_list_scope": "Give its service's role the scope list:users.",
    "users_of_unknown_shape": (
        (
            "{n} entry of the hub's list of users has an unknown form, at place {places}; the "
            "others were read"
        ),
        (
            "{n} entries of the hub's list of users have an unknown form, at the places {places}; "
            "the others were read"
        ),
    ),
    "look_at_users": "Look at these users on the hub's page for administrators.",
    "users_in_other_case": (
        (
            "{n} user of the hub has capital letters in the name, {example}: nobody can sign in as "
            "this user, and the removal of a person with the same name in small letters does not "
            "stop its servers"
        ),
        (
            "{n} users of the hub have capital letters in their names, for example {example}: "
            "nobody can sign in as these users, and the removal of a person with the same name in "
            "small letters does not stop their servers"
        ),
    ),
    "remove_users_in_other_case": (
        "Find out whose they are, stop their servers and delete these users in the hub."
    ),
    "users_are_listed": (
        "the hub lists {n} user, and the list was read to its end",
        "the hub lists {n} users, and the list was read to its end",
    ),
    "check_whose": "owners of containers",
    "images_fit": "containers that show an owner have an image or a network of the spawner",
    "images_do_not_fit": (
        (
            "{n} container shows an owner, but has neither an image nor a network of the spawner: "
            "{example} with the image {image}. A removal lists it and stops it only through the hub"
        ),
        (
            "{n} containers show an owner, but have neither an image nor a network of the spawner, "
            "for example {example} with the image {image}. A removal lists them and stops them "
            "only through the hub"
        ),
    ),
    "set_images": (
        "Set notebook_images to a word in the name of the spawner's image, or notebook_networks to "
        "its network."
    ),
    "containers_not_seen": (
        "no container manager is configured: only the hub shows what runs, and a container that "
        "the hub has forgotten is not found"
    ),
    "none_kept_of_some": "none of the first {n} of {all} notebook containers is a stopped one",
    "give_scopes": (
        "Give its service a role with the scopes list:users, read:servers and delete:servers, each "
        "without a filter."
    ),
    "notebooks_cannot_be_stopped": (
        "no container manager is configured, so notebooks cannot be stopped"
    ),
    "configure_containers": "Configure the container manager.",
    "set_escape": (
        "Set container_name_escape to the rule of the hub's DockerSpawner. With a wrong rule, "
        "notebooks of removed people continue to run."
    ),
    "none_kept": "no stopped notebook container exists",
    "set_remove": "Set c.DockerSpawner.remove = True in the hub, and remove these containers.",
    # checks_identity.py
    "can_start_for_removed": "the hub can start a server for a person who was removed: {why}",
    "set_up_hub": (
        "Change the configuration of the hub. docs/howto/notebook-hub.md has one that prevents "
        "this, and explains each line."
    ),
    "signs_in_by": "people sign in with {name}, which does not ask the identity provider again",
    "signs_in_by_unknown": (
        "people sign in with an unknown authenticator, which does not ask the identity provider "
        "again"
    ),
    "does_not_say_authenticator": "the hub does not tell how people sign in: {why}",
    "does_not_say_whether": (
        "the hub does not tell whether it asks the identity provider before a start"
    ),
    "asks_before_each_start": (
        "the hub asks the identity provider before each start of a server, even if a token "
        "requests the start"
    ),
    "authenticator_too_old": (
        "oauthenticator {version} accepts every identity; {oldest} is the first version that asks "
        "again"
    ),
    "no_auth_state": "enable_auth_state is off, so the hub has no token to ask with",
    "no_refresh_before_spawn": "refresh_pre_spawn is off, so the hub asks nobody before a start",
    "no_refresh_age": "auth_refresh_age is 0, so the hub never asks",
    "no_refresh_strict": (
        "auth_refresh_strict is off, so a token of the hub's API can still start a server"
    ),
    "believes_id_token": (
        "userdata_from_id_token is on, so the hub believes an old ID token and does not ask"
    ),
    "let_info_tell": (
        "Give the manager's service in the hub the scopes read:hub and read:services for itself, "
        "and add its info, as docs/howto/notebook-hub.md shows."
    ),
    # client/calls.py
    "give_role_and_token": (
        "Give the manager's service in the hub a role with the scopes list:users, read:servers, "
        "delete:servers and admin:server_state, each without a filter, and save its token as "
        "api_token."
    ),
    "check_api_url": (
        "Check api_url: it must end in /hub/api and lead to the hub itself, not to a sign-in page "
        "or a proxy."
    ),
    "asking_version": "asking the hub for its version",
    "asking_whose_token": "asking whose token it is",
    "asking_authenticator": "asking how people sign in",
    "asking_for_server": "asking for a server",
    "listing_users": "listing the hub's users",
    "no_page_of_users": "the hub's list of users has an unknown form",
    "hidden_by_filter": "the scopes of the token have a filter that leaves out this user",
    "servers_not_shown": "the hub knows the user but does not show the user's servers",
    "server_of_unknown_shape": "the server has an unknown form",
    "stopping_server": "stopping a server",
    "answered_to_stop": "it answered {shape} to the stop",
    "not_an_object": "expected a JSON object, got {shape}",
    "token_not_accepted": "the hub did not accept the token or its scopes ({shape})",
    "no_such_user": "the hub has no user with this name",
    "starting_or_stopping": "the hub is already starting or stopping this server",
    "asked_again": "The manager asks again.",
    "conflict": "the hub reports a conflict ({shape})",
    "hub_answered": "the hub answers {shape}: not available at the moment",
    "hub_in_trouble": "The hub has a problem or restarts. The manager asks again.",
    "hub_not_understood": "the hub's answer was not understood ({shape})",
    "addressing_user": "addressing a hub user",
    # connector/container.py, connector/__init__.py
    "looking_at_container": "looking at a notebook container",
    "stopping_notebook": "stopping a notebook",
    "stopped_not_removed": "notebook containers are stopped, not removed",
    "removing_notebook": "removing a notebook",
    "remove_it_there": "If you no longer need {container}, remove it in the container manager.",
    "checking_notebook": "checking a notebook",
    "no_container": "the container engine has no container {name}",
    "no_process_left": "container {name} is {status}; no process runs in it",
    "nothing_can_be_known": (
        "no container manager is configured, so the state of the notebook's container is unknown"
    ),
    "configure_then_retry": "Configure the container manager, then retry.",
    "hub_knows_no_user": "the hub has no user {user}",
    "hub_lists_no_server": "the hub lists no server of {user}",
    "default_server_at_rest": "the hub lists the default server of {user} as stopped",
    "server_at_rest": "the hub lists the server {server} of {user} as stopped",
    "container_stopped": "the container {container} was stopped too",
    "server_stopped": "the server {server} was stopped too",
    "container_not_shown_to_be_theirs": (
        "the container {name} continues to run: it has the name of a notebook of {user}, but "
        "nothing shows that the hub's spawner made it for {user}. Find out whose it is. If it is "
        "{user}'s, stop it by hand"
    ),
    "hub_shows_servers": "the hub's token may see the servers of every user",
    "user_left": "the hub’s user {user}, with that user's tokens",
    "container_left": "the notebook container {container}",
    "volume_left": "the notebook volume {volume}",
    "no_container_manager": "no container manager is configured",
    "proving_rights": "checking our rights",
    "only_stopped_here": "the manager can only stop a notebook",
    "started_by_owners": "Owners start their notebooks in the hub.",
    # names.py
    "impossible_hub_user": "the hub cannot have a user with this name",
    "look_and_stop_by_hand": (
        "Look in the container manager for a notebook of this person and stop it by hand."
    ),
    # settings.py
    "setting_url": "Address",
    "setting_url_help": "The hub's public address, where people sign in.",
    "setting_api_url": "API address",
    "setting_api_url_help": (
        "JupyterHub's API as this machine reaches it, for example http://hub:8081/hub/api. If it "
        "is empty and there is an API token, the manager uses the public address with /hub/api."
    ),
    "setting_api_token": "API token",
    "setting_api_token_help": (
        "Token of a JupyterHub service with the scopes list:users, read:servers, delete:servers "
        "and admin:server_state. With it, a removal stops every server that the hub lists. Without "
        "it, a removal stops only containers that show whose they are."
    ),
    "setting_container_name_prefix": "Container name prefix",
    "setting_container_name_prefix_help": (
        "The part of a container name before the escaped user name: DockerSpawner's prefix and a "
        "hyphen."
    ),
    "setting_container_name_escape": "Container name escape",
    "setting_container_name_escape_help": (
        "How user names become container names: dockerspawner (its default since version 12), "
        "legacy (c.DockerSpawner.escape = 'legacy'), or none. With a wrong rule, notebooks of "
        "removed people continue to run."
    ),
    "setting_volume_name_prefix": "Volume name prefix",
    "setting_volume_name_prefix_help": (
        "The part of a volume name before the escaped user name. Volumes stay when a person "
        "leaves. Nobody else gets a user name whose volume still exists."
    ),
    "setting_notebook_images": "Images of notebooks",
    "setting_notebook_images_help": (
        "Words, separated by commas. The name of every notebook's image contains one of them. The "
        "manager stops a container only if the container has the spawner's image or network, or if "
        "the hub lists it."
    ),
    "setting_notebook_networks": "Networks of notebooks",
    "setting_notebook_networks_help": (
        "Names of networks, separated by commas, that only the spawner uses for containers. A "
        "container that shows an owner and is in one of them belongs to that person, whatever its "
        "image."
    ),
    # Reasons of what is not stopped.
    "another_container": (
        "a container {name} runs, and nothing shows that it is a notebook of {user}"
    ),
    "another_container.advice": (
        "Find out what it is (image {image}). A notebook shows its owner in the variable "
        "JUPYTERHUB_USER or the label {label}, and has an image or a network from the settings. If "
        "it is a notebook, stop it by hand and try again. If not, skip the step."
    ),
    **INVENTORY,
    **NAMES,
}

message = Catalogue(
    "notebook_hub",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"notebook_hub_labels.{key}" for key in LABELS},
)
