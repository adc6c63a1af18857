"""What a view answers when a story says no: a sentence with its reason and what to do, on the page
where it was asked.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import joined
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.systems import registry
from workspace_manager.web.messages import message
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.translate import as_text


@dataclass(frozen=True)
class ErrorNotice:
    """Why something could not be done; safe text is in the reader's words already. `status`: as the
    REST interface answers it.
    """

    text: Message | SafeString
    advice: Message | None = None
    system: str = ""
    plan: str = ""
    status: int = 409

    def spoken(self) -> str:
        """Text and advice as plain text in the reader's language, for a message."""
        return " ".join(as_text(part) for part in (self.text, self.advice) if part)


SAID_OF_PLANS: Final = frozenset({"contract.overloaded"})
"""A plan asks again by itself. What somebody presses a button for is asked once."""


def error_notice(error: Refused | BadInput | ConnectorError) -> ErrorNotice:
    """Put a story's no into words for a page."""
    if isinstance(error, Refused):
        return ErrorNotice(error.message, plan=error.plan)
    if isinstance(error, BadInput):
        return ErrorNotice(joined(error.messages.values(), by=" "), status=422)
    known = {*registry().specs, *labels.OTHER_SYSTEMS}
    named = labels.system(error.system) if error.system in known else ""
    status = 503 if isinstance(error, Unavailable) else 502
    advice = error.advice_message
    if isinstance(error, Unavailable) and advice.code in SAID_OF_PLANS:
        advice = message("ask_again")
    return ErrorNotice(error.message, advice=advice, system=named, status=status)
