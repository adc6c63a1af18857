"""One key a snapshot: an age identity, which is stored only wrapped by `WORKSPACE_SECRET_KEYS`.

Whoever deletes the wrapped key has made the content unreadable, wherever copies of it lie.
"""

from dataclasses import dataclass

import pyrage
from cryptography.fernet import InvalidToken

from workspace_manager.contract.secret import Secret
from workspace_manager.records.fields import cipher
from workspace_manager.snapshots.store.failures import wrong_key

NAME = "snapshot_key"


@dataclass(frozen=True)
class SnapshotKey:
    """Key that encrypts and decrypts the objects of one snapshot."""

    identity: Secret

    def encrypt(self, content: bytes, *, in_text: bool = False) -> bytes:
        """An age file of its own. `in_text`: in the form that text files may hold."""
        recipient = self._identity().to_public()
        made: bytes = pyrage.encrypt(content, [recipient], armored=in_text)
        return made

    def decrypt(self, content: bytes, name: str) -> bytes:
        """Raises Damaged when it was written with another key, or changed since."""
        try:
            found: bytes = pyrage.decrypt(content, [self._identity()])
        except pyrage.DecryptError:
            raise wrong_key(name) from None
        return found

    def wrap(self) -> str:
        """As it may be stored."""
        return cipher().encrypt(self.identity.reveal().encode()).decode()

    def _identity(self) -> pyrage.x25519.Identity:
        return pyrage.x25519.Identity.from_str(self.identity.reveal())


def make_key() -> SnapshotKey:
    """A fresh one."""
    return SnapshotKey(Secret(str(pyrage.x25519.Identity.generate()), name=NAME))


def unwrap(wrapped: str, name: str) -> SnapshotKey:
    """The key that was wrapped. `name`: of the object that has it. Raises Damaged when no key of
    `WORKSPACE_SECRET_KEYS` opens it.
    """
    try:
        return SnapshotKey(Secret(cipher().decrypt(wrapped.encode()).decode(), name=NAME))
    except InvalidToken:
        raise wrong_key(name) from None


def wrap_again(wrapped: str, name: str) -> str:
    """Return this key, wrapped by the first key of `WORKSPACE_SECRET_KEYS`."""
    return unwrap(wrapped, name).wrap()
