"""The application of granian's workers, behind admission control."""

from django.conf import settings

from workspace_manager.contract import slots
from workspace_manager.core import connections
from workspace_manager.web.admission_control import PATIENCE, AdmissionControl, Limits
from workspace_manager.web.parent_death import end_with_parent
from workspace_manager.web.uploads import is_taken_upload
from workspace_manager.web.wsgi import application as pages

end_with_parent()
slots.set_patience(PATIENCE)
connections.allow(connections.WEB, wait_s=connections.PATIENCE_S)

application = AdmissionControl(
    pages, Limits(body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE), is_upload=is_taken_upload
)
