"""Passwords as Keycloak keeps them: hashes only, verified for real with the parameters the
credential names.

An imported hash is taken as it is: no policy is applied, and the first sign-in replaces it by the
server's own kind. One of another algorithm than Argon2, which is the manager's, never signs in.
"""

import base64
import hmac
import json
import re
import secrets
import uuid
from functools import lru_cache
from typing import Any

from argon2.exceptions import Argon2Error
from argon2.low_level import Type, hash_secret_raw

from workspace_sandbox.server import now_ms
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, failed, framework_error

OWN = {
    "hashIterations": 5,
    "algorithm": "argon2",
    "additionalParameters": {
        "hashLength": ["32"], "memory": ["7168"], "type": ["id"], "version": ["1.3"],
        "parallelism": ["1"],
    },
}  # fmt: skip
_TYPES = {"id": Type.ID, "i": Type.I, "d": Type.D}


def _argon2(password: str, salt: bytes, data: Doc) -> bytes:
    parameters = {name: values[0] for name, values in data["additionalParameters"].items()}
    return hash_secret_raw(
        password.encode(),
        salt,
        int(data["hashIterations"]),
        int(parameters["memory"]),
        int(parameters["parallelism"]),
        int(parameters["hashLength"]),
        _TYPES[parameters["type"]],
        {"1.0": 16, "1.3": 19}[parameters["version"]],
    )


def own_credential(password: str) -> Doc:
    salt = secrets.token_bytes(16)
    value = _argon2(password, salt, OWN)
    return _credential(
        json.dumps(OWN, separators=(",", ":")),
        json.dumps(
            {
                "value": base64.b64encode(value).decode(),
                "salt": base64.b64encode(salt).decode(),
                "additionalParameters": {},
            }
        ),
    )


@lru_cache(maxsize=256)
def _seeded(password: str) -> str:
    return json.dumps(own_credential(password))


def seeded_credential(password: str) -> Doc:
    """The credential of a person of the seed: hashed once per process, since many tests start with
    the same people.
    """
    document: Doc = json.loads(_seeded(password))
    return document


def _credential(data: str, secret: str) -> Doc:
    return {
        "id": str(uuid.uuid4()),
        "type": "password",
        "createdDate": now_ms(),
        "credentialData": data,
        "secretData": secret,
    }


def imported_credential(given: Doc) -> Doc | None:
    """A credential given as a hash. None when its type is not ours to keep; raises Refusal 500
    where the real one stumbles.
    """
    if given.get("type") is None or not (given.get("credentialData") and given.get("secretData")):
        raise failed()
    if given["type"] != "password":
        return None
    try:
        data, secret = json.loads(given["credentialData"]), json.loads(given["secretData"])
    except ValueError as wrong:
        raise framework_error(500, "invalid_request", "Cannot parse the JSON") from wrong
    if not isinstance(data, dict) or not isinstance(secret, dict) or secret.get("salt") is None:
        raise failed()
    return _credential(given["credentialData"], given["secretData"])


def verify(credential: Doc, password: str) -> bool:
    """Really derive the key and compare. An unknown algorithm or broken parameters never match."""
    try:
        data, secret = (
            json.loads(credential["credentialData"]),
            json.loads(credential["secretData"]),
        )
        salt, wanted = base64.b64decode(secret["salt"]), base64.b64decode(secret["value"])
        if data["algorithm"] != "argon2":
            return False
        value = _argon2(password, salt, data)
    except (KeyError, IndexError, ValueError, TypeError, Argon2Error):
        return False
    return hmac.compare_digest(value, wanted)


def is_own(credential: Doc) -> bool:
    """Return whether the hash is already of the server's own kind, so that a sign-in need not
    replace it.
    """
    data: Any = json.loads(credential["credentialData"])
    return bool(data.get("algorithm") == "argon2" and data == OWN)


def check_policy(policy: str, password: str, username: str) -> None:
    """Raises Refusal 400 with the policy's key in `error` and a sentence in `error_description`."""
    for rule, value in re.findall(r"(\w+)\(([^)]*)\)", policy):
        number = int(value) if value.isdigit() else 0
        if rule == "length" and len(password) < number:
            raise _policy("MinLength", f"minimum length {number}.")
        if rule == "notUsername" and password.lower() == username.lower():
            raise _policy("NotUsername", "must not be equal to the username.")


def _policy(key: str, sentence: str) -> Exception:
    return framework_error(400, f"invalidPassword{key}Message", f"Invalid password: {sentence}")
