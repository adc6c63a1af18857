"""A real JupyterHub on loopback: signs in at the sandbox's identity provider, spawns notebooks on
the sandbox's podman.

It runs with the configuration that operators are given (deploy/notebook-hub), plus what one machine
without images needs.
"""

from workspace_sandbox.real.jupyterhub.environment import version
from workspace_sandbox.real.jupyterhub.hub import (
    NAME,
    PROXY_NAME,
    Address,
    Client,
    JupyterHub,
    JupyterHubFailed,
    administrator,
    prepare,
    why_not,
)

__all__ = [
    "NAME",
    "PROXY_NAME",
    "Address",
    "Client",
    "JupyterHub",
    "JupyterHubFailed",
    "administrator",
    "prepare",
    "version",
    "why_not",
]
