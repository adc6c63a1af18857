"""A real RDF4J server on loopback: what keeps the data behind OpenGDB. Fetched and put together
once, then started in seconds.

Like the real thing in the network behind OpenGDB it knows no users and asks nobody for credentials:
only the triplestore's stand-in shall talk to it. What is slow is kept in a cache outside the
repository: Jetty and the web application, 80 MB.
"""

import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import httpx

from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache, maven
from workspace_sandbox.real.one_process import HOST, OneProcess

NAME = "rdf4j"
VERSION = "4.3.14"
WAR_VERSION = "4.1.3"
"""The newest server there is as a web application. It is too old for OpenGDB's configurations, so
its libraries are replaced.
"""
JETTY_VERSION = "12.0.25"


_PREFIX = "workspace-rdf4j-"
_WAR = f"org.eclipse.rdf4j:rdf4j-http-server:{WAR_VERSION}:war"
_JETTY = f"org.eclipse.jetty:jetty-home:{JETTY_VERSION}:zip"
_LIBRARIES = ("rdf4j-http-server-spring", "rdf4j-sail-nativerdf", "rdf4j-sail-memory")
_OTHERS_BRING = ("javax.servlet", "jakarta.servlet", "slf4j-simple")
"""Jetty has the servlet classes; a second logger keeps the first from being found."""


class RDF4JFailed(RuntimeError):
    """It could not be fetched or started; the text names the reason or the end of its log."""


def why_not() -> str | None:
    """Return why a real RDF4J cannot run here; None if it can."""
    return _PART.why_not()


def prepare() -> Path:
    """Fetch it and put it together once, in about a minute. Return its folder. Raises
    RDF4JFailed.
    """
    return _PART.prepare()


def version() -> str:
    """Return its version: of the libraries that answer, not of the web application around them."""
    return VERSION


class RDF4J(OneProcess):
    """One running RDF4J server.

    `directory`: keeps its data there, so that it comes back as it was; without it everything is
    temporary. `port`: 0 takes a free one.
    """

    name = NAME
    product = "RDF4J"
    failed = RDF4JFailed
    start_limit_s = START_S
    pause_s = 0.3

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        super().__init__(directory=directory, port=port)
        self.url: str | None = None

    def start(self) -> str:
        """Start it, after clearing what a killed run left. Return its address. Raises
        RDF4JFailed.
        """
        prepare()
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix=_PREFIX))
        for folder in (home, home / "data", home / "tmp"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.url = _url(self._bring_up(home))
        return self.url

    def stop(self) -> None:
        """Stop it and remove temporary files. Harmless if it does not run."""
        super().stop()
        self.url = None

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        made = _PART.folder
        command = [
            "java",
            "-Xms64m",
            "-Xmx1536m",
            "-XX:TieredStopAtLevel=1",
            "-Djava.awt.headless=true",
            f"-Djava.io.tmpdir={home / 'tmp'}",
            f"-Dorg.eclipse.rdf4j.appdata.basedir={home / 'data'}",
            "-jar",
            str(made / "jetty" / "start.jar"),
            f"jetty.base={made / 'base'}",
            "jetty.http.host=127.0.0.1",
            f"jetty.http.port={port}",
        ]
        return children.start(
            command,
            name=NAME,
            cwd=made / "base",
            log=home / "rdf4j.log",
            environment={},
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it tells the version of its protocol."""
        try:
            answer = httpx.get(f"{_url(port)}/protocol", timeout=10, trust_env=False)
        except httpx.HTTPError:
            return False
        return answer.status_code == 200 and answer.text.strip().isdigit()


def _url(port: int) -> str:
    return f"http://{HOST}:{port}/rdf4j-server"


# --- putting it together --------------------------------------------------------------------------


def _make(draft: Path) -> None:
    """Fetch the three pieces; the web application is laid out as a folder, so that no start has to
    unpack it.
    """
    got, libraries = draft / "got", draft / "libraries"
    got.mkdir()
    for artifact in (_WAR, _JETTY):
        maven.fetch(artifact, draft, into=got)
    maven.fetch_libraries("org.eclipse.rdf4j", _LIBRARIES, VERSION, draft, into=libraries)
    with zipfile.ZipFile(next(got.glob("jetty-home-*.zip"))) as packed:
        packed.extractall(draft)
    (draft / f"jetty-home-{JETTY_VERSION}").rename(draft / "jetty")
    application = draft / "base" / "webapps" / "rdf4j-server"
    with zipfile.ZipFile(next(got.glob("*.war"))) as packed:
        packed.extractall(application)
    _replace_libraries(application / "WEB-INF" / "lib", libraries)
    start_jar = draft / "jetty" / "start.jar"
    # ee8 and not newer: the application is of the time of javax.servlet.
    command = ["java", "-jar", str(start_jar), "--add-modules=server,http,ee8-deploy"]
    cache.run(command, draft, doing="setting Jetty up", limit_s=START_S, cwd=draft / "base")
    for folder in (got, libraries):
        shutil.rmtree(folder)


def _replace_libraries(old: Path, new: Path) -> None:
    """Put the new libraries in, in place of those of the same name; what has no successor stays,
    like the tags of its pages.
    """
    successors = {_name(jar) for jar in new.glob("*.jar")}
    for jar in old.glob("*.jar"):
        if _name(jar) in successors:
            jar.unlink()
    for jar in new.glob("*.jar"):
        if not jar.name.startswith(_OTHERS_BRING):
            jar.rename(old / jar.name)


def _name(jar: Path) -> str:
    """Return the library's name, without its version."""
    return re.sub(r"-\d[\w.-]*$", "", jar.stem)


_PART = maven.JavaPart("RDF4J", VERSION, _make, RDF4JFailed)
