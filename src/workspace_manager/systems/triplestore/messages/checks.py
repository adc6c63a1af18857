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
    "some_are_writable": "Some repositories may be changed by anybody: {writable}.",
    "some_are_readable": "Some repositories may be read by anybody: {readable}.",
    "some_are_writable_and_readable": (
        "Some repositories may be changed by anybody: {writable} and some may be read by anybody: "
        "{readable}."
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
    "set_flavour": "Set the product to auto, or to what it is.",
    "may_not_manage_accounts": "'{username}' may not manage accounts: {why}.",
    "accounts_not_listed": "The accounts could not be listed: {why}.",
    "may_manage_accounts": "'{username}' may manage accounts; {count} are listed.",
    "repositories_not_listed": "The repositories could not be listed: {why}.",
    "check_rdf4j": (
        "Check that RDF4J runs and that the triplestore can reach it. Accounts still work, data "
        "does not."
    ),
    "store_does_not_answer": "The data layer is not available: {why}.",
    "none_is_public": "No repository is open to people without an account.",
    "set_public_false": "Set publicRead and publicWrite to false if that is not intended.",
    "each_listed_once": "Every repository is listed once.",
    "listed_twice": "These ids are listed more than once and cannot be used or deleted: {ids}.",
    "remove_additional_rows": (
        "Only the administrator of the triplestore can repair this: remove the additional rows "
        "from its database."
    ),
    "listed_are_stored": "Every listed repository is stored, and nothing else is.",
    "they_part": (
        "They part when RDF4J is down during a deletion. Do not create such an id: OpenGDB would "
        "delete the stored data."
    ),
    "managed_with_credentials": "Repositories cannot be managed without credentials.",
    "managed_by_anybody": (
        "Anybody who reaches the triplestore may create, open, rename and delete repositories: "
        "OpenGDB asks for no credentials there."
    ),
    "let_proxy_ask": (
        "Let only the container network reach /rest/repositories and PUT and DELETE of "
        "/repositories/{{id}}, or let a proxy in front ask for credentials."
    ),
    "load_reads_files": (
        "Anybody who may write to a repository can make RDF4J read files of its own host with "
        "SPARQL LOAD."
    ),
    "run_as_other_user": (
        "Run RDF4J as a user that can read nothing but its own data, without secrets in its "
        "container."
    ),
}
