"""What a view answers when a story says no: a sentence with its reason and what to do, on the page where it was asked."""

from dataclasses import dataclass

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.core.connected_systems import LABELS
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.web.pages import words
from workspace_manager.web.pages.sentences import translated_sentence


@dataclass(frozen=True)
class Trouble:
    """Why something could not be done. `status`: as the REST interface answers it."""

    text: str
    advice: str = ""
    system: str = ""
    plan: str = ""
    status: int = 409

    def spoken(self) -> str:
        """Text and advice as plain text in the reader's language, for a message."""
        parts = (text for text in (self.text, self.advice) if text)
        return " ".join(translated_sentence(text) or text for text in parts)


def trouble(error: Refused | BadInput | ConnectorError) -> Trouble:
    """Put a story's no into words for a page."""
    if isinstance(error, Refused):
        return Trouble(error.reason, plan=error.plan)
    if isinstance(error, BadInput):
        return Trouble(" ".join(error.errors.values()), status=422)
    named = words.system(error.system) if error.system in LABELS else ""
    status = 503 if isinstance(error, Unavailable) else 502
    return Trouble(error.detail, advice=error.advice, system=named, status=status)
