"""Hash passwords for import at the identity provider; the clear text is never stored.

Argon2 with Keycloak's own parameters
(docs/systems/identity-provider.md#passwords-and-imported-hashes: type id, version 1.3, 7168 KiB, 5
passes, 1 lane, 32 bytes, 16 bytes of salt), so that the first sign-in does not hash again. An
imported hash bypasses the identity provider's password policy, so it is checked here.
"""

import base64
import json
import os
from typing import Final

from argon2.low_level import ARGON2_VERSION, Type, hash_secret_raw
from zxcvbn import zxcvbn
from zxcvbn.matching import L33T_TABLE

from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.core.messages import message as of_core
from workspace_manager.people.messages import message

SHORTEST, LONGEST = 8, 128
WEAKEST_SCORE = 2
"""The least accepted of zxcvbn's 0 to 4: "somewhat guessable"."""

LONGEST_SCORED: Final = 48
MOST_WORK: Final = 5_000


def score(password: str, *, about: list[str]) -> int:
    """Return zxcvbn's score, 0 to 4, for as much of the beginning as limited time allows. `about`:
    as in `complaint`.
    """
    length = min(len(password), LONGEST_SCORED)
    while work(password[:length]) > MOST_WORK:
        length -= 1
    scored: int = zxcvbn(password[:length], user_inputs=[word for word in about if word])["score"]
    return scored


def work(text: str) -> int:
    """Return the most pieces of a text that zxcvbn looks up in each dictionary: each piece counts
    once for each way of reading digits and signs as letters ("4" as "a"), which multiply.
    """
    ways, taken = 1, set[str]()
    for signs in L33T_TABLE.values():
        here = {sign for sign in signs if sign in text}
        ways *= max(1, len(here) + len(here & taken))
        taken |= here
    return (1 + ways) * len(text) * (len(text) + 1) // 2


def complaint(password: str, *, about: list[str]) -> Message | None:
    """Return what is wrong with a password, or None. `about`: the person's own words, which make
    weak passwords.
    """
    if len(password) < SHORTEST:
        return message("too_short", count=SHORTEST)
    if len(password) > LONGEST:
        return message("too_long", count=LONGEST)
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in password):
        return of_core("control_characters")
    if password.lower() in {word.lower() for word in about if word}:
        return message("own_words")
    if score(password, about=about) < WEAKEST_SCORE:
        return message("easy")
    return None


def importable_hash(password: str) -> Secret:
    """Hash a password for import: a JSON document with `credentialData` and `secretData`."""
    salt = os.urandom(16)
    raw = hash_secret_raw(
        password.encode(),
        salt,
        time_cost=5,
        memory_cost=7168,
        parallelism=1,
        hash_len=32,
        type=Type.ID,
        version=ARGON2_VERSION,
    )
    data = {
        "hashIterations": 5,
        "algorithm": "argon2",
        "additionalParameters": {
            "hashLength": ["32"],
            "memory": ["7168"],
            "type": ["id"],
            "version": ["1.3"],
            "parallelism": ["1"],
        },
    }
    hidden = {"value": base64.b64encode(raw).decode(), "salt": base64.b64encode(salt).decode()}
    return Secret(
        json.dumps({"credentialData": json.dumps(data), "secretData": json.dumps(hidden)}),
        name="password hash",
    )
