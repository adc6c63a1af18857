"""Headers every answer carries: nothing loads from another host, nothing is framed, nothing
personal is cached.
"""

import contextlib
import time
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse

from workspace_manager.web.sign_in.provider import origin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; "
    "form-action 'self' {origin}; base-uri 'none'; frame-ancestors 'none'"
)
KEPT_S = 30


class _Origin:
    """The target of the sign-out form's redirect, to which browsers apply `form-action` too. Read
    again every `KEPT_S` seconds; the last one stays while the database cannot be asked.
    """

    def __init__(self) -> None:
        self.text, self.until = "", 0.0

    def __call__(self) -> str:
        if time.monotonic() > self.until:
            with contextlib.suppress(OperationalError):
                self.text, self.until = origin(), time.monotonic() + KEPT_S
        return self.text


identity_provider_origin = _Origin()


class SecurityHeaders:
    """Sets a content security policy without inline script or style, a permissions policy, and
    `no-store` on personal pages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Content-Security-Policy" not in response.headers:
            policy = POLICY.format(origin=identity_provider_origin()).replace(" ;", ";")
            response.headers["Content-Security-Policy"] = policy
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()"
        )
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        # Answers to requests that broke off before the headers were added lack them.
        response.headers.setdefault("X-Frame-Options", "DENY")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response
