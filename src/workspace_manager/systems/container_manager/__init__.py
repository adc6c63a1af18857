"""The container manager: Portainer in front of a Docker or podman engine, or such an engine
directly.

What can go wrong: a 404 has six meanings, one of which is "no such container". A short id prefix
addresses a stranger's container. A client that gives up does not interrupt a stop. A 500 can mean a
refusal, an engine that is down, or a failed stack (docs/explanation/components.md#containers,
docs/systems/container-manager.md#what-a-careful-client-handles).
"""

from workspace_manager.contract.system import CONTAINERS, KindSpec, SystemSpec
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import STACK_KIND, VOLUMES_KIND
from workspace_manager.systems.container_manager.settings import Settings

SYSTEM = SystemSpec(
    name="container_manager",
    label=message("system"),
    icon="container_manager",
    order=70,
    settings=Settings,
    connect="workspace_manager.systems.container_manager.connector:connect",
    look="workspace_manager.systems.container_manager.client.look:look",
    inventory="workspace_manager.systems.container_manager.inventory:inventory",
    snapshots="workspace_manager.systems.container_manager.snapshots:snapshots",
    kinds=(
        KindSpec("container_manager.container", message("container")),
        KindSpec(
            STACK_KIND,
            message("stack"),
            named_by=("stack",),
            exclusive=f"{STACK_KIND}:{{stack}}",
        ),
        KindSpec(VOLUMES_KIND, message("stack_volumes"), named_by=("stack",)),
    ),
    provides=(CONTAINERS,),
    tables="workspace_manager.systems.container_manager.members:TABLES",
    sandbox="workspace_sandbox.stand_ins.container_manager:ContainerManagerStandIn",
)
