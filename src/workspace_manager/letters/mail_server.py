"""The way of letters to the mail server: as Django sends them, within one time for all of it. One
that says a byte a second would hold whoever sends.
"""

import smtplib
import ssl
from typing import Any, Final

from django.core.mail.backends import smtp

from workspace_manager.contract import wire
from workspace_manager.contract.deadline import time_limit

LONGEST_S: Final = 60
"""For a letter, from looking the server's name up to its last word."""


class _InClear(smtplib.SMTP):
    """Until STARTTLS, if that is asked for."""

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        return wire.connect(host, port, within=timeout)


class _Encrypted(smtplib.SMTP_SSL):
    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        line = wire.connect(host, port, within=timeout)
        return self.context.wrap_socket(line, server_hostname=host)


class EmailBackend(smtp.EmailBackend):
    """Django's own, over sockets that end in time."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _Encrypted if self.use_ssl else _InClear

    @property
    def ssl_context(self) -> ssl.SSLContext:
        return wire.in_time(ssl.create_default_context())

    def send_messages(self, email_messages: Any) -> int:
        with time_limit(LONGEST_S):
            return super().send_messages(email_messages) or 0
