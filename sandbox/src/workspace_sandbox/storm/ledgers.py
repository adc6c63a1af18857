"""The stand-ins' own account of a storm: who is lost, who is falsely gone, which write
had an effect twice.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

from workspace_sandbox.patience import PATIENCE_S

PAGE = 100_000


@dataclass
class Observation:
    """State and calls of every stand-in; `calls` since the storm began."""

    states: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def effects(self, system: str) -> list[dict[str, Any]]:
        return [call for call in self.calls[system] if call["effect"]]


def look(controls: dict[str, str], since: dict[str, int]) -> Observation:
    """Ask every stand-in."""
    seen = Observation()
    for name, url in controls.items():
        seen.states[name] = _get(f"{url}/state")
        seen.calls[name] = _get(f"{url}/calls?since={since.get(name, 0)}")["items"]
    return seen


def length(url: str) -> int:
    """Return how many calls one ledger holds."""
    return int(_get(f"{url}/calls?since=1000000000")["next"])


def _get(url: str) -> Any:
    return httpx.get(url, timeout=PATIENCE_S, trust_env=False).raise_for_status().json()


def wrong(
    seen: Observation, *, gone: list[dict[str, Any]], stayed: list[dict[str, Any]], new: list[str]
) -> dict[str, list[str]]:
    """Return what is not as it must be, by kind: nothing at all, if the manager keeps its word."""
    return {
        "lost": _lost(seen, stayed, new),
        "falsely done": _falsely_done(seen, gone),
        "repeated writes": [*_repeated(seen), *_miscounted(seen, gone, new)],
    }


def _users(seen: Observation) -> list[dict[str, Any]]:
    idp = seen.states["identity_provider"]
    found: list[dict[str, Any]] = idp["realms"][idp["realm"]]["users"]
    return found


def _lost(seen: Observation, stayed: list[dict[str, Any]], new: list[str]) -> list[str]:
    """Return who lost something, or is there twice, without having been asked to leave."""
    named = Counter(user["username"] for user in _users(seen))
    missing = [
        f"{name}: {named[name]} users at the identity provider" for name in new if named[name] != 1
    ]
    there = _everything(seen)
    for person in stayed:
        missing += [
            f"{person['username']}: {kind} {name} is not there"
            for kind, name in _accounts(person)
            if (kind, name) not in there
        ]
    missing += [f"{user['username']} is shut out" for user in _users(seen) if not user["enabled"]]
    return missing


def _falsely_done(seen: Observation, gone: list[dict[str, Any]]) -> list[str]:
    """Return who left and still has something."""
    there = _everything(seen)
    left = [
        f"{person['username']}: {kind} {name} is still there"
        for person in gone
        for kind, name in _accounts(person)
        if (kind, name) in there
    ]
    names = {f"jupyter-{person['username']}" for person in gone}
    containers = seen.states["container_manager"]["containers"]
    left += [
        f"{row['name']} still runs" for row in containers if row["name"] in names and row["running"]
    ]
    return left


def _accounts(person: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the accounts of somebody in a system, as `_everything` spells it."""
    recorded = [(kind, name) for kind, name in person["accounts"]]
    kinds = ("sql_server.user", "triplestore.user")
    return [
        ("identity_provider.user", person["sub"]),
        ("drive.account", person["sub"]),
        *[(kind, name) for kind, name in recorded if kind in kinds],
    ]


def _everything(seen: Observation) -> set[tuple[str, str]]:
    return {
        *(("identity_provider.user", user["id"]) for user in _users(seen)),
        *(("drive.account", row["id"]) for row in seen.states["drive"]["accounts"]),
        *(
            ("sql_server.user", name.partition("@")[0])
            for name in seen.states["sql_server"]["users"]
        ),
        *(("triplestore.user", name) for name in seen.states["triplestore"]["users"]),
    }


def _repeated(seen: Observation) -> list[str]:
    """A deletion with an effect happens once; so does a stop: a second one would mean that the
    thing had come back.
    """
    found = []
    for system in seen.calls:
        if system == "sql_server":
            continue
        once = Counter(
            (call["method"], call["path"].partition("?")[0])
            for call in seen.effects(system)
            if call["method"] == "DELETE" or call["path"].partition("?")[0].endswith("/stop")
        )
        found += [
            f"{system}: {how} {path} had an effect {n} times"
            for (how, path), n in once.items()
            if n > 1
        ]
    return found


def _miscounted(seen: Observation, gone: list[dict[str, Any]], new: list[str]) -> list[str]:
    """Where paths do not tell whose it is: as many effects as there are people."""
    statements = [call["path"] for call in seen.effects("sql_server")]
    dropped = sum(bool(re.match(r"\s*DROP\s+USER", text, re.IGNORECASE)) for text in statements)
    had = sum(kind == "sql_server.user" for person in gone for kind, _ in _accounts(person))
    made = sum(
        call["method"] == "POST" and call["path"].partition("?")[0].endswith("/users")
        for call in seen.effects("identity_provider")
    )
    found = []
    if dropped != had:
        found.append(f"sql_server: {dropped} times DROP USER with an effect for {had} users")
    if made != len(new):
        found.append(f"identity_provider: {made} users made for {len(new)} newcomers")
    return found
