"""The volumes of a stack, by their keys in the compose file."""

from workspace_manager.contract.connector import Target
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.connector.stack_state import is_ours
from workspace_manager.systems.container_manager.names import VOLUME_LABEL


def find_volumes(client: Client, target: Target) -> dict[str, str]:
    """Return the names of the volumes by their keys in the compose file, in the order of keys."""
    client.require_everything()
    stack = target["stack"]
    ours = [one for one in client.volumes_of(stack) if is_ours(one, target["mark"])]
    keys = {
        one.labels.get(VOLUME_LABEL) or one.name.removeprefix(f"{stack}_"): one.name for one in ours
    }
    return dict(sorted(keys.items()))
