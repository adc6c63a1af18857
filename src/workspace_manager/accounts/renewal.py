"""Renew a service key: another secret everywhere it is used, and the old one refused.

The new secret is written down with the plan, before the first call: whatever is killed, every try
sends the same one, so that all places end with it. Nothing else that knows an older secret may
still be on its way to the account meanwhile: a renewal is refused while something is, and waits for
what slipped in at the same moment.

See docs/explanation/components.md#service-keys.
"""

from collections.abc import Iterator
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from workspace_manager.accounts import accounts, machine_accounts, repositories, sql_databases
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_active
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.core.account_link import made_by_us, sub_of
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, change_of, plan_change, store
from workspace_manager.engine.supersede import let_end, under_way
from workspace_manager.records.models import (
    Person,
    Plan,
    PlanChange,
    PlanStep,
    ServiceKey,
    VaultEntry,
)
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.sql_server.settings import Settings as SqlSettings
from workspace_manager.systems.triplestore import names as triplestore_names

OLD_PASSWORD: Final = "old_password"  # noqa: S105
STEPS: Final = {
    sql_databases.SYSTEM: declare_step("renew_sql_password", message),
    repositories.SYSTEM: declare_step("renew_triplestore_password", message),
}
ATTRIBUTES: Final = "identity_provider.attributes"
AGAIN_S: Final = 5.0


def renew(key: ServiceKey, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Store the plan that gives the key's account another secret. Raises Refused, with the plan
    that is in the way: while one runs that concerns the key, while its account is not made, and for
    an owner who is not active.
    """
    with transaction.atomic():
        owner = lock_active(key.owner)
        current = lock_key(key)
        refuse_under_way(current)
        if current.used_by is not None:
            raise Refused(message("key_of_stack", label=current.used_by.label))
        if not systems.configured(current.system):
            raise Refused(of_core("not_configured", system=label_of(current.system)))
        if not made_by_us(owner, machine_accounts.USERS[current.system], current.account):
            raise Refused(message("key_account_missing"))
        current.next_secret = accounts.new_secret(current.system)
        current.save(update_fields=["next_secret"])
        vault = Vault()
        document = PlanDocument(
            kind=RENEWAL.name,
            person=owner.username,
            subject=str(owner.id),
            about=str(current.id),
            steps=_steps(current, vault, systems),
        )
        plan = store(document, actor=actor, state=Plan.State.RUNNING, vault=vault)
        let_end(plan, under_way(systems, subject=str(owner.id)))
        note(
            "service_key:renewal_requested",
            owner.username,
            actor=actor,
            system=current.system,
            account=current.account,
        )
    return plan


def after_relinking(person: Person, *, actor: str, systems: ConnectedSystems) -> Plan | None:
    """Store the plan that gives a person whose account at the identity provider was made again
    another SQL password: the new account does not have the one from which the SQL administration
    tool signs them in, and once it was shown nobody else has it either. In the caller's
    transaction.

    None for whoever has no such key, and while it cannot be renewed: then no account is there to
    sign in to, or a plan that was begun before is stuck on the account that is gone and says so.
    """
    rows = ServiceKey.objects.filter(owner=person, system=sql_databases.SYSTEM)
    key = rows.filter(component=None).first()
    if key is None:
        return None
    try:
        return renew(key, actor=actor, systems=systems)
    except Refused:
        return None


def lock_key(key: ServiceKey) -> ServiceKey:
    """The key as it is now, its row locked. Raises Refused for one that is gone."""
    rows = ServiceKey.objects.select_for_update(of=("self",))
    current = rows.select_related("owner", "component", "used_by").filter(id=key.id).first()
    if current is None:
        raise Refused(message("key_gone"))
    return current


def refuse_under_way(key: ServiceKey) -> None:
    """Raises Refused while a plan is about the key, or gives its account a secret or takes it."""
    plan = Plan.objects.filter(about=str(key.id), state__in=Plan.OPEN).first()
    if plan is not None:
        code = "key_renewing" if plan.kind == RENEWAL.name else "key_not_in_force"
        raise Refused(message(code), plan=str(plan.id))
    for row in _set_up_by(key):
        raise Refused(message("key_not_in_force"), plan=str(row.step.plan_id))


def _set_up_by(key: ServiceKey) -> Iterator[PlanChange]:
    """Changes of other plans, whatever their kind, that have not ended and give the account, or the
    attribute that goes with it, another secret than the one it is to have, or take the account
    away.
    """
    places = Q(kind=machine_accounts.USERS[key.system], name=key.account)
    if key.component_id is None and key.system == sql_databases.SYSTEM:
        sub = sub_of(key.owner)
        places |= Q(step__name=sql_databases.ATTRIBUTE_STEP, change__target__sub=sub)
    rows = PlanChange.objects.filter(
        places, step__plan__subject=str(key.owner_id), step__plan__state__in=Plan.OPEN
    )
    rows = rows.exclude(state__in=PlanChange.ENDED).exclude(step__state__in=PlanStep.ENDED)
    for row in rows.exclude(step__plan__about=str(key.id)).select_related("step"):
        change = change_of(row)
        if change.after is None or any(
            secret != key.next_secret for secret in map(_kept, change.secrets.values())
        ):
            yield row


def _kept(reference: SecretRef) -> Secret | None:
    place, _, number = reference.partition("/")
    entry = VaultEntry.objects.filter(id=number).first() if place == "vault" else None
    return entry.secret if entry else None


def _steps(key: ServiceKey, vault: Vault, systems: ConnectedSystems) -> tuple[PlannedStep, ...]:
    """The account first; the attribute follows, from which the SQL administration tool takes the
    password of a person.
    """
    assert key.next_secret is not None
    secrets = {accounts.PASSWORD: vault.keep(key.next_secret)}
    old = _old(key, vault, systems)
    wish = sql_names.RENEWED if key.system == sql_databases.SYSTEM else triplestore_names.RENEWED
    change = Change(
        kind=machine_accounts.USERS[key.system],
        subject=str(key.owner_id),
        target={"user": key.account},
        after={"exists": True, **wish},
        secrets={**secrets, **({OLD_PASSWORD: old} if old else {})},
    )
    account = PlannedStep(
        n=1,
        name=STEPS[key.system],
        system=key.system,
        changes=(plan_change(_desired(change)),),
    )
    if key.component_id or key.system != sql_databases.SYSTEM:
        return (account,)
    return (
        account,
        sql_databases.attribute_step(key.owner, systems, secrets, n=2, needs=(1,)),
    )


def _old(key: ServiceKey, vault: Vault, systems: ConnectedSystems) -> SecretRef:
    """Where the secret is that has to be refused from now on; "" where nobody knows it any more."""
    # A revealed SQL password stands with the user at the identity provider until the new one takes
    # its place there, after it was tried.
    if key.secret is not None:
        return vault.keep(key.secret)
    sub = "" if key.component_id else sub_of(key.owner)
    if key.system != sql_databases.SYSTEM or not sub or not systems.has_identity_provider:
        return ""
    return f"{ATTRIBUTES}/{sub}/{systems.settings_of(SqlSettings).password_attribute}"


def _key(change: Change) -> ServiceKey | None:
    """The key that a change renews, as long as it does."""
    rows = ServiceKey.objects.select_related("owner").exclude(next_secret=None)
    if change.kind == ATTRIBUTES:
        system = sql_databases.SYSTEM
        return rows.filter(owner__id=change.subject, system=system, component=None).first()
    return rows.filter(
        owner__id=change.subject, system=change.system, account=change.target["user"]
    ).first()


def _may_act(change: Change) -> bool:
    """Return whether the account is still the key's: without the key it is somebody else's. Raises
    Unavailable while another plan still has another secret for the account on its way.
    """
    key = _key(change)
    if key is None:
        return False
    for _ in _set_up_by(key):
        raise Unavailable(
            message("key_being_set_up"),
            kind=change.kind,
            doing=message("renewing_key"),
            retry_after=AGAIN_S,
        )
    return True


def _desired(change: Change) -> Change:
    """In the triplestore what an account may do is wished together with its password."""
    if change.kind != repositories.USER:
        return change
    found = machine_accounts.desired(change) or repositories.desired(change)
    rights = (found.after or {}).get("authorities") or triplestore_names.authorities()
    return change.model_copy(update={"after": {"authorities": rights, **triplestore_names.RENEWED}})


def _renewed(plan: Plan, _systems: ConnectedSystems) -> None:
    """The new secret is the key's, to be revealed once. When a person left out the account itself,
    nobody knows which one it has: then none is shown.
    """
    if plan.state != Plan.State.DONE:
        return
    rows = ServiceKey.objects.select_for_update(of=("self",)).select_related("owner")
    key = rows.filter(id=plan.about).exclude(next_secret=None).first()
    if key is None:
        return
    row = PlanChange.objects.get(step__plan=plan, kind=machine_accounts.USERS[key.system])
    known = row.state in {PlanChange.State.DONE, PlanChange.State.ALREADY}
    key.secret, key.next_secret = key.next_secret if known else None, None
    if known:
        key.revealed_at, key.renewed_at = None, timezone.now()
    key.save(update_fields=["secret", "next_secret", "revealed_at", "renewed_at"])
    if known:
        note(
            "service_key:renewed",
            key.owner.username,
            actor=plan.created_by,
            system=key.system,
            account=key.account,
        )


RENEWAL: Final = PlanKind(
    "service_key.renew",
    message("plan.service_key.renew"),
    desired=_desired,
    may_act=_may_act,
    on_saved=_renewed,
    owner_sees=True,
)
