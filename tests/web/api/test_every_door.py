"""Every list is asked at every door it has, for each of its filters, orders and what cannot be; all
answer what a plain filter in Python finds among the rows.

What is asked comes from the list itself, so that a new filter is asked too; here stands only what a
document does not say by the filter's name.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner
from django.utils import timezone

import workspace_manager.urls  # with all that declares a list
from tests.visitors import Visitor
from tests.web.api.documents import problem
from tests.web.api.growing_lists import grow
from workspace_manager.cli.__main__ import main
from workspace_manager.core import lists
from workspace_manager.core.lists import ListSpec, Member
from workspace_manager.people.filters import GROUPS
from workspace_manager.records.models import (
    Person,
    Project,
    ReconcileItem,
    ReconcileRun,
    WebhookEndpoint,
)
from workspace_manager.web.pages import lists as made
from workspace_manager.web.pages.list_form import ListForm
from workspace_manager.web.pages.manage.audit import AuditForm
from workspace_manager.web.pages.manage.people_list import PeopleForm
from workspace_manager.web.pages.manage.plan_list import PlansForm
from workspace_manager.web.pages.manage.reconcile import DifferencesForm
from workspace_manager.web.pages.manage.registrations import RegistrationsForm
from workspace_manager.web.pages.snapshots import SnapshotsForm

Document = dict[str, Any]
DAY: Final = date(2030, 1, 1)


@dataclass(frozen=True)
class Doors:
    """Where a list is asked. `key`: the member that tells its rows apart. `page`: with its form,
    for lists that a page looks through.
    """

    rest: str
    key: str = "id"
    typed: str = ""
    page: str = ""
    form: type[ListForm] | None = None
    whole: str = ""
    """What REST is asked besides, to list what the list holds."""


DOORS: Final[dict[str, Doors]] = {
    "people_list": Doors(
        "/people", "username", "people list", "/manage/people", PeopleForm, "state=everybody"
    ),
    "registrations_list": Doors(
        "/registrations", "id", "registrations list", "/manage/registrations", RegistrationsForm
    ),
    "administrators_list": Doors("/administrators", "username", "administrators list"),
    "strangers_list": Doors("/strangers", "id", "strangers list"),
    "plans_list": Doors("/plans", "id", "plans list", "/manage/plans", PlansForm),
    "components_list": Doors("/components", page="/components", form=made.ComponentsForm),
    "stacks_list": Doors("/stacks", page="/stacks", form=made.MadeForm),
    "projects_list": Doors("/projects"),
    "members_list": Doors("/projects/{project}/members", "username"),
    "requests_list": Doors("/projects/{project}/membership-requests"),
    "keys_list": Doors("/service-keys", typed="keys list --person ada"),
    "tokens_list": Doors("/me/tokens", typed="tokens list --person ada"),
    "audit_list": Doors("/audit", "id", "audit list --limit 200", "/manage/audit", AuditForm),
    "inbox_list": Doors("/inbox", "key", "inbox --person ada --most 200"),
    "differences_list": Doors(
        "/reconcile/{run}/items", "n", "reconcile items", "/manage/reconcile", DifferencesForm
    ),
    "systems_list": Doors("/systems", "name", "systems list"),
    "invitations_list": Doors("/projects/{project}/invitations"),
    "own_invitations_list": Doors("/me/invitations"),
    "runs_list": Doors("/reconcile"),
    "proposals_list": Doors("/reconcile/{run}/take-over", "n", "take-over list"),
    "take_overs_list": Doors("/take-overs", typed="take-over history"),
    "timeline_list": Doors("/people/ada/timeline", "text", "people timeline ada --limit 200"),
    "webhooks_list": Doors("/webhooks", typed="webhooks list"),
    "deliveries_list": Doors(
        "/webhooks/{webhook}/deliveries", typed="webhooks deliveries {webhook}"
    ),
    "templates_list": Doors("/stack-templates", "name", "templates list"),
    "tombstones_list": Doors("/tombstones", "username", "tombstones list"),
    "letters_list": Doors("/letters", "subject", "letters list"),
    "snapshots_list": Doors(
        "/snapshots", typed="snapshots list", page="/snapshots", form=SnapshotsForm
    ),
    "sent_list": Doors("/people/ada/letters", "subject"),
}
OF_DAYS: Final[dict[str, str]] = {
    "signed_in_since": "last_sign_in",
    "signed_in_before": "last_sign_in",
    "ends_since": "ends_at",
    "ends_before": "ends_at",
    "since": "at",
    "until": "at",
}
"""Which member a filter by a day is about; `…since` is that day or later, all others before it."""
SAYS: Final[dict[tuple[str, str], Callable[[Document, Any], bool]]] = {
    ("people_list", "state"): lambda one, asked: one["state"] in GROUPS.get(asked, (asked,)),
    ("people_list", "system"): lambda one, asked: (
        asked in {account["system"] for account in one.get("accounts", ())}
    ),
    ("people_list", "signed_in"): lambda one, asked: (
        one["state"] != "former" and (one["last_sign_in"] is not None) == asked
    ),
    ("people_list", "has_end"): lambda one, asked: (
        one["state"] in GROUPS["here"] and (one["ends_at"] is not None) == asked
    ),
    ("audit_list", "person"): lambda one, asked: asked in {one["actor"], one["subject"]},
    ("snapshots_list", "source"): lambda one, asked: one["source"]["id"] == asked,
    ("snapshots_list", "kind"): lambda one, asked: (
        asked == (one["source"]["kind"] or one["source"]["type"])
    ),
    ("components_list", "mine"): lambda one, asked: (one["owner"] == "ada") == asked,
    ("stacks_list", "mine"): lambda one, asked: (one["owner"] == "ada") == asked,
}
UNSAID: Final = {"created_at", "first_seen", "last_seen", "url"}
"""Orders by what not every document says."""
UNLIKE: Final = {"plans_list", "administrators_list"}
"""Lists of which the command line prints less, or an address more. `plans show` has the steps."""


@pytest.fixture
def everything(ada: Person, databases: None, as_administrator: Visitor) -> Callable[[str], str]:
    """Rows of every list, and the address of a list among them."""
    ReconcileRun.objects.create(started_by="shared", started_at=timezone.now() + timedelta(days=1))
    project = Project.objects.create(owner=ada, label="Shared")
    for n in range(2):
        grow(ada, project, n)
    Person.objects.filter(username="guest1").update(ends_at=DAY, state=Person.State.SUSPENDED)
    ReconcileItem.objects.filter(name="leftover1").update(system="drive", username="guest1")
    hook = WebhookEndpoint.objects.get(label="Told")
    run = ReconcileRun.objects.get(started_by="shared")
    ids = {"webhook": hook.id, "run": run.id, "project": project.id}
    return lambda text: text.format_map(ids)


def values_of(member: Member, rows: list[Document]) -> Iterator[Any]:
    """What may be asked: each of a set, or what the rows say."""
    match member.kind:
        case lists.Choice() as choice:
            yield from choice.known
        case lists.Either():
            yield from (True, False)
        case lists.Day() | lists.Moment():
            yield from (DAY, date(2020, 1, 1))
        case _:
            said = (one.get(member.name) for one in rows)
            # What is a thing of its own is asked for by its id.
            ids = (one["id"] if isinstance(one, dict) else one for one in said)
            yield from sorted({str(one) for one in ids if one})


def is_asked_for(what: ListSpec, member: Member, one: Document, asked: Any) -> bool:
    """The plain filter."""
    if says := SAYS.get((what.name, member.name)):
        return bool(says(one, asked))
    if about := OF_DAYS.get(member.name):
        there = one.get(about)
        later = member.name.endswith("since")
        return bool(there) and (str(there)[:10] >= str(asked)) == later
    said = one.get(member.name)
    return said == asked if isinstance(asked, bool) else str(said) == str(asked)


def typed(member: Member, asked: Any) -> list[str]:
    """As the command line takes it."""
    name = f"--{member.name.replace('_', '-')}"
    if isinstance(member.kind, lists.Either):
        return [name if asked else f"--{member.kind.opposite}"]
    return [name, str(asked)]


class Asking:
    """One list, at each of its doors."""

    def __init__(self, what: ListSpec, visitor: Visitor, where: Callable[[str], str]) -> None:
        self.what, self.visitor = what, visitor
        self.doors = DOORS[what.name]
        self.address = where(self.doors.rest)
        self.command = where(self.doors.typed).split()
        self.key = self.doors.key

    def rest(self, query: dict[str, Any]) -> list[Document]:
        whole = dict(part.split("=") for part in self.doors.whole.split("&") if part)
        asked = {"limit": 200, **whole, **query}
        answer = self.visitor.ask("GET", f"{self.address}?{urlencode(asked)}")
        assert answer.status_code == 200, answer.content
        items: list[Document] = answer.json()["items"]
        return items

    def line(self, *options: str) -> list[Any]:
        return [one[self.key] for one in self.printed(*options)]

    def printed(self, *options: str) -> list[Document]:
        answer = CliRunner().invoke(main, [*self.command, "--json", *options])
        assert answer.exit_code == 0, answer.output
        items: list[Document] = json.loads(answer.stdout)["items"]
        return items

    def page(self, query: dict[str, Any]) -> list[Any]:
        answer = self.visitor.get(self.doors.page, query)
        assert answer.status_code == 200
        rows = answer.context["page"].object_list
        return [str(getattr(row, self.key)) for row in rows]


@pytest.fixture(params=DOORS)
def asking(
    request: pytest.FixtureRequest, as_administrator: Visitor, everything: Callable[[str], str]
) -> Asking:
    return Asking(declared()[request.param], as_administrator, everything)


def declared() -> dict[str, ListSpec]:
    """Every list that a module of ours declares, by its name; without parts of lists."""
    ours = [module for name, module in sys.modules.items() if name.startswith("workspace_manager.")]
    found = (one for module in ours for one in vars(module).values() if isinstance(one, ListSpec))
    return {one.name: one for one in found if one.name}


def _text(asked: Any) -> str:
    return str(asked).lower() if isinstance(asked, bool) else str(asked)


@pytest.mark.thorough
def test_every_filter_finds_the_same_at_every_door(asking: Asking) -> None:
    rows = asking.rest({})
    assert rows
    tried = 0
    form = asking.doors.form
    shown = set(asking.page({})) if form else set()
    for member in asking.what.filters:
        for asked in values_of(member, rows):
            wanted = {
                str(one[asking.key])
                for one in rows
                if is_asked_for(asking.what, member, one, asked)
            }
            where = f"{asking.what.name}: {member.name}={asked}"
            found = asking.rest({member.name: _text(asked)})
            assert {str(one[asking.key]) for one in found} == wanted, where
            tried += 1
            if asking.command:
                line = asking.line(*typed(member, asked))
                assert {str(one) for one in line} == wanted, f"{where} on the command line"
            if form and member in form.filters() and member.name != form.tab:
                words = {True: "yes", False: "no"}
                on_page = asking.page({member.name: words.get(asked, asked)})
                assert set(on_page) == wanted & shown, f"{where} on the page"
    assert tried or not asking.what.filters


@pytest.mark.thorough
def test_every_order_is_the_same_at_every_door(asking: Asking) -> None:
    for member in asking.what.orders:
        for sort in (member.name, f"-{member.name}"):
            rows = asking.rest({"sort": sort})
            if member.name not in UNSAID:
                said = [(one.get(member.name) is not None, one.get(member.name)) for one in rows]
                plain = sorted(said, key=lambda one: (one[0], one[1] or ""))
                backwards = plain[::-1] if sort.startswith("-") else plain
                assert said == backwards, f"{asking.what.name} by {sort}"
            if asking.command and asking.what.name != "people_list":
                keys = [str(one[asking.key]) for one in rows]
                line = [str(one) for one in asking.line("--sort", sort)]
                values = {str(one[asking.key]): str(one.get(member.name)) for one in rows}
                assert sorted(line) == sorted(keys)
                assert [values[one] for one in line] == [values[one] for one in keys], sort


@pytest.mark.parametrize(
    "asking",
    [name for name, doors in DOORS.items() if doors.typed and name not in UNLIKE],
    indirect=True,
)
def test_the_command_line_prints_what_rest_answers(asking: Asking) -> None:
    answered = {one[asking.key]: one for one in asking.rest({})}
    printed = asking.printed()
    assert printed
    for one in printed:
        assert one | answered[one[asking.key]] == one


def test_behind_the_end_is_nothing(asking: Asking) -> None:
    count = len(asking.rest({}))
    whole = f"&{asking.doors.whole}" if asking.doors.whole else ""
    answer = asking.visitor.ask("GET", f"{asking.address}?offset=5000{whole}").json()
    assert (answer["items"], answer["count"]) == ([], count)
    if asking.doors.page:
        # Whoever follows an old link is shown the last page there is.
        assert asking.visitor.get(asking.doors.page, {"page": "99"}).status_code == 200


def test_what_nobody_knows_is_refused_by_programs_and_passed_over_by_pages(asking: Asking) -> None:
    for query in ("sort=nonsense", "nonsense=1", *_unknown(asking.what)):
        problem(asking.visitor.ask("GET", f"{asking.address}?{query}"), 422)
    if asking.command:
        for option in ("--sort=nonsense", "--nonsense=1"):
            assert CliRunner().invoke(main, [*asking.command, option]).exit_code == 2
    if asking.doors.page:
        every = asking.page({})
        assert asking.page({"sort": "nonsense", "nonsense": "1"}) == every
        for query in _unknown(asking.what):
            name, _, value = query.partition("=")
            assert asking.page({name: value}) == every


def _unknown(what: ListSpec) -> list[str]:
    closed = lists.Choice | lists.Either | lists.Day | lists.Moment
    return [f"{one.name}=nonsense" for one in what.filters if isinstance(one.kind, closed)]


def test_every_list_is_asked() -> None:
    assert declared().keys() == DOORS.keys()


def german(what: ListSpec) -> dict[str, str]:
    with Path(what.file).with_suffix(".de.po").open("rb") as file:
        return {
            str(one.context): str(one.string)
            for one in read_po(file, locale="de")
            if what.words.get(str(one.context).removeprefix(f"{what.name}.")) == one.id
        }


def test_every_word_of_a_list_has_its_german() -> None:
    bare = [
        f"{what.name}.{key}"
        for what in declared().values()
        for key in what.words
        if not german(what).get(what.word(key).code)
    ]
    assert bare == []


def test_no_list_is_added_on_the_old_way() -> None:
    """A query of REST that says filters by hand, beside no list of a story."""
    folder = Path(workspace_manager.__file__).parent / "web" / "api"
    by_hand = [
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "ListAsked" for base in node.bases)
        and not node.keywords
    ]
    assert by_hand == []
