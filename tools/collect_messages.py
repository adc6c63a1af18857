"""Collect the texts to translate of the whole package into `web/locale`: labels of states stand
with the rows and the stories that declare them.
"""

import os
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.makemessages import Command

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "workspace_manager"

if __name__ == "__main__":
    os.chdir(PACKAGE)
    settings.configure(LOCALE_PATHS=["web/locale"])
    call_command(Command(), locale=["de"], no_location=True, no_obsolete=True)
