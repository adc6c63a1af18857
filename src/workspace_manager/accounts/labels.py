"""Rules for the labels and descriptions that people give to what is theirs."""

from workspace_manager.accounts.messages import message
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput
from workspace_manager.core.text_safety import is_unshowable

LONGEST_LABEL = 100


def checked_label(label: str, *, field: str = "label") -> str:
    """Raises BadInput for a label no page could show."""
    label = label.strip()
    if not label or len(label) > LONGEST_LABEL:
        raise BadInput({field: message("label_length")})
    if is_unshowable(label):
        raise BadInput({field: of_core("control_characters")})
    return label


def checked_description(text: str) -> str:
    """A description may have lines, and no other control characters. Raises BadInput."""
    if any((ord(c) < 32 and c not in "\n\r\t") or ord(c) == 127 for c in text):
        raise BadInput({"description": of_core("control_characters")})
    return text.strip()
