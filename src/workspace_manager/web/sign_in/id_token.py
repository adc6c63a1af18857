"""The ID token of a sign-in, verified as OpenID Connect Core 3.1.3.7 requires. The caller, who
knows the request, compares the nonce.
"""

import hashlib
import time
from typing import Any, Final

from django.core.cache import cache

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.web.sign_in.signatures import Wrong, is_for, verify_token

TYPES: Final = {"JWT", None}
LONGEST_S: Final = 366 * 24 * 3600
LEEWAY_S: Final = 30
"""The tolerated difference between the clocks."""


def claims_of(token: str, client_id: str, systems: ConnectedSystems) -> dict[str, Any]:
    """Return the claims of a sign-in. Raises Wrong, also for a replayed token, and a ConnectorError
    if the keys cannot be read now.
    """
    claims, now = verify_token(token, systems, types=TYPES), time.time()
    if not is_for(claims, client_id) or claims.get("azp", client_id) != client_id:
        raise Wrong("it is for another client")
    until, since = claims.get("exp"), claims.get("iat", now)
    # An end that no clock can reach is refused: a seen token is remembered until its end.
    if not isinstance(until, int | float) or not now - LEEWAY_S < until <= now + LONGEST_S:
        raise Wrong("it has ended, or says no end")
    if not isinstance(since, int | float) or since > now + LEEWAY_S:
        raise Wrong("it is of the future")
    if not isinstance(claims.get("sub"), str) or not claims["sub"]:
        raise Wrong("it names nobody")
    seen = hashlib.sha256(token.encode()).hexdigest()
    if not cache.add(f"id_token:{seen}", True, timeout=until - now + LEEWAY_S):
        raise Wrong("it was received before")
    return claims
