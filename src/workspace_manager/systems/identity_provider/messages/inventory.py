"""Messages of the inventory of the identity provider."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # client/listing.py
    "listing_users": "listing the users",
    "listing_groups": "listing the groups",
    # client/administrators.py
    "listing_administrators": "listing who administers the realm",
    # inventory.py
    "seen_odd": "the realm lists {name} in an unknown form",
    "kept_odd": "it has an unknown form: look at it in the identity provider",
    "seen_user": "the realm lists the user {username}, enabled",
    "seen_disabled_user": "the realm lists the user {username}, disabled",
    "seen_user_roles_hidden": (
        "the realm lists the user {username}, enabled, and does not show who administers the realm"
    ),
    "seen_disabled_user_roles_hidden": (
        "the realm lists the user {username}, disabled, and does not show who administers the realm"
    ),
    "seen_group": (
        "the realm lists the group {group} with one member",
        "the realm lists the group {group} with {n} members",
    ),
    "seen_group_without_mark": "the realm lists the group {group}, which does not have our mark",
    "seen_client": "the realm lists the client {client_id}",
    "kept_own_name": "a service account, an administrator's, or a name that the system itself uses",
    "kept_administrator": "it holds an administrative role of the realm",
    "kept_without_mark": (
        "it does not have the manager's mark: it was not made for a knowledge stack"
    ),
    "kept_built_in": "it belongs to the realm itself",
}
