"""Accounts, their app passwords and their files: what the stand-in keeps."""

import base64
import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Callable
from typing import Any

ALPHABET = string.ascii_letters + string.digits
APP_PASSWORD_LENGTH = 72
RECHECK_S = 300
"""Seconds after which a token's login password is checked again."""
WELCOME = (
    "Welcome to the drive!\n\nThis is a stand-in for tests and demonstrations. Put your "
    "files here; "
    "they are kept with the sandbox and go with it.\n\nHave a pleasant stay.\n"
)
LOCAL, OIDC = "Database", "user_oidc"
TEMPORARY, PERMANENT = 0, 1
"""What a token is: a session's, or an app password."""
_PERMITTED = re.compile(r"[a-zA-Z0-9 _.@'-]+")


def hash_password(password: str) -> str:
    salt = secrets.token_hex(8)
    return f"{salt}${hashlib.pbkdf2_hmac('sha256', password.encode(), salt.encode(), 2000).hex()}"


def same_password(password: str, stored: str) -> bool:
    salt, _, digest = stored.partition("$")
    found = hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), 2000).hex()
    return bool(digest) and hmac.compare_digest(found, digest)


def random_text(length: int, alphabet: str = ALPHABET) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


class Accounts:
    """Read and change accounts in the stand-in's state; `changed` is called after each change that
    is an effect.
    """

    def __init__(
        self,
        state: Callable[[], dict[str, Any]],
        changed: Callable[[], None],
        clock: Callable[[], float],
    ) -> None:
        self._state = state
        self._changed = changed
        self._clock = clock

    @property
    def all(self) -> dict[str, dict[str, Any]]:
        accounts: dict[str, dict[str, Any]] = self._state()["accounts"]
        return accounts

    @property
    def tokens(self) -> list[dict[str, Any]]:
        tokens: list[dict[str, Any]] = self._state()["tokens"]
        return tokens

    def find(self, uid: str) -> dict[str, Any] | None:
        """Find an account by its id; case does not matter, as in the real one."""
        if uid in self.all:
            return self.all[uid]
        folded = uid.casefold()
        return next((a for a in self.all.values() if a["id"].casefold() == folded), None)

    def by_login(self, login: str) -> dict[str, Any] | None:
        """Find an account by what a person types: id or e-mail."""
        found = self.find(login)
        if found or "@" not in login:
            return found
        matching = [a for a in self.all.values() if (a["email"] or "").lower() == login.lower()]
        return matching[0] if len(matching) == 1 else None

    def add(self, uid: str, backend: str, **more: Any) -> dict[str, Any]:
        account = new_account(uid, backend, **more)
        self.all[uid] = account
        self._changed()
        return account

    def delete(self, account: dict[str, Any]) -> None:
        """Delete the account, all its tokens and its files at once."""
        state = self._state()
        state["accounts"].pop(account["id"], None)
        state["tokens"] = [t for t in state["tokens"] if t["uid"] != account["id"]]
        state["files"].pop(account["id"], None)
        self._changed()

    def seen(self, account: dict[str, Any]) -> None:
        """Note a sign-in: home and skeleton appear with the first one. Not an effect of its own."""
        account["last_login"] = int(self._clock())
        self.home(account["id"])

    def home(self, uid: str) -> dict[str, Any]:
        files: dict[str, dict[str, Any]] = self._state()["files"]
        if uid not in files:
            welcome = base64.b64encode(WELCOME.encode()).decode()
            files[uid] = {"welcome.txt": {"data": welcome, "modified": int(self._clock())}}
        return files[uid]

    def used(self, uid: str) -> int:
        entries = self._state()["files"].get(uid, {}).values()
        return sum(len(base64.b64decode(e["data"])) for e in entries if e.get("data") is not None)

    # --- app passwords ----------------------------------------------------------------------------

    def mint(
        self,
        uid: str,
        login_name: str,
        name: str,
        *,
        wrong_password: bool = False,
        kind: int = PERMANENT,
        text: str = "",
    ) -> str:
        """Make one more app password, or the temporary token that a session is; only its hash is
        kept.
        """
        text = text or random_text(APP_PASSWORD_LENGTH)
        state = self._state()
        state["next_token"] += 1
        now = int(self._clock())
        token = {
            "id": state["next_token"],
            "uid": uid,
            "login_name": login_name,
            "name": name[:128],
            "hash": _digest(text),
            "type": kind,
            "activity": now,
            "checked": now,
            "stale": wrong_password,
        }
        state["tokens"].append(token)
        self._changed()
        return text

    def token(self, text: str) -> dict[str, Any] | None:
        """Find a living token by its text; one whose login password no longer fits dies at the
        check every five minutes.
        """
        digest = _digest(text)
        token = next((t for t in self.tokens if t["hash"] == digest), None)
        if token is None or token["uid"] not in self.all or token["type"] == TEMPORARY:
            return None
        now = int(self._clock())
        if now - token["checked"] >= RECHECK_S:
            if token["stale"]:
                return None
            token["checked"] = now
        token["activity"] = now
        return token

    def lives(self, text: str) -> bool:
        """Return whether a session's token still exists."""
        digest = _digest(text)
        return any(token["hash"] == digest for token in self.tokens)

    def end(self, text: str) -> None:
        """End the token of a session, if it is there."""
        digest = _digest(text)
        for token in [token for token in self.tokens if token["hash"] == digest]:
            self.revoke(token)

    def revoke(self, token: dict[str, Any]) -> None:
        self.tokens.remove(token)
        self._changed()


def new_account(uid: str, backend: str, **more: Any) -> dict[str, Any]:
    """Make the record of an account; `more`: password (hash), display_name, email,
    groups, quota.
    """
    return {
        "id": uid,
        "backend": backend,
        "enabled": True,
        "password": more.get("password", ""),
        "display_name": more.get("display_name", ""),
        "email": more.get("email"),
        "groups": list(more.get("groups", ())),
        "last_login": 0,
    }


def permitted(uid: str) -> bool:
    """Return whether the creation call takes this id; a token's subject may hold anything."""
    return _PERMITTED.fullmatch(uid) is not None


def _digest(text: str) -> str:
    return hashlib.sha512(text.encode()).hexdigest()
