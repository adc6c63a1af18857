"""Find what the tests need besides Python packages, and install what is missing by the machine's
own package client.

What the parts in the folder of WORKSPACE_PARTS need is looked for only where that is set.

Nothing missing: does nothing. Missing, on a Debian-like machine, as root: `apt-get install`, by
name. Otherwise it says what to install and how, and goes on: each test that needs a missing part
says so by name, and fails under REQUIRE_REAL=1.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ALSO_IN = ("/usr/sbin", "/sbin", "/usr/lib/podman", "/usr/libexec/podman", "/usr/local/sbin")
"""Where a program may be that an ordinary PATH does not show; PostgreSQL's are in a folder for each
version besides.
"""


@dataclass(frozen=True)
class Need:
    """One program or file: any of `names` will do; `package` brings it on Debian; `serves` is what
    it is for.
    """

    names: tuple[str, ...]
    package: str
    serves: str
    good: Callable[[Path], bool] = lambda _: True


def static(program: Path) -> bool:
    """Return whether it runs in an empty image: a dynamic program names its loader in its first
    bytes.
    """
    return b"/ld-" not in program.read_bytes()[:4096]


def new_enough(java: Path) -> bool:
    """Keycloak 26 runs on Java 17 and newer."""
    answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(\d+)', answer.stderr + answer.stdout)
    return version is not None and int(version[1]) >= 17


def knows(*modules: str) -> Callable[[Path], bool]:
    """Return whether a PHP has these modules."""

    def asked(php: Path) -> bool:
        answer = subprocess.run([php, "-m"], capture_output=True, text=True, check=False)
        return {module.lower() for module in modules} <= set(answer.stdout.lower().split())

    return asked


PHPMYADMIN = "/usr/share/phpmyadmin/index.php"
OPEN_SNAPSHOTS = ("age", "jq", "rclone", "zstd")
"""Programs, and packages of the same names."""
NEEDS = (
    # The -core packages hold the programs without a service: nothing is started on this machine.
    Need(("mariadbd",), "mariadb-server-core", "MariaDB, the real SQL server"),
    Need(("mariadb-install-db",), "mariadb-server-core", "MariaDB, the real SQL server"),
    Need(("mariadb",), "mariadb-client-core", "MariaDB, the real SQL server"),
    Need(("mariadb-dump", "mysqldump"), "mariadb-client", "snapshots of databases of MariaDB"),
    Need(("pg_dump",), "postgresql-client", "snapshots of databases of PostgreSQL"),
    *(Need((name,), name, "snapshots, opened without the manager") for name in OPEN_SNAPSHOTS),
    # There is no package with its programs alone: where services are started on installation, this
    # one is too. The tests use their own.
    Need(("initdb",), "postgresql", "PostgreSQL, the real SQL server and own database"),
    Need(("postgres",), "postgresql", "PostgreSQL, the real SQL server and own database"),
    # Where services are started on installation, this one is too. The tests use their own.
    Need(("slapd",), "slapd", "OpenLDAP, the real directory behind Keycloak"),
    Need(("ldapmodify",), "ldap-utils", "OpenLDAP: the tests put people into it"),
    Need(("podman",), "podman", "podman, the real container engine"),
    Need(("runc",), "runc", "podman: it works where crun does not (hybrid cgroups)"),
    Need(("conmon",), "conmon", "podman"),
    Need(("netavark",), "netavark", "podman: networks of containers"),
    Need(("aardvark-dns",), "aardvark-dns", "podman: names of containers"),
    Need(("iptables",), "iptables", "podman: published ports"),
    Need(
        ("docker-compose",), "docker-compose", "stacks on podman alone; reading deploy/compose.yaml"
    ),
    Need(("newuidmap",), "uidmap", "podman without root"),
    Need(("busybox",), "busybox-static", "podman: the image of the tests", static),
    Need(
        ("java",),
        "default-jre-headless",
        "Keycloak, RDF4J, S3Proxy and Jena: real parts that are written in Java",
        new_enough,
    ),
    Need(("mvn",), "maven", "Keycloak, RDF4J, S3Proxy and Jena: fetched by Maven once"),
    Need(("node",), "nodejs", "JupyterHub, the real notebook hub: its proxy"),
    Need(("npm",), "npm", "JupyterHub: its proxy, fetched by npm once"),
    Need(("chromium", "chromium-browser", "google-chrome"), "chromium", "pages in a browser"),
    # Alone it would ask for a database of its own and for the server to put it into.
    Need((PHPMYADMIN,), "dbconfig-no-thanks", "phpMyAdmin, without a database of its own"),
    Need((PHPMYADMIN,), "phpmyadmin", "phpMyAdmin, the real SQL admin tool"),
    Need(("php",), "php-curl", "phpMyAdmin: its sign-in asks the identity provider", knows("curl")),
    Need(("msgfmt",), "gettext", "collecting texts to translate (make messages)"),
)

PHP = "php8.2"
"""Nextcloud 29 runs on 8.1 to 8.3: this is Debian 12's."""
PHP_MODULES = {
    "mysql": ("pdo_mysql",),
    "gd": ("gd",),
    "zip": ("zip",),
    "curl": ("curl",),
    "xml": ("dom", "xmlreader", "xmlwriter", "simplexml"),
    "mbstring": ("mbstring",),
    "intl": ("intl",),
    "bcmath": ("bcmath",),
    "gmp": ("gmp",),
    "bz2": ("bz2",),
}
"""Package behind PHP's name, and the modules it brings."""
PARTS_NEED = (
    # Where services are started on installation, php-fpm and nginx are too. The tests use their
    # own.
    Need((PHP,), f"{PHP}-cli", "Nextcloud, the real drive"),
    Need((f"php-fpm{PHP.removeprefix('php')}",), f"{PHP}-fpm", "Nextcloud, the real drive"),
    *(
        Need((PHP,), f"{PHP}-{package}", "Nextcloud: a module of its PHP", knows(*modules))
        for package, modules in PHP_MODULES.items()
    ),
    Need(("nginx",), "nginx", "Nextcloud: its web server"),
    Need(
        ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",),
        "fonts-dejavu-core",
        "Nextcloud: the fonts of its pictures",
    ),
)
"""What the parts in the folder of WORKSPACE_PARTS need besides."""


def main() -> int:
    """Look, install what is missing where that is possible, say what is left. Always 0: the tests
    name what they miss.
    """
    lacking = missing()
    if not lacking:
        return 0
    packages = sorted({need.package for need in lacking})
    if not shutil.which("apt-get"):
        return advise(
            lacking, "This machine has no apt-get. Install them by its own package client."
        )
    if os.geteuid() != 0:
        command = f"sudo apt-get install --no-install-recommends {' '.join(packages)}"
        return advise(
            lacking, f"Installing them needs root. Do it once, then try again:\n  {command}"
        )
    print(f"Installing by apt-get: {' '.join(packages)} ...", flush=True)
    if not install(packages):
        return advise(missing(), "apt-get did not manage; its own words are above.")
    if lacking := missing():
        return advise(lacking, "apt-get is done, and still they are not found.")
    print("All parts are there.")
    return 0


def missing() -> list[Need]:
    needs = (*NEEDS, *(PARTS_NEED if os.environ.get("WORKSPACE_PARTS") else ()))
    return [need for need in needs if not any(need.good(found) for found in programs(need.names))]


def programs(names: Iterable[str]) -> Iterable[Path]:
    versions = map(str, Path("/usr/lib/postgresql").glob("*/bin"))
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *ALSO_IN, *versions))
    found = (name if Path(name).is_file() else shutil.which(name, path=path) for name in names)
    return [Path(place) for place in found if place]


def install(packages: list[str]) -> bool:
    """Install by name; the list of packages is fetched anew only when apt-get does not know them
    all.
    """
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages]
    for attempt in (command, ["apt-get", "update", "--quiet"], command):
        failed = subprocess.run(attempt, env=environment, stdin=subprocess.DEVNULL, check=False)
        if attempt is command and not failed.returncode:
            return True
    return False


def advise(lacking: list[Need], what_to_do: str) -> int:
    """Say what is missing, what for, and what to do about it."""
    print("Some real parts cannot run here. Missing:", file=sys.stderr)
    for need in lacking:
        print(f"  {need.names[0]} (Debian: {need.package}): {need.serves}", file=sys.stderr)
    print(f"{what_to_do}\nThe tests that need them say so by name.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
