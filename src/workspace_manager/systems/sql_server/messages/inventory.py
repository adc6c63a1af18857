"""Messages of the inventory of the SQL server."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "listing_accounts": "listing the accounts",
    "listing_databases": "listing the databases",
    "seen_account": "the server lists the account {name}, which can sign in",
    "seen_locked_account": "the server lists the account {name}, which cannot sign in",
    "seen_database": (
        "the server lists the database {name}, on which one account has rights",
        "the server lists the database {name}, on which {n} accounts have rights",
    ),
    "kept_technical": "it belongs to the server, its tools or its administrators",
    "kept_server_wide": (
        "it has rights on the whole server, which no account made by the manager has"
    ),
    "kept_group": "other accounts act as this one, so it is a group and belongs to nobody",
    "kept_not_addressed": "the server would take this name for another account",
    "kept_aside": "it lies there only while a snapshot takes the place of a database",
}
