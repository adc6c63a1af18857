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
    "check_kept_containers": "kept containers",
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
            "{n} stopped notebook container is kept, {example}: it holds the drive password of its "
            "last start, and its next start gets that one again, also for somebody new of the same "
            "name"
        ),
        (
            "{n} stopped notebook containers are kept, like {example}: each holds the drive "
            "password of its last start, and its next start gets that one again, also for somebody "
            "new of the same name"
        ),
    ),
    "hub_answers": "JupyterHub {version} answers",
    "token_may_stop": "the token is accepted and may stop servers",
    "token_may_not_stop": "the token is accepted, but may not stop servers",
    "token_may_stop_some": (
        "the token is accepted, but may stop the servers of some users only: its scopes have a "
        "filter"
    ),
    "check_servers": "servers of each person",
    "servers_are_shown": "the hub shows every server of each user",
    "servers_are_not_shown": (
        "the token does not show servers: what runs besides a container of the spawner's name is "
        "not seen"
    ),
    "servers_of_some_are_shown": (
        "the token shows the servers of some users only: its scopes have a filter"
    ),
    "hub_is_not_asked": (
        "the hub is not asked, since there is no API token: a server whose container has another "
        "name than {prefix} and the user's is not seen"
    ),
    "check_users": "users of the hub",
    "users_are_not_listed": (
        "the token may not list the hub's users: names that differ in case alone, and servers "
        "under names of an earlier prefix, are not compared"
    ),
    "give_list_scope": "Give its service's role the scope list:users.",
    "users_of_unknown_shape": (
        (
            "{n} entry of the hub's list of users has an unknown shape, at place {places}; the "
            "others were read"
        ),
        (
            "{n} entries of the hub's list of users have an unknown shape, at the places {places}; "
            "the others were read"
        ),
    ),
    "look_at_users": "Look at these users on the hub's page for administrators.",
    "users_in_other_case": (
        (
            "{n} user of the hub has capitals in the name, {example}: no sign-in reaches it, and "
            "a removal of the same name in small letters does not stop its servers"
        ),
        (
            "{n} users of the hub have capitals in their names, like {example}: no sign-in "
            "reaches them, and a removal of the same name in small letters does not stop their "
            "servers"
        ),
    ),
    "remove_users_in_other_case": (
        "Look whose they are, stop their servers and delete these users in the hub."
    ),
    "users_are_listed": (
        "the hub lists {n} user, and the list was read to its end",
        "the hub lists {n} users, and the list was read to its end",
    ),
    "check_whose": "whose containers are",
    "images_fit": "containers that say whose they are have an image or a network of the spawner",
    "images_do_not_fit": (
        (
            "{n} container says whose it is, and neither its image nor a network shows that the "
            "spawner made it: {example} with the image {image}. A removal shows it and stops it "
            "only through the hub"
        ),
        (
            "{n} containers say whose they are, and neither their images nor a network shows that "
            "the spawner made them, like {example} with the image {image}. A removal shows them "
            "and stops them only through the hub"
        ),
    ),
    "set_images": (
        "Set notebook_images to a word in the name of the spawner's image, or notebook_networks to "
        "its network."
    ),
    "containers_not_seen": (
        "no container manager is configured: the hub's word alone shows what runs, and a container "
        "that the hub has forgotten is not seen"
    ),
    "none_kept_of_some": "none of the first {n} of {all} notebook containers is stopped and kept",
    "give_scopes": (
        "Give its service a role with the scopes list:users, read:servers and delete:servers, none "
        "of them with a filter."
    ),
    "notebooks_cannot_be_stopped": (
        "no container manager is configured: notebooks cannot be stopped"
    ),
    "configure_containers": "Configure the container manager.",
    "set_escape": (
        "Set container_name_escape to the rule of the hub's DockerSpawner; with a wrong one "
        "notebooks of removed people go on running."
    ),
    "none_kept": "no stopped notebook container is kept",
    "set_remove": "Set c.DockerSpawner.remove = True in the hub, and remove these containers.",
    # checks_identity.py
    "can_start_for_removed": "the hub can start a server for somebody who was removed: {why}",
    "set_up_hub": (
        "Set the hub up so that it does not: docs/howto/notebook-hub.md has a configuration that "
        "does, and explains each line."
    ),
    "signs_in_by": "people sign in by {name}, which asks no identity provider again",
    "signs_in_by_unknown": (
        "people sign in by something unknown, which asks no identity provider again"
    ),
    "does_not_say_authenticator": "the hub does not say what signs people in: {why}",
    "does_not_say_whether": (
        "the hub does not say whether it asks the identity provider before a start"
    ),
    "asks_before_each_start": (
        "before each start of a server the hub asks the identity provider, also when a token asks "
        "for it"
    ),
    "authenticator_too_old": (
        "oauthenticator {version} calls every identity good; {oldest} is the first that asks again"
    ),
    "no_auth_state": "enable_auth_state is off, so that there is nothing to ask with",
    "no_refresh_before_spawn": "refresh_pre_spawn is off, so that nobody is asked before a start",
    "no_refresh_age": "auth_refresh_age is 0, which turns asking off altogether",
    "no_refresh_strict": (
        "auth_refresh_strict is off, so that a token of the hub's API starts a server all the same"
    ),
    "believes_id_token": (
        "userdata_from_id_token is on, so that an old ID token is believed instead of asking"
    ),
    "let_info_tell": (
        "Give the manager's service in the hub the scopes read:hub and read:services of itself, "
        "and let its info tell it: docs/howto/notebook-hub.md."
    ),
    # client/calls.py
    "give_role_and_token": (
        "Give the hub's service for the manager a role with the scopes list:users, read:servers, "
        "delete:servers and admin:server_state, none of them with a filter, and store its token as "
        "api_token."
    ),
    "check_api_url": (
        "Check api_url: it must end in /hub/api and lead to the hub itself, not to a login page or "
        "proxy."
    ),
    "asking_version": "asking the hub for its version",
    "asking_whose_token": "asking whose token this is",
    "asking_authenticator": "asking what signs people in",
    "asking_for_server": "asking for a server",
    "listing_users": "listing the hub's users",
    "no_page_of_users": "the hub's list of users has an unknown shape",
    "hidden_by_filter": "the scopes of the token have a filter that leaves out this user",
    "servers_not_shown": "the hub knows the user and does not show the servers",
    "server_of_unknown_shape": "the server has an unknown shape",
    "stopping_server": "stopping a server",
    "answered_to_stop": "it answered {shape} to a stop",
    "not_an_object": "expected a JSON object, got {shape}",
    "token_not_accepted": "the hub did not accept the token or its scopes ({shape})",
    "no_such_user": "the hub knows no user of this name",
    "starting_or_stopping": "the hub is starting or stopping this server already",
    "asked_again": "It is asked again.",
    "conflict": "the hub reports a conflict ({shape})",
    "hub_answered": "the hub answers {shape}: not available at the moment",
    "hub_in_trouble": "The hub is in trouble or restarting; it is asked again.",
    "hub_not_understood": "the hub was not understood ({shape})",
    "addressing_user": "addressing a hub user",
    # connector/container.py, connector/__init__.py
    "looking_at_container": "looking at a notebook container",
    "stopping_notebook": "stopping a notebook",
    "stopped_not_removed": "notebook containers are stopped, not removed",
    "removing_notebook": "removing a notebook",
    "remove_it_there": "Remove {container} in the container manager if it shall go.",
    "checking_notebook": "checking a notebook",
    "no_container": "the container engine has no container {name}",
    "no_process_left": "container {name} is {status}; no process is left in it",
    "nothing_can_be_known": (
        "no container manager is configured, so that nothing can be known of the notebook's "
        "container"
    ),
    "configure_then_retry": "Configure the container manager, then retry.",
    "hub_knows_no_user": "the hub knows no user {user}",
    "hub_lists_no_server": "the hub lists no server of {user}",
    "default_server_at_rest": "the hub lists the default server of {user} as stopped",
    "server_at_rest": "the hub lists the server {server} of {user} as stopped",
    "container_stopped": "the container {container} was stopped too",
    "server_stopped": "the server {server} was stopped too",
    "container_not_shown_to_be_theirs": (
        "the container {name} runs on: it is named like a notebook of {user}, and nothing shows "
        "that the hub's spawner made it for {user}. Look whose it is, and stop it by hand if it "
        "is theirs"
    ),
    "hub_shows_servers": "the hub's token may see the servers of every user",
    "user_left": "the hub’s user {user}, with the tokens made for it",
    "container_left": "the notebook container {container}",
    "volume_left": "the notebook volume {volume}",
    "no_container_manager": "no container manager is configured",
    "proving_rights": "proving our rights",
    "only_stopped_here": "a notebook can only be stopped here",
    "started_by_owners": "Notebooks are started by their owners in the hub.",
    # names.py
    "impossible_hub_user": "the hub cannot have a user of this name",
    "look_and_stop_by_hand": (
        "Look in the container manager for a notebook of this person and stop it by hand."
    ),
    # settings.py
    "setting_url": "Address",
    "setting_url_help": "The hub's public address, where people sign in.",
    "setting_api_url": "API address",
    "setting_api_url_help": (
        "JupyterHub's API as this machine reaches it, like http://hub:8081/hub/api. Without it the "
        "public address with /hub/api is used, if there is an API token."
    ),
    "setting_api_token": "API token",
    "setting_api_token_help": (
        "Token of a JupyterHub service with the scopes list:users, read:servers, delete:servers "
        "and admin:server_state. With it every server that the hub lists is stopped; without it "
        "the containers that show whose they are."
    ),
    "setting_container_name_prefix": "Container name prefix",
    "setting_container_name_prefix_help": (
        "What stands before the escaped user name: DockerSpawner's prefix and a dash."
    ),
    "setting_container_name_escape": "Container name escape",
    "setting_container_name_escape_help": (
        "How user names become container names: dockerspawner (its default since version 12), "
        "legacy (c.DockerSpawner.escape = 'legacy'), or none. A wrong rule leaves notebooks of "
        "removed people running."
    ),
    "setting_volume_name_prefix": "Volume name prefix",
    "setting_volume_name_prefix_help": (
        "What stands before the escaped user name in the names of notebook volumes. Volumes stay "
        "when somebody leaves; a name whose volume is there is not given to anybody else."
    ),
    "setting_notebook_images": "Images of notebooks",
    "setting_notebook_images_help": (
        "Words, separated by commas, of which one is in the name of every notebook's image. A "
        "container is stopped only if its image or a network of it is the spawner's, or the hub "
        "names it."
    ),
    "setting_notebook_networks": "Networks of notebooks",
    "setting_notebook_networks_help": (
        "Names, separated by commas, of networks that the spawner alone puts containers in. A "
        "container that says whose it is, and is in one of them, is that person's, whatever its "
        "image."
    ),
    # What is not stopped.
    "another_container": (
        "a container {name} runs, and nothing shows that it is a notebook of {user}"
    ),
    "another_container.advice": (
        "Look what it is (image {image}). A notebook says whose it is by JUPYTERHUB_USER in its "
        "environment or the label {label}, and has an image or a network that the settings name. "
        "Stop a notebook by hand and try again; skip the step where it is none."
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
