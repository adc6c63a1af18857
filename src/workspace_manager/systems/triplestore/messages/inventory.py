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
    "seen_orphan": "data of the repository {repository} is stored, and the user layer lists none",
    "seen_half_made": "the user layer lists the repository {repository}, and no data is stored",
    "seen_public": "everybody may read the repository {repository} without signing in",
    "seen_public_write": "everybody may write to the repository {repository} without signing in",
    "seen_odd": "the triplestore lists {name}, which is of another shape than the others",
    "kept_aside": "it lies there only while a snapshot takes the place of a repository's content",
    "kept_odd": "of another shape than the others of its list: look at it in the triplestore",
    "kept_own_name": "the account that the manager signs in as, or one of the store itself",
    "kept_elevated": (
        "it has rights on the whole triplestore: no account that the manager makes has"
    ),
    "kept_not_addressed": "the manager cannot address it by this name",
    "kept_other_id": "its id is none that the manager gives: it was made by somebody else",
}
