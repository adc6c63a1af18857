"""Messages of the SQL server."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.sql_server.messages.calls import CLIENT
from workspace_manager.systems.sql_server.messages.checks import CHECKS
from workspace_manager.systems.sql_server.messages.inventory import INVENTORY
from workspace_manager.systems.sql_server.messages.labels import LABELS
from workspace_manager.systems.sql_server.messages.snapshots import SNAPSHOTS

_ENGLISH: dict[str, English] = {
    # connector/__init__.py
    "proving_rights": "checking our privileges",
    "proving_credential": "signing in with our account",
    "own_account_not_shown": (
        "our own account {account} is missing among the {count} accounts that the server shows us"
    ),
    "connect_to_server_itself": (
        "Check whether a proxy answers instead of the server. Connect to the server itself."
    ),
    "sees_all_accounts": (
        "signed in as {account}, which sees all {count} accounts (its own too), every session, "
        "database and grant"
    ),
    # connector/databases.py
    "looking_at_database": "looking at the database",
    "setting_up_database": "setting up the database",
    "dropping_database": "dropping the database",
    "no_database": "there is no database {name}, and no grant on it",
    "database_granted_to": "the database {name} exists; granted to exactly: {users}",
    "not_our_database": (
        "the name of the database {name} does not begin with {prefix}, or has characters that the "
        "manager does not use"
    ),
    "not_made_by_manager": (
        "Nothing was sent, because the manager did not make this database. Correct the record, or "
        "remove this database by hand."
    ),
    "grantee_would_reach_another": "the server would take one of the names for another account",
    "correct_account_name": "Nothing was sent. Correct the recorded account name.",
    "no_account_to_grant": "there is no account {user} that could get the database {name}",
    "account_comes_first": (
        "The plan makes the account before its database. Look at that change of the plan."
    ),
    # connector/grants.py
    "looking_at_grant": "looking at a grant",
    "granting_use": "granting access to a database",
    "has_every_right": "{user} has every right in the database {database}, as its owner has",
    "find_whose_database": "Nothing was changed. Find out whose database this is.",
    "no_database_named": "there is no database {database}",
    "dropped_meanwhile": "It was dropped in the meantime. In that case there is nothing to do.",
    "revoking_use": "revoking access to a database",
    "no_grant": "{user} has no grant on the database {database}",
    "may_read": "{user} may read the data of {database}, and nothing more",
    "not_a_use": "the kind of access is none of: read, write",
    "may_define": (
        "{user} may read and write the data of {database}, create and alter its tables, and "
        "nothing more"
    ),
    "may_read_and_write": "{user} may read and write the data of {database}, and nothing more",
    "names_would_reach_another": (
        "the server would take the name of the account or of the database for another one"
    ),
    "correct_name": "Nothing was sent. Correct the recorded name.",
    # connector/people.py
    "account_exists": "the account {user} exists",
    "account_locked": "the account {user} exists and is locked, with no session open",
    "account_not_locked": "the account {user} exists and is not locked",
    "account_gone": "there is no account {user}, and no session of that name",
    "account_gone_everywhere": (
        "there is no account {user} on any host, and no session of that name"
    ),
    "asked_and_signed_in": "{asked}, sign-in",
    "password_is_right": "{account}; its new password works",
    "old_password_refused": (
        "{account}; its new password works, and the server refuses the previous one"
    ),
    "password_is_the_only": (
        "{account}; its new password works, and an account has only one password here"
    ),
    "looking_at_account": "looking at the account",
    "changing_account": "changing the account",
    "dropping_account": "dropping the account",
    "not_made_by_us": "there is an account {accounts}, which the manager did not make",
    "drop_and_try_again": (
        "Find out whose account it is. If nobody needs it, drop it on the SQL server and try again."
    ),
    "password_empty": "the password is empty; anybody could use such an account",
    "give_new_password": "Give the person a new SQL password.",
    "taken_for_another": (
        "the server would take this name for another one: the name is empty, too long, or has a "
        "space at its start or end, a control character or a character above U+FFFF"
    ),
    "correct_or_by_hand": (
        "Nothing was sent. Correct the recorded account name, or remove this account by hand."
    ),
    "has_server_privileges": (
        "the account {shown} has privileges on the whole server, which no account of a person has"
    ),
    "find_whose_account": (
        "Nothing was changed. Find out whose account this is. If nobody needs it, drop it on the "
        "SQL server."
    ),
    "nobody": "there is no account {user}",
    "made_with_password": "The account is made with its password when a person gets a database.",
    # connector/rights.py
    "nor": "{first}, nor {rest}",
    "run_as_administrator": "Run as the server's administrator: {statements}",
    # names.py
    "impossible_account": (
        "the user name cannot be an SQL account: it needs 1 to {longest} characters up to U+FFFF, "
        "at most {bytes} bytes, no space at its start or end and no control characters"
    ),
    "naming_account": "naming the account",
    "needs_other_name": "The person needs another user name; nothing was written.",
    "impossible_id_part": (
        "the id in a database name is a UUID or has 4 to 32 characters of a-z and 0-9"
    ),
    "technical_account": (
        "{name} is an account of the SQL server itself, of its tools or of the manager, and not of "
        "a person"
    ),
    "correct_record": (
        "Nothing was written. Find out why this name was recorded for a person, and correct the "
        "record."
    ),
    # settings.py
    "setting_flavour": "Product",
    "setting_flavour_help": (
        "Which SQL server it is. A change moves nothing: remove by hand what was made on the other "
        "server."
    ),
    "setting_host": "Host",
    "setting_host_help": (
        "Name or address of the SQL server (MariaDB 10.4 or newer, or PostgreSQL 15 or newer), "
        "without mysql:// and without the port."
    ),
    "setting_port": "Port",
    "setting_port_help": "MariaDB usually listens on 3306, PostgreSQL on 5432.",
    "setting_encryption": "Encryption",
    "setting_encryption_help": (
        "verified: the manager sends nothing to another host until the server has shown a "
        "certificate for its name from a trusted authority. unverified: encrypted, for any server "
        "that answers. off: everybody on the network path can read along. The check warns of the "
        "last two."
    ),
    "setting_certificate_authority": "Certificate authority",
    "setting_certificate_authority_help": (
        "File (PEM) on the manager's machine with the certificates of the authorities to trust for "
        "the SQL server. Empty: the authorities that this machine trusts."
    ),
    "setting_admin_username": "Administrator",
    "setting_admin_username_help": (
        "MariaDB: an account that may create users, read mysql.user, mysql.db and "
        "mysql.global_priv, end sessions, and hand on every privilege on databases that begin with "
        "ws_. PostgreSQL: a role with CREATEROLE and CREATEDB, member of pg_signal_backend. The "
        "check says what is missing and how to give it."
    ),
    "setting_admin_password": "Administrator's password",
    "setting_password_attribute": "Attribute for the SQL password",
    "setting_password_attribute_help": (
        "Name of the identity provider's user attribute from which the SQL web tool takes a "
        "person's password."
    ),
    "setting_admin_tool_url": "SQL web tool",
    "setting_admin_tool_url_help": (
        "Address of phpMyAdmin or Adminer, shown to people who own a database. Empty: there is "
        "none."
    ),
    **CHECKS,
    **CLIENT,
    **INVENTORY,
    **SNAPSHOTS,
}

message = Catalogue(
    "sql_server",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"sql_server_labels.{key.removeprefix('label.')}" for key in LABELS},
)
