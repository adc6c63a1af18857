"""Step 5: drop the person's SQL users on every host: lock, end sessions, drop, end sessions, verify
by exact name.
"""

from typing import Final

from workspace_manager.contract.connector import Change
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.removal.messages import message
from workspace_manager.systems.sql_server import names

KIND = "sql_server.user"
NAME: Final = declare_step("drop_sql_users", message)


def step(captured: CapturedPerson) -> PlannedStep:
    skip = captured.not_configured("sql_server", KIND)
    users = dict.fromkeys([*captured.account_of(KIND, names.user_name), *captured.recorded(KIND)])
    changes = (
        ()
        if skip
        else tuple(
            plan_change(Change(kind=KIND, subject=captured.subject, target={"user": user}))
            for user in users
        )
    )
    return PlannedStep(n=5, name=NAME, system="sql_server", skip=skip, changes=changes)
