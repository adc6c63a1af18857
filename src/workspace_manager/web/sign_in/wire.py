"""How allauth reaches the identity provider: as `contract.http` does, answers bounded before and
after decoding, redirects not followed (a form with the client secret would go there).
"""

import functools
from collections.abc import Mapping
from typing import Any

import requests
from allauth.socialaccount import app_settings
from requests.adapters import HTTPAdapter
from requests.exceptions import ConnectionError as Broken
from requests.exceptions import ContentDecodingError
from urllib3.exceptions import HTTPError

from workspace_manager.contract.body import ACCEPTED, Body, Garbled, NotAskedFor, TooLarge
from workspace_manager.contract.http import MAX_ANSWER_BYTES, trusted

PIECE = 65_536


class _Bounded(HTTPAdapter):
    """Read an answer here, before anything decodes it."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=trusted(), **kwargs)

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> Any:
        response = super().send(request, *args, **kwargs)
        try:
            response._content = _read(response.raw, response.headers)
        except HTTPError as broken:
            raise Broken(request=request) from broken
        except (Garbled, NotAskedFor, TooLarge) as unfit:
            raise ContentDecodingError(request=request) from unfit
        finally:
            response.close()
        response._content_consumed = True
        return response


def _read(raw: Any, headers: Mapping[str, str]) -> bytes:
    body = Body(headers.get("Content-Encoding", ""), most=MAX_ANSWER_BYTES)
    for piece in raw.stream(PIECE, decode_content=False):
        body.take(piece)
    return body.whole()


def session() -> requests.Session:
    """A session for the calls of one sign-in."""
    made = requests.Session()
    made.headers["Accept-Encoding"] = ACCEPTED
    made.max_redirects = 0
    # Neither proxies nor passwords (.netrc) of the environment.
    made.trust_env = False
    for scheme in ("http://", "https://"):
        made.mount(scheme, _Bounded())
    timeout = app_settings.REQUESTS_TIMEOUT
    made.request = functools.partial(made.request, timeout=timeout)  # type: ignore[method-assign]
    return made
