"""Messages in the reader's words: on a page, as plain text, and as the interface shows them beside
its text.
"""

from typing import Any

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from workspace_manager.contract.message import QUOTED, Message
from workspace_manager.core.messages import StoredMessage, encode_message, parse_message
from workspace_manager.core.views import CodedMessage, as_text, language

__all__ = ["CodedMessage", "StoredMessage", "as_text", "language", "message_members", "translate"]

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Around words that are quoted, while a sentence is put together: of private use, so nobody types
them.
"""


def translate(value: StoredMessage, *, whole: bool = False) -> SafeString:
    """A message for a page. Another system's own words are marked as English where another language
    is read.

    `whole`: a clause becomes a sentence. Safe text is in the reader's words already.
    """
    if isinstance(value, SafeString):
        return value
    message = parse_message(value)
    text = as_text(message if language() == "en" else _marked(message))
    safe = conditional_escape(sentence(text) if whole else text)
    # Escaped above; what is put in is ours alone.
    return mark_safe(safe.replace(_OPEN, '<span lang="en">').replace(_CLOSE, "</span>"))  # noqa: S308


def _marked(message: Message) -> Message:
    if message.code == QUOTED:
        bare = str(message.params["text"]).replace(_OPEN, "").replace(_CLOSE, "")
        if not bare:
            return message
        return message.model_copy(update={"params": {"text": f"{_OPEN}{bare}{_CLOSE}"}})
    params = {
        name: _marked(value) if isinstance(value, Message) else value
        for name, value in message.params.items()
    }
    return message.model_copy(update={"params": params})


def sentence(text: str) -> str:
    """A clause as a sentence: with a capital and a full stop. Systems write clauses, people read
    sentences.
    """
    whole = text.strip()
    if not whole or whole.rstrip(_CLOSE)[-1:] in ".!?…:":
        return whole
    if whole.endswith(_CLOSE):
        return f"{capital(whole.removesuffix(_CLOSE))}.{_CLOSE}"
    return f"{capital(whole)}."


def capital(text: str) -> str:
    """A capital at the beginning, unless the first word is a name of some system
    (`filesvc_login_name`, `127.0.0.1`).
    """
    if text.startswith(_OPEN):
        return _OPEN + capital(text.removeprefix(_OPEN))
    first = text.split(" ", 1)[0].rstrip(f",:;.{_CLOSE}")
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def message_members(member: str, message: Message | None) -> dict[str, Any]:
    """A member of an answer: the text and, beside it, what it says as data."""
    text = None if message is None else as_text(message)
    return {member: text, f"{member}_message": encode_message(message)}
