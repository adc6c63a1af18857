"""Set Django up before any table is imported: the one module that may call `django.setup()` while others are being imported."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace_manager.settings")
django.setup()
