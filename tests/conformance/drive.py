"""Cases of the drive: accounts and app passwords."""

import abc
import contextlib
from collections.abc import Collection
from typing import Any

import httpx

from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.connector import Drive, connect
from workspace_manager.systems.drive.settings import Settings
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real.nextcloud import Inside
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.drive import DriveStandIn

POOR = "regular"
PASSWORDS = ("canary-of-the-administrator", "canary-of-a-regular-user")


class DrivePlace(Place):
    """A drive; nobody signs in to it here, so that it needs no identity provider."""

    system = "drive"
    poor = ("not in group admin",)

    def __init__(
        self, door: StandIn, url: str, password: str, poor_password: str, *, hands: str = ""
    ) -> None:
        """`url`: the way past the door, for looking and for other hands; `hands`: their password,
        when it is not ours.
        """
        super().__init__()
        self.door = door
        self.address = door.url
        self.vault.standing += [password, poor_password, *([hands] if hands else [])]
        self._password, self._poor_password = password, poor_password
        self.nobody = httpx.Client(base_url=f"{url}/ocs/v2.php")
        self.admin = httpx.Client(
            base_url=f"{url}/ocs/v2.php",
            auth=("admin", hands or password),
            headers={"OCS-APIRequest": "true", "Accept": "application/json"},
        )

    @abc.abstractmethod
    def occ(self, *argv: str) -> tuple[int, str]:
        """Run the drive's command-line tool; gives exit code and output."""

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> Drive:
        values: dict[str, Any] = {
            "base_url": self.address,
            "admin_username": "admin",
            "admin_password": Secret(self._password),
            **changes,
        }
        return connect(Settings(**values), self.vault.resolve, calls=calls)

    def moved(self) -> Drive:
        return self.connect(base_url="http://127.0.0.1:9")

    def wrong_password(self) -> Drive:
        return self.connect(admin_password=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> Drive:
        return self.connect(admin_username=POOR, admin_password=Secret(self._poor_password))

    def ask(self, method: str, path: str, **form: str) -> dict[str, Any]:
        answer = self.admin.request(method, path, params={"format": "json"}, data=form or None)
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["ocs"])


class StandInPlace(DrivePlace):
    """Its stand-in."""

    stand_in: DriveStandIn

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "StandInPlace":
        stand_in = DriveStandIn(
            issuer_url="http://127.0.0.1:9",
            client_id="drive",
            admin_password=PASSWORDS[0],
            users={POOR: PASSWORDS[1]},
        )
        stack.enter_context(running(stand_in))
        place = cls(stand_in, stand_in.url, *PASSWORDS)
        place.stand_in = stand_in
        return place

    def settle(self) -> None:
        """Ten failed sign-ins block our address, as at the real one."""
        self.stand_in.state["attempts"].clear()

    def occ(self, *argv: str) -> tuple[int, str]:
        return self.stand_in.occ(["php", "occ", *argv])


class NextcloudPlace(DrivePlace):
    """A real Nextcloud behind a door."""

    part = "Nextcloud"
    real = "Nextcloud"
    inside: Inside

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "NextcloudPlace":
        door = FaultProxy(real.address.url)
        stack.enter_context(running(door))
        inside: Inside = real.inside
        inside.told("user:add", "--password-from-env", POOR, environment={"OC_PASS": PASSWORDS[1]})
        password = real.address.admin_password.reveal()
        # Checked ten times as fast as a real password.
        hands = inside.app_password("admin")
        place = cls(door, real.address.url, password, PASSWORDS[1], hands=hands)
        place.inside = inside
        return place

    def settle(self) -> None:
        self.inside.forget_attempts()

    def occ(self, *argv: str) -> tuple[int, str]:
        return self.inside.occ(*argv)


class DriveCase(Case):
    """What accounts and app passwords share."""

    place: DrivePlace

    def sub(self, it: Thing) -> str:
        return f"{it.token}-2222-4333-8444-555555555555"

    def make(self, account: str) -> None:
        self.place.ask("POST", "/cloud/users", userid=account, password="of somebody")

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None

    def app_password(self, account: str) -> str:
        """Make an app password with the drive's command-line tool."""
        command = ("user:add-app-password", "-n", "--no-warnings", "--", account)
        code, output = self.place.occ(*command)
        assert code == 0, output
        return output.split()[-1]

    def opens(self, app_password: str) -> bool:
        """As bearer: a refusal of that is not counted as a failed sign-in."""
        self.place.nobody.cookies.clear()
        answer = self.place.nobody.get(
            "/cloud/user",
            params={"format": "json"},
            headers={"Authorization": f"Bearer {app_password}", "OCS-APIRequest": "true"},
        )
        return answer.status_code == 200

    def seen(self, it: Thing) -> Seen:
        ids = self._ids(it)
        found = {one: self.place.ask("GET", f"/cloud/users/{one}")["data"] for one in ids}
        members = ("id", "enabled", "backend", "groups", "email")
        return {one: {name: data.get(name) for name in members} for one, data in found.items()}

    def _ids(self, it: Thing) -> list[str]:
        answer = self.place.admin.get("/cloud/users", params={"format": "json", "search": it.token})
        return [str(one) for one in answer.json()["ocs"]["data"]["users"]]


class Account(DriveCase):
    """`drive.account`."""

    kind = "drive.account"
    listed = True
    wishes = ("gone", "disabled", "enabled")
    taking = ("gone", "disabled")
    halves = {"gone": ("disabled",)}
    foreign = dict.fromkeys(
        ("gone", "disabled", "enabled"), ("of another back-end", "in another case")
    )

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None if wish == "gone" else {"enabled": wish == "enabled"}

    def target(self, it: Thing, wish: str) -> Target:
        return names.account_target(it.ids.get("account", self.sub(it)), self.sub(it))

    def prepare(self, it: Thing, wish: str) -> None:
        """With an app password, which has to work again in the end."""
        self.make(self.sub(it))
        it.ids["password"] = self.app_password(self.sub(it))
        if wish == "enabled":
            self.place.ask("PUT", f"/cloud/users/{self.sub(it)}/disable")

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.make(self.sub(it))
        self.place.ask("PUT", f"/cloud/users/{self.sub(it)}/disable")

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        """An account whose name is not of the person's id, and the id as the drive would find it,
        too.
        """
        other = how == "of another back-end"
        it.ids["account"] = f"ada-{it.token}" if other else self.sub(it)
        made = it.ids["account"] if other else self.sub(it).upper()
        self.make(made)
        if wish == "enabled":
            self.place.ask("PUT", f"/cloud/users/{made}/disable")

    def done(self, it: Thing, wish: str) -> bool:
        if wish == "gone":
            return self.sub(it) not in self._ids(it)
        account = self.seen(it).get(self.sub(it), {})
        opens = self.opens(it.ids["password"])
        return account.get("enabled") is opens is (wish == "enabled")

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        found = [
            f"{self.sub(it)}2",
            f"x{self.sub(it)}",
            self.sub(it)[:-1],
            f"keycloak-{self.sub(it)}",
        ]
        for account in found:
            self.make(account)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        if wish == "gone":
            return [{"method": "DELETE", "path": "/cloud/users/"}]
        return [{"method": "PUT", "path": f"/{wish.removesuffix('d')}"}]


class AppPassword(DriveCase):
    """`drive.app_password`."""

    kind = "drive.app_password"
    wishes = ("gone",)
    taking = ("gone",)
    halves = {"gone": ("disabled", "without an account")}
    foreign = {"gone": ("of another account",)}
    speaks_for_itself = True

    def target(self, it: Thing, wish: str) -> Target:
        return names.app_password_target(self.sub(it), self.sub(it), self._ref(it))

    def _ref(self, it: Thing) -> str:
        return f"vault/app/{it.token}"

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        return {"app_password": self._ref(it)}

    def prepare(self, it: Thing, wish: str) -> None:
        if self.sub(it) not in self._ids(it):
            self.make(self.sub(it))
        it.ids["password"] = self.app_password(self.sub(it))
        self.place.vault.keep(self._ref(it), it.ids["password"])

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, wish)
        if how == "disabled":
            self.place.ask("PUT", f"/cloud/users/{self.sub(it)}/disable")
        else:
            self.place.ask("DELETE", f"/cloud/users/{self.sub(it)}")

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        other = f"x{self.sub(it)}"
        self.make(other)
        it.ids["of another"] = self.app_password(other)
        self.place.vault.keep(self._ref(it), it.ids["of another"])

    def seen(self, it: Thing) -> Seen:
        others = {name: self.opens(text) for name, text in it.ids.items() if name.startswith("of ")}
        return {**super().seen(it), **others}

    def done(self, it: Thing, wish: str) -> bool:
        return not self.opens(it.ids.get("password", ""))

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """Another app password of the same person, and others' of like names."""
        for account in (self.sub(it), f"{self.sub(it)}2", f"x{self.sub(it)}"):
            self.make(account)
            it.ids[f"of {account}"] = self.app_password(account)
        return [name for name in it.ids if name.startswith("of ")]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE", "path": "/core/apppassword"}]


CASES = (Account, AppPassword)
