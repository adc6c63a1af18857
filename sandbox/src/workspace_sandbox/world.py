"""Build every system of a sandbox, start them, and say how the manager reaches them.

A system whose address is pinned by the environment is used as it is. With `real`, Keycloak,
MariaDB, podman, Portainer, JupyterHub, RDF4J and OpenGDB are started instead of their stand-ins
where the machine can; the rest stays stand-ins that cannot tell the difference.
"""

import asyncio
from collections.abc import Sequence

import httpx

from workspace_manager.contract.secret import Secret
from workspace_manager.systems import registry
from workspace_sandbox import pins
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import (
    drive_container,
    jupyterhub,
    keycloak,
    mariadb,
    nextcloud,
    nextcloud_container,
    opengdb,
    podman,
    portainer,
    rdf4j,
    tar_image,
)
from workspace_sandbox.realm import client_of, set_up
from workspace_sandbox.sample_stack import image
from workspace_sandbox.sandbox_parts import SandboxParts
from workspace_sandbox.secrets_file import read_or_make
from workspace_sandbox.server import SignInClient
from workspace_sandbox.stand_ins.drive import DriveStandIn

REALM = "workspace"
ADMIN = "admin"
REALM_SETTINGS = {
    "enabled": True,
    "accessTokenLifespan": 60,
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "bruteForceProtected": True,
}
"""As a careful operator would have it; tokens live a minute, so that a late look is soon."""


class World(SandboxParts):
    """One sandbox: each system is started as the machine can."""

    async def start(self) -> None:
        """Start everything; what is real starts first, since stand-ins ask it."""
        self.values = read_or_make(self.data_dir)
        await self._identity_provider()
        await self._containers()
        await self._sql_server()
        await self._drive()
        await self._triplestore()
        await self._ontology_editor()
        await self._notebook_hub()
        await self._outside()
        await asyncio.to_thread(set_up, self.systems, self.values, self.manager_url)

    async def stop(self) -> None:
        """Stop everything, in the opposite order."""
        for stand_in in reversed(self.stand_ins):
            await stand_in.stop()
        for part in reversed(self.parts):
            part.stop()

    # --- one by one ------------------------------------------------------------------------------

    async def _identity_provider(self) -> None:
        pinned = pins.read_settings("identity_provider", "url", "realm", "admin_username")
        if pinned:
            self.systems["identity_provider"] = pinned
            return
        password = self.values["identity_provider.admin"]
        if self._can("Keycloak", keycloak.why_not()):
            part = keycloak.Keycloak(
                directory=self._kept("keycloak"), port=self._port("identity_provider")
            )
            # Its kernel-side tie is to the starting thread: the main thread, which lives as long as
            # we do.
            address = part.start({"realm": REALM, "sslRequired": "none", **REALM_SETTINGS})
            self.parts.append(part)
            self._tell(
                "identity_provider", "real", url=address.url, realm=REALM,
                admin_username=address.admin_username,
                admin_password=address.admin_password.reveal(),
            )  # fmt: skip
        else:
            stand_in = self._made(
                "identity_provider", realm=REALM, realm_settings=REALM_SETTINGS,
                admin_username=ADMIN, admin_password=password,
                clients=[], users=[],
            )  # fmt: skip
            url = await self._run(stand_in, "identity_provider")
            self._tell(
                "identity_provider", "stand-in", stand_in, url=url, realm=REALM,
                admin_username=ADMIN,
                admin_password=password,
            )  # fmt: skip
        self._pin("identity_provider", "client_id", self.manager_url)
        self._pin("identity_provider", "client_secret", self.values["client.manager"])

    async def _containers(self) -> None:
        pinned = pins.read_settings("container_manager", "url", "environment_id")
        if pinned:
            self.systems["container_manager"] = pinned
            return
        docker_url = None
        if self._can("podman", podman.why_not()):
            part = podman.Podman()
            docker_url = part.start()
            self.parts.append(part)
        await self._container_manager(docker_url)
        self.systems["container_manager"]["sample_stack"] = await self._sample_stack(docker_url)

    async def _container_manager(self, docker_url: str | None) -> None:
        if docker_url and await self._can_run("Portainer", portainer.why_not, portainer.prepare):
            front = portainer.Portainer(
                docker_url=docker_url,
                directory=self._kept("portainer"),
                port=self._port("container_manager"),
            )
            address = front.start()
            self.parts.append(front)
            self._tell(
                "container_manager", "real", url=address.url, api_key=address.api_key.reveal(),
                environment_id=address.environment_id,
            )  # fmt: skip
            return
        stand_in = self._made(
            "container_manager", api_key=self.values["container_manager.key"], environment_id=1,
            docker_url=docker_url, occ=self._occ,
        )  # fmt: skip
        url = await self._run(stand_in, "container_manager")
        self._tell(
            "container_manager", "real" if docker_url else "stand-in", stand_in, url=url,
            api_key=self.values["container_manager.key"], environment_id=1,
        )  # fmt: skip

    async def _sample_stack(self, docker_url: str | None) -> str:
        """Return how the sample template can be made here: "stand-in", "loopback" on a real engine,
        where it has to share the network in which the systems are, or "" for not at all.
        """
        if docker_url is None:
            return "stand-in"
        try:
            await asyncio.to_thread(image.make, docker_url)
            if not tar_image.why_not():
                name = await asyncio.to_thread(tar_image.make, docker_url)
                self._pin("container_manager", "snapshot_image", name)
        except (image.ImageFailed, httpx.HTTPError) as failed:
            self.notes.append(f"There is no sample template: its image was not made, {failed}")
            return ""
        self._pin("container_manager", "allow_privileged_stacks", "true")
        return "loopback"

    async def _sql_server(self) -> None:
        pinned = pins.read_settings("sql_server", "host", "port", "admin_username")
        if pinned:
            self.systems["sql_server"] = pinned
            return
        password, port = self.values["sql_server.admin"], self._port("sql_server")
        if await self._can_run(
            "MariaDB", mariadb.why_not, mariadb.prepare
        ) and self._real_sql_server(password, port):
            return
        stand_in = self._made(
            "sql_server", admin_username=ADMIN, admin_password=password, sql_port=port
        )
        await self._run(stand_in, "sql_control")
        self._tell(
            "sql_server", "stand-in", stand_in, host=stand_in.host, port=stand_in.sql_port,
            admin_username=ADMIN,
            admin_password=password,
        )  # fmt: skip
        self.notes.append(
            "The stand-in of the SQL server cannot be copied: there are no snapshots of databases. "
            "Install MariaDB (Debian: mariadb-server-core mariadb-client), and start a new demo."
        )

    def _real_sql_server(self, password: str, port: int) -> bool:
        """Return whether it runs: a demo takes it also where nobody asked for real parts."""
        part = mariadb.MariaDB(
            directory=self._kept("mariadb"), port=port, admin_password=Secret(password)
        )
        try:
            address = part.start()
        except mariadb.MariaDBFailed as failed:
            return self._can("MariaDB", str(failed))
        self.parts.append(part)
        self._tell(
            "sql_server", "real", host=address.host, port=address.port,
            admin_username=address.admin_username,
            admin_password=password,
        )  # fmt: skip
        return True

    async def _drive(self) -> None:
        pinned = pins.read_settings("drive", "base_url", "admin_username")
        if pinned:
            self.systems["drive"] = {**pinned, "url": pinned["base_url"]}
            return
        own = f"http://127.0.0.1:{self._port('drive')}"
        if await self._can_run("Nextcloud", nextcloud.why_not, nextcloud.prepare):
            self._real_drive(nextcloud.Provider(self._issuer(), own, self._client("drive")))
            return
        password, app_password = self.values["drive.admin"], self.values["drive.app_password"]
        stand_in = self._made(
            "drive", issuer_url=self._issuer(), client_id=own,
            client_secret=self.values["client.drive"],
            admin_username=ADMIN, admin_password=password, admin_app_password=app_password,
        )  # fmt: skip
        url = await self._run(stand_in, "drive")
        self._tell(
            "drive", "stand-in", stand_in, base_url=url, admin_username=ADMIN,
            admin_password=app_password,
        )  # fmt: skip
        self._pin("drive", "oidc_username_prefix", "{empty}")
        self._pin("drive", "container_name", "drive")
        self.systems["drive"]["url"] = url
        if any(isinstance(part, portainer.Portainer) for part in self.parts):
            # Before the stand-in of a container manager, the drive's container is its own.
            folder = self._kept("drive-container")
            drive_container.start(self._engine(), "drive", stand_in.control_url, folder)

    def _real_drive(self, provider: nextcloud.Provider) -> None:
        password = self.values["drive.admin"]
        part = nextcloud.Nextcloud(
            directory=self._kept("nextcloud"), port=self._port("drive"),
            admin_password=Secret(password), user_oidc=nextcloud.HEAD,
        )  # fmt: skip
        url = part.start(provider).url
        self.parts.append(part)
        self._tell(
            "drive", "real", base_url=url, admin_username=ADMIN,
            admin_password=part.inside.app_password(ADMIN),
        )  # fmt: skip
        self._pin("drive", "oidc_username_prefix", "{empty}")
        self._pin("drive", "container_name", "drive")
        self.systems["drive"] |= {"url": url, "inside": part.inside.told_of()}
        if any(isinstance(part, portainer.Portainer) for part in self.parts):
            nextcloud_container.start(self._engine(), "drive", part.inside)

    async def _triplestore(self) -> None:
        pinned = pins.read_settings("triplestore", "url", "admin_username")
        if pinned:
            self.systems["triplestore"] = pinned
            return
        password = self.values["triplestore.admin"]
        store = None
        if await self._can_run("RDF4J", rdf4j.why_not, rdf4j.prepare):
            part = rdf4j.RDF4J(directory=self._kept("rdf4j"))
            store = part.start()
            self.parts.append(part)
        if store and await self._can_run("OpenGDB", opengdb.why_not, opengdb.prepare):
            front = opengdb.OpenGDB(
                rdf4j_url=store,
                directory=self._kept("opengdb"),
                admin_password=Secret(password),
            )
            door = FaultProxy(front.start().url)
            self.parts.append(front)
            url = await self._run(door, "triplestore")
            self._tell(
                "triplestore", "real", door, url=url, admin_username=opengdb.ADMIN,
                admin_password=password,
            )  # fmt: skip
            return
        stand_in = self._made(
            "triplestore", admin_username=ADMIN, admin_password=password, rdf4j_url=store
        )
        url = await self._run(stand_in, "triplestore")
        self._tell(
            "triplestore", "real" if store else "stand-in", stand_in, url=url, admin_username=ADMIN,
            admin_password=password,
        )  # fmt: skip

    async def _ontology_editor(self) -> None:
        pinned = pins.read_settings("ontology_editor", "host")
        if pinned:
            self.systems["ontology_editor"] = {**pinned, "url": pinned["host"]}
            return
        key = self.values["ontology_editor.key"]
        own = f"http://127.0.0.1:{self._port('ontology_editor')}"
        stand_in = self._made(
            "ontology_editor", api_key=key, issuer_url=self._issuer(), client_id=own,
            client_secret=self.values["client.ontology_editor"],
        )  # fmt: skip
        url = await self._run(stand_in, "ontology_editor")
        self._tell("ontology_editor", "stand-in", stand_in, host=url, api_key=key)
        self._pin("ontology_editor", "service_account", stand_in.service_account)
        self.systems["ontology_editor"]["url"] = url

    async def _notebook_hub(self) -> None:
        pinned = pins.read_settings("notebook_hub", "url")
        if pinned:
            self.systems["notebook_hub"] = pinned
            return
        engine = self._engine()
        if engine and await self._can_run("JupyterHub", jupyterhub.why_not, jupyterhub.prepare):
            part = jupyterhub.JupyterHub(
                docker_url=engine,
                client=jupyterhub.Client(self._issuer(), self._client("notebook_hub")),
                api_token=Secret(self.values["notebook_hub.token"]),
                drive_url=self.systems["drive"]["url"],
                directory=self._kept("jupyterhub"),
                port=self._port("notebook_hub"),
            )
            self._tell("notebook_hub", "real", url=part.start().url)
            self._pin("notebook_hub", "api_token", self.values["notebook_hub.token"])
            self.systems["notebook_hub"]["administrator"] = jupyterhub.administrator(part.api_token)
            self.parts.append(part)
            return
        own = f"http://127.0.0.1:{self._port('notebook_hub')}"
        manager = self.systems["container_manager"]
        stand_in = self._made(
            "notebook_hub", issuer_url=self._issuer(), client_id=own,
            client_secret=self.values["client.notebook_hub"], container_url=manager["url"],
            api_key=manager.get("api_key") or self.values["container_manager.key"],
            environment_id=int(manager["environment_id"]),
            api_token=self.values["notebook_hub.token"],
        )  # fmt: skip
        url = await self._run(stand_in, "notebook_hub")
        token = self.values["notebook_hub.token"]
        self._tell("notebook_hub", "stand-in", stand_in, url=url, api_token=token)
        self.systems["notebook_hub"]["administrator"] = stand_in.administrator

    async def _outside(self) -> None:
        """Systems of other distributions, unless the environment has settings for them; one that
        does not start harms no other.
        """
        for name in sorted(registry().outside):
            if pins.any_of(name) or not registry().specs[name].sandbox:
                continue
            try:
                stand_in = self._made(name)
                await self._run(stand_in, name)
                self._tell(name, "stand-in", stand_in, **stand_in.manager_settings())
                client = client_of(name, self.systems[name])
                if client:
                    secret = self.values[f"client.{name}"]
                    stand_in.sign_in_client = SignInClient(self._issuer(), client.client_id, secret)
            except Exception as failed:  # noqa: BLE001 - what somebody else brings may raise anything
                self.notes.append(f"{name} could not be started: {failed}")

    def _occ(self, argv: Sequence[str]) -> tuple[int, str]:
        """The drive's command-line tool, as if run in its container; the drive starts after the
        container manager.
        """
        real = next((part for part in self.parts if isinstance(part, nextcloud.Nextcloud)), None)
        if real:
            return real.inside.occ(*argv[2:])
        drive = next((s for s in self.stand_ins if isinstance(s, DriveStandIn)), None)
        return drive.occ(argv) if drive else (127, "no drive here")
