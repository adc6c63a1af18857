"""Marks that identify a credential without storing it: HMACs with a key that is not in the
database.
"""

import hashlib
import hmac
import json
from urllib.parse import urlsplit

from django.conf import settings

from workspace_manager.contract import secret_keys
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings


def marks_of(its: SystemSettings) -> list[str]:
    """Return the marks of the credential in these settings, one for each key, so that a rotation of
    keys changes no credential. Its address is part of it.
    """
    text = json.dumps(
        [
            (spec.name, _text(getattr(its, spec.name), origin=spec.origin))
            for spec in its.specs()
            if spec.credential or spec.origin
        ]
    )
    keys = [secret_keys.sealing(key) for key in settings.SECRET_KEYS or [settings.SECRET_KEY]]
    return [
        hmac.new(key, f"credential\n{text}".encode(), hashlib.sha256).hexdigest() for key in keys
    ]


def _text(value: object, *, origin: bool) -> str:
    if isinstance(value, Secret):
        return value.reveal()
    text = "" if value is None else str(value)
    if origin and "://" in text:
        return "://".join(urlsplit(text)[:2]).lower()
    return text
