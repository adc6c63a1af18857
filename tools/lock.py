"""Write requirements/*.txt: every package of every platform, with one version and the hashes of its
files.

`runtime.txt` is what the manager needs; `demo.txt` is that, what the sandbox needs and what builds
both; `dev.txt` is that and the checks; `build.txt` is what builds alone. A version is the same in
all of them. `notebook-hub.txt` is the hub of the tests, which has an environment of its own, and
its proxy, which npm pins; `opengdb.txt` is what a real OpenGDB of the tests runs from.

No index is named in them: where packages come from is the machine's own configuration.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANAGER, SANDBOX, BUILD = "pyproject.toml", "sandbox/pyproject.toml", "requirements/build.in"
OURS = ["--no-emit-package", "workspace-manager"]
"""Installed from here, and found here by the sandbox, which asks for it."""


def same_as(name: str) -> list[str]:
    """Take the versions of a file that was written before."""
    return ["--constraint", f"requirements/{name}"]


FILES = {
    "runtime.txt": [MANAGER],
    "demo.txt": [MANAGER, SANDBOX, BUILD, *same_as("runtime.txt"), *OURS],
    "build.txt": [BUILD, *same_as("demo.txt")],
    "dev.txt": [
        *[MANAGER, SANDBOX, BUILD, "requirements/dev.in", "--extra", "dev"],
        *[*same_as("demo.txt"), *OURS],
    ],
    "notebook-hub.txt": ["requirements/notebook-hub.in"],
    "opengdb.txt": ["requirements/opengdb.in"],
}
COMPILE = [
    *["pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"],
    *["--no-emit-index-url", "--custom-compile-command", "make lock"],
]


PROXY = ROOT / "requirements" / "notebook-hub-proxy"
NPM = [
    *["npm", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved"],
    *["--no-audit", "--no-fund"],
]


def main(options: list[str]) -> int:
    """Compile each file with uv; `--upgrade` takes the newest versions instead of keeping the
    present ones.
    """
    uv = Path(sys.executable).parent / "uv"
    for name, sources in FILES.items():
        command = [str(uv), *COMPILE, *options, *sources, "--output-file", f"requirements/{name}"]
        subprocess.run(command, cwd=ROOT, check=True)
        print(f"requirements/{name} written")
    if not shutil.which("npm"):
        print("requirements/notebook-hub-proxy left as it is: there is no npm here")
        return 0
    subprocess.run([*NPM, "update" if options else "install"], cwd=PROXY, check=True)
    print("requirements/notebook-hub-proxy written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
