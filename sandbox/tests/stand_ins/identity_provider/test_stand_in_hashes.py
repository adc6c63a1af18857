"""Imported password hashes at the stand-in: really verified, replaced at the first sign-in, or
never good.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from argon2.low_level import Type, hash_secret_raw

from tests.systems.identity_provider.stand_in_wire import PASSWORD, Wire, clients, read_refusal
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

SALT = b"0123456789abcdef"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(clients=clients())
    with running(stand_in):
        yield Wire(stand_in)


def imported(algorithm: str, key: bytes, iterations: int, **more: object) -> dict[str, str]:
    data = {"hashIterations": iterations, "algorithm": algorithm, **more}
    secret = {"value": base64.b64encode(key).decode(), "salt": base64.b64encode(SALT).decode()}
    return {
        "type": "password",
        "credentialData": json.dumps(data),
        "secretData": json.dumps(secret),
    }


def argon2(memory: int, rounds: int, lanes: int) -> dict[str, str]:
    key = hash_secret_raw(PASSWORD.encode(), SALT, rounds, memory, lanes, 32, Type.ID)
    values = {
        "hashLength": 32,
        "memory": memory,
        "type": "id",
        "version": "1.3",
        "parallelism": lanes,
    }
    parameters = {name: [str(value)] for name, value in values.items()}
    return imported("argon2", key, rounds, additionalParameters=parameters)


@pytest.mark.parametrize(
    "credential",
    [
        argon2(7168, 5, 1),
        argon2(102400, 2, 8),
    ],
)
def test_an_imported_hash_signs_in_and_becomes_the_servers_own(wire: Wire, credential: Any) -> None:
    name = "h" + hashlib.sha256(json.dumps(credential).encode()).hexdigest()[:12]
    user = wire.make(name, credentials=[credential])
    assert read_refusal(wire.password(name, "wrong"))[2] == "Invalid user credentials"
    kept = wire.admin("GET", f"users/{user}/credentials").json()[0]["credentialData"]
    assert kept == credential["credentialData"]
    assert wire.password(name).status_code == 200
    stored = json.loads(wire.admin("GET", f"users/{user}/credentials").json()[0]["credentialData"])
    assert (stored["algorithm"], stored["additionalParameters"]["memory"]) == ("argon2", ["7168"])
    assert wire.password(name).status_code == 200


@pytest.mark.parametrize(
    "credential",
    [
        imported("bcrypt", b"abcd", 10),
        imported("argon2", b"x" * 32, 5, additionalParameters={"memory": ["7168"]}),
    ],
)
def test_a_hash_it_cannot_check_is_taken_and_never_signs_in(wire: Wire, credential: Any) -> None:
    name = "n" + hashlib.sha256(json.dumps(credential).encode()).hexdigest()[:12]
    wire.make(name, credentials=[credential])
    assert read_refusal(wire.password(name)) == (400, "invalid_grant", "Invalid user credentials")
