"""The WSGI application that granian's workers serve."""

import os

from django.core.wsgi import get_wsgi_application

from workspace_manager.web.lifeline import end_with_parent

end_with_parent()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace_manager.settings")

application = get_wsgi_application()
