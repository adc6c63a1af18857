"""A run by markers reads no file in which none of them is, and leaves out no test for that."""

from pathlib import Path

import pytest

from tests.files_of_a_run import matches_expression, possible

pytest_plugins = ["pytester"]
RARELY = frozenset({"real"})
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("expression", "plain", "rare"),
    [
        ("real", False, True),
        ("(real or browser) and not everything", False, True),
        ("thorough and not real and not browser", False, False),
        ("not real and not browser and not thorough and not everything", True, True),
        ("everything", True, True),
        ("", True, True),
        ("real and somebody_elses", True, True),
    ],
)
def test_what_can_be_selected_is_read(expression: str, plain: bool, rare: bool) -> None:
    assert matches_expression(expression, frozenset()) is plain
    assert matches_expression(expression, RARELY) is rare


def test_a_file_tells_by_itself_or_by_what_is_beside_it() -> None:
    assert possible(ROOT / "tests/real/test_keycloak.py") >= {"real"}
    assert possible(ROOT / "tests/conformance/test_odd_shapes.py") >= {"real", "thorough"}
    assert possible(ROOT / "tests/contract/test_certificates.py") == frozenset()


def test_a_marker_that_a_file_does_not_tell_of_stops_the_collection(
    pytester: pytest.Pytester,
) -> None:
    """It would be passed over by the run that asks for it."""
    pytester.makeini("[pytest]\nmarkers =\n  real\n")
    pytester.makeconftest("import pytest\nhidden = getattr(pytest.mark, 'real')\n")
    pytester.makepyfile(test_it="from conftest import hidden\n@hidden\ndef test_one(): ...")
    options = ("-p", "tests.files_of_a_run", "-p", "no:django", "--collect-only")
    result = pytester.runpytest_inprocess(*options)
    result.stderr.fnmatch_lines(["*of which neither its file nor its folder knows: test_it.py*"])
