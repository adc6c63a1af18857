"""A container engine, as other systems use it: the notebook hub stops a container, the drive runs a
command in one.

The container manager implements it; `wiring.py` lends it to the systems that need it, so that no
system knows another.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from workspace_manager.contract.connector import Evidence, FrozenModel


class ContainerState(FrozenModel):
    """One look at a container."""

    id: str
    """64 hexadecimal digits. Address containers by this: names also match id prefixes."""
    name: str
    """Without the leading slash of the wire."""
    image: str
    status: str
    """created, running, paused, restarting, removing, stopping, exited, dead, stopped."""
    pid: int
    labels: dict[str, str] = {}
    hub_user: str = ""
    """Whose notebook it is, as JupyterHub writes it into the environment of what it starts. Of the
    rest of the environment nothing is kept: there are secrets in it.
    """
    networks: tuple[str, ...] = ()
    """Names of the networks it is in."""
    component: str = ""
    """The mark of the stack of ours that it belongs to; "" for what is in none."""

    @property
    def stopped(self) -> bool:
        """Return whether no process is left: a paused or stopping container is not stopped.

        See docs/systems/container-manager.md#containers.
        """
        return self.status in {"exited", "created", "dead", "stopped"} and self.pid == 0


class ExecResult(FrozenModel):
    """The end of a command inside a container."""

    exit_code: int
    stdout: str
    stderr: str


class Names(FrozenModel):
    """The names in a list, in its order, for a comparison. `odd`: the places, counted from 1, of
    entries of another shape, which may be anything.
    """

    names: tuple[str, ...] = ()
    odd: tuple[int, ...] = ()


class ContainerEngine(Protocol):
    """Look at and act on containers by their exact name. Raises only the five errors of
    `contract.errors`.
    """

    def inspect(self, name: str) -> ContainerState:
        """Raises NotFound only for the engine's own "no such container"."""
        ...

    def list_names(self, prefix: str = "") -> Sequence[str]: ...

    def volume_names(self, prefix: str) -> Sequence[str]:
        """Names of all volumes that begin like this."""
        ...

    def each_name(self, prefix: str = "") -> Names:
        """As `list_names`, which raises Invalid where one entry is odd: whoever acts needs all."""
        ...

    def each_volume_name(self, prefix: str) -> Names:
        """As `volume_names`, in the same way."""
        ...

    def has_volume(self, name: str) -> bool:
        """Return whether there is a named volume of exactly this name; its data outlives the
        containers that used it.
        """
        ...

    def stop(self, container_id: str, *, grace_s: int = 10) -> bool:
        """Stop it; False when it was not running."""
        ...

    def execute(
        self,
        container_id: str,
        command: Sequence[str],
        *,
        user: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> ExecResult: ...

    def prove_credential(self) -> None:
        """Raises Denied when our credential itself is refused, whatever it was used for."""
        ...

    def require_everything(self) -> None:
        """Raises Denied where lists are filtered for our credential, without a word: what is not in
        them may be there.
        """
        ...

    def prove_rights(self) -> Evidence:
        """Read the environment and the list of containers, so that "no such container" proves
        absence.
        """
        ...
