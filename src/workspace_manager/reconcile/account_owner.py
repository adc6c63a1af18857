"""Give an account an owner, or take it back.

A person decides. The manager refuses if the id belongs to somebody else, the name is another
person's, or an account is recorded already. A name alone is never sufficient evidence for the
manager itself.
"""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from workspace_manager.access.administrators import refuse_former
from workspace_manager.accounts import accounts
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import subs_of
from workspace_manager.core.address_owners import Address
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.refusal import Refused
from workspace_manager.core.same_names import counts_as
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.people.import_people import ImportedAccount, adopt_account
from workspace_manager.reconcile.by_id import known_ids, made_of_ids
from workspace_manager.reconcile.difference_actions import IDENTITY_USER, open_item, refuse_unless
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import Account, Person, ReconcileItem, UnapprovedSignIn
from workspace_manager.systems import registry


def adopt(n: int, *, actor: str, systems: ConnectedSystems) -> ReconcileItem:
    """Give an account to the person whose it may be by the records. A user of the identity provider
    is approved and registered at the next sign-in. Raises Refused.
    """
    item = open_item(n)
    refuse_unless("adopt", item)
    if item.kind != IDENTITY_USER:
        return connect(n, item.username, actor=actor, systems=systems)
    with transaction.atomic():
        refuse_former(actor)
        stranger = _stranger(item, unlinked_sign_ins.RefusalReason.NOT_APPROVED)
    # Systems are asked whether the name is free: no transaction may be open.
    approved = unlinked_sign_ins.approve_existing(stranger.id, actor=actor, systems=systems)
    note("reconcile:adopted", approved.username, actor=actor, name=item.name, n=n)
    return _over(item)


def connect(n: int, username: str, *, actor: str, systems: ConnectedSystems) -> ReconcileItem:
    """Record an account as this person's, though the manager did not make it. A user that was made
    again at the identity provider is relinked. Raises Refused, and Person.DoesNotExist.
    """
    item = open_item(n)
    refuse_unless("connect", item)
    if item.kind == IDENTITY_USER:
        if username != item.username:
            raise Refused(message("other_person", person=Named(person=item.username)))
        return _relinked(item, actor, systems)
    with transaction.atomic():
        refuse_former(actor)
        person = Person.objects.select_for_update().get(username=username)
        _refuse_other(item, _id_of(item, systems), person)
        try:
            with transaction.atomic():
                adopt_account(
                    ImportedAccount(item.system, item.kind, item.name, person), database_now()
                ).save()
        except IntegrityError as taken:
            raise Refused(message("recorded_meanwhile", name=item.name)) from taken
        item.username = username
        item.save(update_fields=["username"])
        _note_connected(item, actor, username)
        return _over(item)


def _relinked(item: ReconcileItem, actor: str, systems: ConnectedSystems) -> ReconcileItem:
    with transaction.atomic():
        refuse_former(actor)
        # The person is locked before the sign-in (records/lock_order.py).
        list(Person.objects.select_for_update().filter(username=item.username).values_list("id"))
        stranger = _stranger(item, unlinked_sign_ins.RefusalReason.OTHER_SUB)
        person = unlinked_sign_ins.relink(
            stranger.id, actor=actor, systems=systems, meant=item.username
        )
        _note_connected(item, actor, person.username)
        return _over(item)


def _note_connected(item: ReconcileItem, actor: str, username: str) -> None:
    note("reconcile:connected", username, actor=actor, kind=item.kind, name=item.name, n=item.n)


def disconnect(n: int, *, actor: str) -> ReconcileItem:
    """Take an account from its person: one that was connected here, one of another id, or one that
    is recorded but absent. The account itself stays, and the next run finds it again.

    Raises Refused if it was not connected, if a plan shut or removed it meanwhile, and for the
    account of a key, which is revoked instead.
    """
    with transaction.atomic():
        refuse_former(actor)
        item = ReconcileItem.objects.select_for_update().get(n=n)
        rows = Account.objects.filter(
            kind=item.kind, name=item.name, username=item.username, gone_at=None
        )
        if item.ended_at is None:
            refuse_unless("disconnect", item)
            _forget(item, rows)
            _over(item)
        else:
            _disconnect(item, rows.filter(made_by_us=False, locked_by_us=False))
        note("reconcile:disconnected", item.username, actor=actor, kind=item.kind, name=item.name)
    return item


def _forget(item: ReconcileItem, rows: QuerySet[Account]) -> None:
    """Delete the record with its key; the next use of an account makes a new one."""
    account = rows.select_related("person").first()
    if account is None:
        return
    if account.machine:
        raise Refused(message("of_a_key", name=item.name))
    if account.person is None:
        rows.delete()
    else:
        accounts.forget(account.person, item.kind, item.name)


def _disconnect(item: ReconcileItem, rows: QuerySet[Account]) -> None:
    if item.kind == IDENTITY_USER or not rows.exists():
        raise Refused(message("not_connected", name=item.name))
    rows.delete()


def _id_of(item: ReconcileItem, systems: ConnectedSystems) -> str:
    """Return the user id of an account, as the system says or as its name contains it."""
    spec = registry().specs.get(item.system)
    if item.sub or spec is None:
        return item.sub
    made = made_of_ids(spec, systems.settings.get(item.system), known_ids())
    return next((sub for key, sub in made if key == (item.kind, item.name)), "")


def _refuse_other(item: ReconcileItem, item_sub: str, person: Person) -> None:
    """Raise Refused if the account is, or may be, somebody else's."""
    here = Named(person=person.username)
    if person.state == Person.State.LEAVING:
        raise Refused(message("leaving", person=here))
    # Covers a person who never signed in: the id belongs to somebody else, or will.
    if item_sub and item_sub != subs_of([person]).get(person.id, ""):
        raise Refused(message("of_other_sub", person=here))
    names = {item.login_name, "" if item_sub else item.name} - {""}
    if any(counts_as(person.username) == counts_as(name) for name in names):
        exact = person.username in names
        if not exact:
            raise Refused(message("only_alike", name=item.name, person=here))
    else:
        alike = {counts_as(name) for name in names}
        others = Person.objects.exclude(pk=person.pk).values_list("username", flat=True)
        other = next((one for one in others.iterator() if counts_as(one) in alike), "")
        if other:
            raise Refused(message("others_name", name=item.name, person=Named(person=other)))
    own = Account.objects.filter(kind=item.kind, person=person, machine=False, gone_at=None).first()
    if own is not None:
        system = label_of(item.system)
        raise Refused(message("has_one", person=here, system=system, name=own.name))


def _stranger(item: ReconcileItem, why: unlinked_sign_ins.RefusalReason) -> UnapprovedSignIn:
    """Return the account as an unapproved sign-in."""
    return unlinked_sign_ins.lock_stranger(
        sub=item.sub or item.name,
        username=item.login_name,
        address=Address(item.email, item.email_confirmed),
        why=why,
    )


def _over(item: ReconcileItem) -> ReconcileItem:
    item.ended_at = database_now()
    item.save(update_fields=["ended_at"])
    return item
