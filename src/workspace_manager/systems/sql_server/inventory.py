"""Inventory of the server: its accounts, whoever made them, and the databases with our prefix.
Other databases are ignored, and the roles of our databases are parts of them.

Pages are ordered by name, so that a deletion in between moves nothing, and the last one is empty.
Each page first proves our rights: without them, databases are left out silently.
"""

from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import InventoryEntry, Page, in_parts
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.sql_server.client import KnownAccount, KnownDatabase
from workspace_manager.systems.sql_server.connector import SqlServer
from workspace_manager.systems.sql_server.connector.rights import require_rights
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import (
    ASIDE,
    DATABASE_KIND,
    MACHINE,
    PREFIX,
    TECHNICAL_USERS,
    USER_KIND,
    database_target,
    is_database_name,
    is_technical,
    is_user_name,
    user_name,
    user_target,
)
from workspace_manager.systems.sql_server.settings import Settings

ACCOUNTS: Final = 200
DATABASES: Final = 100
AFTER_OURS: Final = PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)
"""The first text after all names with our prefix."""


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor: accounts, then databases."""
    server = cast(SqlServer, system)
    if not cursor:
        server.prove_rights()
    parts = {
        "accounts": lambda after: _accounts(server, after),
        "databases": lambda after: _databases(server, after or PREFIX),
    }
    return in_parts(parts, cursor)


def _accounts(server: SqlServer, after: str) -> Page:
    doing = message("listing_accounts")
    with server.client.session(doing=doing, kind=USER_KIND) as session:
        require_rights(session, doing=doing, kind=USER_KIND)
        found = session.accounts_after(after, ACCOUNTS)
    listed = tuple(_account(server.settings, one) for one in found)
    return Page(listed, found[-1].user if found else "")


def _databases(server: SqlServer, after: str) -> Page:
    doing = message("listing_databases")
    with server.client.session(doing=doing, kind=DATABASE_KIND) as session:
        require_rights(session, doing=doing, kind=DATABASE_KIND)
        found = session.databases_after(after, AFTER_OURS, DATABASES)
    ours = [one for one in found if is_database_name(one.name, server.settings.flavour)]
    return Page(tuple(map(_database, ours)), found[-1].name if found else "")


def _account(settings: Settings, one: KnownAccount) -> InventoryEntry:
    kept = _kept_reason(settings, one)
    return InventoryEntry(
        kind=USER_KIND,
        target=user_target(one.user),
        name=one.user,
        seen=message("seen_account" if one.may_enter else "seen_locked_account", name=one.user),
        username="" if kept else _username(one.user),
        open=one.may_enter,
        ours=one.user.startswith(MACHINE),
        kept=kept,
    )


def _username(user: str) -> str:
    """Return the user name of an account, if it makes exactly this account; else ""."""
    try:
        return user if user_name(user) == user else ""
    except NameImpossible:
        return ""


def _kept_reason(settings: Settings, one: KnownAccount) -> Message | None:
    technical = one.user in TECHNICAL_USERS | {settings.admin_username}
    if technical or is_technical(one.user, settings.flavour):
        return message("kept_technical")
    if not is_user_name(one.user, settings.flavour):
        return message("kept_not_addressed")
    if one.server_wide:
        return message("kept_server_wide")
    return message("kept_group") if one.has_members else None


def _database(one: KnownDatabase) -> InventoryEntry:
    return InventoryEntry(
        kind=DATABASE_KIND,
        target=database_target(one.name),
        name=one.name,
        seen=message("seen_database", name=one.name, n=len(one.holders)),
        ours=True,
        kept=message("kept_aside") if one.name.startswith(ASIDE) else None,
        holders=tuple(one.holders),
        levels=one.holders,
    )
