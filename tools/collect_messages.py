"""Collect the texts to translate of the whole package into `web/locale`: labels of states stand
with the rows and the stories that declare them.

They are in the order of the alphabet, so that a file that moves changes no line. Without a new text
the file stays as it is.
"""

import os
import re
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.makemessages import Command

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "workspace_manager"
GERMAN = PACKAGE / "web/locale/de/LC_MESSAGES/django.po"
MOMENT = re.compile(r'^"POT-Creation-Date: .*\n', re.MULTILINE)


if __name__ == "__main__":
    before = GERMAN.read_text()
    os.chdir(PACKAGE)
    settings.configure(LOCALE_PATHS=["web/locale"])
    command = Command()
    command.msgmerge_options = [*command.msgmerge_options, "--sort-output"]
    call_command(command, locale=["de"], no_location=True, no_obsolete=True)
    if MOMENT.sub("", GERMAN.read_text()) == MOMENT.sub("", before):
        GERMAN.write_text(before)
