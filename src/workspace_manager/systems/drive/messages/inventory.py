"""Messages of the inventory of the drive."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_account": "the drive lists the account {account_id}, enabled, of the back-end {backend}",
    "seen_disabled_account": (
        "the drive lists the account {account_id}, disabled, of the back-end {backend}"
    ),
    "seen_account_without_backend": (
        "the drive lists the account {account_id}, which no back-end knows any more"
    ),
    "kept_administrator": "an administrator of the drive, or a name that the system itself uses",
    "kept_other_backend": (
        "it does not belong to the drive's OpenID Connect app, and the manager drives only "
        "accounts that do"
    ),
}
