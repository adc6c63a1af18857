"""Request ids: every log line of a request and the header of its answer carry its id, so that you
find one by the other.
"""

import re
import uuid
from collections.abc import Callable
from typing import Final

from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from workspace_manager.contract import log_ids

HEADER: Final = "X-Request-ID"
_USABLE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIds:
    """Middleware that takes the id of a trusted proxy, or makes one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        from_proxy = request.headers.get(HEADER, "")
        request_id = from_proxy if _USABLE.fullmatch(from_proxy) else uuid.uuid4().hex
        # Not for this block alone: Django logs the answer, and makes a long one, after it.
        log_ids.bind(request=request_id)
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response


@receiver(request_finished)
def _end(**_: object) -> None:
    log_ids.unbind("request")
