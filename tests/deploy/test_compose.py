"""`deploy/compose.yaml`: what can be said of it without its images, which no machine without a
registry can pull; and what compose itself says.
"""

import contextlib
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.conftest import DEPLOY
from tests.real_parts import Part
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.systems import registry
from workspace_manager.systems.sql_server.client.encryption import verifying
from workspace_sandbox.patience import PATIENCE_S

GIVEN = {"WORKSPACE_DOMAIN": "example.org", "WORKSPACE_FIRST_ADMINISTRATOR": "ada"}
HIDDEN = re.compile(r"PASSWORD|SECRET|TOKEN|CRYPT_KEY|API_KEY|DATABASE_URL|QUEUE_URL|EMAIL_URL")
PRODUCTS = {
    "identity-provider": "keycloak", "database": "postgres", "sql-server": "mariadb",
    "triplestore": "graphdb",
    "drive": "nextcloud", "container-manager": "portainer", "proxy": "caddy",
}  # fmt: skip


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return found


def test_every_system_is_a_public_product_of_one_version(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, product in PRODUCTS.items():
        image = services[name]["image"]
        assert product in image
        assert re.fullmatch(r"[\w.]+\.\w+/[\w/.-]+:[\w.-]+", image), image
        assert not image.endswith(":latest")
    ours = {name for name, service in services.items() if "build" in service}
    assert ours == {"manager", "worker", "migrate", "notebook-hub"}
    for name in ours:
        assert (DEPLOY.parent / services[name]["build"]["dockerfile"]).is_file()


def test_every_service_is_asked_whether_it_is_well(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        check = service["healthcheck"]
        assert check.get("disable") is True if name == "migrate" else check["test"][0] == "CMD"
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")


def test_secrets_are_in_files_alone(compose: dict[str, Any], folder: Path) -> None:
    declared = compose["secrets"]
    used = set()
    for name, service in compose["services"].items():
        listed = set(service.get("secrets", ()))
        assert listed <= declared.keys()
        used |= listed
        for variable, value in service.get("environment", {}).items():
            if HIDDEN.search(variable):
                assert variable.endswith("_FILE"), f"{name}: {variable}"
            if variable.endswith("_FILE"):
                assert Path(value).name in listed, f"{name}: {variable}"
    assert used == declared.keys()
    for name, place in declared.items():
        assert place == {"file": f"./secrets/{name}"}
        assert (folder / "secrets" / name).is_file()


def test_each_program_has_a_user_of_its_own(compose: dict[str, Any]) -> None:
    """Whoever is in one of them has no password that opens another's database."""
    services = compose["services"]
    of_databases = [name for name in compose["secrets"] if "database" in name]
    having = {
        secret: {name for name, service in services.items() if secret in service.get("secrets", ())}
        for secret in of_databases
    }
    ours = {"manager", "worker", "migrate"}
    assert having == {
        "database_password": {"database"},
        "manager_database_password": {"database"},
        "manager_database_url": ours,
        "identity_provider_database_password": {"database", "identity-provider"},
        "drive_database_password": {"database", "drive"},
    }
    users = {
        services["identity-provider"]["environment"]["KC_DB_USERNAME"],
        services["drive"]["environment"]["POSTGRES_USER"],
        "manager",
    }
    made = (DEPLOY / "database.sql").read_text()
    assert set(re.findall(r"^CREATE ROLE (\w+) LOGIN", made, re.MULTILINE)) == users
    assert "POSTGRES_USER" not in services["database"]["environment"], "the image's own"


def test_making_secrets_again_changes_none(folder: Path) -> None:
    def read() -> dict[str, str]:
        return {file.name: file.read_text() for file in (folder / "secrets").iterdir()}

    before = read()
    subprocess.run(["./make-secrets.sh"], cwd=folder, check=True, capture_output=True)
    assert read() == before
    assert len(set(before.values())) >= len(before) - 1, "only what is not known yet is empty"
    assert (folder / "secrets").stat().st_mode & 0o077 == 0
    ignored = (folder / ".gitignore").read_text().split()
    assert {"secrets/", ".env"} <= set(ignored)


def test_the_sql_server_proves_to_be_the_one_that_the_manager_asks(
    compose: dict[str, Any], folder: Path
) -> None:
    environment = compose["services"]["manager"]["environment"]
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    files = [
        option.partition("/run/")[2] for option in compose["services"]["sql-server"]["command"]
    ]
    server.load_cert_chain(*(folder / file for file in files))
    authority = environment["WORKSPACE_SQL_SERVER__CERTIFICATE_AUTHORITY"].removeprefix("/run/")
    asked = environment["WORKSPACE_SQL_SERVER__HOST"]
    to, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = verifying(str(folder / authority)).wrap_bio(back, to, server_hostname=asked)
    theirs = server.wrap_bio(to, back, server_side=True)
    for side in (ours, theirs, ours, theirs):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    assert ours.getpeercert()


@pytest.mark.django_db
@pytest.mark.parametrize("service", ["manager", "worker"])
def test_the_manager_understands_every_variable(
    compose: dict[str, Any], folder: Path, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = compose["services"][service]["environment"]
    for variable, value in environment.items():
        text = str(value).replace("${WORKSPACE_DOMAIN:?}", "example.org")
        text = text.replace("${WORKSPACE_DOMAIN}", "example.org")
        monkeypatch.setenv(variable, text.replace("/run/secrets", str(folder / "secrets")))
    (folder / "secrets" / "container_manager_key").chmod(0o644)
    (folder / "secrets" / "container_manager_key").write_text("ptr_key\n")
    names = {name.removesuffix("_FILE") for name in environment if "__" in name}
    pinned = set()
    for system in registry().specs:
        state = read_settings(system)
        assert not state.errors
        pinned |= {f"WORKSPACE_{system.upper()}__{name.upper()}" for name in state.pinned}
        assert not state.missing or system == "ontology_editor", (system, state.missing)
    assert pinned == names
    others = {name for name in environment if "__" not in name}
    told = (DEPLOY.parent / "docs" / "reference" / "settings.md").read_text()
    assert all(f"`{name.removesuffix('_FILE')}`" in told for name in others)


def test_the_hub_is_told_what_its_configuration_reads(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "notebook-hub" / "jupyterhub_config.py").read_text()
    read = set(re.findall(r'(?:environ\[|environ\.get\(|secret\()"(\w+)"', text))
    given = {
        name.removesuffix("_FILE") for name in compose["services"]["notebook-hub"]["environment"]
    }
    assert given <= read
    assert read - given == {"OIDC_CLIENT_ID"}, "its client id is its address"


def test_the_proxy_knows_every_name_and_its_service(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    sites = dict(
        re.findall(
            r"^(\S*\{\$WORKSPACE_DOMAIN\}) \{\n\treverse_proxy ([\w-]+):\d+", text, re.MULTILINE
        )
    )
    assert set(sites.values()) == {"manager", "identity-provider", "drive", "notebook-hub"}
    assert set(sites.values()) <= compose["services"].keys()
    aliases = compose["services"]["proxy"]["networks"]["default"]["aliases"]
    plain = {name.replace(":?", "").replace("${", "{$") for name in aliases}
    assert plain == sites.keys()


def compose_programs() -> list[tuple[list[str], str]]:
    """The programs here that read compose files, each with its version."""
    found = []
    for program in (["docker", "compose"], ["docker-compose"], ["podman-compose"]):
        if shutil.which(program[0]):
            told = subprocess.run(
                [*program, "version"],
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE_S,
            )
            if told.returncode == 0 and (version := re.search(r"\d+\.\d+\.\d+", told.stdout)):
                found.append((program, version[0]))
    return found


@pytest.fixture(scope="module")
def program(real_part: Callable[..., Part]) -> list[str]:
    found = compose_programs()
    why_not = None if found else "no program reads compose files here (Debian: docker-compose)"
    real_part("compose", version=found[0][1] if found else "", why_not=why_not)
    return found[0][0]


@pytest.mark.real
def test_compose_itself_takes_it(program: list[str], folder: Path, compose: dict[str, Any]) -> None:
    environment = {**os.environ, **GIVEN}
    told = subprocess.run(
        [*program, "config"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    read = yaml.safe_load(told.stdout)
    assert read["services"].keys() == compose["services"].keys()
    manager = read["services"]["manager"]["environment"]
    assert manager["WORKSPACE_BASE_URL"] == "https://example.org"
    hub = read["services"]["notebook-hub"]["environment"]
    assert hub["OIDC_ISSUER"] == "https://idp.example.org/realms/workspace"
    entry = read["services"]["identity-provider"]["entrypoint"][-1]
    assert entry.startswith('KC_BOOTSTRAP_ADMIN_PASSWORD="$')
    nameless = {name: value for name, value in environment.items() if name not in GIVEN}
    refused = subprocess.run(
        [*program, "config"], cwd=folder, env=nameless, capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0
    assert "WORKSPACE_DOMAIN" in refused.stderr
