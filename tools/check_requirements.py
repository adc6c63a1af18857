"""Fail when a pinned file no longer holds what pyproject.toml asks for, holds something without a
hash, or too much for its name.

Offline: it compares texts. Whether the pinned versions are the newest is another question (`make
lock UPGRADE=1`).
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
FOREIGN = re.compile(
    r"https?://|^\s*-(?:i|f|-index-url|-extra-index-url|-find-links)\b", re.MULTILINE
)


def main(root: Path = ROOT) -> int:
    """Compare, say every difference, and give 1 when there is one."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    sandbox = tomllib.loads((root / "sandbox" / "pyproject.toml").read_text())["project"]
    others = [one for one in sandbox["dependencies"] if not one.startswith(project["name"])]
    build = read_names(root, "build.in")
    bad = same_version(root, project["name"], sandbox)
    for name, wanted in {
        "runtime.txt": project["dependencies"],
        "demo.txt": [*project["dependencies"], *others, *build],
        "build.txt": build,
        "dev.txt": [
            *[*project["dependencies"], *others, *build],
            *[*extras["dev"], *read_names(root, "dev.in")],
        ],
    }.items():
        bad += differences(root, name, wanted)
    bad += surplus(root, "runtime.txt", names(others) - names(project["dependencies"]))
    for name in ("notebook-hub", "opengdb"):
        bad += differences(root, f"{name}.txt", read_names(root, f"{name}.in"))
    bad += proxy(root)
    if bad:
        print("\n".join(bad), "Mend it, or run `make lock` and commit what it writes.", sep="\n")
    else:
        print("requirements ok")
    return int(bool(bad))


def same_version(root: Path, manager: str, sandbox: dict[str, Any]) -> list[str]:
    """Say where the sandbox is not of exactly the manager's version, which stands in the manager's
    code.
    """
    code = root / "src" / "workspace_manager" / "__init__.py"
    found = VERSION.search(code.read_text())
    version = found[1] if found else ""
    bad = []
    if sandbox["version"] != version:
        bad.append(f"sandbox/pyproject.toml: version {sandbox['version']} is not {version}")
    if f"{manager}=={version}" not in sandbox["dependencies"]:
        bad.append(f"sandbox/pyproject.toml: does not ask for {manager}=={version}")
    return bad


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(one).name) for one in requirements}


def surplus(root: Path, name: str, unwanted: set[str]) -> list[str]:
    """Say which packages are pinned where nobody needs them."""
    text = (root / "requirements" / name).read_text()
    pinned = {canonicalize_name(found[1]) for found in PIN.finditer(text)}
    return [f"requirements/{name}: {one} is in it" for one in sorted(unwanted & pinned)]


def proxy(root: Path) -> list[str]:
    """Say what is wrong with the pinned packages of the notebook hub's proxy, which npm writes."""
    name = "requirements/notebook-hub-proxy/package-lock.json"
    packages = json.loads((root / name).read_text())["packages"]
    asked = json.loads((root / name).with_name("package.json").read_text())["dependencies"]
    bad = [] if packages[""]["dependencies"] == asked else [f"{name}: is not of its package.json"]
    for place, package in packages.items():
        if place and "integrity" not in package:
            bad.append(f"{name}: {place} has no hash")
        if "resolved" in package:
            bad.append(f"{name}: names an index: {package['resolved']}")
    return bad


def read_names(root: Path, name: str) -> list[str]:
    lines = (root / "requirements" / name).read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def differences(root: Path, name: str, wanted: list[str]) -> list[str]:
    """Say what a pinned file lacks: a package, a version that fits, a hash; and whether it names an
    index.
    """
    text = (root / "requirements" / name).read_text()
    pinned: dict[str, list[Version]] = {}
    for found in PIN.finditer(text):
        pinned.setdefault(canonicalize_name(found[1]), []).append(Version(found[2]))
    bad = []
    for requirement in map(Requirement, wanted):
        versions = pinned.get(canonicalize_name(requirement.name), [])
        if not versions:
            bad.append(f"requirements/{name}: {requirement.name} is not in it")
        elif not any(requirement.specifier.contains(v, prereleases=True) for v in versions):
            have = ", ".join(map(str, versions))
            bad.append(f"requirements/{name}: {requirement} is asked for, {have} is pinned")
    bad += [
        f"requirements/{name}: {block.split()[0]} has no hash"
        for block in re.split(r"\n(?=[A-Za-z0-9])", text)
        if PIN.match(block) and "--hash=sha256:" not in block
    ]
    bad += [f"requirements/{name}: names an index: {m[0].strip()}" for m in FOREIGN.finditer(text)]
    return bad


if __name__ == "__main__":
    sys.exit(main())
