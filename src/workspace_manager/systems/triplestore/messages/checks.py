"""Messages of the checks of the triplestore."""

from workspace_manager.contract.message import English

CHECKS: dict[str, English] = {
    # checks.py
    "check_reachable": "reachable",
    "check_flavour": "flavour",
    "check_rights": "rights",
    "check_repositories": "repositories",
    "check_store": "store",
    "check_public_repositories": "public_repositories",
    "check_listed_once": "listed_once",
    "check_open_repositories": "open_repositories",
    "check_load_from_files": "load_from_files",
    "some_are_writable": "Anybody can change these repositories: {writable}.",
    "some_are_readable": "Anybody can read these repositories: {readable}.",
    "some_are_writable_and_readable": (
        "Anybody can change these repositories: {writable}. Anybody can read these: {readable}."
    ),
    "listed_without_data": (
        "The list of repositories and what RDF4J stores differ: listed but without data: {halves}."
    ),
    "stored_not_listed": (
        "The list of repositories and what RDF4J stores differ: stored but not listed, reachable "
        "for nobody: {orphans}."
    ),
    "list_and_store_differ": (
        "The list of repositories and what RDF4J stores differ: listed but without data: {halves}; "
        "stored but not listed, reachable for nobody: {orphans}."
    ),
    "cannot_be_used": "The triplestore cannot be used: {why}.",
    "answers_as": "The triplestore answers as {product}.",
    "flavour_differs": "The settings say {flavour}, but the server answers as {product}.",
    "set_flavour": "Set the product to auto, or to the right one.",
    "may_not_manage_accounts": "'{username}' may not manage accounts: {why}.",
    "accounts_not_listed": "The accounts could not be listed: {why}.",
    "may_manage_accounts": "'{username}' may manage accounts; {count} are listed.",
    "repositories_not_listed": "The repositories could not be listed: {why}.",
    "check_rdf4j": (
        "Check that RDF4J runs and that the triplestore can reach it. Until then, accounts work "
        "but data does not."
    ),
    "store_does_not_answer": "The data layer is not available: {why}.",
    "none_is_public": "No repository is public.",
    "set_public_false": "If you do not want this, set publicRead and publicWrite to false.",
    "each_listed_once": "Every repository occurs once in the list.",
    "listed_twice": (
        "These ids occur more than once in the list, so nobody can use or delete them: {ids}."
    ),
    "remove_additional_rows": (
        "Only the administrator of the triplestore can repair this: remove the additional rows "
        "from its database."
    ),
    "listed_are_stored": "Every listed repository is stored, and nothing else is.",
    "they_part": (
        "This happens when RDF4J is down during a deletion. Do not create a repository with such "
        "an id, because OpenGDB would delete the stored data."
    ),
    "managed_with_credentials": "Nobody can manage repositories without credentials.",
    "managed_by_anybody": (
        "Anybody who can reach the triplestore can create, open, rename and delete repositories, "
        "because OpenGDB does not ask for credentials there."
    ),
    "let_proxy_ask": (
        "Allow only the container network to reach /rest/repositories and to send PUT and DELETE "
        "to /repositories/{{id}}, or let a proxy in front ask for credentials."
    ),
    "load_reads_files": (
        "Anybody who can write to a repository can make RDF4J read files of its own host with "
        "SPARQL LOAD."
    ),
    "run_as_other_user": (
        "Run RDF4J as a user that can only read its own data, and without secrets in its container."
    ),
}
