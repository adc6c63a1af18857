"""A real S3 server on loopback, S3Proxy, before a folder of this machine. Fetched once, then
started in a second.

It believes a request only when its signature (version 4) is right. Keys are drawn for each run.
What is slow is kept in a cache outside the repository: one file, 40 MB.
"""

import secrets
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import maven
from workspace_sandbox.real.one_process import HOST, OneProcess

NAME = "s3proxy"
VERSION = "2.9.0"
"""Later versions can no more of what a store needs, and are twice as large."""
PINNED = "62f3d99f65d8bcd775117305f0a25a02e0a2798bbb5a0f6cfddd31cd7d6b6cde"

_ARTIFACT = f"org.gaul:s3proxy:{VERSION}:jar:jar-with-dependencies"
_SETTINGS = """\
s3proxy.endpoint={url}
s3proxy.authorization=aws-v4
s3proxy.identity={access_key}
s3proxy.credential={secret_key}
jclouds.provider=filesystem-nio2
jclouds.identity=
jclouds.credential=
jclouds.filesystem.basedir={data}
"""


class S3ProxyFailed(RuntimeError):
    """It could not be fetched or started; the text names the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running server is, and the key that opens all of its buckets."""

    url: str
    access_key: str
    secret_key: Secret


def why_not() -> str | None:
    """Return why S3Proxy cannot run here; None if it can."""
    return _PART.why_not()


class S3Proxy(OneProcess):
    """One running S3 server.

    `directory`: keeps its buckets there; without it everything is temporary. `port`: 0 takes a free
    one.
    """

    name = NAME
    product = "S3Proxy"
    failed = S3ProxyFailed
    start_limit_s = START_S
    pause_s = 0.1

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        super().__init__(directory=directory, port=port)
        self.address: Address | None = None
        self._access_key = secrets.token_hex(10)
        self._secret_key = Secret(secrets.token_urlsafe(30), name="S3Proxy's key")

    def start(self) -> Address:
        """Start it, after clearing what a killed run left. Return its address. Raises
        S3ProxyFailed.
        """
        _PART.prepare()
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix="workspace-s3proxy-"))
        for folder in (home, home / "data", home / "tmp"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        port = self._bring_up(home)
        self.address = Address(_url(port), self._access_key, self._secret_key)
        return self.address

    def stop(self) -> None:
        """Stop it and remove temporary files. Harmless if it does not run."""
        super().stop()
        self.address = None

    def make_bucket(self) -> Path:
        """Make an empty bucket, named like its folder, which is returned. Raises S3ProxyFailed.

        Its mode is the access that the server gives: to nobody without a key.
        """
        if self._home is None:
            raise S3ProxyFailed("S3Proxy is not running")
        bucket = self._home / "data" / secrets.token_hex(8)
        bucket.mkdir(mode=0o700)
        return bucket

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        settings = home / "s3proxy.properties"
        settings.touch(mode=0o600)
        settings.write_text(
            _SETTINGS.format(
                url=_url(port),
                access_key=self._access_key,
                secret_key=self._secret_key.reveal(),
                data=home / "data",
            )
        )
        [program] = _PART.folder.iterdir()
        command = [
            "java",
            "-Xms32m",
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            f"-Djava.io.tmpdir={home / 'tmp'}",
            "-jar",
            str(program),
            "--properties",
            str(settings),
        ]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / "s3proxy.log",
            environment={"LOG_LEVEL": "warn"},
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it refuses somebody without a key, as S3 does."""
        try:
            answer = httpx.get(f"{_url(port)}/", timeout=10, trust_env=False)
        except httpx.HTTPError:
            return False
        return answer.status_code == 403 and "<Code>AccessDenied</Code>" in answer.text


def _url(port: int) -> str:
    return f"http://{HOST}:{port}"


def _make(draft: Path) -> None:
    maven.fetch(_ARTIFACT, draft, into=draft)
    maven.verify(draft, PINNED)


_PART = maven.JavaPart("S3Proxy", VERSION, _make, S3ProxyFailed)
