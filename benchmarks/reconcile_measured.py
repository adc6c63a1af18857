"""The part of `benchmarks.reconcile` that needs Django set up."""

import json
import resource
import time
import urllib.request
from dataclasses import replace
from typing import Any

from allauth.socialaccount.models import SocialAccount

from workspace_manager.contract.inventory import InventoryEntry, Page
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import walk
from workspace_manager.records.models import Account, Person, ReconcileItem, ReconcilePart
from workspace_manager.systems import registry
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import user_target

PAGE = 500
STRANGE = 1000
"""Every so many is nobody's."""


def measure(people: int, address: str) -> dict[str, Any]:
    """Time, ratio and memory of one comparison."""

    _fill(people)
    specs: Any = registry().specs
    spec = replace(specs["identity_provider"], inventory="benchmarks.reconcile_measured:read_page")
    specs.clear()
    specs["identity_provider"] = spec
    system: Any = Provider(address)
    systems = ConnectedSystems(
        by_name={"identity_provider": system}, settings={"identity_provider": spec.settings()}
    )
    alone = _timed(lambda: _read_all(system))
    before = _memory_mb()
    compared = _timed(lambda: walk.go_on(walk.begin("bench"), systems))
    assert ReconcilePart.objects.get().seen == people
    return {
        "people": people,
        "alone_s": round(alone, 2),
        "compared_s": round(compared, 2),
        "ratio": round(compared / alone, 3),
        "memory_mb": round(_memory_mb()),
        "more_mb": round(_memory_mb() - before),
        "differences": ReconcileItem.objects.count(),
    }


def _fill(people: int) -> None:
    """Everybody who is no stranger is recorded, in pieces, so that making them takes no memory."""

    known = [n for n in range(people) if n % STRANGE]
    for start in range(0, len(known), 2000):
        some = [Person(username=f"user{n}", password="!") for n in known[start : start + 2000]]
        Person.objects.bulk_create(some)
        SocialAccount.objects.bulk_create(
            SocialAccount(user=one, provider=PROVIDER, uid=_sub(one.username), extra_data={})
            for one in some
        )
        Account.objects.bulk_create(
            Account(
                system=PROVIDER,
                kind="identity_provider.user",
                name=_sub(one.username),
                username=one.username,
                person=one,
            )
            for one in some
        )


def _sub(username: str) -> str:
    return f"00000000-0000-4000-8000-{int(username.removeprefix('user')):012}"


class Provider:
    """As much of a connected system as is read here."""

    name = "identity_provider"

    def __init__(self, address: str) -> None:
        self.address = address
        self.connectors: dict[str, Any] = {}

    def prove_rights(self) -> None:
        return None


def read_page(system: Any, cursor: str) -> Any:
    """The lister: as the identity provider's own makes its page of what the wire gave."""

    first = int(cursor or 0)
    with urllib.request.urlopen(f"{system.address}?first={first}") as answer:
        users = json.loads(answer.read())
    listed = tuple(
        InventoryEntry(
            kind="identity_provider.user",
            target=user_target(user["id"], user["username"]),
            name=user["id"],
            seen=message("seen_user", username=user["username"]),
            sub=user["id"],
            username=user["username"],
            email=user["email"],
            email_confirmed=user["emailVerified"],
            full_name=f"{user['firstName']} {user['lastName']}",
            open=user["enabled"],
        )
        for user in users
    )
    return Page(listed, str(first + PAGE) if len(users) == PAGE else "")


def _read_all(system: Any) -> None:
    cursor = ""
    while True:
        cursor = read_page(system, cursor).next
        if not cursor:
            return


def _timed(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _memory_mb() -> float:
    """The most this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
