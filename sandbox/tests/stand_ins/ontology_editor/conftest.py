"""Fixtures that the stand-in's own tests share with the tests of the system that is connected to
it.
"""

from tests.systems.ontology_editor.conftest import (
    forget_what_was_accepted,
    stand_in,
    upstream,
)

__all__ = [
    "forget_what_was_accepted",
    "stand_in",
    "upstream",
]
