"""Parts of pages that renew themselves. They are sent again only after a change, so that nothing
flickers or is read out twice.
"""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def fingerprint(shown: Any) -> str:
    """Return a digest of what is shown; it changes with the content."""
    text = json.dumps(shown, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return the part, or 204 if the browser has it already. `context["seen"]` is its
    fingerprint.
    """
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, template, {**context, "renewed": True})
