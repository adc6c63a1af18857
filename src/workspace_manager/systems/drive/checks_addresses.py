"""Addresses that the drive names, and words of a page: anything may stand there."""

import html
import re
from urllib.parse import SplitResult, parse_qs, urlsplit

LONGEST = 200
"""Characters of somebody else's words that a finding repeats."""
_REALM = re.compile(r"/realms/([^/?#]+)")


def parts(address: str) -> SplitResult:
    """Split an address; empty parts for a malformed one."""
    try:
        found = urlsplit(address)
        return found if found.hostname is not None else found._replace(netloc="")
    except ValueError:
        return SplitResult("", "", "", "", "")


def query(address: str) -> dict[str, str]:
    """Return the parameters of an address, of each the first."""
    return {name: values[0] for name, values in parse_qs(parts(address).query).items()}


def shorten(text: object) -> str:
    """Return as much of a text as a finding repeats."""
    said = str(text)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def plain_text(marked: str) -> str:
    """Return the words of a part of a page."""
    return shorten(" ".join(html.unescape(re.sub(r"<[^>]*>", " ", marked)).split()))


def same_realm(address: str, issuer: str) -> bool:
    """Compare realms by name: the drive may know the identity provider by another address."""
    return realm_in(address) == realm_in(issuer)


def realm_in(address: str) -> str:
    """Return the realm that an address of the identity provider names; "" for none."""
    found = _REALM.search(parts(address).path)
    return found[1] if found else ""
