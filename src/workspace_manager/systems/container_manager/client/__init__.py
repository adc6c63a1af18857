"""The client of Portainer's API and, through it or directly, of the Docker Engine API. Honest: one
method per call, no retry, no memory.
"""

from workspace_manager.systems.container_manager.client.answers import Odd
from workspace_manager.systems.container_manager.client.containers import Client, ExecState
from workspace_manager.systems.container_manager.client.projects import Part
from workspace_manager.systems.container_manager.client.stacks import Stack

__all__ = ["Client", "ExecState", "Odd", "Part", "Stack"]
