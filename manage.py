#!/usr/bin/env python
"""Django's own commands, for those who look for them here; the manager's are
`workspace-manager …`.
"""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace_manager.settings")
    execute_from_command_line(sys.argv)
