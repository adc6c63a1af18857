"""`/manage`: the first page of administrators, with present numbers and recent activity."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from workspace_manager.people.end_dates import SHOWN, today
from workspace_manager.people.figures import Figures, figures
from workspace_manager.systems import registry
from workspace_manager.web.pages.charts import Chart, Row, bars
from workspace_manager.web.pages.manage import system_health


def overview(request: HttpRequest) -> HttpResponse:
    """Show numbers, three charts, and the state of the systems; in six queries, however many people
    there are.
    """
    now = timezone.now()
    found = figures(now)
    day = today()
    context: dict[str, Any] = {
        "figures": found,
        "people": sum(found.people.values()),
        "plans": sum(found.plans.values()),
        "since": day.isoformat(),
        "before": (day + SHOWN + timedelta(days=1)).isoformat(),
        "charts": [_people(found), _plans(found)],
        "systems": system_health.strips(registry().names(), now).items(),
    }
    return render(request, "manage/overview.html", context)


def _people(found: Figures) -> Chart:
    came, left = (sum(one.came for one in found.weeks), sum(one.left for one in found.weeks))
    sentence = _("In the last %(weeks)d weeks: %(came)d joined, %(left)d left.") % {
        "weeks": len(found.weeks),
        "came": came,
        "left": left,
    }
    heads = (_("Week from"), _("joined"), _("left"))
    rows = [Row(one.begins, (one.came, one.left)) for one in found.weeks]
    return bars("people", _("People who joined and left, by week"), sentence, heads, rows)


def _plans(found: Figures) -> Chart:
    most = max((one.plans for one in found.days), default=0)
    count = found.days[-1].plans
    sentence = ngettext(
        "%(count)d plan is open. The daily maximum was %(most)d.",
        "%(count)d plans are open. The daily maximum was %(most)d.",
        count,
    ) % {"count": count, "most": most}
    rows = [Row(one.day, (one.plans,)) for one in found.days]
    return bars("plans", _("Open plans, by day"), sentence, (_("Day"), _("open")), rows)
