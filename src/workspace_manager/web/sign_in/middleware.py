"""Middleware that activates a person's language and time zone, and ends the session of a person who
is no longer active.
"""

import contextlib
from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from workspace_manager.access import permissions
from workspace_manager.letters.letter import in_language, zone_of
from workspace_manager.records.models import Person
from workspace_manager.web.rate import SAFE


class PersonPreferences:
    """Activate the signed-in person's language and time zone for the request. A request that
    changes nothing reads the person's permissions once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = request.user
        if not isinstance(person, Person):
            return self.get_response(request)
        if person.state != Person.State.ACTIVE or not person.is_active:
            logout(request)
            return self.get_response(request)
        language = in_language(person.locale)
        looks = permissions.asked_once() if request.method in SAFE else contextlib.nullcontext()
        with translation.override(language), timezone.override(zone_of(person.timezone)), looks:
            request.LANGUAGE_CODE = language
            return self.get_response(request)
