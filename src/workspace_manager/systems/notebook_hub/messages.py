"""What the notebook hub says, in English; German stands beside it."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.notebook_hub.messages_inventory import INVENTORY

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
    "give_scopes": (
        "Give its service a role with the scopes read:users:name, read:servers and delete:servers."
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
    # client.py
    "give_role_and_token": (
        "Give the hub's service for the manager a role with the scopes read:users:name, "
        "read:servers and delete:servers, and store its token as api_token."
    ),
    "check_api_url": (
        "Check api_url: it must end in /hub/api and lead to the hub itself, not to a login page or "
        "proxy."
    ),
    "asking_version": "asking the hub for its version",
    "asking_whose_token": "asking whose token this is",
    "asking_authenticator": "asking what signs people in",
    "asking_for_server": "asking for a server",
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
    "hub_answered": "the hub answered {shape}",
    "hub_in_trouble": "The hub is in trouble or restarting; it is asked again.",
    "hub_not_understood": "the hub was not understood ({shape})",
    "addressing_user": "addressing a hub user",
    # connector.py
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
        "Token of a JupyterHub service with the scopes read:users:name, read:servers and "
        "delete:servers. With it the hub is asked to stop a server too; without it the container "
        "alone is stopped."
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
        "Words, separated by commas, of which one is in the name of every notebook's image. Asked "
        "only of a container that does not say itself whose it is."
    ),
    # What is not stopped.
    "another_container": (
        "a container {name} runs, and nothing shows that it is a notebook of {user}"
    ),
    "another_container.advice": (
        "Look what it is (image {image}). A notebook says whose it is by JUPYTERHUB_USER in its "
        "environment, the label {label}, or an image that the settings name. Stop a notebook by "
        "hand and try again; skip the step where it is none."
    ),
    **INVENTORY,
}

message = Catalogue("notebook_hub", __file__, _ENGLISH)
