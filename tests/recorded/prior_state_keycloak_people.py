"""People in Keycloak's realm before an administrator's call."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from tests.recorded.prior_state_keycloak_caller import Prepare
from tests.recorded.prior_state_keycloak_realm import (
    LIMITED,
    RealmBefore,
    sent_document,
    shown_people,
)
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request


def people_before(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    """Who is addressed, or who came back; and others whom a change may have run into."""
    found = re.match(r"/users/([^/]+)", tail)
    absent = exchange.status == 404 and (
        "User not found" in exchange.text or exchange.content_type == "text/html"
    )
    if not found or absent:
        yield "the people who are shown", _shown(exchange)
        yield "somebody of this name or e-mail", _taken(exchange)
        return
    number = unquote(found[1])
    for what, more in (
        ("somebody as shown", {}),
        ("somebody of the name that is sent", {"named": "as sent"}),
        ("somebody else has the e-mail", {"named": "as sent", "taken": "email"}),
        ("attributes are limited to 255 characters", {"named": "as sent", "limited": "yes"}),
    ):
        yield what, _person(exchange, number, more)


def _shown(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        for shown in shown_people(exchange):
            before.person(shown)
        return request

    return prepare


def _taken(exchange: Exchange) -> Prepare:
    sent = sent_document(exchange)

    def prepare(before: RealmBefore, request: Request) -> Request:
        email = str(sent.get("email") or "")
        if email and "email" in exchange.text:
            before.person({"username": "other"}, email=email.lower())
        if "username" in exchange.text:
            before.person({"username": str(sent.get("username", "bob")).lower()})
        return request

    return prepare


def _person(exchange: Exchange, number: str, more: dict[str, str]) -> Prepare:
    sent = sent_document(exchange)
    shown = shown_people(exchange)
    one = {**shown[0], "id": number} if shown and exchange.path.endswith(number) else {"id": number}

    def prepare(before: RealmBefore, request: Request) -> Request:
        named = (
            {"username": str(sent["username"])} if more.get("named") and "username" in sent else {}
        )
        user = before.person(one, **named)
        if more.get("taken"):
            before.person({"username": "other"}, email=str(sent.get("email") or "o@example.org"))
        if more.get("limited"):
            for attribute in before.realm.data["profile"]["attributes"]:
                attribute.setdefault("validations", {})["length"] = dict(LIMITED)
        return _with_roles(before, user, exchange, request)

    return prepare


def _with_roles(
    before: RealmBefore, user: dict[str, Any], exchange: Exchange, request: Request
) -> Request:
    """Roles of a client go by numbers that differ here: they are looked up by their names."""
    found = re.search(r"/role-mappings/clients/([^/]+)", exchange.path)
    if not found or "Client not found" in exchange.text:
        return request
    holder = before.realm.client_named("realm-management")
    assert holder is not None
    sent, held = exchange.sent(), exchange.json()
    for one in sent if isinstance(sent, list) else []:
        role = before.realm.role_named(str(one["name"]), holder["id"])
        one.update(id=role["id"] if role else one["id"], containerId=holder["id"])
    if not exchange.path.endswith(("/available", "/composite")):
        names = [str(one["name"]) for one in held] if isinstance(held, list) else []
        named = [before.realm.role_named(name, holder["id"]) for name in names]
        user["roles"] += [role["id"] for role in named if role]
    target = request.target.replace(found[1], holder["id"])
    return request.with_(target=target, body=json.dumps(sent).encode() if sent else request.body)
