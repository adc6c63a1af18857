"""Marks that tell projects with the same name apart: the owner, or else the beginning of the id.

Two projects may have the same name; a list with two equal lines has to say more.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from workspace_manager.records.models import Project

SHORT = 8


class ProjectName(NamedTuple):
    """Columns that distinguish a project, read without objects, which would take most of the
    time.
    """

    id: str
    label: str
    owner: str

    @classmethod
    def read(cls, rows: QuerySet[Project]) -> "list[ProjectName]":
        as_text = Cast("id", TextField())
        columns = rows.values_list(as_text, "label", "owner__username")
        return [cls(_with_hyphens(id_), label, owner) for id_, label, owner in columns]


def _with_hyphens(text: str) -> str:
    """Return an id with hyphens: PostgreSQL stores it with them, SQLite without."""
    if "-" in text:
        return text
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def short_id(project: Project | ProjectName) -> str:
    """Return the beginning of the project's id, which its page shows, too."""
    return str(project.id)[:SHORT]


def marks(names: Iterable[ProjectName]) -> dict[str, str]:
    """Return the remark beside each project whose name is not unique here."""
    shown = {one.id: one for one in names}.values()
    of_name = Counter(one.label for one in shown)
    of_name_and_owner = Counter((one.label, one.owner) for one in shown)
    return {
        one.id: short_id(one) if of_name_and_owner[one.label, one.owner] > 1 else one.owner
        for one in shown
        if of_name[one.label] > 1
    }


def twins(names: Iterable[ProjectName]) -> dict[str, str]:
    """Return marks for a list that already shows the owner of each project."""
    shown = list(names)
    ids = {one.id: short_id(one) for one in shown}
    return {which: mark for which, mark in marks(shown).items() if mark == ids[which]}
