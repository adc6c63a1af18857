"""Addresses and texts from the drive, which may be anything."""

import html
import re
from urllib.parse import SplitResult, parse_qs, urlsplit

LONGEST = 200
"""Characters of a foreign text that a finding repeats."""
_REALM = re.compile(r"/realms/([^/?#]+)")


def parts(address: str) -> SplitResult:
    """Split an address; empty parts for a malformed one."""
    try:
        found = urlsplit(address)
        return found if found.hostname is not None else found._replace(netloc="")
    except ValueError:
        return SplitResult("", "", "", "", "")


def query(address: str) -> dict[str, str]:
    """Return the first value of each parameter of an address."""
    return {name: values[0] for name, values in parse_qs(parts(address).query).items()}


def shorten(text: object) -> str:
    """Return the beginning of a text for a finding."""
    said = str(text)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def plain_text(marked: str) -> str:
    """Return the text of a part of a page."""
    return shorten(" ".join(html.unescape(re.sub(r"<[^>]*>", " ", marked)).split()))


def same_realm(address: str, issuer: str) -> bool:
    """Compare realms by name: the drive may know the identity provider by another address."""
    return realm_in(address) == realm_in(issuer)


def realm_in(address: str) -> str:
    """Return the realm that an address of the identity provider names; "" for none."""
    found = _REALM.search(parts(address).path)
    return found[1] if found else ""
