"""Messages in the reader's language: on a page, as plain text, and as members of the interface."""

from typing import Any

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from workspace_manager.contract.message import QUOTED, Message
from workspace_manager.core.messages import StoredMessage, encode_message, parse_message
from workspace_manager.core.views import CodedMessage, as_text, language

__all__ = ["CodedMessage", "StoredMessage", "as_text", "language", "message_members", "translate"]

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Marks around quoted words while a sentence is composed. They are of private use, so nobody types
them.
"""


def translate(value: StoredMessage, *, whole: bool = False) -> SafeString:
    """Return a message for a page. If the reader's language is not English, another system's own
    words are marked as English.

    `whole`: a clause becomes a sentence. Safe text is already in the reader's language.
    """
    if isinstance(value, SafeString):
        return value
    message = parse_message(value)
    text = as_text(message if language() == "en" else _marked(message))
    safe = conditional_escape(sentence(text) if whole else text)
    # The text is escaped above; only our own elements are inserted.
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
    """Return a clause as a sentence, with a capital and a full stop. Systems write clauses, and
    people read sentences.
    """
    whole = text.strip()
    if not whole or whole.rstrip(_CLOSE)[-1:] in ".!?…:":
        return whole
    if whole.endswith(_CLOSE):
        return f"{capital(whole.removesuffix(_CLOSE))}.{_CLOSE}"
    return f"{capital(whole)}."


def capital(text: str) -> str:
    """Return the text with a capital, unless its first word is a name of some system
    (`filesvc_login_name`, `127.0.0.1`).
    """
    if text.startswith(_OPEN):
        return _OPEN + capital(text.removeprefix(_OPEN))
    first = text.split(" ", 1)[0].rstrip(f",:;.{_CLOSE}")
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def message_members(member: str, message: Message | None) -> dict[str, Any]:
    """Return two members of an answer: the text, and the same as data."""
    text = None if message is None else as_text(message)
    return {member: text, f"{member}_message": encode_message(message)}
