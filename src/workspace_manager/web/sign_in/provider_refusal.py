"""The identity provider's error when it redirects without a code (RFC 6749)."""

import logging
import re
from typing import Final

from django.http import HttpRequest

from workspace_manager.contract.message import Message
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in import pending_sign_ins

log = logging.getLogger(__name__)
LONGEST: Final = 200
TOO_LATE: Final = "authentication_expired"
"""Its description when the page was left open too long: that is no failure."""
_CODE = re.compile(r"[a-z_]{1,40}")


def refusal(request: HttpRequest) -> Message | None:
    """Return why the identity provider refused, in its own words. None without an error, and for a
    sign-in that this browser did not begin: nobody else can put words on our page.
    """
    code = request.GET.get("error", "")
    if not _CODE.fullmatch(code) or pending_sign_ins.read_begun(request) is None:
        return None
    words = " ".join(request.GET.get("error_description", "").split())
    if words == TOO_LATE:
        return None
    log.warning("the identity provider refused a sign-in: %s", code)
    shown = "".join(one for one in words if one.isprintable())[:LONGEST]
    return message("provider_refused", said=f"{code}: {shown}" if shown else code)
