"""A stored secret belongs to the origin (scheme, host, port) for which it was entered. Otherwise a
person who may change an address could have the secret sent to a server of their own.

See docs/explanation/settings.md#a-secret-belongs-to-its-origin.
"""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from workspace_manager.contract.settings import EMPTY
from workspace_manager.core.refusal import BadInput
from workspace_manager.operations.messages import message
from workspace_manager.operations.system_configuration import RawSettings, settings_class

_PORTS = {"http": 80, "https": 443}


def origins_of(system: str, values: Mapping[str, str]) -> frozenset[str]:
    """Return the origin of every address among a system's values, where its secrets go.

    Settings that form an origin together (host, port, encryption) count as one. A text with `://`
    is an address, whatever its kind.
    """
    found, parts = set(), []
    for spec in settings_class(system).specs():
        if spec.secret:
            continue
        text = values.get(spec.name, spec.default).strip()
        if spec.origin and spec.kind != "url":
            parts.append(text.lower())
        elif (spec.origin or (spec.kind != "url" and "://" in text)) and text not in {"", EMPTY}:
            found.add(_origin(text))
    if parts and parts[0]:
        found.add(":".join(filter(None, parts)))
    return frozenset(found)


def _origin(address: str) -> str:
    """Return the origin of an address; an unusable address counts as its own origin."""
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return address
    if not parts.hostname:
        return address
    return f"{parts.scheme}://{parts.hostname}:{port}" if port else address


def refuse_another(
    system: str, stands: RawSettings, typed: Mapping[str, str], *, without: Collection[str] = ()
) -> frozenset[str]:
    """Return the origins with the new values. Raises BadInput for each stored secret that would go
    to another origin: it has to be entered again, or forgotten.
    """
    before = origins_of(system, stands.values)
    secret = {spec.name for spec in settings_class(system).specs() if spec.secret}
    changed = {name: text for name, text in typed.items() if name not in secret}
    after = origins_of(system, {**stands.values, **changed})
    # Removing all addresses is a change of origin too: the next address would be a first one.
    if not before or (after and after <= before):
        return after
    again = {name for name in secret if typed.get(name)} | {*without}
    kept = sorted(stands.hidden.keys() - again)
    if kept:
        known = ", ".join(sorted(before))
        raise BadInput(
            {
                name: message(
                    "secret_pinned_for_origin" if name in stands.pinned else "secret_of_origin",
                    origin=known,
                )
                for name in kept
            }
        )
    return after
