"""Parts of pages that renew themselves: sent again only when something changed, so that nothing
flickers or is read out twice.
"""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def fingerprint(shown: Any) -> str:
    """A short name for what is shown; another one means that something changed."""
    text = json.dumps(shown, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The part, or 204 when the browser has it already. `context["seen"]` is its fingerprint."""
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, template, {**context, "renewed": True})
