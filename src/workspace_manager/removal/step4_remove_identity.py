"""Step 4: delete the identity-provider user; all attributes go with it.

Needs step 3: the app password to revoke is stored nowhere else. The notebook stop is repeated
afterwards, since a hub cookie outlives a stop and could have started the notebook again until the
identity was gone.
"""

from workspace_manager.contract.connector import Change
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import planned
from workspace_manager.removal import step1_stop_notebook
from workspace_manager.removal.capture import Captured, no_link


def step(captured: Captured) -> PlannedStep:
    """The step in the plan; skipped without account link."""
    if not captured.sub:
        return PlannedStep(
            n=4,
            name="remove_identity",
            system="identity_provider",
            needs=(3,),
            skip=no_link(captured.username),
        )
    delete = Change(
        kind="identity_provider.user",
        subject=captured.subject,
        target={"sub": captured.sub, "username": captured.username},
    )
    changes: list[PlannedChange] = [planned(delete, name=captured.sub)]
    if not captured.not_configured("notebook_hub", step1_stop_notebook.KIND):
        changes += [planned(stop, 0) for stop in step1_stop_notebook.stops(captured)]
    return PlannedStep(
        n=4, name="remove_identity", system="identity_provider", needs=(3,), changes=tuple(changes)
    )
