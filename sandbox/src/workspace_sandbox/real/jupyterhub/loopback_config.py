"""Run by JupyterHub's own Python and never imported here: the configuration of deploy/notebook-hub,
on loopback and on our podman.
"""

import json
import os
import sys
from pathlib import Path

from dockerspawner import DockerSpawner  # type: ignore[import-not-found]

c = get_config()  # type: ignore[name-defined]  # noqa: F821  JupyterHub defines it
here = json.loads(Path(os.environ["SANDBOX_HUB"]).read_text())
load_subconfig(here["configuration"])  # type: ignore[name-defined]  # noqa: F821  and this
sys.path.append(here["sandbox"])
from workspace_sandbox import children  # noqa: E402  of the standard library alone


class OnLoopback(DockerSpawner):  # type: ignore[misc]
    """Containers share the machine's loopback here, so that each needs a port of its own."""

    async def start(self) -> tuple[str, int]:
        # Not the hub's own `random_port`: it gives one that a connection may take meanwhile.
        self.port = children.free_port()
        started: tuple[str, int] = await super().start()
        return started

    async def get_ip_and_port(self) -> tuple[str, int]:
        return "127.0.0.1", self.port


c.JupyterHub.spawner_class = OnLoopback
# As many hubs are; operators who follow our configuration have one server for each person.
c.JupyterHub.allow_named_servers = True
# Whoever administers the hub deletes users of a name that is to be free again.
c.JupyterHub.services.append({"name": "administrator", "api_token": here["administrator"]})
c.JupyterHub.load_roles.append(
    {"name": "administrator", "services": ["administrator"], "scopes": ["admin:users"]}
)
c.JupyterHub.bind_url = here["url"]
c.JupyterHub.hub_bind_url = c.JupyterHub.hub_connect_url = here["hub_url"]
c.JupyterHub.db_url = f"sqlite:///{here['home']}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{here['home']}/cookie-secret"
# The containers go with their engine; waiting for each would make every stop slow.
c.JupyterHub.cleanup_servers = False
c.ConfigurableHTTPProxy.should_start = False
c.ConfigurableHTTPProxy.api_url = here["proxy_url"]

c.Spawner.ip = "127.0.0.1"
c.Spawner.environment = {"HOME": here["folder"], "PATH": "/bin:/usr/bin"}
# A notebook that is late has failed for the hub, for good: on a busy machine its Python alone takes
# longer than the 30 seconds that the hub allows, and podman longer than the minute of its client.
c.Spawner.start_timeout = c.Spawner.http_timeout = here["start_s"]
c.DockerSpawner.client_kwargs = {"base_url": here["engine"], "timeout": here["start_s"]}
c.DockerSpawner.pull_policy = "never"
c.DockerSpawner.network_name = "host"
c.DockerSpawner.use_internal_ip = True
# The image is busybox and nothing else: everything a notebook needs is lent to it by this machine,
# to read.
c.DockerSpawner.read_only_volumes = here["lent"]
c.DockerSpawner.cmd = [here["python"], "-m", "jupyterhub.singleuser", "--allow-root"]

# What an operator set otherwise.
for name, traits in here["changed"].items():
    c[name].update(traits)
