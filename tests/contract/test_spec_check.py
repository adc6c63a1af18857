"""The check of an installed system's spec before it is used: what would harm later is refused when
it is loaded, in one sentence.
"""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from workspace_manager.contract.message import quote_words
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.contract.spec_check import find_misfit
from workspace_manager.contract.system import Credential, KindSpec, NoSettings, SystemSpec

ACCOUNT = KindSpec("loom.account", quote_words("account"), holds_account=True)
LOOM: SystemSpec[Any] = SystemSpec(
    name="loom",
    label=quote_words("loom"),
    settings=NoSettings,
    connect="loom:connect",
    kinds=(ACCOUNT,),
    credentials=(Credential("loom_key", quote_words("key"), "loom.account"),),
)
STEPS = {"fence_identity"}


@dataclass(frozen=True)
class Raising(SystemSettings):
    url: str = setting("Address")

    def __post_init__(self) -> None:
        raise KeyError("secret")


def test_one_that_fits() -> None:
    assert find_misfit("loom", LOOM, steps=STEPS) is None


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"label": "loom"}, "its label is no Message"),
        ({"kinds": [ACCOUNT]}, "its kinds is no tuple"),
        ({"kinds": ("loom.account",)}, "its kinds is no KindSpec"),
        ({"kinds": (replace(ACCOUNT, kind="drive.account"),)}, "does not begin with loom"),
        ({"kinds": (replace(ACCOUNT, kind="loom." + "x" * 60),)}, "does not begin with loom"),
        ({"kinds": (replace(ACCOUNT, exclusive="{"),)}, "the lock of loom.account"),
        ({"kinds": (replace(ACCOUNT, exclusive="{a.b}"),)}, "the lock of loom.account"),
        (
            {"credentials": (Credential("loom_key", quote_words("key"), "loom.key"),)},
            "loom_key ends with loom.key",
        ),
        ({"credentials": ("loom_key",)}, "its credentials is no Credential"),
        ({"accounts": None}, "its accounts is no function"),
        ({"own_names": {"warden"}}, "its own_names is no function"),
        ({"shut_step": "fence_identity"}, "it calls its step fence_identity"),
        ({"shut_step": "x" * 51}, "it calls its step x"),
        ({"order": "first"}, "its order is no int"),
        ({"settings": dict}, "its settings is no SystemSettings"),
        ({"step_labels": {"shut_loom": "Shut"}}, "its step_labels is no Message"),
        ({"name": "Loom"}, "it calls itself Loom"),
        ({"snapshots": None}, "its snapshots is no str"),
    ],
)
def test_one_that_does_not(members: dict[str, Any], said: str) -> None:
    found = find_misfit("loom", replace(LOOM, **members), steps=STEPS)
    assert found is not None
    assert said in found.english


def test_settings_that_raise_are_refused_too() -> None:
    with pytest.raises(ValueError, match="raised KeyError") as refused:
        find_misfit("loom", replace(LOOM, settings=Raising), steps=STEPS)
    assert "secret" not in str(refused.value)
