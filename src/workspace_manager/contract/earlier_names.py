"""Earlier names of the contract still work and warn, because systems of other distributions import
them. Version 0.5 drops them.
"""

import pkgutil
import sys
import warnings
from collections.abc import Sequence
from functools import partial, partialmethod
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

MODULES: Final = {
    "described": "member_description",
    "few_at_a_time": "bulkhead",
    "heard": "failure_reports",
    "places": "slots",
    "waiting": "wait_hooks",
}


def keep_earlier_names(module: str, **renamed: str) -> None:
    """Let a module give what had an earlier name, with a warning. Type checkers do not see this:
    they would take every name for one of the module's otherwise.
    """

    def get(name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        now = renamed[name]
        warnings.warn(f"{module}.{name} is called {now} now", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], now)

    sys.modules[module].__dict__["__getattr__"] = get


def keep_earlier_methods(owner: type, **renamed: str) -> None:
    """Let a class have methods by their earlier names, which warn."""
    for name, now in renamed.items():
        setattr(owner, name, partialmethod(_call_renamed, name, now))


def _call_renamed(self: object, name: str, now: str, *given: Any, **named: Any) -> Any:
    earlier = f"{type(self).__name__}.{name}"
    warnings.warn(f"{earlier} is called {now} now", DeprecationWarning, stacklevel=2)
    return getattr(self, now)(*given, **named)


class EarlierModules(MetaPathFinder, Loader):
    """Import a module by its earlier name: everything in it is the present module's."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        is_ours = package == __package__ and name in MODULES
        return ModuleSpec(fullname, self) if is_ours else None

    def exec_module(self, module: ModuleType) -> None:
        package, _, name = module.__name__.rpartition(".")
        now = pkgutil.resolve_name(f"{package}.{MODULES[name]}")
        warnings.warn(
            f"{module.__name__} is called {MODULES[name]} now", DeprecationWarning, stacklevel=2
        )
        module.__dict__["__getattr__"] = partial(getattr, now)
