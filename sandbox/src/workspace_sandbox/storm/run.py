"""Play a storm: settle people in, let the weather break, have them removed while others come in,
then ask the ledgers.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from workspace_sandbox import children
from workspace_sandbox.__main__ import tell
from workspace_sandbox.demo import Demo
from workspace_sandbox.fault_injection import KINDS
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.storm import ledgers
from workspace_sandbox.storm.api import Administrator

SETTINGS = {
    "WORKSPACE_PERSON_RATE": "0",
    "WORKSPACE_TOKEN_RATE": "0",
    "WORKSPACE_LONGEST_WAIT_SECONDS": "0.3",
    "WORKSPACE_PREVIEW_WAIT_SECONDS": "0",
    "WORKSPACE_LEASE_SECONDS": "60",
}
"""Short waits: a storm of a few minutes shall see what takes days."""
TOKENS_LIVE_S = 5
TELL_EVERY_S = 5
LATE_LOOK_S = 240


class StormFailed(RuntimeError):
    """It could not be played to its end; the text says where it stands still."""


@dataclass
class Outcome:
    """The findings of a storm."""

    people: int
    newcomers: int
    seed: int
    removed: int = 0
    seconds: float = 0
    calls: int = 0
    effects: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    retried: int = 0
    """Steps an administrator tried again, since they were stuck."""
    resumed: int = 0
    """Systems an administrator let be called again."""
    late_looks: Counter[str] = field(default_factory=Counter)
    answers: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The figures, for people."""
        told = [f"{kind.replace('_', ' ')} {self.faults[kind]}" for kind in KINDS]
        looks = ", ".join(f"{n} {state}" for state, n in self.late_looks.items())
        return [
            (
                f"seed {self.seed}: {self.removed} of {self.people} people removed, "
                f"{self.newcomers} let in meanwhile, in {self.seconds:.0f} s"
            ),
            f"faults injected: {self.faults.total()} into {self.calls} calls ({', '.join(told)})",
            (
                f"by hand: {self.retried} stuck steps tried again, {self.resumed} paused "
                f"systems resumed"
            ),
            f"late looks: {looks or 'not waited for'}",
            f"checked by {self.effects} writes with an effect in the ledgers: "
            + ", ".join(f"{kind} {len(found)}" for kind, found in self.wrong.items()),
            *[f"! {kind}: {text}" for kind, found in self.wrong.items() for text in found[:20]],
        ]

    @property
    def clean(self) -> bool:
        return not any(self.wrong.values()) and self.removed == self.people


@dataclass
class Storm:
    """One storm. `say` is told how far it is. `late`: wait for the late looks too."""

    people: int
    seed: int
    rate: float = 0.05
    late: bool = True
    say: Callable[[str], None] = print
    demo: Demo = field(init=False)

    def __post_init__(self) -> None:
        self.demo = Demo(port=0, settings=SETTINGS)
        self.outcome = Outcome(self.people, max(2, self.people // 4), self.seed)

    def run(self) -> Outcome:
        """Play it. Raises DemoFailed and StormFailed; leaves nothing behind."""
        try:
            return self._run(self.demo.start())
        finally:
            self.demo.stop()

    def _run(self, told: dict[str, Any]) -> Outcome:
        controls = {name: system["control_url"] for name, system in told["systems"].items()}
        _post(f"{controls['identity_provider']}/settings", {"access_token_seconds": TOKENS_LIVE_S})
        administrator = Administrator(told["manager"], told["administrator"]["api_token"])
        everybody = self._settle(told)
        leaving, staying = everybody[: self.people], everybody[self.people :]
        since = {name: ledgers.length(url) for name, url in controls.items()}
        begin = time.monotonic()
        for url in controls.values():
            _post(f"{url}/weather", {"seed": self.seed, "rate": self.rate})
        coming = self._newcomers(told)
        plans = self._order(administrator, leaving)
        self._watch(administrator, plans, coming)
        for url in controls.values():
            _post(f"{url}/weather", {"seed": self.seed, "rate": 0})
        self.outcome.seconds = time.monotonic() - begin
        if self.late:
            self._late_looks(administrator, plans)
        done = json.loads((self.demo.folder / "newcomers.done.json").read_text())
        self.outcome.answers = done["answers"]
        self._count(controls, since, leaving, staying, done["names"])
        return self.outcome

    # --- the acts --------------------------------------------------------------------------------

    def _settle(self, told: dict[str, Any]) -> list[dict[str, Any]]:
        """Everybody who leaves, and a few who stay."""
        count = self.people + max(2, self.people // 10)
        self.say(f"seed {self.seed}: settling {count} people in …")
        file = self.demo.folder / "settled.json"
        module = "workspace_sandbox.storm.settle"
        process = self._child(
            "settle", told, module, str(file), json.dumps(told["systems"]), str(count)
        )
        if process.wait() or not file.exists():
            raise StormFailed(f"Nobody could be settled in:\n{self._log('settle')}")
        found: list[dict[str, Any]] = json.loads(file.read_text())
        return found

    def _newcomers(self, told: dict[str, Any]) -> "subprocess.Popen[bytes]":
        file = self.demo.folder / "newcomers.json"
        token = told["administrator"]["api_token"]
        tell(json.dumps({"manager": told["manager"], "token": token}), file)
        module = "workspace_sandbox.storm.newcomers"
        return self._child("newcomers", {}, module, str(file), str(self.outcome.newcomers))

    def _order(
        self, administrator: Administrator, leaving: list[dict[str, Any]]
    ) -> dict[str, dict[str, Any]]:
        """Draft and approve every removal; gives the plans by id."""
        plans: dict[str, dict[str, Any]] = {}
        for person in leaving:
            drafted = administrator.ask(f"/people/{person['username']}/removal").json()
            administrator.ask(f"/plans/{drafted['id']}/approve", {"digest": drafted["digest"]})
            plans[drafted["id"]] = drafted
        return plans

    def _watch(
        self,
        administrator: Administrator,
        plans: dict[str, dict[str, Any]],
        coming: "subprocess.Popen[bytes]",
    ) -> None:
        """Try stuck steps again and resume paused systems, as a person does, until everything is
        done.
        """
        standing, moved, told_at = "", time.monotonic(), 0.0
        while True:
            done = {plan["id"] for plan in administrator.all_items("/plans?state=done")}
            self.outcome.removed = len(done & plans.keys())
            if self.outcome.removed == len(plans) and coming.poll() is not None:
                if coming.returncode:
                    raise StormFailed(f"Newcomers were not let in:\n{self._log('newcomers')}")
                return
            self._mend(administrator)
            now = time.monotonic()
            line = (
                f"removed {self.outcome.removed}/{len(plans)}, newcomers "
                f"{'under way' if coming.poll() is None else 'done'}"
            )
            if line != standing:
                standing, moved = line, now
            if now - moved > PATIENCE_S:
                raise StormFailed(f"Nothing moves any more: {line}\n{self._left(administrator)}")
            if now - told_at > TELL_EVERY_S:
                told_at = now
                self.say(f"{line}, {self.outcome.retried} stuck steps tried again")
            time.sleep(0.5)

    def _mend(self, administrator: Administrator) -> None:
        for system in administrator.get("/systems")["items"]:
            if system["paused"]:
                administrator.ask(f"/systems/{system['name']}/resume")
                self.outcome.resumed += 1
        for plan in administrator.all_items("/plans?state=stuck"):
            for step in plan["steps"]:
                if step["state"] == "stuck":
                    administrator.ask(f"/plans/{plan['id']}/steps/{step['n']}/retry")
                    self.outcome.retried += 1

    def _late_looks(self, administrator: Administrator, plans: dict[str, Any]) -> None:
        """Wait until every plan was looked at once more. Some are due in an hour: nobody could say
        how long a token lives.
        """
        self.say("waiting for the late looks …")
        begin = datetime.now(UTC)
        last = begin + timedelta(seconds=LATE_LOOK_S)
        while True:
            looks = [
                plan["late_look"]
                for plan in administrator.all_items("/plans?state=done")
                if plan["id"] in plans
            ]
            states = Counter(look["state"] for look in looks)
            pending = [look for look in looks if look["state"] == "pending"]
            later = sum(datetime.fromisoformat(look["due_at"]) > last for look in pending)
            if len(pending) == later:
                del states["pending"]
                if later:
                    states["due in an hour"] = later
                self.outcome.late_looks = states
                return
            if datetime.now(UTC) > last + timedelta(seconds=PATIENCE_S):
                raise StormFailed(f"{len(pending) - later} late looks were not made in time.")
            time.sleep(1)

    def _count(
        self, controls: dict[str, str], since: dict[str, int], gone: list[dict[str, Any]],
        stayed: list[dict[str, Any]],
        new: list[str],
    ) -> None:  # fmt: skip
        seen = ledgers.look(controls, since)
        self.outcome.wrong = ledgers.wrong(seen, gone=gone, stayed=stayed, new=new)
        for name, url in controls.items():
            weather = httpx.get(f"{url}/weather", timeout=PATIENCE_S, trust_env=False).json()
            self.outcome.calls += weather["calls"]
            self.outcome.faults.update(weather["faults"])
            self.outcome.effects += len(seen.effects(name))

    # --- beside ----------------------------------------------------------------------------------

    def _child(
        self, name: str, told: dict[str, Any], module: str, *arguments: str
    ) -> "subprocess.Popen[bytes]":
        return children.start(
            [sys.executable, "-m", module, *arguments], name=f"storm-{name}", cwd=self.demo.folder,
            log=self._file(name), environment={**told.get("environment", {}),
            "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip

    def _file(self, name: str) -> Path:
        return self.demo.folder / f"storm-{name}.log"

    def _log(self, name: str) -> str:
        return "\n".join(self._file(name).read_text(errors="replace").splitlines()[-15:])

    def _left(self, administrator: Administrator) -> str:
        return "\n".join(
            f"{plan['person']} step {step['n']} {step['state']}: {step['reason']}"
            for state in ("running", "waiting", "stuck")
            for plan in administrator.all_items(f"/plans?state={state}")[:20]
            for step in plan["steps"]
            if step["state"] not in {"done", "skipped", "already"}
        )


def _post(url: str, body: dict[str, Any]) -> None:
    httpx.post(url, json=body, timeout=PATIENCE_S, trust_env=False).raise_for_status()
