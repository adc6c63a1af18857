"""Sockets that end with the time in which we may act (`contract.deadline`), whatever comes and how
slowly.

A time-out of a socket is for one read: a byte a second holds a call without end. So before each
read and write what is left of the whole is asked, also while names are looked up and while TLS is
agreed on. Whoever calls says how long with `act_until`.
"""

import contextlib
import queue
import select
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import httpcore
import httpx

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.deadline import remaining_time
from workspace_manager.contract.loopback import is_public

Addresses: TypeAlias = list[tuple[Any, ...]]
Options: TypeAlias = Iterable[httpcore.SOCKET_OPTION] | None


class NotPublic(OSError):
    """The host is on this machine or in a private network, and only public ones may be called."""


class _InTime(socket.socket):
    """Ends blocking calls when the time is over, or with the socket's own time-out if that is
    sooner. Raises TimeoutError.
    """

    @contextlib.contextmanager
    def _in_time(self) -> Iterator[None]:
        own = self.gettimeout()
        if own == 0:
            yield
            return
        most = remaining_time(own)
        if most is not None and most <= 0:
            raise TimeoutError("no time is left")
        self.settimeout(most)
        try:
            yield
        finally:
            if self.fileno() >= 0:
                self.settimeout(own)

    def connect(self, *where: Any) -> None:
        with self._in_time():
            super().connect(*where)

    def recv(self, *how: Any) -> bytes:
        with self._in_time():
            return super().recv(*how)

    def recv_into(self, *how: Any) -> int:
        with self._in_time():
            return super().recv_into(*how)

    def send(self, *what: Any) -> int:
        with self._in_time():
            return super().send(*what)

    def sendall(self, *what: Any) -> None:
        with self._in_time():
            super().sendall(*what)


class _Encrypted(_InTime, ssl.SSLSocket):
    def do_handshake(self, *how: Any) -> None:
        with self._in_time():
            super().do_handshake(*how)


def in_time(context: ssl.SSLContext) -> ssl.SSLContext:
    """Have what this context encrypts end in time too."""
    context.sslsocket_class = _Encrypted
    return context


def connect(
    host: str, port: int, *, within: float | None, public_only: bool = False
) -> socket.socket:
    """Connect to the first address of a host that answers. `within`: seconds for one address;
    `public_only`: to none on this machine or in a private network, asked of the address that is
    connected to, so that no name can lead elsewhere meanwhile. Raises OSError, also TimeoutError.
    """
    wait_hooks.begin()
    none: OSError = socket.gaierror(f"{host} has no address")
    for family, kind, protocol, _, address in addresses(host, port):
        if public_only and not is_public(address[0]):
            none = NotPublic(f"{host} is not public")
            continue
        made = _InTime(family, kind, protocol)
        try:
            made.settimeout(within)
            made.connect(address)
        except OSError as failed:
            made.close()
            none = failed
        except BaseException:
            made.close()
            raise
        else:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            return made
    raise none


def addresses(host: str, port: int) -> Addresses:
    """Look a name up, as long as there is time. Raises OSError, also TimeoutError.

    The system's look-up cannot be ended: a thread of its own waits for what is left of it.
    """
    with contextlib.suppress(socket.gaierror):
        return _looked_up(host, port, socket.AI_NUMERICHOST)
    found: queue.SimpleQueue[Addresses | OSError | UnicodeError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            found.put(_looked_up(host, port, 0))
        except (OSError, UnicodeError) as failed:
            found.put(failed)

    threading.Thread(target=look_up, name=f"looks up {host}", daemon=True).start()
    try:
        answer = found.get(timeout=remaining_time(None))
    except (queue.Empty, ValueError) as late:
        raise TimeoutError(f"{host} was not looked up in time") from late
    if isinstance(answer, list):
        return answer
    raise answer


def _looked_up(host: str, port: int, flags: int) -> Addresses:
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags))


class Transport(httpx.HTTPTransport):
    """The library's own, over these sockets: it has no other way to be given them."""

    def __init__(
        self, *, verify: ssl.SSLContext, uds: str | None = None, public_only: bool = False
    ) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=in_time(verify),
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=5,
            uds=uds,
            network_backend=_Backend(public_only=public_only),
        )


class _Backend(httpcore.NetworkBackend):
    def __init__(self, *, public_only: bool) -> None:
        self._public_only = public_only

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Options = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        with _as_theirs(httpcore.ConnectTimeout, httpcore.ConnectError):
            line = connect(host, port, within=timeout, public_only=self._public_only)
            return _Stream(line)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Options = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        with _as_theirs(httpcore.ConnectTimeout, httpcore.ConnectError):
            made = _InTime(socket.AF_UNIX, socket.SOCK_STREAM)
            made.settimeout(timeout)
            made.connect(path)
            return _Stream(made)


class _Stream(httpcore.NetworkStream):
    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _as_theirs(httpcore.ReadTimeout, httpcore.ReadError):
            self._line.settimeout(timeout)
            return self._line.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _as_theirs(httpcore.WriteTimeout, httpcore.WriteError):
            self._line.settimeout(timeout)
            self._line.sendall(buffer)

    def close(self) -> None:
        self._line.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        with _as_theirs(httpcore.ConnectTimeout, httpcore.ConnectError):
            try:
                self._line.settimeout(timeout)
                return _Stream(ssl_context.wrap_socket(self._line, server_hostname=server_hostname))
            except BaseException:
                self.close()
                raise

    def get_extra_info(self, info: str) -> Any:
        """Answer a pool that asks, before it uses the connection again, whether something came or
        the other end is gone.
        """
        if info == "is_readable":
            if self._line.fileno() < 0:
                return True
            look = select.poll()
            look.register(self._line, select.POLLIN)
            return bool(look.poll(0))
        if info == "ssl_object" and isinstance(self._line, ssl.SSLSocket):
            return self._line
        return self._line if info == "socket" else None


@contextlib.contextmanager
def _as_theirs(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    """Say it with the library's errors, as its own streams do."""
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
