"""The drive's command-line tool, run inside its application container: the fallback when no app password is given for a token.

Specification 4.3 and section 7. The account must exist: it does, since the token has just been accepted (facts 8.1).
"""

import re

from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.secret import Secret

KIND = "drive.app_password"
DOING = "making an app password with the command-line tool"
_APP_PASSWORD = re.compile(r"[A-Za-z0-9]{72}")
_NO_ACCOUNT = ("Account does not exist", "User does not exist")


def add_app_password(containers: ContainerEngine, container_name: str, account_id: str) -> Secret:
    """Make an app password for an existing account; each call makes one more.

    Raises NotFound for an unknown account, Unavailable when the container does not run, Invalid when the tool fails. Its output is
    never part of an error: it may hold the app password.
    """
    if not account_id or any(ord(character) < 32 for character in account_id):
        raise Conflict("the account id cannot be an argument", kind=KIND, doing=DOING)
    container = _container(containers, container_name)
    # `--` before the id: an id beginning with a dash would be an option. `-n`: without a terminal the tool would ask and abort.
    command = ["php", "occ", "user:add-app-password", "-n", "--no-warnings", "--", account_id]
    result = containers.execute(container, command, user="www-data")
    if result.exit_code == 0:
        lines = [line.strip() for line in result.stdout.splitlines() if line.strip()]
        if lines and _APP_PASSWORD.fullmatch(lines[-1]):
            return Secret(lines[-1], name="app password")
        raise Invalid(
            "the command-line tool ended well but printed no app password",
            kind=KIND,
            doing=DOING,
            advice="Run occ user:add-app-password by hand in the container and look what it prints.",
        )
    if any(text in result.stdout for text in _NO_ACCOUNT):
        raise NotFound(
            "the drive has no such account",
            kind=KIND,
            doing=DOING,
            advice="Sign in to the drive once, or let bearer provisioning make the account.",
        )
    raise Invalid(
        f"the command-line tool ended with exit code {result.exit_code}",
        kind=KIND,
        doing=DOING,
        advice="Check that the setting names the drive's application container, that php occ runs there as www-data "
        "(code 126 or 127: not found), and see the drive's log.",
    )


def _container(containers: ContainerEngine, name: str) -> str:
    try:
        state = containers.inspect(name)
    except NotFound as missing:
        raise Invalid(
            "there is no container of the configured name",
            kind=KIND,
            doing=DOING,
            advice="Set the drive's application container to the name the container manager shows.",
        ) from missing
    if state.stopped:
        raise Unavailable(
            f"the drive's container does not run ({state.status})",
            kind=KIND,
            doing=DOING,
            advice="Start the drive's application container.",
        )
    return state.id
