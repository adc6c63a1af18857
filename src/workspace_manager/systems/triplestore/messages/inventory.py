"""Messages of the inventory of the triplestore."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_account": (
        "the triplestore lists the account {name}, which has one right",
        "the triplestore lists the account {name}, which has {n} rights",
    ),
    "seen_shut_account": "the triplestore lists the account {name}, which has no right",
    "seen_repository": (
        "the triplestore lists the repository {repository}, which one account may use",
        "the triplestore lists the repository {repository}, which {n} accounts may use",
    ),
    "seen_orphan": "RDF4J stores data of the repository {repository}, but OpenGDB does not list it",
    "seen_half_made": "OpenGDB lists the repository {repository}, but RDF4J stores no data for it",
    "seen_public": "anybody can read the repository {repository} without a sign-in",
    "seen_public_write": "anybody can write to the repository {repository} without a sign-in",
    "seen_odd": "the triplestore lists {name} in an unknown form",
    "kept_odd": "it has an unknown form: look at it in the triplestore",
    "kept_own_name": "the manager's own account, or an account of the triplestore itself",
    "kept_aside": "it lies there only while a snapshot takes the place of a repository's content",
    "kept_elevated": (
        "it has rights on the whole triplestore, which no account made by the manager has"
    ),
    "kept_not_addressed": "the manager cannot address it by this name",
    "kept_other_id": "the manager does not use ids of this form: somebody else created it",
}
