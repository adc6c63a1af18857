"""The connectors when somebody else acts between two of their calls, and in which order
they call.
"""

import json
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.provider_under_test import (
    ATTRIBUTES,
    CANARY,
    FENCE,
    USER,
    creation,
    password_hash,
    resolve,
)
from tests.systems.identity_provider.wire import GONE, SUB, USERS, Server, says
from workspace_manager.contract.connector import Change, Connector, Facts, Result
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.systems.identity_provider.connector import IdentityProvider
from workspace_manager.systems.identity_provider.names import (
    attributes_target,
    profile_target,
    user_target,
)
from workspace_manager.systems.identity_provider.realm.wants import RealmWants

PROFILE = {"attributes": [{"name": n} for n in ("workspace_registration", "locale", "timezone")]}
ADA: dict[str, Any] = {
    "id": SUB,
    "username": "ada",
    "enabled": True,
    "email": "ada@example.org",
    "emailVerified": True,
    "firstName": "Ada",
    "lastName": "Example",
    "attributes": {
        "workspace_registration": ["mark"],
        "locale": ["de"],
        "timezone": ["Europe/Berlin"],
        "theirs": ["a", "b"],
    },
}
MADE = httpx.Response(201, headers={"location": f"{USERS}/{SUB}"})
NOT_THERE = says(404, error="User not found")


class Script:
    """Answers each route with its answers in order; the last one for ever. Says what was asked."""

    def __init__(self, **routes: Any) -> None:
        self.routes = {name: list(answers) for name, answers in routes.items()}
        self.asked: list[str] = []
        self.server = Server(self)
        self.system = IdentityProvider(
            self.server.users,
            self.server.realm,
            self.server.sessions,
            resolve,
            RealmWants("work space"),
        )

    def __call__(self, request: httpx.Request) -> httpx.Response:
        tail = request.url.raw_path.decode().partition("?")[0].removeprefix(USERS)
        name = f"{request.method}{tail.replace(f'/{SUB}', '_user').replace('/', '_')}".lower()
        self.asked.append(name)
        answers = self.routes[name]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, httpx.HTTPError):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def body(self, method: str) -> dict[str, Any]:
        last = [c for c in self.server.calls if c.method == method][-1]
        return dict(json.loads(last.content))

    def __getitem__(self, kind: str) -> Connector:
        return self.system.connectors[kind]


def change(kind: str, after: Facts | None, **secrets: str) -> Change:
    target = user_target(SUB, "ada") if kind == USER else attributes_target(SUB, "ada")
    return Change(kind=kind, subject="", target=target, after=after, secrets=secrets)


# --- users ----------------------------------------------------------------------------------------


def test_what_is_sent_to_make_a_user() -> None:
    script = Script(get=[[]], get_profile=[PROFILE], post=[MADE])
    outcome = script[USER].apply(creation("ada", "mark"))
    assert (outcome.result, outcome.facts) == (Result.CHANGED, {"sub": SUB})
    assert script.asked == ["get", "get_profile", "post"]
    body = script.body("POST")
    (credential,) = body.pop("credentials")
    assert credential == {"type": "password", **json.loads(password_hash(CANARY).reveal())}
    assert body == {
        "username": "ada",
        "enabled": True,
        "email": "ada@Example.org",
        "emailVerified": True,
        "firstName": "Ada",
        "lastName": "Example",
        "attributes": {
            "workspace_registration": ["mark"],
            "locale": ["de"],
            "timezone": ["Europe/Berlin"],
        },
    }


def test_empty_wishes_are_neither_sent_nor_a_difference() -> None:
    bare = {**ADA, "attributes": {"workspace_registration": ["mark"]}}
    script = Script(get=[[], [bare]], get_profile=[PROFILE], post=[MADE])
    wish = creation("ada", "mark", locale="", timezone=None)
    script[USER].apply(wish)
    assert script.body("POST")["attributes"] == {"workspace_registration": ["mark"]}
    assert script[USER].verify(wish)


def test_an_address_is_confirmed_only_while_the_user_has_it() -> None:
    unconfirmed = {**ADA, "emailVerified": False}
    for has, named in (("Ada@Example.org", True), ("boss@example.org", False)):
        script = Script(get_user=[{**unconfirmed, "email": has}], put_user=[says(204)])
        wish = change(USER, {"email_verified": True})
        wish = wish.model_copy(update={"target": {**wish.target, "email": "ada@example.org"}})
        if named:
            script[USER].apply(wish)
            assert script.body("PUT")["emailVerified"] is True
            continue
        with pytest.raises(Conflict, match="a new address in the meantime"):
            script[USER].plan(wish.target, wish.after)
        with pytest.raises(Conflict, match="a new address in the meantime"):
            script[USER].apply(wish)
        assert "put_user" not in script.asked


def test_enabled_is_always_sent() -> None:
    script = Script(get=[[]], get_profile=[PROFILE], post=[MADE])
    wish = creation("ada", "mark").model_copy(update={"after": {}, "secrets": {}})
    script[USER].apply(wish)
    assert script.body("POST")["enabled"] is True


def test_of_two_tries_at_once_the_later_adopts() -> None:
    taken = says(409, errorMessage="User exists with same username")
    script = Script(get=[[], [ADA]], get_profile=[PROFILE], post=[taken])
    outcome = script[USER].apply(creation("ada", "mark"))
    assert (outcome.result, outcome.facts) == (Result.ALREADY, {"sub": SUB})


@pytest.mark.parametrize("found", [[], [{**ADA, "attributes": {}}], [{**ADA, "username": "ad"}]])
def test_a_conflict_without_our_mark_stays_one(found: list[dict[str, Any]]) -> None:
    taken = says(409, errorMessage="User exists with same email")
    script = Script(get=[[], found], get_profile=[PROFILE], post=[taken])
    with pytest.raises(Conflict, match="e-mail"):
        script[USER].apply(creation("ada", "mark"))


@pytest.mark.parametrize("broken", [httpx.ReadTimeout("late"), httpx.Response(502)])
def test_an_unsure_answer_is_not_a_no(broken: Any) -> None:
    script = Script(get=[[], [ADA]], get_profile=[PROFILE], post=[broken])
    with pytest.raises(Unavailable):
        script[USER].apply(creation("ada", "mark"))
    assert script[USER].apply(creation("ada", "mark")).result is Result.ALREADY
    assert script.asked.count("post") == 1


def test_an_adopted_user_is_brought_to_the_wish_and_keeps_its_password() -> None:
    other = {**ADA, "enabled": False, "lastName": "Sample"}
    script = Script(get=[[other]], put_user=[GONE])
    assert script[USER].apply(creation("ada", "mark")).result is Result.CHANGED
    body = script.body("PUT")
    assert (body["lastName"], body["enabled"]) == ("Example", True)
    assert body["attributes"] == ADA["attributes"]
    assert "credentials" not in body


def test_without_declared_locale_a_multilingual_realm_will_do() -> None:
    bare = {"attributes": PROFILE["attributes"][::2]}
    realm = "/admin/realms/work%20space"
    script = Script(get=[[]], get_profile=[bare], post=[MADE])
    script.routes[f"get{realm}".replace("/", "_")] = [{"internationalizationEnabled": True}]
    assert script[USER].apply(creation("ada", "mark")).facts == {"sub": SUB}
    script.routes[f"get{realm}".replace("/", "_")] = [{}]
    with pytest.raises(Invalid, match="locale"):
        script[USER].apply(creation("ada", "mark"))


def test_the_fence_disables_first_and_logs_out_second() -> None:
    script = Script(
        get_user=[ADA],
        get_user_sessions=[[{"id": "1"}]],
        get_user_consents=[[{"clientId": "sync"}]],
        put_user=[GONE],
        post_user_logout=[GONE],
        delete_user_consents_sync=[GONE],
    )
    assert script[USER].apply(change(USER, FENCE)).result is Result.CHANGED
    assert [name for name in script.asked if not name.startswith("get")] == [
        *("put_user", "post_user_logout", "delete_user_consents_sync"),
    ]
    assert script.body("PUT") == {"enabled": False}


def test_a_user_said_gone_and_shown_is_a_conflict() -> None:
    script = Script(get_user=[ADA], delete_user=[NOT_THERE])
    with pytest.raises(Conflict, match="reports that it does not exist"):
        script[USER].remove(change(USER, None))
    script = Script(get_user=[ADA, NOT_THERE], delete_user=[NOT_THERE], get=[[]])
    assert script[USER].remove(change(USER, None)).result is Result.ALREADY


def test_a_gone_user_is_fenced_only_once_our_rights_are_proven() -> None:
    script = Script(get_user=[NOT_THERE], get=[says(403, error="HTTP 403 Forbidden")])
    script.routes["get_admin_realms_work%20space"] = [{"realm": "work space"}]
    for verb in (script[USER].apply, script[USER].verify):
        with pytest.raises(Exception, match="may not do this"):
            verb(change(USER, FENCE))
    script.routes["get"] = [[ADA]]
    assert script[USER].apply(change(USER, FENCE)).result is Result.ALREADY
    script.routes["get_admin_realms_work%20space"] = [{"realm": "another"}]
    with pytest.raises(Invalid, match="another realm"):
        script[USER].apply(change(USER, FENCE))


def test_a_wish_nobody_knows_is_invalid() -> None:
    script = Script(get_user=[ADA])
    with pytest.raises(Invalid, match="shoe_size"):
        script[USER].plan(user_target(SUB, "ada"), {"shoe_size": 42})


# --- attributes -----------------------------------------------------------------------------------


def test_a_write_carries_names_address_and_attributes_and_nothing_else() -> None:
    after = {**ADA, "attributes": {**ADA["attributes"], "login": ["x"]}}
    script = Script(get_user=[ADA, after], put_user=[GONE])
    assert script[ATTRIBUTES].apply(change(ATTRIBUTES, {"login": "x"})).result is Result.CHANGED
    assert script.body("PUT") == {
        "username": "ada",
        "email": "ada@example.org",
        "firstName": "Ada",
        "lastName": "Example",
        "attributes": after["attributes"],
    }


def test_an_attribute_somebody_overwrote_is_a_conflict() -> None:
    after = {**ADA, "attributes": {"login": ["theirs"]}}
    script = Script(get_user=[ADA, after], put_user=[GONE])
    with pytest.raises(Conflict, match="another value"):
        script[ATTRIBUTES].apply(change(ATTRIBUTES, {"login": "x"}))


def test_a_secret_is_compared_and_never_shown() -> None:
    kept = {**ADA, "attributes": {"app": [f"{CANARY}-app"]}}
    script = Script(get_user=[kept], put_user=[GONE])
    wish = change(ATTRIBUTES, {"app": "set"}, app="vault/app")
    assert script[ATTRIBUTES].apply(wish).result is Result.ALREADY
    assert script[ATTRIBUTES].verify(wish)
    planned = script[ATTRIBUTES].plan(wish.target, wish.after)
    assert planned.before == {"app": "set"}
    script.routes["get_user"] = [{**ADA, "attributes": {"app": [f"{CANARY}-other"]}}]
    assert script[ATTRIBUTES].verify(wish) is None
    with pytest.raises(Conflict) as caught:
        script[ATTRIBUTES].apply(wish)
    for shown in (planned.model_dump_json(), str(caught.value), repr(caught.value)):
        assert CANARY not in shown


def test_set_without_a_secret_is_any_value_and_never_made_up() -> None:
    """Of a key that was revealed the value is not known here any more."""
    wish = change(ATTRIBUTES, {"app": "set"})
    script = Script(get_user=[ADA])
    assert script[ATTRIBUTES].verify(wish) is None
    with pytest.raises(Invalid, match="no value"):
        script[ATTRIBUTES].apply(wish)
    script.routes["get_user"] = [{**ADA, "attributes": {"app": [f"{CANARY}-app"]}}]
    assert script[ATTRIBUTES].apply(wish).result is Result.ALREADY
    assert "app" in str(script[ATTRIBUTES].verify(wish))


def test_removing_clears_what_the_look_or_the_secrets_name() -> None:
    kept = {**ADA, "attributes": {"app": ["x"], "theirs": ["y"]}}
    script = Script(get_user=[kept, {**ADA, "attributes": {"theirs": ["y"]}}], put_user=[GONE])
    gone = change(ATTRIBUTES, None, app="vault/app")
    assert script[ATTRIBUTES].remove(gone).result is Result.CHANGED
    assert script.body("PUT")["attributes"] == {"theirs": ["y"]}
    assert "absent" in str(script[ATTRIBUTES].verify(gone))
    with pytest.raises(Invalid, match="no attribute is named"):
        script[ATTRIBUTES].remove(change(ATTRIBUTES, None))
    assert script[ATTRIBUTES].verify(change(ATTRIBUTES, None)) is None


# --- the realm ------------------------------------------------------------------------------------


def test_a_profile_that_lost_something_is_said() -> None:
    realm = "get_admin_realms_work%20space"
    script = Script(get_profile=[PROFILE], put_profile=[{}], **{realm: [{}]})
    wish: Facts = {"private": ["sql_password"], "declared": []}
    planned = script["identity_provider.realm"].plan(profile_target("work space"), wish)
    with pytest.raises(Invalid, match="sql_password disappeared"):
        script["identity_provider.realm"].apply(planned)
    with pytest.raises(Invalid, match="cannot remove"):
        script["identity_provider.realm"].remove(planned)


@pytest.mark.parametrize(
    "target", [profile_target("another"), {"realm": "work space", "part": "scope:x"}]
)
def test_another_realm_or_part_is_invalid(target: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        Script()["identity_provider.realm"].plan(target, {})


def test_everything_survives_json() -> None:
    script = Script(get_user=[ADA], get_user_sessions=[[]], get_user_consents=[[]])
    planned = script[USER].plan(user_target(SUB, "ada", "mark"), FENCE)
    assert Change.model_validate_json(planned.model_dump_json()) == planned


def test_reading_an_attribute_of_nobody_is_not_found() -> None:
    with pytest.raises(NotFound):
        Script(get_user=[NOT_THERE]).system.read_attribute(SUB, "app")
