"""Whether what is sent to a host stays on this machine, so that nobody on the way can read it."""

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
