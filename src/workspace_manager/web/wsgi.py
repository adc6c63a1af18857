"""The WSGI application."""

from django.core.wsgi import get_wsgi_application

import workspace_manager.bootstrap  # noqa: F401  sets Django up, and says who wakes the worker

application = get_wsgi_application()
