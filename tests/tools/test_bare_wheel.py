"""What a wheel may not hold, and what it may not lack, is named."""

import zipfile
from pathlib import Path

import pytest

from tools import bare_wheel

DE = "workspace_manager/web/locale/de/LC_MESSAGES/django"


def wheel(folder: Path, *names: str) -> Path:
    file = folder / "workspace_manager-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, "")
    return file


def test_a_whole_wheel_passes(tmp_path: Path) -> None:
    bare_wheel.whole(wheel(tmp_path, "workspace_manager/__init__.py", f"{DE}.po", f"{DE}.mo"))


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ((f"{DE}.po", f"{DE}.mo", "workspace_sandbox/demo.py"), "holds what is not the manager's"),
        ((f"{DE}.po", f"{DE}.mo", "tests/test_a.py"), "holds what is not the manager's"),
        ((f"{DE}.po",), f"not compiled: {DE}"),
        (("workspace_manager/__init__.py",), "holds no translation"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_named(
    tmp_path: Path, names: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(bare_wheel.Wrong, match=complaint):
        bare_wheel.whole(wheel(tmp_path, *names))
