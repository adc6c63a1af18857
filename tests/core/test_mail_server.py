"""A mail server that says a byte a second holds nobody for longer than a letter may take."""

import pytest
from django.core.mail import EmailMessage
from django.test.utils import override_settings

from tests.dripping import Dripping, no_longer_than
from workspace_manager.core import mail_server
from workspace_manager.settings import BACKENDS


@pytest.mark.parametrize(
    ("way", "encrypted"),
    [
        (Dripping(b"220", b"-", asked=False), False),
        (Dripping(b"220 here\r\n250-", b"a\r\n250-", asked=False), False),
        (Dripping(b"\x16\x03\x03\x40\x00", b"\x02"), True),
    ],
)
def test_a_letter_ends_in_time(
    way: Dripping, encrypted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "LONGEST_S", 0.5)
    ours = BACKENDS["django.core.mail.backends.smtp.EmailBackend"]
    with way.running() as server, override_settings(EMAIL_BACKEND=ours):
        where = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": server.port, "EMAIL_USE_SSL": encrypted}
        letter = EmailMessage("subject", "text", "from@example.org", ["to@example.org"])
        with override_settings(**where), no_longer_than(2), pytest.raises(OSError):  # noqa: PT011
            letter.send()
