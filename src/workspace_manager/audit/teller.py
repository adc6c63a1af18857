"""The teller of each row of the audit, in the transaction that writes it.

The audit does not know them: `install` says who they are, before there are tables, and they are
loaded when they are first needed; until then, nobody is told.
"""

from typing import Any

from django.utils.module_loading import import_string

_teller = ""


def install(teller: str) -> None:
    """Name the function that is given each row; "" for none."""
    global _teller
    _teller = teller


def tell(entry: Any) -> None:
    """Tell of one row that was just written, if anybody wants to know."""
    if _teller:
        import_string(_teller)(entry)
