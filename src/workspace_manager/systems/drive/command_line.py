"""The drive's command-line tool, run inside its application container: the fallback when no app
password is given for a token.

See docs/explanation/drive-connection.md#when-the-drive-offers-none. The account must exist: it
does, since the token has just been accepted
(docs/systems/drive.md#app-passwords-with-a-bearer-token).
"""

import re

from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.messages import message

KIND = "drive.app_password"
DOING = message("running_command_line")
_APP_PASSWORD = re.compile(r"[A-Za-z0-9]{72}")
_NO_ACCOUNT = ("Account does not exist", "User does not exist")


def add_app_password(containers: ContainerEngine, container_name: str, account_id: str) -> Secret:
    """Make an app password for an existing account; each call makes one more.

    Raises NotFound for an unknown account, Unavailable when the container does not run, Invalid
    when the tool fails. Its output is never part of an error: it may hold the app password.
    """
    if not account_id or any(ord(character) < 32 for character in account_id):
        raise Conflict(message("id_no_argument"), kind=KIND, doing=DOING)
    container = _container(containers, container_name)
    # `--` before the id: an id beginning with a dash would be an option. `-n`: without a terminal
    # the tool would ask and abort.
    command = ["php", "occ", "user:add-app-password", "-n", "--no-warnings", "--", account_id]
    result = containers.execute(container, command, user="www-data")
    if result.exit_code == 0:
        lines = [line.strip() for line in result.stdout.splitlines() if line.strip()]
        if lines and _APP_PASSWORD.fullmatch(lines[-1]):
            return Secret(lines[-1], name="app password")
        raise Invalid(
            message("printed_no_app_password"),
            kind=KIND,
            doing=DOING,
            advice=message("run_it_by_hand"),
        )
    if any(text in result.stdout for text in _NO_ACCOUNT):
        raise NotFound(
            message("drive_has_no_account"),
            kind=KIND,
            doing=DOING,
            advice=message("sign_in_once"),
        )
    raise Invalid(
        message("command_line_ended", exit_code=result.exit_code),
        kind=KIND,
        doing=DOING,
        advice=message("check_container_setting"),
    )


def _container(containers: ContainerEngine, name: str) -> str:
    try:
        state = containers.inspect(name)
    except NotFound as missing:
        raise Invalid(
            message("no_such_container"),
            kind=KIND,
            doing=DOING,
            advice=message("set_container"),
        ) from missing
    if state.stopped:
        raise Unavailable(
            message("container_does_not_run", status=state.status),
            kind=KIND,
            doing=DOING,
            advice=message("start_container"),
        )
    return state.id
