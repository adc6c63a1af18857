"""Names of systems as arguments; the installed ones, read when a command runs."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from workspace_manager.systems import registry


class InstalledSystem(click.ParamType[str]):
    """The name of an installed system. Listing them imports no client."""

    name = "system"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:  # noqa: ARG002
        return "SYSTEM"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        names = registry().names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in registry().names():
            self.fail(f"{value!r} is not one of {', '.join(registry().names())}.", param, ctx)
        return str(value)


INSTALLED = InstalledSystem()
