"""The end of a hold, from the page of systems."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.operations import hold_orders
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error


@on_error(message_on("systems"))
def confirm(request: HttpRequest) -> HttpResponse:
    """Confirm that the clock is right and that the restored data was reviewed. Everything goes
    on.
    """
    hold_orders.confirm(actor=person_of(request).username)
    messages.success(request, _("Confirmed. Work continues within a minute."))
    return HttpResponseRedirect(reverse("systems"))
