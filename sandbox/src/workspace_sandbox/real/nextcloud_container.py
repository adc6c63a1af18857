"""The container of a Nextcloud that runs on this machine itself, on a real engine: in it, as in the
container of a deployment, the web server's account can run the command-line tool.
"""

import os

from workspace_sandbox.real import lent
from workspace_sandbox.real import nextcloud_files as files
from workspace_sandbox.real.nextcloud_inside import Inside

FOLDER = "/drive"
ACCOUNT = "www-data"
"""What the web server's account is called; here it is ours, to whom all of it belongs."""


def start(docker_url: str, name: str, inside: Inside) -> str:
    """Start it and give its id. Raises PodmanFailed."""
    own = inside.home / "container"
    own.mkdir(exist_ok=True)
    program = own / "php"
    ini = inside.home / "run" / "php.ini"
    program.write_text(f'#!/bin/sh\nexec {files.php()[0]} -c {ini} "$@"\n')
    program.chmod(0o755)
    accounts = own / "passwd"
    accounts.write_text(f"{ACCOUNT}:x:{os.geteuid()}:{os.getegid()}::/:/bin/sh\n")
    run = (inside.home / "run").resolve()
    read = [f"{own}:{FOLDER}", f"{accounts}:/etc/passwd", "/etc/php:/etc/php", "/etc/ssl:/etc/ssl"]
    written = [inside.code.parent, inside.home, run]
    return lent.start(
        docker_url,
        name,
        binds=[*(f"{bind}:ro" for bind in read), *(f"{place}:{place}" for place in written)],
        environment={
            "PATH": f"{FOLDER}:/bin:/usr/bin",
            "NEXTCLOUD_CONFIG_DIR": str(inside.home / "config"),
        },
        working_dir=str(inside.code / "www"),
    )
