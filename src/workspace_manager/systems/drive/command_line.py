"""The drive's command-line tool, run inside its application container. It makes an app password if
a token gets none, and ends a session of a token that cannot be ended otherwise.

See docs/explanation/drive-connection.md#when-the-drive-offers-none. The account exists, because the
token has just been accepted (docs/systems/drive.md#app-passwords-with-a-bearer-token).
"""

import json
import re

from pydantic import JsonValue

from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.http import USER_AGENT
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.messages import message

KIND = "drive.app_password"
DOING = message("running_command_line")
ENDING = message("ending_session")
READING = message("reading_configuration")
OCC = ("php", "occ")
USER = "www-data"
TEMPORARY = 0
"""The type of a session's token; app passwords have another type."""
_APP_PASSWORD = re.compile(r"[A-Za-z0-9]{72}")
_NO_ACCOUNT = ("Account does not exist", "User does not exist", "user not found")


def add_app_password(containers: ContainerEngine, container_name: str, account_id: str) -> Secret:
    """Make an app password for an existing account; each call makes another one.

    Raises NotFound for an unknown account, Unavailable if the container does not run, and Invalid
    if the tool fails. Its output is in no error, because it may contain the app password.
    """
    if not account_id or any(ord(character) < 32 for character in account_id):
        raise Conflict(message("id_no_argument"), kind=KIND, doing=DOING)
    container = _container(containers, container_name)
    # `--` comes before the id, or an id with a leading hyphen would be an option. `-n`: without a
    # terminal the tool would ask and abort.
    command = [*OCC, "user:add-app-password", "-n", "--no-warnings", "--", account_id]
    result = containers.execute(container, command, user=USER)
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
    raise _tool_failed(result.exit_code, DOING)


def end_temporary_tokens(containers: ContainerEngine, container_name: str, account_id: str) -> int:
    """End the temporary tokens that our own calls left in an account; return their number.

    They have our name; those of a person's browser have another. A missing account has none. Raises
    Unavailable if the container does not run, and Invalid if the tool fails.
    """
    if not account_id or any(ord(character) < 32 for character in account_id):
        raise Conflict(message("id_no_argument"), kind=KIND, doing=ENDING)
    container = _container(containers, container_name)
    list_them = [*OCC, "user:auth-tokens:list", "--output=json", "-n", "--", account_id]
    listed = containers.execute(container, list_them, user=USER)
    if any(text in listed.stdout + listed.stderr for text in _NO_ACCOUNT):
        return 0
    ours = _ours_among(listed.stdout) if listed.exit_code == 0 else None
    if ours is None:
        raise _tool_failed(listed.exit_code, ENDING)
    for number in ours:
        delete_it = [*OCC, "user:auth-tokens:delete", "-n", "--", account_id, str(number)]
        ended = containers.execute(container, delete_it, user=USER)
        # If a token ends meanwhile, the tool reports an error, although nothing is left.
        if ended.exit_code != 0 and "does not exist" not in ended.stdout + ended.stderr:
            raise _tool_failed(ended.exit_code, ENDING)
    return len(ours)


def configuration(containers: ContainerEngine, container_name: str) -> dict[str, JsonValue]:
    """Return the drive's configuration by name, with masked secrets. Raises Unavailable if the
    container does not run, and Invalid if the tool fails.
    """
    container = _container(containers, container_name)
    ask = [*OCC, "config:list", "--output=json", "-n", "--", "system"]
    told = containers.execute(container, ask, user=USER)
    lines = told.stdout.strip().splitlines()
    try:
        listed = json.loads(lines[-1] if lines else "")
    except (ValueError, RecursionError):
        raise _tool_failed(told.exit_code, READING) from None
    found = listed.get("system") if isinstance(listed, dict) else None
    if told.exit_code != 0 or not isinstance(found, dict):
        raise _tool_failed(told.exit_code, READING)
    return found


def _ours_among(printed: str) -> list[int] | None:
    """Return the numbers of our temporary tokens in the tool's output; None if it is no list of
    tokens.
    """
    try:
        tokens = json.loads(printed)
    except ValueError:
        return None
    if not isinstance(tokens, list) or not all(isinstance(one, dict) for one in tokens):
        return None
    return [
        one["id"]
        for one in tokens
        if isinstance(one.get("id"), int)
        and one.get("type") == TEMPORARY
        and str(one.get("name", "")).startswith(USER_AGENT)
    ]


def _tool_failed(exit_code: int, doing: Message) -> Invalid:
    return Invalid(
        message("command_line_ended", exit_code=exit_code),
        kind=KIND,
        doing=doing,
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
