"""Step 6: delete the person's triplestore user."""

from workspace_manager.accounts.repositories import REMOVE_USER
from workspace_manager.contract.connector import Change
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.removal.capture import CapturedPerson
from workspace_manager.systems.triplestore import names

KIND = "triplestore.user"


def step(captured: CapturedPerson) -> PlannedStep:
    skip = captured.not_configured("triplestore", KIND)
    users = dict.fromkeys(
        [*captured.account_of(KIND, names.account_name), *captured.recorded(KIND)]
    )
    changes = (
        ()
        if skip
        else tuple(
            plan_change(Change(kind=KIND, subject=captured.subject, target={"user": user}))
            for user in users
        )
    )
    return PlannedStep(n=6, name=REMOVE_USER, system="triplestore", skip=skip, changes=changes)
