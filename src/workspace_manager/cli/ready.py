"""Set up Django. Imported when a command is loaded, never to list commands."""

import sys

from django.core.exceptions import ImproperlyConfigured
from environs import EnvError

import workspace_manager.cli.local_time

try:
    import workspace_manager.bootstrap  # noqa: F401  sets Django up before tables are imported
except (ImproperlyConfigured, EnvError) as wrong:
    sys.exit(f"✗ {wrong}")
from workspace_manager.cli.output import errors_as_sentences

__all__ = ["errors_as_sentences"]
