"""The guard of the role of administrator, in every story that could take the last one away."""

from django.conf import settings

from workspace_manager.core.messages import message
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Announcement, Person


def forget_announcement(username: str) -> bool:
    """A name that goes takes its announcement along: whoever has it later is somebody else. Says
    whether there was one.
    """
    gone, _ = Announcement.objects.filter(username=username).delete()
    return gone > 0


def lock_administrators() -> None:
    """First in every transaction that may shut an administrator out: of two who do so to each other
    at once, one is refused.
    """
    list(
        Person.objects.select_for_update()
        .filter(role=Person.Role.ADMINISTRATOR)
        .order_by("id")
        .values_list("id")
    )


def refuse_self_and_last(person: Person, actor: str) -> None:
    """Raises Refused: administrators cannot shut themselves out, whoever was shut out can shut out
    nobody, and one active administrator always stays.
    """
    if person.username == actor:
        raise Refused(message("not_yourself"))
    refuse_former(actor)
    others = Person.objects.active_administrators().exclude(id=person.id)
    if person.is_administrator and not others.exists():
        raise Refused(message("last_administrator", name=person.username))


def refuse_former(actor: str) -> None:
    """Raises Refused for somebody of the workspace who was an administrator when the request began,
    and is none any more.
    """
    acting = Person.objects.filter(username=actor).first()
    if acting and not (acting.is_administrator and acting.state == Person.State.ACTIVE):
        raise Refused(message("former_administrator", name=actor))


def named_first(username: str) -> bool:
    """Return whether the deployment names this one, and nobody has ever been an administrator."""
    named = bool(settings.FIRST_ADMINISTRATOR) and username == settings.FIRST_ADMINISTRATOR
    return named and not Person.objects.filter(role=Person.Role.ADMINISTRATOR).exists()


def first_by_name() -> str:
    """The first administrator, not here yet and known by nothing but this name; "" when there is no
    such one.
    """
    known = settings.FIRST_ADMINISTRATOR_SUB or settings.FIRST_ADMINISTRATOR_EMAIL
    name = str(settings.FIRST_ADMINISTRATOR)
    return name if not known and named_first(name) else ""
