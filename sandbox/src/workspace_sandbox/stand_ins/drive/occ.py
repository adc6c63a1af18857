"""The command-line tool, as the application container would run it: output and exit codes as recorded (facts, section 5)."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.drive.accounts import same_password
from workspace_sandbox.stand_ins.drive.ocs_oidc import new_provider, shown
from workspace_sandbox.stand_ins.drive.world import World

NOTICE = (
    "No password provided. The generated app password will therefore have limited capabilities. "
    "Any operation that requires the login password will fail."
)
WRONG_USER = (
    "Console has to be executed with the user that owns the file config/config.php\nCurrent user id: 0\n"
    "Owner id of config.php: 33\nTry adding 'sudo -u #33' to the beginning of the command (without the single quotes)\n"
    "If running with 'docker exec' try adding the option '-u 33' to the docker command (without the single quotes)"
)
Ended: TypeAlias = tuple[int, str]
_PROVIDER_OPTIONS = {
    "clientid": "clientId",
    "clientsecret": "clientSecret",
    "discoveryuri": "discoveryEndpoint",
    "endsessionendpointuri": "endSessionEndpoint",
    "postlogouturi": "postLogoutUri",
    "scope": "scope",
}
_PROVIDER_SETTINGS = {
    "unique-uid": "uniqueUid",
    "check-bearer": "checkBearer",
    "bearer-provisioning": "bearerProvisioning",
    "send-id-token-hint": "sendIdTokenHint",
    "mapping-display-name": "mappingDisplayName",
    "mapping-email": "mappingEmail",
    "mapping-uid": "mappingUid",
}


def run(world: World, argv: Sequence[str], *, user: str, environment: Mapping[str, str]) -> Ended:
    """Run one command; gives exit code and what it printed. `argv` may begin with `php` and the path of occ."""
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
    if handler is None or (command.startswith("user_oidc:") and not world.oidc.running):
        return 1, f'Command "{command}" is not defined.'
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
        name, equals, value = word.lstrip("-").partition("=")
        short = {"c": "clientid", "s": "clientsecret", "d": "discoveryuri", "o": "scope"}
        takes_value = short.get(name, name) in {*_PROVIDER_OPTIONS, *_PROVIDER_SETTINGS}
        if not equals and takes_value and words:
            value = words.pop(0)
        options[short.get(name, name)] = value
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
    uid = arguments[0] if arguments else ""
    if world.accounts.find(uid) is None:
        return 1, "Account does not exist"
    tokens = [t for t in world.accounts.tokens if t["uid"] == uid]
    if str(options.get("output", "")).startswith("json"):
        rows = [
            {
                "id": t["id"],
                "name": t["name"],
                "lastActivity": t["activity"],
                "type": t["type"],
                "scope": {"filesystem": True},
            }
            for t in tokens
        ]
        return 0, _json(rows, options)
    table = [["id", "name", "lastActivity", "type", "scope"]]
    for t in tokens:
        active = datetime.fromtimestamp(t["activity"], UTC).isoformat()
        table.append([str(t["id"]), t["name"], active, "permanent", "filesystem"])
    return 0, _table(table)


def _table(rows: list[list[str]]) -> str:
    """Draw a table as the console does."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def _delete_token(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    uid, number = arguments[0], arguments[1] if len(arguments) > 1 else ""
    token = next(
        (t for t in world.accounts.tokens if t["uid"] == uid and str(t["id"]) == number), None
    )
    if token is None:
        return 1, "token does not exist"
    world.accounts.revoke(token)
    return 0, ""


def _delete_user(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
    account = world.accounts.find(arguments[0]) if arguments else None
    if account is None:
        return 0, "User does not exist"
    world.accounts.delete(account)
    return 0, "The specified user was deleted"


def _user_info(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    account = world.accounts.find(arguments[0]) if arguments else None
    if account is None:
        return 1, "user not found"
    info = {
        "user_id": account["id"],
        "display_name": account["display_name"] or account["id"],
        "email": account["email"] or "",
        "enabled": account["enabled"],
        "groups": account["groups"],
        "quota": account["quota"],
        "backend": account["backend"],
    }
    if str(options.get("output", "")).startswith("json"):
        return 0, _json(info, options)
    return 0, "\n".join(f"  - {key}: {value}" for key, value in info.items())


def _user_list(world: World, _arguments: list[str], options: dict[str, Any]) -> Ended:
    names = {a["id"]: a["display_name"] or a["id"] for a in world.accounts.all.values()}
    if str(options.get("output", "")).startswith("json"):
        return 0, _json(names, options)
    return 0, "\n".join(f"  - {uid}: {name}" for uid, name in names.items())


def _set_enabled(on: bool) -> Callable[[World, list[str], dict[str, Any]], Ended]:
    def run_it(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
        account = world.accounts.find(arguments[0]) if arguments else None
        if account is None:
            return 1, "User does not exist"
        account["enabled"] = on
        world.changed()
        return 0, f"The specified user is {'enabled' if on else 'disabled'}"

    return run_it


def _maintenance(world: World, _arguments: list[str], options: dict[str, Any]) -> Ended:
    if "on" in options or "off" in options:
        world.options["maintenance"] = "on" in options
        world.changed()
    return 0, f"Maintenance mode {'enabled' if world.options['maintenance'] else 'disabled'}"


def _attempts(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    where, action = arguments[0], arguments[1] if len(arguments) > 1 else ""
    info = {
        "bypass-listed": False,
        "attempts": world.throttle.attempts(where, action),
        "delay": world.throttle.delay_ms(where, action),
    }
    if str(options.get("output", "")).startswith("json"):
        return 0, _json(info, options)
    shown_as = {True: "true", False: "false"}
    return 0, "\n".join(
        f"  - {k}: {shown_as[v] if isinstance(v, bool) else v}" for k, v in info.items()
    )


def _reset_attempts(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
    where = arguments[0] if arguments else ""
    if not where.replace(".", "").replace(":", "").isalnum() or not {".", ":"} & set(where):
        return 1, f'"{where}" is not a valid IP address'
    world.throttle.reset(where)
    return 0, ""


def _provider(world: World, arguments: list[str], options: dict[str, Any]) -> Ended:
    state = world.state()
    given = {k: v for k, v in options.items() if k in {*_PROVIDER_OPTIONS, *_PROVIDER_SETTINGS}}
    if not arguments:
        rows = [shown(p, settings=False) for p in state["providers"]]
        return 0, _json(rows, options)
    found = next((p for p in state["providers"] if p["identifier"] == arguments[0]), None)
    if not given:
        return (0, _json(shown(found), options)) if found else (255, "Provider not found")
    provider = found or new_provider(state, arguments[0])
    for name, value in given.items():
        if name in _PROVIDER_OPTIONS:
            provider[_PROVIDER_OPTIONS[name]] = value
        else:
            key = _PROVIDER_SETTINGS[name]
            text = isinstance(provider["settings"][key], str)
            provider["settings"][key] = value if text else value != "0"
    world.oidc.forget_keys()
    world.changed()
    return 0, ""


def _delete_provider(world: World, arguments: list[str], _options: dict[str, Any]) -> Ended:
    state = world.state()
    kept = [p for p in state["providers"] if p["identifier"] not in arguments[:1]]
    if len(kept) == len(state["providers"]):
        return 255, "Provider not found"
    state["providers"] = kept
    world.changed()
    return 0, ""


def _json(document: Any, options: dict[str, Any]) -> str:
    pretty = options.get("output") == "json_pretty"
    text = json.dumps(
        document, indent=4 if pretty else None, separators=None if pretty else (",", ":")
    )
    return text.replace("/", "\\/")


COMMANDS: dict[str, Callable[[World, list[str], dict[str, Any]], Ended]] = {
    "user:add-app-password": _add_app_password,
    "user:auth-tokens:add": _add_app_password,
    "user:auth-tokens:list": _list_tokens,
    "user:auth-tokens:delete": _delete_token,
    "user:delete": _delete_user,
    "user:info": _user_info,
    "user:list": _user_list,
    "user:enable": _set_enabled(on=True),
    "user:disable": _set_enabled(on=False),
    "maintenance:mode": _maintenance,
    "security:bruteforce:attempts": _attempts,
    "security:bruteforce:reset": _reset_attempts,
    "user_oidc:provider": _provider,
    "user_oidc:provider:delete": _delete_provider,
}
