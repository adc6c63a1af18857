"""Accounts through the connector, on both products."""

from typing import Any

import httpx
import pytest

from workspace_manager.contract.connector import ALREADY, CHANGED, Change
from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import ADMIN_PASSWORD, CANARY, connected

ALICE = {"user": "alice"}
PLAIN = {"authorities": ["ROLE_USER"]}
WRITER = {"authorities": ["ROLE_USER", "READ_REPO_ts-a", "WRITE_REPO_ts-a"]}
READER = {"authorities": ["ROLE_USER", "READ_REPO_ts-a"]}


def plan_change(
    system: Triplestore, want: dict[str, Any] | None, ref: str = "vault/1", name: str = "alice"
) -> Change:
    change = system.connectors["triplestore.user"].plan({"user": name}, want)
    return change.model_copy(update={"secrets": {"password": ref} if ref else {}})


def with_repository(system: Triplestore) -> None:
    connector = system.connectors["triplestore.repository"]
    connector.apply(connector.plan({"repository": "ts-a"}, {"title": "A"}))


def signs_in(stand_in: TriplestoreStandIn, name: str, password: str) -> bool:
    return accounts.matches(stand_in.state["users"][name]["password"], password)


def test_the_life_of_an_account(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    with_repository(system)
    change = plan_change(system, WRITER)
    assert change.before is None
    assert users.verify(change) is None
    assert users.apply(change) == CHANGED
    assert users.apply(change) == ALREADY
    assert users.verify(change)
    assert signs_in(stand_in, "alice", CANARY)
    assert plan_change(system, WRITER).before == WRITER

    assert users.apply(plan_change(system, READER, "vault/2")) == CHANGED
    assert users.verify(plan_change(system, READER, "vault/2"))
    assert signs_in(stand_in, "alice", CANARY + "-2")

    gone = plan_change(system, None, "")
    assert gone.before == READER
    assert users.verify(gone) is None
    assert users.remove(gone) == CHANGED
    assert users.remove(gone) == ALREADY
    evidence = users.verify(gone)
    assert evidence
    assert "alice" in evidence.text


def test_a_new_password_alone_is_a_change(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    users.apply(plan_change(system, PLAIN))
    assert users.verify(plan_change(system, PLAIN, "vault/2")) is None
    assert users.apply(plan_change(system, PLAIN, "vault/2")) == CHANGED
    assert users.apply(plan_change(system, PLAIN, "vault/2")) == ALREADY


def renewal(system: Triplestore, name: str = "alice", **secrets: str) -> Change:
    change = plan_change(system, {**WRITER, **names.RENEWED}, "", name)
    return change.model_copy(update={"secrets": secrets})


def reads(url: str, **how: Any) -> int:
    accept = {"Accept": "application/n-quads", **how.pop("headers", {})}
    return httpx.get(f"{url}/repositories/ts-a/statements", headers=accept, **how).status_code


def test_a_renewed_password_leaves_nothing_of_the_old_one(opengdb: TriplestoreStandIn) -> None:
    """Neither a sign-in nor a token that was given for it; a program's account stays as it is."""
    system, url = connected(opengdb), opengdb.url
    users = system.connectors["triplestore.user"]
    program = names.machine_name("alice", "ts-a", "0123456789")
    with_repository(system)
    users.apply(plan_change(system, WRITER))
    users.apply(plan_change(system, WRITER, name=program))
    form = {"username": "alice", "password": CANARY}
    token = httpx.post(f"{url}/api-token-auth/", data=form).json()["token"]
    kept = {"Authorization": f"Token {token}"}
    assert reads(url, headers=kept) == 200
    change = renewal(system, password="vault/2", old_password="vault/1")
    assert users.verify(change) is None
    assert users.apply(change) == CHANGED
    assert users.apply(change) == ALREADY
    evidence = users.verify(change)
    assert evidence
    assert "the previous one is refused" in evidence.text
    assert reads(url, auth=("alice", CANARY + "-2")) == 200
    assert reads(url, auth=("alice", CANARY)) == 401
    assert reads(url, headers=kept) == 401
    assert reads(url, auth=(program, CANARY)) == 200


def test_a_renewal_of_a_killed_try_is_finished(stand_in: TriplestoreStandIn) -> None:
    """Deleted and not made again, or made without its rights."""
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    with_repository(system)
    change = renewal(system, password="vault/2")
    for left in (None, PLAIN):
        users.remove(plan_change(system, None, ""))
        if left:
            users.apply(plan_change(system, left, "vault/2"))
        assert users.apply(change) == CHANGED
        evidence = users.verify(change)
        assert evidence
        assert "has only one password" in evidence.text
        assert signs_in(stand_in, "alice", CANARY + "-2")


def test_a_spare_password_is_used_only_where_the_account_is_made_anew(
    stand_in: TriplestoreStandIn,
) -> None:
    """On OpenGDB rights are taken by making the account anew; GraphDB takes them, and the password
    stays.
    """
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    with_repository(system)
    users.apply(plan_change(system, WRITER))
    less = plan_change(system, PLAIN, "")
    less = less.model_copy(update={"secrets": {"new_password": "vault/2"}})
    anew = users.apply(less)
    assert users.verify(less)
    if signs_in(stand_in, "alice", CANARY):
        assert anew == CHANGED
        assert users.apply(less) == ALREADY
    else:
        assert signs_in(stand_in, "alice", CANARY + "-2")
        assert anew.facts == {"password": "made anew"}
        again = users.apply(less)
        assert (again.result, again.facts) == (ALREADY.result, anew.facts)


def test_rights_that_are_too_many_are_taken_only_with_a_password(
    opengdb: TriplestoreStandIn,
) -> None:
    system = connected(opengdb)
    users = system.connectors["triplestore.user"]
    with_repository(system)
    users.apply(plan_change(system, WRITER))
    with pytest.raises(Conflict) as caught:
        users.apply(plan_change(system, READER, ""))
    assert "password" in caught.value.advice
    assert users.apply(plan_change(system, READER)) == CHANGED
    assert opengdb.what_exists()["users"]["alice"]["authorities"] == READER["authorities"]


def test_rights_that_end_with_their_repository_are_no_reason_to_make_the_account_anew(
    stand_in: TriplestoreStandIn,
) -> None:
    """The repository is being deleted by another plan: the password that people know stays."""
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    repositories = system.connectors["triplestore.repository"]
    with_repository(system)
    repositories.apply(repositories.plan({"repository": "ts-b"}, {"title": "B"}))
    users.apply(plan_change(system, WRITER))
    wanted = {"authorities": ["ROLE_USER", "READ_REPO_ts-b"], "ending": ["ts-a"]}
    for secrets in ({}, {"new_password": "vault/2"}):
        change = plan_change(system, wanted, "").model_copy(update={"secrets": secrets})
        assert users.apply(change).facts == {}
        assert signs_in(stand_in, "alice", CANARY)
        assert users.verify(change)
    assert plan_change(system, wanted).before == wanted
    repositories.remove(repositories.plan({"repository": "ts-a"}, None))
    evidence = users.verify(plan_change(system, wanted))
    assert evidence
    assert "being deleted" not in evidence.text


def test_a_right_that_ends_is_told_of_as_long_as_it_is_there(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    users = system.connectors["triplestore.user"]
    with_repository(system)
    users.apply(plan_change(system, WRITER))
    evidence = users.verify(plan_change(system, {**PLAIN, "ending": ["ts-a"]}, ""))
    assert evidence
    assert "being deleted: READ_REPO_ts-a, WRITE_REPO_ts-a" in evidence.text


@pytest.mark.parametrize("half", ["no password", "status 500 after the effect"])
def test_a_half_made_account_is_completed(opengdb: TriplestoreStandIn, half: str) -> None:
    system = connected(opengdb)
    users = system.connectors["triplestore.user"]
    if half == "no password":
        opengdb.state["users"]["alice"] = accounts.new_account()
    else:
        fault = {"method": "POST", "path": "/users/alice", "fault": "timeout_after_effect"}
        opengdb.faults.add({**fault, "seconds": 0})
        with pytest.raises(Unavailable):
            users.apply(plan_change(system, PLAIN))
    users.apply(plan_change(system, PLAIN))
    assert users.verify(plan_change(system, PLAIN))
    assert signs_in(opengdb, "alice", CANARY)


def test_a_creation_that_lost_the_race_is_completed(
    opengdb: TriplestoreStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = connected(opengdb)
    users = system.connectors["triplestore.user"]
    change = plan_change(system, PLAIN)
    opengdb.state["users"]["alice"] = accounts.new_account("somebody else's")
    looks = [None]
    look = users._look  # type: ignore[attr-defined]
    monkeypatch.setattr(users, "_look", lambda name: looks.pop() if looks else look(name))
    assert users.apply(change) == CHANGED
    assert signs_in(opengdb, "alice", CANARY)


def test_nobody_gets_an_account_without_a_password(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    with pytest.raises(Invalid):
        system.connectors["triplestore.user"].apply(plan_change(system, PLAIN, ""))
    assert "alice" not in stand_in.state["users"]


def test_our_own_administrator_is_never_touched(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    for act, want in ((users.apply, PLAIN), (users.remove, None)):
        with pytest.raises(Conflict):
            act(plan_change(system, want, "vault/1", "admin"))
    assert signs_in(stand_in, "admin", ADMIN_PASSWORD)


def test_an_account_with_a_high_role_is_not_taken_over(stand_in: TriplestoreStandIn) -> None:
    stand_in.state["users"]["alice"] = accounts.new_account("hers") | {"role": "ROLE_ADMIN"}
    system = connected(stand_in)
    with pytest.raises(Conflict):
        system.connectors["triplestore.user"].apply(plan_change(system, PLAIN))
    assert signs_in(stand_in, "alice", "hers")


def test_look_alikes_are_left_alone(stand_in: TriplestoreStandIn) -> None:
    for name in ("Alice", "alice2", "al"):
        stand_in.state["users"][name] = accounts.new_account("x")
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    assert users.remove(plan_change(system, None, "")) == ALREADY
    assert set(stand_in.state["users"]) == {"admin", "Alice", "alice2", "al"}


def test_a_removal_that_timed_out_after_its_effect_is_found_done(
    stand_in: TriplestoreStandIn,
) -> None:
    stand_in.state["users"]["alice"] = accounts.new_account("x")
    system = connected(stand_in)
    users = system.connectors["triplestore.user"]
    change = plan_change(system, None, "")
    stand_in.faults.add({"method": "DELETE", "fault": "timeout_after_effect", "seconds": 0})
    with pytest.raises(Unavailable):
        users.remove(change)
    assert users.remove(change) == ALREADY
    assert users.verify(change)


def test_an_account_whose_deletion_is_refused_opens_nothing(
    stand_in: TriplestoreStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in.state["users"]["alice"] = accounts.new_account("x")
    system = connected(stand_in)
    with_repository(system)
    users = system.connectors["triplestore.user"]
    users.apply(plan_change(system, WRITER))
    stand_in.faults.add({"method": "DELETE", "fault": "status", "status": 500})
    with pytest.raises(Unavailable):
        users.remove(plan_change(system, None, ""))
    assert plan_change(system, None, "").before == PLAIN
    assert signs_in(stand_in, "alice", CANARY), "no secret is changed"
    assert users.remove(plan_change(system, None, "")) == CHANGED


def test_a_missing_account_that_is_listed_is_a_conflict(
    opengdb: TriplestoreStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    opengdb.state["users"]["alice"] = accounts.new_account("x")
    system = connected(opengdb)
    users = system.connectors["triplestore.user"]

    def missing(name: str) -> None:
        raise NotFound(
            quote_words("no"), kind="triplestore.user", doing=quote_words("deleting the account")
        )

    monkeypatch.setattr(users._client, "delete_account", missing)  # type: ignore[attr-defined]
    with pytest.raises(Conflict):
        users.remove(plan_change(system, None, ""))


def test_without_rights_nothing_counts_as_absent(opengdb: TriplestoreStandIn) -> None:
    """OpenGDB hides everything behind its login page from whoever is no superuser."""
    opengdb.state["users"]["admin"]["superuser"] = False
    system = connected(opengdb)
    with pytest.raises(Denied) as caught:
        system.connectors["triplestore.user"].remove(
            Change(kind="triplestore.user", subject="", target=ALICE)
        )
    assert "superuser" in caught.value.advice
    with pytest.raises(Denied):
        system.prove_rights()


def test_rights_are_proven_by_listing_everybody(stand_in: TriplestoreStandIn) -> None:
    assert "admin" in connected(stand_in).prove_rights().text


def test_a_repository_has_an_address(stand_in: TriplestoreStandIn) -> None:
    assert connected(stand_in).address("ts a") == f"{stand_in.url}/repositories/ts%20a"


def test_connecting_makes_no_call(opengdb: TriplestoreStandIn) -> None:
    connected(opengdb)
    assert httpx.get(f"{opengdb.control_url}/calls").json()["items"] == []
