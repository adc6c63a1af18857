"""Messages of the inventory of the SQL server."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "listing_accounts": "listing the accounts",
    "listing_databases": "listing the databases",
    "seen_account": "the server lists the account {name}, which may sign in",
    "seen_locked_account": "the server lists the account {name}, which may not sign in",
    "seen_database": (
        "the server lists the database {name}, on which one account has rights",
        "the server lists the database {name}, on which {n} accounts have rights",
    ),
    "kept_technical": "it belongs to the server, its tools or its administrators",
    "kept_server_wide": "it has rights on the whole server: no account that the manager makes has",
    "kept_aside": "it lies there only while a snapshot takes the place of a database",
    "kept_group": "others act as it, so it is a group and nobody's account",
    "kept_not_addressed": "the server would take this name for another one's",
}
