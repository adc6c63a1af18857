"""Signed tokens of the identity provider, verified with its published keys. Errors contain nothing
of a token.
"""

from collections.abc import Collection
from typing import Any, Final, cast

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import import_key

from workspace_manager.access import provider_state
from workspace_manager.contract.deadline import act_until, moment
from workspace_manager.contract.storable import storable_json
from workspace_manager.core.connected_systems import ConnectedSystems

ALGORITHMS: Final = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512"),
]
"""Signatures with a private key: one made with a secret that we share proves nothing here."""
LONGEST: Final = 16_000


class Wrong(Exception):
    """A token that is not a valid one of our identity provider. The text is for the log and
    contains nothing of the token.
    """


def verify_token(
    token: str, systems: ConnectedSystems, *, types: Collection[str | None]
) -> dict[str, Any]:
    """Return the claims of a token that our identity provider signed and issued.

    Raises Wrong, and a ConnectorError if the keys cannot be read now.
    """
    kid = _kid(token, types)
    with act_until(moment() + provider_state.PATIENCE_S):
        published = systems.identity_provider().read_metadata(kid)
    key = published.keys.get(kid)
    if key is None:
        raise Wrong("it is signed with a key that is not the identity provider's")
    try:
        claims = jwt.decode(token, import_key(dict(key)), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError, TypeError) as broken:
        raise Wrong("its signature is not the identity provider's") from broken
    if not isinstance(claims, dict):
        raise Wrong("it says nothing")
    if claims.get("iss") != published.issuer:
        raise Wrong("it is of another issuer")
    return cast("dict[str, Any]", storable_json(claims))


def is_for(claims: dict[str, Any], client_id: str) -> bool:
    """Return whether a token is meant for this client."""
    audience = claims.get("aud")
    return client_id in (audience if isinstance(audience, list) else [audience])


def _kid(token: str, types: Collection[str | None]) -> str:
    """Return the id of the key that a token names; nothing else of it is trusted yet."""
    if not 0 < len(token) <= LONGEST:
        raise Wrong("there is no token, or one that is too long")
    try:
        header = jws.extract_compact(token.encode()).headers()
    except (JoseError, ValueError) as broken:
        raise Wrong("it is no token") from broken
    if header.get("alg") not in ALGORITHMS or header.get("typ") not in types:
        raise Wrong("its type or its algorithm is another")
    kid = header.get("kid")
    if not isinstance(kid, str):
        raise Wrong("it names no key")
    return kid
