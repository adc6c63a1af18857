"""The authorization code at the token endpoint: one use, one client, one address, one verifier."""

import base64
import hashlib
import re

from workspace_sandbox.stand_ins.identity_provider import sessions
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, Refusal, framework_error
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.mappers import Subject
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds
from workspace_sandbox.stand_ins.identity_provider.tokens import Issue, refreshes


def _grant_refused(description: str) -> Refusal:
    return framework_error(400, "invalid_grant", description)


def issue(call: Call, client: Doc, form: dict[str, str]) -> Issue:
    realm = call.realm
    if not form.get("code"):
        raise framework_error(400, "invalid_request", "Missing parameter: code")
    code = realm.data["codes"].get(form["code"])
    if code is None or code["used"] or code["until"] <= seconds():
        if code and code["used"]:
            _undo(call, code)
        raise _grant_refused("Code not valid")
    code["used"] = True
    session = realm.sessions.get(code["session"])
    user = realm.users.get(code["user"])
    if session is None or not sessions.alive(realm, session):
        raise _grant_refused("User session not found" if session is None else "Session not active")
    if user is None:
        raise _grant_refused("User not found")
    if not user["enabled"]:
        raise _grant_refused("User disabled")
    if code["client"] != client["id"]:
        raise _grant_refused("Auth error: Found different client_id in clientSession")
    if code["redirect_uri"] != form.get("redirect_uri", ""):
        raise _grant_refused("Incorrect redirect_uri")
    _check_verifier(code, form.get("code_verifier"))
    sessions.attach(session, client)
    offline = "offline_access" in code["scopes"]
    if offline:
        sessions.keep_offline(realm, session)
    subject = Subject(realm, client, user, session, tuple(code["scopes"]))
    return Issue(subject, call.issuer, "ac", offline, refreshes(client), code.get("nonce"))


def _undo(call: Call, code: Doc) -> None:
    """A code used twice was stolen by somebody: the session loses that client."""
    session = call.realm.sessions.get(code["session"])
    client = call.realm.clients.get(code["client"])
    if session and client:
        sessions.detach(call.realm, session, client)


def _check_verifier(code: Doc, verifier: str | None) -> None:
    challenge = code.get("code_challenge")
    if not challenge:
        return
    if not verifier:
        raise _grant_refused("PKCE code verifier not specified")
    if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier):
        raise _grant_refused("PKCE verification failed: Invalid code verifier")
    proof = verifier
    if code.get("code_challenge_method") == "S256":
        digest = hashlib.sha256(verifier.encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    if proof != challenge:
        raise _grant_refused("PKCE verification failed: Code mismatch")
