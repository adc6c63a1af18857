"""The lists of letters: every kind in every language, and the letters that a person was sent."""

from typing import Final

from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.letters.emails import LANGUAGES, LETTERS

KINDS: Final = ListSpec(
    "letters_list",
    __file__,
    searched=("name", "subject", "text"),
    order=(),
    members=(
        Member("name", Choice(LETTERS), help="Only this letter.", filter="name", order="name"),
        Member(
            "language",
            Choice(LANGUAGES),
            help="Only in this language.",
            filter="language",
            order="language",
        ),
        Member("subject", order="subject"),
    ),
)
"""In no table: each letter in each language."""
SENT: Final = ListSpec(
    "sent_list",
    __file__,
    searched=("subject", "to"),
    order=("-created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("sent_at", order="sent_at"),
        Member("subject", order="subject"),
        Member("kind", Choice(LETTERS), help="Only these.", filter="kind"),
    ),
)
