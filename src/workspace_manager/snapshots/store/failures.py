"""Failures of the store as one of the five errors.

The library's own text quotes what the store answered, addresses and key names among it: it is
neither shown nor kept.
"""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from typing import Final

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.snapshots.store.messages import message

KIND: Final = "snapshots.content"
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FULL_SAID: Final = ("QuotaExceeded", "XMinioStorageFull", "InsufficientStorage")
"""What stores say that have no more room, in the text of an error."""
STATUS: Final = re.compile(r"status code: (\d{3})")
"""The library names a refused listing by no class of its own. What it says comes before what the
store said.
"""
CLOCK: Final = "RequestTimeTooSkewed"
NO_BUCKET: Final = "<Code>NoSuchBucket</Code>"

REFUSALS: Final = (PermissionError, PermissionDeniedError, UnauthenticatedError)


class Damaged(Invalid):
    """Not a sixth reaction: what is there is not what was written."""


class AlreadyWritten(Conflict):
    """Not a sixth reaction: another try has finished the same snapshot."""


def damaged(why: Message) -> Damaged:
    """The error that says what is not as it was written."""
    return Damaged(
        message("damaged", why=why),
        kind=KIND,
        doing=message("reading"),
        advice=message("damaged_advice"),
    )


def wrong_key(name: str) -> Damaged:
    """The error that says that content was written with another key."""
    return Damaged(
        message("wrong_key", name=name),
        kind=KIND,
        doing=message("reading"),
        advice=message("wrong_key_advice"),
    )


def unfit(doing: Message, why: Message) -> Unavailable:
    """The error that says why this store cannot keep anything."""
    return Unavailable(why, kind=KIND, doing=doing, advice=message("unfit_advice"))


@contextlib.contextmanager
def translated(doing: Message, name: str = "") -> Iterator[None]:
    """Raise one of the five errors for what a call to the store raises."""
    try:
        yield
    except (OSError, BaseError) as error:
        if NO_BUCKET in str(error):
            # Nothing is proved of the object.
            raise unfit(doing, message("bucket_missing")) from None
        if isinstance(error, FileNotFoundError):
            raise NotFound(message("not_there", name=name), kind=KIND, doing=doing) from None
        status = STATUS.search(str(error))
        answered = status[1] if status else ""
        is_full = getattr(error, "errno", None) in FULL or answered == "507"
        if is_full or any(one in str(error) for one in FULL_SAID):
            raise _full(doing) from None
        if isinstance(error, REFUSALS) or answered in {"401", "403"}:
            raise _denied(error, doing) from None
        raise _no_answer(error, doing) from None


def _denied(error: Exception, doing: Message) -> Denied:
    key = "clock_differs" if CLOCK in str(error) else "refused"
    said = message(key, error=type(error).__name__)
    return Denied(said, kind=KIND, doing=doing, advice=message(f"{key}_advice"))


def _full(doing: Message) -> Unavailable:
    return Unavailable(message("full"), kind=KIND, doing=doing, advice=message("full_advice"))


def _no_answer(error: Exception, doing: Message) -> Unavailable:
    if isinstance(error, OSError) and error.errno:
        return unfit(doing, message("folder_fails", error=os.strerror(error.errno)))
    return Unavailable(message("no_answer", error=type(error).__name__), kind=KIND, doing=doing)
