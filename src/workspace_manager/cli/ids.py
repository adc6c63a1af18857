"""Ids as arguments: whole, or an unambiguous beginning."""

import re
import uuid
from typing import Any, Final

import click
from django.db.models import Model

HEX: Final = 32
SHORTEST: Final = 4
TOLD: Final = 3
"""The most ambiguous matches that an error names."""


class IdOf(click.ParamType[uuid.UUID]):
    """The id of a row. A missing one raises the model's DoesNotExist, whose message says where to
    look.
    """

    name = "id"

    def __init__(self, model: type[Model], *others: type[Model]) -> None:
        """`others`: rows of these tables are taken too."""
        self.model = model
        self._models = (model, *others)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> uuid.UUID:
        if isinstance(value, uuid.UUID):
            return value
        begin = str(value).replace("-", "").lower()
        if not re.fullmatch(f"[0-9a-f]{{{SHORTEST},{HEX}}}", begin):
            self.fail(
                f"{value!r} is no id, and no beginning of one with {SHORTEST} characters or more.",
                param,
                ctx,
            )
        first, last = uuid.UUID(begin.ljust(HEX, "0")), uuid.UUID(begin.ljust(HEX, "f"))
        if first == last:
            return first
        rows = [one._default_manager.filter(pk__range=(first, last)) for one in self._models]
        pks = (each.order_by("pk").values_list("pk", flat=True)[: TOLD + 1] for each in rows)
        found = sorted(str(pk) for each in pks for pk in each)
        if not found:
            raise self.model.DoesNotExist  # type: ignore[attr-defined]
        if len(found) > 1:
            more = " and others" if len(found) > TOLD else ""
            named = ", ".join(found[:TOLD])
            self.fail(f"{value!r} is the beginning of {named}{more}: type more of it.", param, ctx)
        return uuid.UUID(found[0])
