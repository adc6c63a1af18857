"""Every text with the name of an erased person as a word is found: short names, names that
are words of every text, and names of two words; and nothing of somebody else's is touched.
"""

import json
import re

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person
from workspace_manager.audit import plan_notes
from workspace_manager.audit.erasure import erase_ended
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.audit.verify import verify
from workspace_manager.records.models import AuditEntry, Plan, Tombstone
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.triplestore import names as triplestore_names

pytestmark = pytest.mark.django_db
LONG = "maximiliane.von.der.leyenberg-hohenstein"
NAMES = ["max", "an", "anna.maria", "anna_maria", "zoë.b", "a+b", LONG]


def machine_accounts(name: str) -> list[str]:
    return [
        sql_names.machine_name(name, "ws_notes_1a2b", "c3d4"),
        triplestore_names.machine_name(name, "ws-notes", "e5f6"),
    ]


def life(name: str) -> Tombstone:
    """What is noted of somebody from the registration to the end."""
    plan = Plan.objects.create(kind="removal", person=name, state="done")
    plan_notes.note([plan.id])
    note("registration:received", name, actor=name, id="1")
    note("registration:approved", name, actor="ada", sub=f"sub-of-{name}")
    for account in machine_accounts(name):
        note("service_key:requested", name, actor=name, system="sql_server", account=account)
        note("service_key:renewed", name, actor="ada", system="sql_server", account=account)
    note("invitation:sent", "bob", actor=name, to="bob", text=f"{name.title()} asks you.")
    note("person:suspended", name, actor="ada", reason=f"({name}, of the group) is ill")
    note("removal:approved", name, actor="ada", about=[{"x": f"ws_{name}"}, name])
    note("removal:finished", name, actor=MANAGER, plan=str(plan.id))
    return Tombstone.objects.create(
        username=name,
        sub=f"sub-of-{name}",
        plan=plan.id,
        accounts=[{"system": "drive", "kind": "drive.user", "name": f"drive-{name}"}],
        expires_at=timezone.now(),
    )


def of_others() -> list[tuple[str, str, str]]:
    """What is noted of people whose names only begin alike, and what is said in every text."""
    for name in ("maxima", "anna", "max.b", "anna.mariab", "zoë.bx", "a+bc", "maximiliane"):
        make_person(name)
        note("registration:received", name, actor=name, id=name)
        note("project:handed_over", "bob", actor="bob", project="2", to=name)
        for account in machine_accounts(name):
            note("service_key:requested", name, actor=name, account=account)
    note("component:deleted", "bob", actor="bob", reason="an account of a planned anagram")
    return rows()


def rows() -> list[tuple[str, str, str]]:
    found = AuditEntry.objects.order_by("id").values_list("actor", "subject", "details")
    return [(one, other, json.dumps(kept, ensure_ascii=False)) for one, other, kept in found]


@pytest.mark.parametrize("name", NAMES)
def test_no_word_tells_whose_pseudonym_it_is(name: str) -> None:
    theirs = of_others()
    life(name)
    seal_waiting()
    assert erase_ended(timezone.now()) == 1
    seal_waiting()
    said = rows()
    assert said[: len(theirs)] == theirs, "what others did is as it was noted"
    forms = {name, re.sub(r"[^a-z0-9]+", "_", name.replace("ë", "e"))}
    forms |= {form[:20].strip("_") for form in forms if "_" in form}
    word = re.compile(
        "|".join(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])" for form in forms), re.IGNORECASE
    )
    for told in said[len(theirs) :]:
        assert not word.search(" ".join(told)), told
    found = verify()
    assert found.verifies
    # But that somebody was erased, and how the plan stands that is kept.
    assert found.erased == len(said) - len(theirs) - 2


def test_what_others_wrote_of_them_is_found_too() -> None:
    make_person("bob")
    note("person:suspended", "bob", actor="ada", reason="A friend of Max, of max.b and Maxi.")
    note("person:suspended", "bob", actor="ada", reason="Took an apple from An.")
    make_person("max.b")
    note("project:handed_over", "bob", actor="bob", to="max.b")
    life("max")
    life("an")
    assert erase_ended(timezone.now()) == 2
    first, second, third = AuditEntry.objects.order_by("id").filter(subject="bob")[:3]
    assert re.fullmatch(r"A friend of former-\w+, of max\.b and Maxi\.", first.details["reason"])
    # Who reads a text with such a hole knows the word, and so whose pseudonym it is.
    assert second.details["reason"] == "Took an apple from An."
    assert third.details["to"] == "max.b"
