"""The command-line tool, as the application container would run it: output and exit codes as
recorded.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.drive.accounts import same_password
from workspace_sandbox.stand_ins.drive.options import OPTIONS
from workspace_sandbox.stand_ins.drive.world import World

NOTICE = (
    "No password provided. The generated app password will therefore have limited capabilities. "
    "Any operation that requires the login password will fail."
)
WRONG_USER = (
    "Console has to be executed with the user that owns the file "
    "config/config.php\nCurrent user id: 0\n"
    "Owner id of config.php: 33\nTry adding 'sudo -u #33' to the beginning of the "
    "command (without the single quotes)\n"
    "If running with 'docker exec' try adding the option '-u 33' to the docker command "
    "(without the single quotes)"
)
MASKED = "***REMOVED SENSITIVE VALUE***"
NOT_SERVED = "This is a stand-in of the drive's command-line tool; it does not know this command: "
OF_THE_APP = (
    "auto_provision",
    "disable_account_creation",
    "selfencoded_bearer_validation",
    "selfencoded_bearer_validation_audience_check",
)
"""Switches that stand in the configuration file under `user_oidc`, when they are set."""
Ended: TypeAlias = tuple[int, str]


def run(world: World, argv: Sequence[str], *, user: str, environment: Mapping[str, str]) -> Ended:
    """Run one command. Return exit code and printed text. `argv` may begin with `php` and the path
    of occ.
    """
    words = list(argv)
    for place, word in enumerate(words[:3]):
        if word.rpartition("/")[2] == "occ":
            words = words[place + 1 :]
            break
    if user not in {"www-data", "33"}:
        return 1, WRONG_USER
    if not words:
        return 0, "Nextcloud"
    command, arguments, options = words[0], *_split(words[1:])
    handler = COMMANDS.get(command)
    if handler is None:
        return 1, NOT_SERVED + command
    return handler(world, arguments, options | {"": dict(environment)})


def _split(words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Part arguments from options; after `--` everything is an argument."""
    arguments: list[str] = []
    options: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if word == "--":
            return arguments + words, options
        if not word.startswith("-") or word == "-":
            arguments.append(word)
            continue
        name, _, value = word.lstrip("-").partition("=")
        options[name] = value
    return arguments, options


def _add_app_password(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    if not arguments:
        return 1, 'Not enough arguments (missing: "user").'
    unknown = set(options) - {"", "n", "no-interaction", "no-warnings", "password-from-env"}
    if unknown:
        return 1, f'The "--{min(unknown)}" option does not exist.'
    account = world.accounts.all.get(arguments[0]) or world.accounts.find(arguments[0])
    if account is None:
        return 1, "Account does not exist"
    lines, wrong = [], False
    if "password-from-env" in options:
        password = options[""].get("NC_PASS", "")
        if not password:
            return 1, "--password-from-env given, but NC_PASS is empty!"
        wrong = not (account["password"] and same_password(password, account["password"]))
    elif not {"n", "no-interaction"} & set(options):
        return 1, "Enter the account password: \n\n  Aborted.  \n"
    else:
        lines.append(NOTICE)
    token = world.accounts.mint(account["id"], account["id"], "cli", wrong_password=wrong)
    return 0, "\n".join([*lines, "app password:", token])


def _list_tokens(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    account = world.accounts.find(arguments[0]) if arguments else None
    if account is None:
        return 1, "user not found"
    shown = [
        {
            "id": token["id"],
            "name": token["name"],
            "lastActivity": token["activity"],
            "type": token["type"],
            "scope": {"filesystem": True},
        }
        for token in world.accounts.tokens
        if token["uid"] == account["id"]
    ]
    if options.get("output") == "json":
        return 0, json.dumps(shown, separators=(",", ":"))
    rule = "+----+------+--------------+------+-------+"
    rows = (f"| {t['id']} | {t['name']} | {t['lastActivity']} | {t['type']} |" for t in shown)
    return 0, "\n".join([rule, "| id | name | lastActivity | type | scope |", rule, *rows, rule])


def _delete_token(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
    uid, number = (*arguments, "", "")[:2]
    found = [t for t in world.accounts.tokens if (t["uid"], str(t["id"])) == (uid, number)]
    if not found:
        return 1, "\n  token does not exist  \n"
    world.accounts.revoke(found[0])
    return 0, ""


def _configuration(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
    """The configuration file: what is not set is not listed, and what is secret is masked."""
    if arguments != ["system"]:
        return 1, NOT_SERVED + "config:list " + " ".join(arguments)
    options = world.options
    listed: dict[str, Any] = {
        "passwordsalt": MASKED,
        "secret": MASKED,
        "trusted_domains": ["localhost"],
        "datadirectory": MASKED,
        "dbtype": "mysql",
        "version": f"{options['server_version']}.1",
        "overwrite.cli.url": world.url(),
        "installed": True,
        "instanceid": MASKED,
        "maintenance": options["maintenance"],
        "hide_login_form": options["hide_login_form"],
        "lost_password_link": options["lost_password_link"],
        "auth.bruteforce.max-attempts": options["max_attempts"],
        "user_oidc": {n: options[n] for n in OF_THE_APP if options[n] != OPTIONS[n]} or None,
        **options["file"],
    }
    kept = {name: value for name, value in listed.items() if value is not None}
    return 0, json.dumps({"system": kept}, separators=(",", ":"))


COMMANDS: dict[str, Callable[[World, list[str], dict[str, Any]], Ended]] = {
    "user:add-app-password": _add_app_password,
    "user:auth-tokens:list": _list_tokens,
    "user:auth-tokens:delete": _delete_token,
    "config:list": _configuration,
}
OURS = "workspace_manager.systems.drive.command_line"
CALLERS = {
    "user:add-app-password": (f"{OURS}:add_app_password",),
    "user:auth-tokens:list": (f"{OURS}:end_temporary_tokens",),
    "user:auth-tokens:delete": (f"{OURS}:end_temporary_tokens",),
    "config:list": (f"{OURS}:configuration",),
}
"""The callers of each command."""
