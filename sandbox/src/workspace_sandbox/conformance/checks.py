"""Checks of what a plan and a removal may rely on, and of an inventory, for every system.

Each runs for every wish of every connector, on the stand-in and, marked `real`, on the real part,
which meets few of the faults (`plugin.ON_REAL_PARTS`). Two are looked at in all of them: no secret
comes out, and everything said survives JSON (`watch.py`).
"""

import pytest

from workspace_manager.contract.connector import UNKNOWN, Change, Evidence, Result, Severity
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.systems import gives, registry
from workspace_sandbox.conformance.case import DELAY_S, meets, needs, once_on_a_real_part
from workspace_sandbox.conformance.trial import Trial, needs_no_change
from workspace_sandbox.conformance.watch import through_json

# --- looking --------------------------------------------------------------------------------------


@once_on_a_real_part
def test_plan_and_verify_write_nothing(trial: Trial) -> None:
    trial.prepare()
    for _ in ("open", "done"):
        seen, start = trial.seen, len(trial.place.calls())
        change = trial.plan()
        trial.verify(change)
        trial.connector().prove_rights(trial.system)
        assert trial.place.only_looked(start)
        assert trial.seen == seen
        trial.act(change)


def test_plan_is_stable_and_tells_what_is(trial: Trial) -> None:
    trial.prepare()
    change = trial.plan()
    assert trial.plan() == change
    assert change.kind == trial.case.kind
    assert change.subject == ""
    assert change.target == dict(trial.case.target(trial.it, trial.wish))
    assert named_alike(change)
    assert gives(change) is (trial.wish not in trial.case.taking), "see KindSpec.takes"
    assert trial.case.blind or change.before != UNKNOWN
    assert not needs_no_change(change.before, change.after)
    trial.run()
    if not change.secrets and not trial.case.blind and trial.wish not in trial.case.never_satisfied:
        again = trial.plan()
        assert needs_no_change(again.before, again.after)


def named_alike(change: Change) -> bool:
    """Return whether a thing has one name, in whatever order a database returns the parts of its
    target.
    """
    kind = registry().kinds.get(change.kind)
    backwards = dict(reversed(list(change.target.items())))
    return kind is None or kind.name_of(change.target) == kind.name_of(backwards)


# --- acting twice ---------------------------------------------------------------------------------


def test_the_second_time_is_already(trial: Trial) -> None:
    trial.prepare()
    change = trial.plan()
    first = trial.act(change)
    assert first.result is Result.CHANGED
    assert trial.done
    seen = trial.seen
    second = trial.act(change)
    assert second.result is Result.ALREADY
    assert {**second.facts, **first.facts} == {**first.facts, **second.facts}
    assert trial.act(trial.plan()).result is Result.ALREADY
    assert trial.seen == seen
    assert trial.done


@needs("taking")
def test_what_never_was_is_already_gone(trial: Trial) -> None:
    seen = trial.seen
    change = trial.plan()
    assert trial.act(change).result is Result.ALREADY
    assert trial.act(trial.unplanned()).result is Result.ALREADY
    assert isinstance(trial.run(), Evidence)
    assert trial.seen == seen


def test_verify_tells_whether_it_is_so(trial: Trial) -> None:
    trial.prepare()
    change = trial.plan()
    assert trial.verify(change) is None
    outcome = trial.act(change)
    evidence = trial.verify(change, outcome)
    assert evidence
    assert evidence.system == trial.place.system
    assert evidence.method
    assert evidence.text
    proof = trial.connector().prove_rights(trial.system)
    assert proof.text
    assert trial.done


@needs("listed")
def test_what_was_made_is_in_the_inventory_and_what_was_removed_is_not(trial: Trial) -> None:
    """Under the name that records know it by: a part of the target, or what the system assigned."""
    trial.prepare()
    change = trial.plan()
    outcome = trial.act(change)
    names = {*change.target.values(), *outcome.facts.values()}
    assert len(trial.listed(names)) == (0 if change.after is None else 1)


# --- calls that fail ------------------------------------------------------------------------------

NO_ANSWER = [("delay", 0), ("reset", 0)]
NOT_NOW = [("status", 500), ("status", 502), ("status", 503), ("status", 429)]
REFUSED = [("status", 401), ("status", 403)]
NOT_UNDERSTOOD = [("garbage", 0), ("html", 0), ("redirect", 0), ("truncated", 0)]
FAULTS = [*NO_ANSWER, *NOT_NOW, *REFUSED, *NOT_UNDERSTOOD]


def expected(trial: Trial, fault: str, status: int) -> tuple[type[ConnectorError], ...]:
    """Return the errors that a fault may become."""
    if fault in {"delay", "reset"} or status >= 429:
        return (Unavailable,)
    if status == 403:
        # Not every 403 is the system's own: one that is none of its shapes may be a proxy's.
        return (Denied, Invalid)
    if status:
        # A credential that was seen to work is refused only for its use.
        return (Denied, Conflict) if trial.case.speaks_for_itself else (Denied,)
    login = (Denied,) if fault == "redirect" and trial.place.redirect_is_denied else ()
    return (Invalid, Unavailable, *login)


@needs("breakable")
@meets(*FAULTS)
def test_a_call_that_fails_is_never_a_success(trial: Trial, fault: str, status: int) -> None:
    trial.prepare()
    seen = trial.seen
    system = trial.hasty if fault == "delay" else trial.system
    wait = "17" if status == 429 and trial.place.speaks_http else ""
    with trial.fault(fault, status=status, seconds=DELAY_S, retry_after=wait) as hits:
        for verb, call in trial.calls(system):
            before = hits()
            with pytest.raises(ConnectorError) as caught:
                call()
            assert isinstance(caught.value, expected(trial, fault, status)), (verb, caught.value)
            assert fault == "delay" or hits() > before, f"{verb} calls nothing"
            assert caught.value.retry_after == (17 if wait else caught.value.retry_after)
        findings = trial.connector().check(system)
        assert any(one.severity is not Severity.OK for one in findings)
    assert trial.seen == seen
    assert not trial.done
    assert trial.run()
    assert trial.done


OTHER_SHAPES = (
    "null",
    "7",
    '"text"',
    "[7]",
    '[{"another": "shape"}]',
    '{"another": {"shape": []}}',
)
"""Well-formed JSON that nobody asked for, as another version or another product answers."""


@needs("http")
@meets(*((shape, 0) for shape in OTHER_SHAPES))
def test_json_of_another_shape_is_never_a_success(trial: Trial, fault: str, status: int) -> None:
    """It is one of the five errors, or nothing is claimed: a look may find nothing in it, but our
    rights are not proven by it and nothing is seen to be as wished. Each fault is a shape.
    """
    assert not status
    trial.prepare()
    seen = trial.seen
    with trial.fault("other_shape", body=fault) as hits:
        for verb, call in trial.calls(trial.system):
            before = hits()
            try:
                found = call()
            except ConnectorError:
                continue
            assert hits() > before, f"{verb} calls nothing"
            assert verb in {"plan", "act"} or found is None, (verb, found)
        findings = trial.connector().check(trial.system)
        assert any(one.severity is not Severity.OK for one in findings)
    assert trial.seen == seen
    assert not trial.done
    assert trial.run()
    assert trial.done


@needs("breakable")
@meets(*FAULTS[1:], ("timeout_after_effect", 0))
def test_a_write_that_fails_ends_right_the_next_time(trial: Trial, fault: str, status: int) -> None:
    for n in range(len(trial.writes)):
        trial.another()
        trial.prepare()
        with trial.fault(fault, trial.writes[n], status=status, seconds=0.01) as hits:
            found = trial.try_to_run()
            assert hits(), f"{trial.writes[n]} was never called"
        if isinstance(found, Evidence):
            assert trial.done, "it said that it is so, and it is not"
        elif fault == "timeout_after_effect":
            assert isinstance(found, Unavailable)
        else:
            assert isinstance(found, expected(trial, fault, status)), found
        assert trial.run()
        assert trial.done
        assert trial.act(trial.unplanned()).result is Result.ALREADY
        assert trial.done


@needs("breakable")
@once_on_a_real_part
def test_a_moved_address_is_unavailable(trial: Trial) -> None:
    trial.prepare()
    moved = trial.place.moved_away()
    for verb, call in trial.calls(moved):
        with pytest.raises(Unavailable):
            call()
        assert verb
    assert any(f.severity is Severity.FAILING for f in trial.connector().check(moved))
    assert not trial.done


@needs("password")
@once_on_a_real_part
def test_a_wrong_password_is_denied(trial: Trial) -> None:
    trial.prepare()
    wrong = trial.place.wrong_password()
    for verb, call in trial.calls(wrong):
        if trial.case.speaks_for_itself and verb != "prove rights":
            continue
        with pytest.raises(Denied):
            call()
    with pytest.raises(Denied):
        trial.connector().prove_credential(wrong)
    assert any(f.severity is Severity.FAILING for f in trial.connector().check(wrong))
    assert trial.case.speaks_for_itself or not trial.done


@needs("breakable")
@once_on_a_real_part
def test_a_refusal_of_one_thing_does_not_speak_of_our_credential(trial: Trial) -> None:
    """Asked while that thing is refused: nothing but our credential is needed for the answer."""
    trial.connector().prove_credential(trial.system)
    for n in range(len(trial.writes)):
        trial.another()
        trial.prepare()
        with trial.fault("status", trial.writes[n], status=403):
            trial.try_to_run()
            trial.connector().prove_credential(trial.system)


# --- removals -------------------------------------------------------------------------------------


@needs("poor")
def test_what_is_not_shown_to_us_is_not_gone(trial: Trial) -> None:
    for name in trial.place.poor:
        trial.another()
        trial.prepare()
        found = trial.try_to_run(trial.place.connected_poor(name))
        if not trial.case.speaks_for_itself:
            assert isinstance(found, ConnectorError), f"{name}: {found}"
        assert trial.run()
        assert trial.done


def test_look_alikes_are_left_alone(trial: Trial) -> None:
    names = trial.case.look_alikes(trial.it, trial.wish)
    others = {name: trial.seen[name] for name in names}
    assert others
    trial.prepare()
    assert trial.run()
    assert trial.done
    assert trial.act(trial.unplanned()).result is Result.ALREADY
    seen = trial.seen
    assert {name: seen.get(name) for name in names} == others


@needs("foreign")
def test_what_is_not_ours_is_never_taken_over(trial: Trial) -> None:
    """The name alone proves nothing: a person decides, or it is left alone."""
    for how in trial.case.foreign[trial.wish]:
        trial.another()
        trial.case.leave_foreign(trial.it, trial.wish, how)
        seen = trial.seen
        assert seen, how
        found = trial.try_to_run()
        assert isinstance(found, Conflict) or trial.wish in trial.case.taking, (how, found)
        assert isinstance(found, Conflict | Evidence), (how, found)
        assert trial.seen == seen, how


@needs("half")
def test_half_made_things_are_finished_or_removed(trial: Trial) -> None:
    for how in trial.case.halves[trial.wish]:
        trial.another()
        trial.case.leave_half_made(trial.it, trial.wish, how)
        assert trial.run(), how
        assert trial.done, how
        assert trial.act(trial.unplanned()).result is Result.ALREADY, how


# --- what is said ---------------------------------------------------------------------------------


@once_on_a_real_part
def test_secrets_stay_inside_and_json_changes_nothing(trial: Trial) -> None:
    """Every other check looks at this too; here with everything that one plan says, in one heap."""
    trial.prepare()
    change = through_json(trial.plan())
    outcome = through_json(trial.act(change))
    evidence = trial.verify(through_json(change), outcome)
    assert evidence
    findings = trial.connector().check(trial.system)
    assert findings or not trial.place.breakable
    written = [change, outcome, evidence, *findings]
    assert all(through_json(value) == value for value in written)
    heap = "\n".join(value.model_dump_json() for value in written)
    shown = [heap, repr(written), repr(trial.system), repr(vars(trial.system))]
    assert not trial.watch.holds(trial.place.vault.every(), *shown)
