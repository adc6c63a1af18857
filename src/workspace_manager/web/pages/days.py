"""Days as people type and read them: whole days in the reader's time zone."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import pgettext

MIDNIGHT = time()
FIRST, LAST = date.min + timedelta(days=1), date.max - timedelta(days=2)
"""Days that begin and end within the years of UTC in every time zone."""
DAY: Final[dict[str, Any]] = {
    "required": False,
    "widget": forms.DateInput({"type": "date"}),
    "validators": [MinValueValidator(FIRST), MaxValueValidator(LAST)],
}


def begin_of(day: date) -> datetime:
    return datetime.combine(day, MIDNIGHT, get_current_timezone())


def calendar_day(day: date) -> str:
    """Return a day as text; it does not depend on the reader's time zone."""
    # Translators: a date as Django writes it, for example 3 Nov 2025
    return date_format(day, pgettext("date", "j M Y"))
