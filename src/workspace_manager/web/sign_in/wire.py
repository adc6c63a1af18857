"""allauth's calls to the identity provider, made through `contract.http` like all others.

One deadline covers the exchange, answers are bounded before and after decoding, and redirects are
not followed (they would receive the form with the client secret).
"""

import functools
from typing import Any, cast
from urllib.parse import urlsplit

import requests
from allauth.socialaccount import app_settings
from requests.adapters import BaseAdapter
from requests.exceptions import ConnectionError as Broken
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.web.messages import message

SYSTEM = "identity_provider"


class _OverOurClient(BaseAdapter):
    """An adapter of `requests` that sends through our client."""

    def send(
        self, request: requests.PreparedRequest, *_: Any, timeout: Any = None, **__: Any
    ) -> requests.Response:
        parts = urlsplit(request.url or "")
        within = float(timeout or app_settings.REQUESTS_TIMEOUT)
        calls = CallPolicy(connect_s=within, answer_s=within)
        client = HttpClient(f"{parts.scheme}://{parts.netloc}", system=SYSTEM, policy=calls)
        body = request.body
        try:
            answer = client.send(
                request.method or "GET",
                request.path_url,
                doing=message("signing_in"),
                content=body.encode() if isinstance(body, str) else cast(bytes | None, body),
                headers={name: str(value) for name, value in request.headers.items()},
            )
        except Unavailable as late:
            raise requests.Timeout(str(late), request=request) from late
        except ConnectorError as failed:
            raise Broken(str(failed), request=request) from failed
        finally:
            client.close()
        return _as_theirs(answer, request)

    def close(self) -> None:
        """Do nothing: no connection stays open."""


def _as_theirs(answer: Answer, request: requests.PreparedRequest) -> requests.Response:
    made = requests.Response()
    made.status_code = answer.status
    made.headers = CaseInsensitiveDict(answer.headers.items())
    made.encoding = get_encoding_from_headers(made.headers)
    made.url, made.request = request.url or "", request
    # Complete and decoded, so that the library reads nothing more.
    made._content, made._content_consumed = answer.content, True
    return made


def session() -> requests.Session:
    """Return a session for the calls of one sign-in."""
    made = requests.Session()
    made.headers.pop("Accept-Encoding")
    made.max_redirects = 0
    # Neither proxies nor passwords (.netrc) of the environment.
    made.trust_env = False
    for scheme in ("http://", "https://"):
        made.mount(scheme, _OverOurClient())
    timeout = app_settings.REQUESTS_TIMEOUT
    made.request = functools.partial(made.request, timeout=timeout)  # type: ignore[method-assign]
    return made
