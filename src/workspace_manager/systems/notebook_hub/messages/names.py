"""Messages of the checks of names, and of the client that people sign in by."""

from typing import Final

from workspace_manager.contract.message import English

NAMES: Final[dict[str, English]] = {
    # checks_names.py
    "containers_named_otherwise": (
        (
            "{n} notebook container does not have the name that follows from the settings: "
            "{example} belongs to {user}, and the manager looks for {expected}"
        ),
        (
            "{n} notebook containers do not have the names that follow from the settings, for "
            "example {example}: it belongs to {user}, and the manager looks for {expected}"
        ),
    ),
    "containers_lack_dash": (
        (
            "{n} notebook container has a hyphen after {prefix}, which is missing in the prefix of "
            "the settings: {example}"
        ),
        (
            "{n} notebook containers have a hyphen after {prefix}, which is missing in the prefix "
            "of the settings, for example {example}"
        ),
    ),
    "set_prefix": (
        "Set container_name_prefix to {prefix}. With a wrong prefix, notebooks of removed people "
        "continue to run."
    ),
    "set_escape_to": (
        "Set container_name_escape to {escape}. With a wrong rule, notebooks of removed people "
        "continue to run."
    ),
    "set_prefix_and_escape": (
        "Set container_name_prefix to {prefix} and container_name_escape to {escape}. With wrong "
        "values, notebooks of removed people continue to run."
    ),
    "leave_name_template": (
        "Use the default of c.DockerSpawner.name_template in the hub. No prefix and rule produce "
        "the names of now, so notebooks of removed people continue to run."
    ),
    "start_them_again": (
        "Other containers match the settings. Stop these servers in the hub. They get the current "
        "names when they start again."
    ),
    # checks_people.py
    "check_people": "names of people",
    "called_otherwise": (
        (
            "{n} user of the hub does not have the person's user name: {name} is {claim} of "
            "{person}. A removal searches notebooks by user name, finds none, and they continue to "
            "run"
        ),
        (
            "{n} users of the hub do not have the people's user names, for example {name}, which "
            "is {claim} of {person}. A removal searches notebooks by user name, finds none, and "
            "they continue to run"
        ),
    ),
    "claim_email": "the e-mail address",
    "claim_sub": "the id",
    "claim_name": "the full name",
    "set_username_claim": (
        'Set c.GenericOAuthenticator.username_claim = "preferred_username" in the hub, then stop '
        "the servers of these users there and delete the users."
    ),
    "nobody_of_ours": (
        (
            "{n} user of the hub has a server, {name}, and no user of the hub has the name of a "
            "person here"
        ),
        (
            "{n} users of the hub have servers, for example {name}, and no user of the hub has the "
            "name of a person here"
        ),
    ),
    "set_username_claim_or_compare": (
        "If the hub takes names from another claim than preferred_username, set "
        "c.GenericOAuthenticator.username_claim there. If these are other people, take them over "
        "here or delete them in the hub."
    ),
    "names_are_ours": (
        (
            "{n} user of the hub has the user name of a person here, and none has another name of "
            "a person"
        ),
        (
            "{n} users of the hub have the user names of people here, and none has another name of "
            "a person"
        ),
    ),
    # checks_sign_in.py, client/sign_in.py
    "check_sign_in": "client",
    "beginning_sign_in": "beginning a sign-in to the hub",
    "signs_in_by_our_client": "people sign in with the client {client} of the identity provider",
    "signs_in_by_other_client": (
        "people sign in with the client {client} of the identity provider, but the manager sets up "
        "and checks {ours}"
    ),
    "set_client_id": (
        "Leave OIDC_CLIENT_ID out in the hub’s environment, or set it to {client}, with that "
        "client’s secret."
    ),
    "sign_in_not_seen": (
        "a sign-in could not be started at {url}, so it is unknown which client people sign in "
        "with: {why}"
    ),
    "sign_in_leads_nowhere": (
        "a sign-in at {url} leads to no identity provider: the hub answers {shape}"
    ),
    "look_at_sign_in": (
        "Check whether url is the hub’s public address, and whether "
        'c.JupyterHub.authenticator_class is "generic-oauth".'
    ),
    # checks_identity.py, members.py
    "check_spawner": "spawner",
    "spawns_no_containers": (
        "{name} starts servers without containers: the container manager sees none of them, and "
        "only the hub can stop them"
    ),
    "set_docker_spawner": (
        "Use DockerSpawner in the hub (docs/howto/notebook-hub.md), or keep the hub's API token in "
        "the settings; without it, nothing can be stopped."
    ),
    "check_owner": "owner of the token",
    "token_is_a_persons": "the token belongs to a person, and ends when that person leaves",
    "check_rights": "rights of the token",
    "service_is_administrator": (
        "the manager’s service is an administrator of the hub: anybody who has the token can do "
        "everything there"
    ),
    "take_admin": (
        "Remove admin = True from the manager’s service in the hub, and give the service the role "
        "in docs/howto/notebook-hub.md."
    ),
}
