"""The WSGI application that granian's workers serve."""

from django.core.wsgi import get_wsgi_application

import workspace_manager.bootstrap  # noqa: F401  sets Django up, and says who wakes the worker
from workspace_manager.contract import places
from workspace_manager.web.front import PATIENCE, Front
from workspace_manager.web.parent_death import end_with_parent

end_with_parent()
places.set_patience(PATIENCE)

application = Front(get_wsgi_application())
