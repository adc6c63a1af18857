"""The passwords that are made for accounts: what policies ask for, and nothing to be quoted."""

import configparser
import json
import math
import re
import shlex
import subprocess
from urllib.parse import quote, urlsplit

import pytest

from workspace_manager.contract import passwords


@pytest.mark.parametrize("length", [passwords.LEAST, passwords.LENGTH, passwords.MOST])
def test_every_common_policy_takes_it(length: int) -> None:
    """simple_password_check, validate_password, passwordcheck, credcheck and cracklib do."""
    for _ in range(200):
        text = passwords.new_password(length).reveal()
        assert len(text) == length
        for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"):
            assert len(re.findall(kind, text)) >= 2, text
        assert not re.search(r"(.)\1", text), "no repetition"
        assert not re.search("[A-Za-z]{4}", text), "no word of a dictionary"


def test_no_place_has_to_quote_it() -> None:
    for _ in range(50):
        text = passwords.new_password().reveal()
        assert shlex.quote(text) == text
        assert quote(text, safe="") == text
        assert urlsplit(f"mysql://user:{text}@host/base").password == text
        assert json.dumps(text) == f'"{text}"'
        ini = configparser.ConfigParser()
        ini.read_string(f"[section]\npassword = {text}\n")
        assert ini["section"]["password"] == text
        assert text[0].isalpha()
        assert text[-1].isalpha()
    told = subprocess.run(
        ["/bin/sh", "-c", f"P={text}; printf %s $P"], capture_output=True, text=True, check=True
    )
    assert told.stdout == text


def test_it_cannot_be_guessed() -> None:
    bits = sum(
        math.log2(len(passwords.DIGITS + passwords.SIGNS if n % 3 == 2 else passwords._LETTERS))
        for n in range(passwords.LEAST - 1)
    )
    assert bits > 90
    assert passwords.new_password() != passwords.new_password()
