"""`GET users` and `users/count`: filters, wildcards, paging."""

import re
from collections.abc import Callable, Iterator

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, answer_document

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.users:UserClient"
FIELDS = ("username", "email", "firstName", "lastName")
MOST = 100


@ROUTES.on("GET", "users", f"{CALLER}.find_user")
async def list_users(call: AdminCall) -> web.Response:
    call.need_query("users")
    chosen = call.page(list(_chosen(call)), MOST) if call.may_view("users") else []
    brief = bool(call.flag("briefRepresentation", False))
    rights = {"manage": "manage-users" in call.rights}
    return answer_document(
        [people.render_user(call.realm, user, brief=brief, access=rights) for user in chosen]
    )


@ROUTES.on("GET", "users/count", f"{CALLER}.some_user")
async def count(call: AdminCall) -> web.Response:
    call.need_query("users")
    return answer_document(len(list(_chosen(call))))


def _chosen(call: AdminCall) -> Iterator[Doc]:
    """The users that pass every filter, by user name. Service accounts appear only when a user name
    is asked for.
    """
    checks = list(_checks(call))
    for user in sorted(call.realm.users.values(), key=lambda user: str(user["username"])):
        if user.get("serviceAccountClientId") and not call.text("username"):
            continue
        if all(check(user) for check in checks):
            yield user


def _checks(call: AdminCall) -> Iterator[Callable[[Doc], bool]]:
    exact = bool(call.flag("exact", False))
    search = call.text("search")
    if search:
        yield _search(search.strip().lower(), exact)
    else:
        for name in FIELDS:
            wanted = call.text(name)
            if wanted:
                yield _field(name, wanted.strip().lower(), exact)
    for name in ("enabled", "emailVerified"):
        flag = call.flag(name)
        if flag is not None:
            yield _same(name, flag)
    for key, value in _pairs(call.text("q") or ""):
        yield _attribute(key, value)


def _same(name: str, flag: bool) -> Callable[[Doc], bool]:
    return lambda user: bool(user[name] == flag)


def _field(name: str, wanted: str, exact: bool) -> Callable[[Doc], bool]:
    if exact:
        return lambda user: str(user.get(name, "")).lower() == wanted
    pattern = _like(f"%{wanted}%")
    return lambda user: bool(user.get(name)) and pattern(str(user[name]).lower())


def _like(pattern: str) -> Callable[[str], bool]:
    """SQL's LIKE, which the real one hands wildcards to: `%` any text, `_` any character."""
    expression = "".join(
        ".*" if character == "%" else "." if character == "_" else re.escape(character)
        for character in pattern
    )
    compiled = re.compile(expression, re.DOTALL)
    return lambda text: compiled.fullmatch(text) is not None


def _search(text: str, exact: bool) -> Callable[[Doc], bool]:
    """Words over name and e-mail: a prefix by default, `*x*` anywhere, `"x"` exactly, `id:a b` a
    list of ids.
    """
    if text.startswith("id:"):
        ids = text[3:].split()
        return lambda user: user["id"] in ids

    def hit(user: Doc, word: str) -> bool:
        values = [str(user[name]).lower() for name in FIELDS if user.get(name)]
        if exact or (len(word) > 1 and word[0] == word[-1] == '"'):
            return word.strip('"') in values
        wanted = word.replace("*", "%")
        pattern = _like(wanted if wanted.endswith("%") else wanted + "%")
        return any(pattern(value) for value in values)

    words = re.findall(r'"[^"]*"|\S+', text)
    return lambda user: all(hit(user, word) for word in words)


def _attribute(key: str, value: str) -> Callable[[Doc], bool]:
    def check(user: Doc) -> bool:
        values = [user.get(key)] if key in FIELDS else user["attributes"].get(key, [])
        return value.lower() in [str(item).lower() for item in values if item]

    return check


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """`key:value key2:"a value"`; a word without a colon is ignored."""
    for key, value in re.findall(r'([^\s:]+):("[^"]*"|\S*)', text):
        yield key, value.strip('"')
