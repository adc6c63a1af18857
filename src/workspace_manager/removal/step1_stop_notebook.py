"""Step 1: stop the person's notebook container.

Neither the container nor the notebook volumes are removed. A container that is absent or stopped is
no error.

See docs/explanation/removal.md#the-seven-steps.
"""

from functools import partial

from workspace_manager.contract.connector import Change
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.removal.capture import CapturedPerson, derive_names
from workspace_manager.systems.notebook_hub import names
from workspace_manager.systems.notebook_hub.settings import Settings

KIND = "notebook_hub.container"


def step(captured: CapturedPerson) -> PlannedStep:
    skip = captured.not_configured("notebook_hub", KIND)
    changes = () if skip else tuple(plan_change(change) for change in plan_stops(captured))
    return PlannedStep(n=1, name="stop_notebook", system="notebook_hub", skip=skip, changes=changes)


def plan_stops(captured: CapturedPerson) -> list[Change]:
    """Return one stop for the container that the spawner would make, and one for each recorded
    name.
    """
    settings = captured.systems.settings_of(Settings)
    rule = partial(
        names.container_target,
        prefix=settings.container_name_prefix,
        escape=settings.container_name_escape,
    )
    targets = derive_names(rule, captured.username)
    known = {target["container"] for target in targets}
    targets += [
        {"container": name, "hub_user": captured.username}
        for name in captured.recorded(KIND)
        if name not in known
    ]
    return [
        Change(kind=KIND, subject=captured.subject, target=dict(target), after={"running": False})
        for target in targets
    ]
