"""People in motion: one line per case, with what every system says in the end. The same on
stand-ins and on real parts.
"""

import time

import pytest

from tests.life.person import Workspace
from tests.people_in_motion.scenarios import SCENARIOS
from tests.people_in_motion.subject import COLUMNS
from tests.sample import some_of
from workspace_sandbox.patience import PATIENCE_S

TABLE = """
# case                                   here      identity drive sql databases store repositories projects member notebook
leaves with everything                   gone      gone     gone  gone 0         gone  0            0        0      none
leaves while a creation is stuck         gone      gone     gone  gone 0         gone  0            0        0      none
leaves in the middle of a call           gone      gone     gone  gone 0         gone  0            0        0      none
leaves while being given something       gone      gone     gone  gone 0         gone  0            0        0      none
leaves a shared project                  gone      gone     gone  gone 0         gone  0            0        0      none
owner leaves and members keep their own  gone      gone     gone  gone 0         gone  0            0        0      none
owner leaves and hands over              gone      gone     gone  gone 0         gone  0            1        0      none
member leaves the project                active    here     here  here 0         1     1            1        0      none
comes back                               active    here     here  gone 0         gone  0            1        0      runs
suspended                                suspended shut     shut  shut 1         0     1            1        0      none
suspended and back                       active    here     here  here 1         1     1            1        0      none
suspended and removed                    gone      gone     gone  gone 0         gone  0            0        0      none
suspended while a database is made       active    here     here  here 1         gone  0            1        0      none
withdrawn                                gone      gone     gone  gone 0         gone  0            0        0      none
withdrawn and registered again           active    here     here  gone 0         gone  0            1        0      none
withdrawn after the first sign in        gone      gone     gone  gone 0         gone  0            0        0      none
expired and registered again             active    here     here  gone 0         gone  0            1        0      none
approval is cut off and tried again      active    here     here  gone 0         gone  0            1        0      none
approval meets somebody of that name     gone      here     gone  gone 0         gone  0            0        0      none
administrator removes himself            active    here     here  gone 0         gone  0            1        0      none
administrators remove each other         gone      gone     gone  gone 0         gone  0            0        0      none
announced as administrator               active    here     here  gone 0         gone  0            1        0      none
deletes one of two repositories          active    here     here  gone 0         1     1            1        0      none
deletes everything made                  active    here     here  here 0         gone  0            1        0      none
made again and relinked                  active    here     here  here 1         gone  0            1        0      none
nobody approved it                       gone      here     gone  gone 0         gone  0            0        0      none
nobody approved it and it is adopted     active    here     here  gone 0         gone  0            1        0      none
removed and made again by hand           gone      here     gone  gone 0         gone  0            0        0      none
"""
"""A handed-over ontology project keeps its owner's name in the editor, which no interface can
change; nobody else gets the name.
"""

OFTEN_ON_REAL_PARTS = {
    "owner leaves and hands over",
    "comes back",
    "suspended and back",
    "made again and relinked",
}
"""One of each way to leave, to come back and to be shut out: what the others differ by is decided
by the manager, which is seen on stand-ins. Somebody leaves with everything in `tests/life`.
"""
SELDOM = OFTEN_ON_REAL_PARTS | {
    "leaves a shared project",
    "member leaves the project",
    "suspended",
    "withdrawn",
    "withdrawn and registered again",
    "expired and registered again",
    "administrator removes himself",
    "announced as administrator",
    "deletes one of two repositories",
    "nobody approved it",
    # The same story in one process, by every change of what its systems have: test_leaving,
    "leaves while a creation is stuck",
    "leaves in the middle of a call",
    "leaves while being given something",
    # test_suspension and test_suspension_shuts,
    "suspended and removed",
    "suspended while a database is made",
    # test_coming_back, test_administrators and test_strangers,
    "withdrawn after the first sign in",
    "administrators remove each other",
    "nobody approved it and it is adopted",
    "removed and made again by hand",
    # and in a demo too: life/test_life.
    "leaves with everything",
}
"""On stand-ins by `make everything`: on real parts already, or seen in another line or file as
well.
"""
LINES = [line.rsplit(maxsplit=len(COLUMNS)) for line in TABLE.strip().splitlines()[1:]]


def run_scenario(workspace: Workspace, line: list[str]) -> None:
    case, *wished = line
    subject = SCENARIOS[case](workspace)
    expected = dict(zip(COLUMNS, wished, strict=True))
    # A first sign-in connects the drive a moment after its page was shown.
    deadline = time.monotonic() + PATIENCE_S
    while (state := subject.state()) != expected and time.monotonic() < deadline:
        time.sleep(1)
    assert state == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    some_of(LINES, [line for line in LINES if line[0] not in SELDOM]),
    ids=lambda line: line[0],
)
def test_on_stand_ins(stand_ins: Workspace, line: list[str]) -> None:
    stand_ins.control("identity_provider", "/settings", {"access_token_seconds": 5})
    run_scenario(stand_ins, line)


@pytest.mark.real
@pytest.mark.parametrize(
    "line",
    some_of(LINES, [line for line in LINES if line[0] in OFTEN_ON_REAL_PARTS]),
    ids=lambda line: line[0],
)
def test_on_real_parts(real_parts_demo: Workspace, line: list[str]) -> None:
    run_scenario(real_parts_demo, line)


def test_every_scenario_has_its_line() -> None:
    assert sorted(SCENARIOS) == sorted(line[0] for line in LINES)
    assert set(SCENARIOS) > SELDOM > OFTEN_ON_REAL_PARTS
