"""Messages of the checks of the notebook hub of names, and of the client that people sign in by."""

from typing import Final

from workspace_manager.contract.message import English

NAMES: Final[dict[str, English]] = {
    # checks_names.py
    "containers_named_otherwise": (
        (
            "{n} notebook container has another name than the settings make: {example} is "
            "{user}’s, and {expected} is looked for"
        ),
        (
            "{n} notebook containers have other names than the settings make, like {example}: it "
            "is {user}’s, and {expected} is looked for"
        ),
    ),
    "containers_lack_dash": (
        (
            "{n} notebook container begins with {prefix} and goes on with a dash, which the "
            "prefix of the settings lacks: {example}"
        ),
        (
            "{n} notebook containers begin with {prefix} and go on with a dash, which the prefix "
            "of the settings lacks, like {example}"
        ),
    ),
    "set_prefix": (
        "Set container_name_prefix to {prefix}; with a wrong one notebooks of removed people go on "
        "running."
    ),
    "set_escape_to": (
        "Set container_name_escape to {escape}; with a wrong one notebooks of removed people go on "
        "running."
    ),
    "set_prefix_and_escape": (
        "Set container_name_prefix to {prefix} and container_name_escape to {escape}; with wrong "
        "ones notebooks of removed people go on running."
    ),
    "leave_name_template": (
        "Leave c.DockerSpawner.name_template in the hub as it comes: no prefix and escape make "
        "such a name, so that notebooks of removed people go on running."
    ),
    "start_them_again": (
        "Other containers fit the settings. Stop these servers in the hub: started again, they "
        "have the names of now."
    ),
    # checks_people.py
    "check_people": "names of people",
    "called_otherwise": (
        (
            "{n} user of the hub has another name than the person: {name} is {claim} of {person}. "
            "A removal looks for notebooks of the user name, finds none, and they run on"
        ),
        (
            "{n} users of the hub have other names than the people, like {name}, which is {claim} "
            "of {person}. A removal looks for notebooks of the user name, finds none, and they "
            "run on"
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
            "{n} user of the hub has a server, {name}, and no user of the hub is called like any "
            "of the people here"
        ),
        (
            "{n} users of the hub have servers, like {name}, and no user of the hub is called "
            "like any of the people here"
        ),
    ),
    "set_username_claim_or_compare": (
        "If the hub names people by another claim than preferred_username, set "
        "c.GenericOAuthenticator.username_claim there; if these are other people, take them in or "
        "delete them in the hub."
    ),
    "names_are_ours": (
        "{n} user of the hub is called like a person here, and none like something else of one",
        "{n} users of the hub are called like people here, and none like something else of one",
    ),
    # checks_sign_in.py, client/sign_in.py
    "check_sign_in": "client",
    "beginning_sign_in": "beginning a sign-in to the hub",
    "signs_in_by_our_client": "people sign in by the client {client} of the identity provider",
    "signs_in_by_other_client": (
        "people sign in by the client {client} of the identity provider; the one that is set up "
        "and looked after here is {ours}"
    ),
    "set_client_id": (
        "Leave OIDC_CLIENT_ID out in the hub’s environment, or set it to {client}, with that "
        "client’s secret."
    ),
    "sign_in_not_seen": (
        "nobody knows by which client people sign in: at {url} no sign-in could be begun: {why}"
    ),
    "sign_in_leads_nowhere": (
        "a sign-in that is begun at {url} leads to no identity provider: the hub answers {shape}"
    ),
    "look_at_sign_in": (
        "Look whether url is the hub’s public address, and whether c.JupyterHub."
        'authenticator_class is "generic-oauth".'
    ),
    # checks_identity.py, members.py
    "check_spawner": "spawner",
    "spawns_no_containers": (
        "servers are started by {name}, in no container: the container manager sees none of "
        "them, and the hub alone stops them"
    ),
    "set_docker_spawner": (
        "Use DockerSpawner in the hub (docs/howto/notebook-hub.md), or keep its API token "
        "here, without which nothing is stopped."
    ),
    "check_owner": "owner of the token",
    "token_is_a_persons": "the token is a person’s own, and ends with that person",
    "check_rights": "rights of the token",
    "service_is_administrator": (
        "the manager’s service is an administrator of the hub: whoever reads the token may do "
        "everything there"
    ),
    "take_admin": (
        "Take admin = True from the manager’s service in the hub, and give it the role of "
        "docs/howto/notebook-hub.md."
    ),
}
