"""A secret is a type, not a string with a good name.

`Secret` has one exit, `reveal()`, legal in `systems/*/client*`, `contract/http.py`,
`contract/cookies.py`, `records/fields.py`, `web/sign_in` and `sandbox` alone
(`tools/check_tree.py` looks). Everything that would show, store or copy it by accident raises.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeAlias

from workspace_manager.contract.earlier_names import keep_earlier_names

SecretRef: TypeAlias = str
"""Where a secret is: `"identity_provider.attributes/<sub>/<name>"` or `"vault/<row id>"`. Never the
secret itself.
"""


class Secret:
    """Hold a password, token or key. Showing, storing or formatting it fails."""

    __slots__ = ("__value", "name")

    def __init__(self, value: str, *, name: str = "secret") -> None:
        self.__value = value
        self.name = name

    def reveal(self) -> str:
        """Give the clear text. The only exit; call it as late as possible."""
        return self.__value

    def __bool__(self) -> bool:
        return bool(self.__value)

    def __repr__(self) -> str:
        return f"<Secret {self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.__value == self.__value

    def __hash__(self) -> int:
        return hash(self.__value)

    def _refuse(self, *_args: object) -> NoReturn:
        raise TypeError(
            f"the secret {self.name!r} must not be shown, stored or copied; use reveal() "
            f"where it is sent"
        )

    __str__ = __format__ = __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = _refuse

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> NoReturn:
        raise TypeError("a Secret must not be a field of a model; keep a SecretRef instead")


class KeepStored:
    """Say that a blank field on save keeps the secret that is stored.

    See docs/explanation/settings.md#set-blank-empty.
    """


KEEP: Final = KeepStored()

SecretResolver: TypeAlias = Callable[[SecretRef], Secret]
"""Turn a reference into its secret at the moment of use. Raises `NotFound` when there is none, any
other error as the system that keeps it would.
"""


keep_earlier_names(__name__, Keep="KeepStored")
