"""Labels of the SQL server and its things: nouns without article, known before anything is
called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "SQL server",
    "user": "SQL user",
    "counted.account": ("account", "accounts"),
    "database": "SQL database",
    "counted.database": ("database", "databases"),
    "grant": "right in an SQL database",
    "password": "SQL password",
    "session": "Open SQL sessions",
    "label.goes_on": (
        "SQL server: the account is locked and its open sessions end. Its password stays. "
        "Databases stay, and people who share them continue to use them with their own accounts."
    ),
    "step.lock_sql_user": "Lock the SQL user",
    "step.lock_sql_user.ended": "The SQL user is locked and has no open session.",
    "step.unlock_sql_user": "Unlock the SQL user",
    "step.unlock_sql_user.ended": "The SQL user is unlocked.",
    # What a change does, before the label of its thing.
    "action.renew": "Set a new password of",
    "action.lock": "Lock",
    "action.unlock": "Unlock",
}
