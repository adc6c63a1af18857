"""A mail server that says a byte a second holds nobody for longer than a letter may take; one that
does not prove who it is gets no letter, and none gets a password in clear.
"""

import os
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from django.test.utils import override_settings

from tests.certificates import Authority
from tests.contract.test_certificates import encrypting
from tests.dripping import Dripping
from workspace_manager.letters import mail_server
from workspace_manager.settings import BACKENDS
from workspace_sandbox.patience import PATIENCE_S, ends_before


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
        with override_settings(**where), ends_before(server.over), pytest.raises(OSError):  # noqa: PT011
            letter.send()


def test_a_mail_server_that_does_not_prove_who_it_is_is_told_nothing(tmp_path: Path) -> None:
    ours = BACKENDS["django.core.mail.backends.smtp.EmailBackend"]
    letter = EmailMessage("subject", "text", "from@example.org", ["to@example.org"])
    with encrypting(Authority(tmp_path).context("127.0.0.1")) as (url, heard):
        where = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": int(url.rpartition(":")[2])}
        secret = {"EMAIL_HOST_USER": "u", "EMAIL_HOST_PASSWORD": "p", "EMAIL_USE_SSL": True}
        asked = override_settings(EMAIL_BACKEND=ours, **where, **secret)
        with asked, pytest.raises(ssl.SSLCertVerificationError):
            letter.send()
        assert heard == []


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        ("smtp://u:canary@mail.example:25", False),
        ("smtp://mail.example", True),
        ("submission://u:canary@mail.example", True),
    ],
)
def test_a_password_of_the_mail_server_is_not_sent_in_clear(address: str, taken: bool) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "WORKSPACE_EMAIL_URL": address,
    }
    told = subprocess.run(
        [sys.executable, "-c", "import workspace_manager.settings"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (told.returncode == 0) is taken, told.stderr
    assert "canary" not in told.stderr
    assert taken or "submission://" in told.stderr
