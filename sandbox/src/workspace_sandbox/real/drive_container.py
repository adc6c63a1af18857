"""The container of a drive that is a stand-in, on a real engine: `php` in it passes each command on
to the stand-in's own command-line tool, as the user it is run as.
"""

import sys
from pathlib import Path

from workspace_sandbox.real import lent

FOLDER = "/drive"

_PHP = """\
#!{python}
import json, os, sys, urllib.request
asked = {{"argv": ["php", *sys.argv[1:]], "user": str(os.geteuid())}}
asked["environment"] = dict(os.environ)
request = urllib.request.Request("{url}", json.dumps(asked).encode())
answer = json.load(urllib.request.urlopen(request, timeout=60))
(sys.stderr if answer["exit_code"] else sys.stdout).write(answer["output"])
sys.exit(answer["exit_code"])
"""


def start(docker_url: str, name: str, control_url: str, directory: Path) -> str:
    """Start it beside the stand-in whose control routes are at `control_url`, and give its id.
    `directory`: where its program is kept. Raises PodmanFailed.
    """
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / "php"
    python = Path(sys.base_prefix) / "bin" / "python3"
    program.write_text(_PHP.format(python=python, url=f"{control_url}/occ"))
    # Whoever runs a command in there is not who made this.
    directory.chmod(0o755)
    program.chmod(0o755)
    return lent.start(
        docker_url,
        name,
        binds=[f"{directory}:{FOLDER}:ro"],
        environment={"PATH": f"{FOLDER}:/bin:/usr/bin"},
        working_dir=FOLDER,
    )
