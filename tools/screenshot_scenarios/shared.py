"""Functions that scenarios share."""

from datetime import timedelta
from typing import Any

from tests.web.pages import scenes
from workspace_manager.records.models import Person

DAY = timedelta(days=1)


def for_docs(
    studio: Any, name: str, path: str, who: str = "ada", *, height: int, **more: Any
) -> None:
    """One picture that the documentation shows: a part of a page, so that the file stays small."""
    studio.everywhere(f"docs-motion-{name}", path, who, height=height, looks=[{}], **more)


def ada() -> Person:
    """The administrator."""
    return scenes.person("ada", "Ada Kraft", administrator=True)
