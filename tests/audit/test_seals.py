"""Each change of the audit in the database is found, and the first entry is named."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection

from workspace_manager.audit import seals
from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting, sign_again
from workspace_manager.audit.verify import ExpectedSeal, Verification, verify
from workspace_manager.records import audit_marks
from workspace_manager.records.audit_marks import digest_of, new_salt
from workspace_manager.records.models import AuditEntry, AuditSeal

pytestmark = pytest.mark.django_db
OLD, NEW = "the key that was in use before 123456", "the key that is in use from now on 78"


@pytest.fixture(autouse=True)
def key(settings: LazySettings) -> None:
    settings.SECRET_KEYS = [OLD]


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def noted(many: int, subject: str = "anna") -> list[int]:
    for n in range(many):
        note("person:suspended", subject, actor="ada", n=n, why="für immer")
    return list(AuditEntry.objects.order_by("id").values_list("id", flat=True))


@pytest.fixture
def ids() -> list[int]:
    """Nine entries in three seals."""
    for _ in range(3):
        noted(3)
        assert seal_waiting() == 3
    return list(AuditEntry.objects.order_by("id").values_list("id", flat=True))


def first(found: Verification) -> tuple[str, int | None]:
    problem = found.problems[0]
    return problem.why.code.removeprefix("audit."), problem.entry


def test_what_nobody_touched_verifies(ids: list[int]) -> None:
    noted(2)
    found = verify()
    assert found.verifies
    assert (found.entries, found.sealed, found.unsealed, found.seals) == (11, 9, 2, 3)
    assert found.oldest_unsealed == AuditEntry.objects.get(seal=None, details__n=0).at
    assert seal_waiting() == 2
    assert seal_waiting() == 0, "nothing new, no seal"
    assert AuditSeal.objects.count() == 4


def changed(ids: list[int]) -> None:
    sql("UPDATE records_auditentry SET actor = 'bob' WHERE id = %s", ids[4])


def changed_in_details(ids: list[int]) -> None:
    sql("UPDATE records_auditentry SET details = '{}' WHERE id = %s", ids[4])


def changed_with_its_digest(ids: list[int]) -> None:
    row = AuditEntry.objects.get(id=ids[4])
    salt = new_salt()
    digest = digest_of(salt, row.content._replace(actor="bob"))
    sql(
        "UPDATE records_auditentry SET actor = 'bob', salt = %s, digest = %s WHERE id = %s",
        *(salt, digest, ids[4]),
    )


def passed_off_as_erased(ids: list[int]) -> None:
    sql("UPDATE records_auditentry SET actor = 'nobody', salt = '' WHERE id = %s", ids[4])


def deleted(ids: list[int]) -> None:
    sql("DELETE FROM records_auditentry WHERE id = %s", ids[4])


def taken_out_of_its_seal(ids: list[int]) -> None:
    sql("UPDATE records_auditentry SET seal = NULL WHERE id = %s", ids[4])


COPIED = "at, actor, event, subject, details, salt, digest, mark"


def added_to_a_seal(ids: list[int]) -> None:
    sql(
        f"INSERT INTO records_auditentry (id, seal, {COPIED}) SELECT 4000, 2, {COPIED} "
        "FROM records_auditentry WHERE id = %s",
        ids[0],
    )


def written_in(ids: list[int]) -> None:
    """As the manager would, but for the mark."""
    row = AuditEntry.objects.get(id=ids[0])
    salt = new_salt()
    digest = digest_of(salt, row.content._replace(actor="bob"))
    sql(
        f"INSERT INTO records_auditentry (id, seal, {COPIED}) SELECT 4000, NULL, at, 'bob', "
        "event, subject, details, %s, %s, mark FROM records_auditentry WHERE id = %s",
        *(salt, digest, ids[0]),
    )


def written_again(ids: list[int]) -> None:
    sql(
        f"INSERT INTO records_auditentry (id, seal, {COPIED}) SELECT 4000, NULL, {COPIED} "
        "FROM records_auditentry WHERE id = %s",
        ids[0],
    )


def put_into_no_seal(ids: list[int]) -> None:
    sql("UPDATE records_auditentry SET seal = 77 WHERE id = %s", ids[4])


TAMPERED: dict[str, tuple[Callable[[list[int]], None], str, int]] = {
    "changed": (changed, "changed", 4),
    "changed in its details": (changed_in_details, "changed", 4),
    "changed with its digest": (changed_with_its_digest, "changed", 4),
    "passed off as erased": (passed_off_as_erased, "changed", 4),
    "deleted": (deleted, "missing", 4),
    "taken out of its seal": (taken_out_of_its_seal, "missing", 4),
    "put into no seal": (put_into_no_seal, "missing", 4),
    "added to a seal": (added_to_a_seal, "added", -1),
    "written in": (written_in, "not_noted", -1),
    "written again": (written_again, "not_noted", -1),
}


@pytest.mark.parametrize(("tamper", "why", "which"), TAMPERED.values(), ids=TAMPERED)
def test_what_somebody_did_is_found_and_named(
    ids: list[int], tamper: Callable[[list[int]], None], why: str, which: int
) -> None:
    tamper(ids)
    seal_waiting()
    found = verify()
    assert first(found) == (why, ids[4] if which == 4 else 4000)
    assert str(found.problems[0].entry) in found.problems[0].why.english
    assert len(found.problems) == (2 if tamper is put_into_no_seal else 1)


def test_a_chain_that_is_made_anew_without_the_key_is_found(ids: list[int]) -> None:
    changed_with_its_digest(ids)
    before = ""
    for seal in AuditSeal.objects.order_by("number"):
        held = AuditEntry.objects.filter(seal=seal.number).order_by("id")
        before = audit_marks.chain_digest(before, list(held.values_list("id", "digest")))
        AuditSeal.objects.filter(number=seal.number).update(digest=before)
    found = verify()
    assert first(found) == ("seal_not_signed", None)
    assert found.problems[0].seal == 2


def test_a_seal_that_is_gone_is_named_and_so_is_a_cut_off_end(ids: list[int]) -> None:
    last = AuditSeal.objects.get(number=3)
    assert verify(ExpectedSeal(3, last.digest)).verifies
    AuditSeal.objects.filter(number=2).delete()
    found = verify()
    assert [one.why.code for one in found.problems].count("audit.seal_missing") == 1
    assert {one.entry for one in found.problems} == {*ids[3:6], None}
    AuditSeal.objects.filter(number=3).delete()
    sql("DELETE FROM records_auditentry WHERE id >= %s", ids[3])
    assert verify().verifies, "nothing in the database tells"
    assert first(verify(ExpectedSeal(3, last.digest))) == ("expected_not_there", None)


def test_keys_rotate(ids: list[int], settings: LazySettings) -> None:
    settings.SECRET_KEYS = [NEW, OLD]
    noted(2)
    seal_waiting()
    assert verify().verifies
    settings.SECRET_KEYS = [NEW]
    assert first(verify()) == ("key_unknown", None)
    settings.SECRET_KEYS = [NEW, OLD]
    assert sign_again() == 3
    settings.SECRET_KEYS = [NEW]
    assert verify().verifies
    changed(ids)
    assert first(verify()) == ("changed", ids[4])


def test_what_is_not_right_is_not_signed_again(ids: list[int], settings: LazySettings) -> None:
    AuditSeal.objects.filter(number=2).update(digest="0" * 64)
    settings.SECRET_KEYS = [NEW, OLD]
    assert sign_again() == 2
    assert first(verify()) == ("seal_not_signed", None)


def test_an_entry_whose_transaction_took_long_goes_into_the_next_seal() -> None:
    """Its id is lower than what was sealed before it could be seen."""
    note("person:suspended", "anna", actor="ada")
    late = AuditEntry.objects.get()
    sql("UPDATE records_auditentry SET id = 500 WHERE id = %s", late.pk)
    noted(0)
    assert seal_waiting() == 1
    note("person:resumed", "anna", actor="ada")
    sql("UPDATE records_auditentry SET id = 400 WHERE seal IS NULL")
    assert seal_waiting() == 1
    assert [seal.entries for seal in AuditSeal.objects.order_by("number")] == ["500", "400"]
    assert verify().verifies


def test_two_workers_make_one_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one's is there by the time this one writes its own, which is not kept."""
    noted(3)
    genuine = seals.genuine_entries

    def meanwhile(rows: list[AuditEntry]) -> list[AuditEntry]:
        found = genuine(rows)
        monkeypatch.setattr(seals, "genuine_entries", genuine)
        assert seal_waiting() == 3
        return found

    monkeypatch.setattr(seals, "genuine_entries", meanwhile)
    assert seal_waiting() == 0
    assert AuditSeal.objects.get().count == 3
    assert verify().verifies


def test_who_is_killed_between_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    noted(3)

    def killed(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(seals, "hold", killed)
        with pytest.raises(KeyboardInterrupt):
            seal_waiting()
    assert not AuditSeal.objects.exists()
    assert seal_waiting() == 3
    assert verify().verifies


def test_no_second_seal_has_a_number(ids: list[int]) -> None:
    with pytest.raises(IntegrityError):
        AuditSeal(number=3, first=1, last=1, count=1).save(force_insert=True)


def test_batches_are_bounded_and_what_is_left_out_holds_up_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seals, "BATCH", 2)
    numbers = noted(5)
    sql("UPDATE records_auditentry SET actor = 'bob' WHERE id IN (%s, %s)", *numbers[:2])
    assert seal_waiting() == 3
    assert [seal.entries for seal in AuditSeal.objects.order_by("number")] == [
        f"{numbers[2]}-{numbers[3]}",
        f"{numbers[4]}",
    ]
    assert [one.entry for one in verify().problems] == numbers[:2]


def test_many_are_verified_in_as_many_statements(
    ids: list[int], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(7):
        verify()
    for _ in range(3):
        noted(2)
        seal_waiting()
    with django_assert_num_queries(7):
        assert verify().verifies
