"""Errors of the HTTP library, as two of the five."""

import contextlib
import ssl
from collections.abc import Iterator

import httpx

from workspace_manager.contract import failure_reports
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.wire import NotPublic


@contextlib.contextmanager
def translate_errors(system: str, idle_s: float, kind: str, doing: Message) -> Iterator[None]:
    """Turn the library's errors into two of the five."""
    try:
        yield
    except httpx.TimeoutException as late:
        none = message("no_answer_within", seconds=f"{idle_s:g}")
        raise unavailable(system, none, kind, doing) from late
    except httpx.LocalProtocolError as unfit:
        if "header" not in str(unfit):
            raise unavailable(system, message("connection_failed"), kind, doing) from None
        # Its text quotes the header: a stored secret with a line break in it must not reach a
        # traceback.
        unfit_for = message("credential_unfit_for_header")
        look = message("look_for_line_break")
        raise Invalid(unfit_for, kind=kind, doing=doing, advice=look) from None
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as wrong:
        text, look = message("address_unusable"), message("check_address")
        raise Invalid(text, kind=kind, doing=doing, advice=look) from wrong
    except httpx.HTTPError as broken:
        if _caused_by(broken, NotPublic):
            text, look = message("not_public"), message("check_address")
            raise Invalid(text, kind=kind, doing=doing, advice=look) from broken
        if _caused_by(broken, ssl.SSLCertVerificationError):
            text, look = message("certificate_refused"), message("look_at_certificate")
            raise Unavailable(text, kind=kind, doing=doing, advice=look) from broken
        failed = message("connection_failed_by", name=type(broken).__name__)
        raise unavailable(system, failed, kind, doing) from broken


def unavailable(system: str, detail: Message, kind: str, doing: Message) -> Unavailable:
    """Count a failure of the system, and give the error."""
    failure_reports.report_failure(system)
    return Unavailable(detail, kind=kind, doing=doing, advice=message("check_it_runs"))


def _caused_by(error: BaseException | None, why: type[BaseException]) -> bool:
    """Return whether this is behind it; the libraries wrap it."""
    while error is not None:
        if isinstance(error, why):
            return True
        error = error.__cause__ or error.__context__
    return False
