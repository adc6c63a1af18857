"""The notebook hub: JupyterHub with DockerSpawner, with one container per server, and one server or
more per person.

What can go wrong: the container's name contains the escaped user name, so that a naive prefix stops
nobody or a stranger. A missing container looks like a stopped one. A named server runs in a
container with another name. The hub shows a stopped server as running for half a minute. A session
cookie of the hub outlives a stop, and the hub's tokens outlive the person
(docs/explanation/removal.md#the-seven-steps).
"""

from workspace_manager.contract.system import CONTAINERS, PEOPLE, Credential, KindSpec, SystemSpec
from workspace_manager.systems.notebook_hub.accounts import (
    goes_on,
    lacks,
    own_names,
    remarks,
    stops,
)
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import VOLUME_KIND
from workspace_manager.systems.notebook_hub.realm import client
from workspace_manager.systems.notebook_hub.settings import Settings

SYSTEM = SystemSpec(
    name="notebook_hub",
    label=message("system"),
    icon="notebook_hub",
    order=60,
    settings=Settings,
    connect="workspace_manager.systems.notebook_hub.connector:connect",
    look="workspace_manager.systems.notebook_hub.client.look:look",
    inventory="workspace_manager.systems.notebook_hub.inventory:inventory",
    kinds=(
        KindSpec(
            "notebook_hub.container",
            message("container"),
            actions={"running": (message("action.start"), message("action.stop"))},
            named_by=("container",),
            holds_account=True,
            comes_back_by="name",
            comes_by_itself=True,
        ),
        KindSpec(VOLUME_KIND, message("volume"), not_removed=message("volume_not_removed")),
    ),
    takes=(CONTAINERS, PEOPLE),
    lacks=lacks,
    accounts=stops,
    shut=stops,
    shut_step="stop_notebook",
    step_labels={
        step: message(f"step.{step}") for step in ("stop_notebook", "stop_notebook_again")
    },
    step_ends={
        step: message(f"step.{step}.ended") for step in ("stop_notebook", "stop_notebook_again")
    },
    shut_first=True,
    goes_on=goes_on,
    remarks=remarks,
    credentials=(Credential("notebook", message("notebook"), "notebook_hub.container"),),
    own_names=own_names,
    keeps_by_name=True,
    realm_client=client,
    tables="workspace_manager.systems.notebook_hub.members:TABLES",
    sandbox="workspace_sandbox.stand_ins.notebook_hub:NotebookHubStandIn",
)
