"""Set Django up before any table is imported, and say who wakes the worker.

The one module that may call `django.setup()` while others are being imported. Every process of
ours begins with it.
"""

import os

import django

from workspace_manager.audit import teller
from workspace_manager.contract import failure_reports, wait_hooks
from workspace_manager.core import connections, wake

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace_manager.settings")
django.setup()
wake.install("workspace_manager.worker")
teller.install("workspace_manager.webhooks.outbox.tell")
failure_reports.install(wake.tell_of_trouble)
wait_hooks.install(connections.let_go)
