"""The SQL server (MariaDB or PostgreSQL): one account for each person, one database for each SQL
component.

What can go wrong with MariaDB: an account is a name *and* a host, so dropping one leaves its
namesakes. Dropping an account leaves its open sessions working. Revoking leaves a session's current
database open. A database name in a grant is a pattern, so `team_a` opens `teamXa`. A dropped
database keeps its grants for the next one with its name. Blanks at the end of a name and characters
above U+FFFF reach somebody else's account.

What can go wrong with PostgreSQL: a name longer than 63 bytes is cut and reaches somebody else's
account. An account that owns anything in any database cannot be dropped, and nobody else owns its
things. A dropped account's sessions go on without a name. Everybody may connect to a new database.
A refused sign-in has no code.

The statements and their codes: `client/mariadb` and `client/postgresql`, in each `dialect.py` and
`answers.py`.

See docs/explanation/components.md#databases.
"""

from workspace_manager.contract.system import PASSWORDS, Credential, KindSpec, SystemSpec
from workspace_manager.systems.sql_server.accounts import (
    accounts,
    goes_on,
    own_names,
    reopen,
    shut,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.realm import attributes, client
from workspace_manager.systems.sql_server.settings import Settings

SYSTEM = SystemSpec(
    name="sql_server",
    label=message("system"),
    icon="sql_database",
    order=30,
    settings=Settings,
    connect="workspace_manager.systems.sql_server.connector:connect",
    look="workspace_manager.systems.sql_server.client.look:look",
    takes=(PASSWORDS,),
    inventory="workspace_manager.systems.sql_server.inventory:inventory",
    snapshots="workspace_manager.systems.sql_server.snapshots:snapshots",
    look_counts=True,
    kinds=(
        KindSpec(
            "sql_server.user",
            message("user"),
            counted_as=message("counted.account", n=1),
            holds_account=True,
            takes=frozenset({"locked"}),
            actions={
                "password": (message("action.renew"), message("action.renew")),
                "locked": (message("action.lock"), message("action.unlock")),
            },
        ),
        KindSpec(
            "sql_server.database", message("database"), counted_as=message("counted.database", n=1)
        ),
        KindSpec("sql_server.grant", message("grant"), named_by=("database",)),
    ),
    accounts=accounts,
    shut=shut,
    open=reopen,
    shut_step="lock_sql_user",
    open_step="unlock_sql_user",
    step_labels={step: message(f"step.{step}") for step in ("lock_sql_user", "unlock_sql_user")},
    step_ends={
        step: message(f"step.{step}.ended") for step in ("lock_sql_user", "unlock_sql_user")
    },
    goes_on=goes_on,
    credentials=(
        Credential("sql_password", message("password"), "sql_server.user"),
        Credential("sql_session", message("session"), "sql_server.user"),
    ),
    own_names=own_names,
    realm_client=client,
    tables="workspace_manager.systems.sql_server.members:TABLES",
    realm_attributes=attributes,
    sandbox="workspace_sandbox.stand_ins.sql_server:SqlServerStandIn",
)
