"""Every address, by door: sign-in, REST, health, pages."""

from django.urls import include, path

from workspace_manager.web.api.router import api
from workspace_manager.web.health import live, ready

urlpatterns = [
    path("", include("workspace_manager.web.sign_in.urls")),
    path("api/v1/", api.urls),
    path("health/live", live),
    path("health/ready", ready),
    path("", include("workspace_manager.web.pages.urls")),
]

handler400 = "workspace_manager.web.errors.bad_request"
handler403 = "workspace_manager.web.errors.forbidden"
handler404 = "workspace_manager.web.errors.not_found"
handler500 = "workspace_manager.web.errors.server_error"
