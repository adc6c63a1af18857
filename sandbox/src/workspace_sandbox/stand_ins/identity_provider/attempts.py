"""Sign in with name and password, and the brute-force lock of the realm.

A locked person is refused in the very words of a wrong password; the user stays `enabled: true`.
"""

from typing import Literal

from workspace_sandbox.server import now_ms
from workspace_sandbox.stand_ins.identity_provider import people
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.realm import Realm
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

Verdict = Literal["ok", "wrong", "disabled"]


def sign_in(realm: Realm, name: str, password: str, address: str) -> tuple[Verdict, Doc | None]:
    """Return whether name and password belong together. Failures are counted, and the lock is
    honoured if the realm protects itself.
    """
    user = realm.user_for_login(name)
    if user is None or user.get("serviceAccountClientId"):
        return "wrong", None
    if is_locked(realm, user):
        return "wrong", user
    if not people.check_password(user, password):
        if realm.setting("bruteForceProtected"):
            _failure(realm, user, address)
        return "wrong", user
    if not user["enabled"]:
        return "disabled", user
    realm.data["failures"].pop(user["id"], None)
    return "ok", user


def status(realm: Realm, user_id: str) -> Doc:
    """Return what `attack-detection/brute-force/users/{id}` shows; zeros for a user who never
    failed.
    """
    failures = realm.data["failures"].get(user_id) or {}
    return {
        "failedLoginNotBefore": failures.get("failedLoginNotBefore", 0),
        "numFailures": failures.get("numFailures", 0),
        "numTemporaryLockouts": 0,
        "disabled": failures.get("failedLoginNotBefore", 0) > seconds(),
        "numSecondaryAuthFailures": 0,
        "lastIPFailure": failures.get("lastIPFailure", "n/a"),
        "lastFailure": failures.get("lastFailure", 0),
    }


def is_locked(realm: Realm, user: Doc) -> bool:
    return bool(realm.setting("bruteForceProtected") and status(realm, user["id"])["disabled"])


def _failure(realm: Realm, user: Doc, address: str) -> None:
    """Count one failure. A second within a second locks for a minute, as does every
    `failureFactor`-th.
    """
    failures = realm.data["failures"].setdefault(user["id"], {"numFailures": 0, "lastFailure": 0})
    since = now_ms() - failures["lastFailure"]
    if failures["lastFailure"] and since > realm.setting("maxDeltaTimeSeconds") * 1000:
        failures["numFailures"] = 0
    failures["numFailures"] += 1
    factor = max(int(realm.setting("failureFactor")), 1)
    wait = realm.setting("waitIncrementSeconds") * (failures["numFailures"] // factor)
    quick = since < realm.setting("quickLoginCheckMilliSeconds")
    if not wait and failures["lastFailure"] and quick:
        wait = realm.setting("minimumQuickLoginWaitSeconds")
    if wait:
        most = realm.setting("maxFailureWaitSeconds")
        failures["failedLoginNotBefore"] = seconds() + min(wait, most)
    failures |= {"lastFailure": now_ms(), "lastIPFailure": address}
