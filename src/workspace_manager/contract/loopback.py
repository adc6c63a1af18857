"""Addresses of this machine: whether what is sent to a host stays here, so that nobody on the way
can read it; and whether an address is one that anybody on the internet may have.
"""

import ipaddress


def is_loopback(host: str) -> bool:
    """Any other name than localhost may be anybody's, whatever it begins with
    (`127.0.0.1.example.org`).
    """
    if host.lower().removesuffix(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses as IPv6 networks write them (RFC 6052)."""


def is_public(address: str) -> bool:
    """Return whether an address is neither of this machine nor of a private, shared or reserved
    network, also where it is an IPv4 address within one of IPv6.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inside = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in _TRANSLATED:
            inside = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inside is not None:
            return is_public(str(inside))
    return found.is_global and not found.is_multicast
