"""A realm that somebody spoiled, so that a person's token or sign-in is another, and mended."""

import contextlib
import copy
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.life.person import Workspace
from tests.life.systems import identity_provider

Spoil = Callable[[Workspace], AbstractContextManager[None]]


@dataclass(frozen=True)
class Spoiled:
    """What was done, the name of the finding (its end), words of its text, and whether the stand-in
    can be spoiled so.
    """

    what: str
    spoil: Spoil
    found: str
    says: str
    on_stand_in: bool = False
    alone: bool = False
    """It hides what others show, or a sign-in that ends with it comes to no token."""


def ask(place: Workspace, method: str, path: str, body: Any = None) -> Any:
    """As an administrator of the realm."""
    answer = identity_provider(place, path, body, method=method)
    assert answer.status_code < 300, (method, path, answer.status_code, answer.text)
    return answer.json() if answer.content else None


def client_of(place: Workspace, client_id: str) -> dict[str, Any]:
    clients = ask(place, "GET", "/clients")
    found: dict[str, Any] = next(one for one in clients if one["clientId"] == client_id)
    return found


def of_manager(**members: Any) -> Spoil:
    """Members of the manager's client; `attributes` are added to those it has."""

    @contextlib.contextmanager
    def spoil(place: Workspace) -> Iterator[None]:
        before = client_of(place, place.manager)
        attributes = {**before["attributes"], **members.get("attributes", {})}
        path = f"/clients/{before['id']}"
        ask(place, "PUT", path, {**before, **members, "attributes": attributes})
        yield
        blank = dict.fromkeys(members.get("attributes", {}), "")
        ask(place, "PUT", path, {**before, "attributes": {**blank, **before["attributes"]}})

    return spoil


def of_realm(**members: Any) -> Spoil:
    @contextlib.contextmanager
    def spoil(place: Workspace) -> Iterator[None]:
        before = ask(place, "GET", "")
        ask(place, "PUT", "", members)
        yield
        back = {name: before.get(name) for name in members}
        if "attributes" in members:
            back["attributes"] = {
                **dict.fromkeys(members["attributes"], ""),
                **before["attributes"],
            }
        ask(place, "PUT", "", back)

    return spoil


def without_scope(name: str) -> Spoil:
    """A default scope that the manager's client lacks."""

    @contextlib.contextmanager
    def spoil(place: Workspace) -> Iterator[None]:
        client = client_of(place, place.manager)
        scope = next(s for s in ask(place, "GET", "/client-scopes") if s["name"] == name)
        path = f"/clients/{client['id']}/default-client-scopes/{scope['id']}"
        ask(place, "DELETE", path)
        yield
        ask(place, "PUT", path)

    return spoil


def with_mapper(kind: str, **config: str) -> Spoil:
    """One more mapper on the manager's client."""

    @contextlib.contextmanager
    def spoil(place: Workspace) -> Iterator[None]:
        path = f"/clients/{client_of(place, place.manager)['id']}/protocol-mappers/models"
        mapper = {"name": "spoils", "protocol": "openid-connect", "protocolMapper": kind}
        ask(place, "POST", path, {**mapper, "config": config})
        yield
        (made,) = [one for one in ask(place, "GET", path) if one["name"] == "spoils"]
        ask(place, "DELETE", f"{path}/{made['id']}")

    return spoil


def mapper_of(owner: Callable[[Workspace], str], name: str, **config: str) -> Spoil:
    """Another configuration of a mapper. `owner`: the path of its mappers."""

    @contextlib.contextmanager
    def spoil(place: Workspace) -> Iterator[None]:
        path = owner(place)
        (before,) = [one for one in ask(place, "GET", path) if one["name"] == name]
        spoiled = copy.deepcopy(before)
        spoiled["config"] |= config
        ask(place, "PUT", f"{path}/{before['id']}", spoiled)
        yield
        ask(place, "PUT", f"{path}/{before['id']}", before)

    return spoil


def on_scope(scope: str) -> Callable[[Workspace], str]:
    def path(place: Workspace) -> str:
        found = next(s for s in ask(place, "GET", "/client-scopes") if s["name"] == scope)
        return f"/client-scopes/{found['id']}/protocol-mappers/models"

    return path


def on_client(system: str = "") -> Callable[[Workspace], str]:
    """On the client of a system; of the manager without one."""

    def path(place: Workspace) -> str:
        client_id = place.system(system)["url"] if system else place.manager
        return f"/clients/{client_of(place, client_id)['id']}/protocol-mappers/models"

    return path


@contextlib.contextmanager
def terms_for_all(place: Workspace) -> Iterator[None]:
    path = "/authentication/required-actions/TERMS_AND_CONDITIONS"
    before = ask(place, "GET", path)
    ask(place, "PUT", path, {**before, "enabled": True, "defaultAction": True})
    yield
    ask(place, "PUT", path, before)


@contextlib.contextmanager
def one_more_field(place: Workspace) -> Iterator[None]:
    before = ask(place, "GET", "/users/profile")
    profile = copy.deepcopy(before)
    permissions = {"view": ["admin", "user"], "edit": ["admin", "user"]}
    field = {"name": "room", "required": {"roles": ["user"]}, "permissions": permissions}
    profile["attributes"].append(field)
    ask(place, "PUT", "/users/profile", profile)
    yield
    ask(place, "PUT", "/users/profile", before)


@contextlib.contextmanager
def everybody_administers(place: Workspace) -> Iterator[None]:
    default = ask(place, "GET", "")["defaultRole"]["id"]
    owner = client_of(place, "realm-management")["id"]
    roles = [r for r in ask(place, "GET", f"/clients/{owner}/roles") if r["name"] == "view-users"]
    path = f"/roles-by-id/{default}/composites"
    ask(place, "POST", path, roles)
    yield
    ask(place, "DELETE", path, roles)


CLAIM = "oidc-hardcoded-claim-mapper"
PASSWORD = "filesvc_app_password"
IN_TOKEN = {"access.token.claim": "true", "id.token.claim": "true", "jsonType.label": "String"}

SPOILED = (
    Spoiled("no sub in access tokens", without_scope("basic"), "access token, sub", "is missing"),
    Spoiled("a name under another claim", mapper_of(on_scope("profile"), "username",
    **{"claim.name": "user_name"}), "userinfo, preferred_username", "nobody can sign in"),
    Spoiled("an audience of yesterday", mapper_of(on_client(), "audience-drive",
    **{"included.client.audience": "https://old.example"}), "access token, aud", "old.example",
    on_stand_in=True),
    Spoiled("ES256", of_manager(attributes={"access.token.signed.response.alg": "ES256"}),
    "access token, alg", "ES256"),
    Spoiled("HS256", of_manager(attributes={"id.token.signed.response.alg": "HS256"}),
    "ID token, alg", "HS256"),
    Spoiled("another type of token", of_manager(attributes={
    "access.token.header.type.rfc9068": "true"}), "access token, typ", "at+jwt"),
    Spoiled("another host name", of_realm(attributes={"frontendUrl": "https://id.example"}),
    "access token, iss", "https://id.example"),
    Spoiled("addresses are unconfirmed", mapper_of(on_scope("email"), "email verified",
    **{"claim.name": "confirmed"}), "email_verified", "unconfirmed"),
    Spoiled("tokens for four hours", of_manager(attributes={"access.token.lifespan": "14400"}),
    "access token, exp", "14400", on_stand_in=True),
    Spoiled("no language", mapper_of(on_scope("profile"), "locale", **{"claim.name": "tongue"}),
    "userinfo, locale", "language"),
    Spoiled("the app password in tokens", with_mapper("oidc-usermodel-attribute-mapper", **IN_TOKEN,
    **{"user.attribute": PASSWORD, "claim.name": PASSWORD}), f"access token, {PASSWORD}",
    "every program that receives", on_stand_in=True),
    Spoiled("everybody administers", everybody_administers, "resource_access", "view-users"),
    Spoiled("notebooks do not learn the drive", mapper_of(on_client("notebook_hub"), "drive-login",
    **{"userinfo.token.claim": "false"}), "client ", "filesvc_login_name", on_stand_in=True),
    Spoiled("the scope profile is missing", without_scope("profile"), "sign-in", "invalid_scope",
    alone=True),
    Spoiled("lightweight tokens", of_manager(attributes={
    "client.use.lightweight.access.token.enabled": "true"}), "lightweight tokens", "401",
    alone=True),
    Spoiled("consent", of_manager(consentRequired=True), "sign-in", "one more page", alone=True),
    Spoiled("terms for everybody", terms_for_all, "sign-in", "TERMS_AND_CONDITIONS", alone=True),
    Spoiled("a field that nobody has", one_more_field, "sign-in", "VERIFY_PROFILE", alone=True),
    Spoiled("another person at each client", with_mapper("oidc-sha256-pairwise-sub-mapper",
    pairwiseSubAlgorithmSalt="salt"), "ID token, sub", "is needed", alone=True),
    Spoiled("an authorized party of nobody", with_mapper(CLAIM, **IN_TOKEN,
    **{"claim.name": "azp", "claim.value": "nobody"}), "ID token, azp", "nobody", alone=True),
)  # fmt: skip


def _is_among(one: Spoiled, said: list[tuple[str, str]]) -> bool:
    return any(one.found in name and one.says in text for name, text in said)


def missed(place: Workspace, check: Callable[[], list[dict[str, Any]]], *, real: bool) -> list[Any]:
    """What no check found, with what it found instead. One check finds all that can be wrong at
    once; each of the others is made alone.
    """
    made = [one for one in SPOILED if real or one.on_stand_in]
    groups = [[one for one in made if not one.alone], *([one] for one in made if one.alone)]
    left = []
    for group in groups:
        with contextlib.ExitStack() as stack:
            for one in group:
                stack.enter_context(one.spoil(place))
            found = [f for f in check() if f["severity"] != "ok"]
        assert all(f["remedy"] for f in found), found
        said = [(f["name"], f["text"]) for f in found]
        left += [(one.what, said) for one in group if not _is_among(one, said)]
    return left
