"""What people work with: projects, components, stacks, service keys, applications.

See docs/explanation/projects.md#what-people-work-with.
"""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import SecretField
from workspace_manager.records.people import Person


class Entity(models.Model):
    """What the owned things share: an opaque id, an owner, a label, a time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    label = models.CharField(max_length=100)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.label


class Project(Entity):
    """Where people share. `ontology_project_id` holds the ontology project's UUID and
    nothing else.
    """

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="projects")
    description = models.TextField(blank=True)
    ontology_project_id = models.CharField(max_length=36, blank=True)
    ontology_mark = models.CharField(max_length=64, blank=True)
    ontology_owner = models.CharField(max_length=255, blank=True)
    """Whose the ontology project is in the editor: whoever it was made for, also after the project
    was handed over.
    """
    default = models.BooleanField(default=False)
    members = models.ManyToManyField(Person, through="Membership", related_name="shared_projects")
    received_at = models.DateTimeField(null=True, blank=True)
    """When it was handed over to its owner; None for who made it."""
    received_from = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Who gave it, while that person is here."""


class Membership(models.Model):
    """A person who uses what a project shares. The owner is not a member."""

    class Role(models.TextChoices):
        READ = "read", _("read")
        """Looks at what the project shares, here and in the systems."""
        WRITE = "write", _("read and write")
        """Works with it: what an approved request gives."""
        MANAGE = "manage", _("read, write and manage members")
        """Works with it, and decides who else may."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=without_labels(Role), default=Role.WRITE)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "person"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.person} in {self.project}"


class MembershipRequest(models.Model):
    """Somebody asks to join a project; its owner decides."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="requests")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="requests")
    state = models.CharField(max_length=20, default="pending")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.person} asks for {self.project}"


class Resource(Entity):
    """What components and stacks share: they are made and removed by plans."""

    class State(models.TextChoices):
        CREATING = "creating", _("being created")
        READY = "ready", _("ready")
        WAITING = "waiting", _("waiting")
        FAILED = "failed", _("failed")
        DELETING = "deleting", _("being deleted")

    state = models.CharField(max_length=20, choices=without_labels(State), default=State.CREATING)
    name = models.CharField(max_length=64, unique=True)
    """What it is called in its system: derived once, stored, never recomputed."""
    address = models.CharField(max_length=500, blank=True)

    class Meta(Entity.Meta):
        abstract = True


class StackTemplate(models.Model):
    """What a knowledge stack is made from, as data: a compose file and what it asks for."""

    class State(models.TextChoices):
        DRAFT = "draft"
        """Administrators may try it."""
        OFFERED = "offered"
        """Everybody may make a knowledge stack from it."""
        WITHDRAWN = "withdrawn"
        """Nobody makes another; those that stand go on."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.SlugField(max_length=40, unique=True)
    label = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.DRAFT)
    compose = models.TextField()
    """The compose file as it was typed."""
    parameters = models.JSONField(default=list)
    """What whoever makes one is asked: `[{"name", "label", "default", "required"}]`."""
    needs = models.JSONField(default=list)
    """Which accesses it is given: `sign_in`, `sql_database`, `triplestore_repository`, `drive`."""
    web_service = models.CharField(max_length=63, blank=True)
    """The service that people open; "" for none."""
    web_port = models.PositiveIntegerField(default=80)
    """Where that service listens inside."""
    health_path = models.CharField(max_length=200, default="/")
    health_text = models.CharField(max_length=200, blank=True)
    """What its answer there has to contain; "": any answer that is a success."""
    open_path = models.CharField(max_length=200, default="/")
    """Where people are led to."""
    redirect_path = models.CharField(max_length=200, default="/oidc/callback")
    """Where the identity provider sends people back to after they signed in."""
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=255, blank=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["label", "name"]

    def __str__(self) -> str:
        return self.label


class Stack(Resource):
    """Several components that belong together."""

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="stacks")
    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.SET_NULL, related_name="stacks"
    )


class Component(Resource):
    """One database, repository or knowledge stack."""

    class Kind(models.TextChoices):
        SQL_DATABASE = "sql_database", _("SQL database")
        TRIPLESTORE_REPOSITORY = "triplestore_repository", _("Triplestore repository")
        KNOWLEDGE_STACK = "knowledge_stack", _("Knowledge stack")

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="components")
    kind = models.CharField(max_length=40, choices=without_labels(Kind))
    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.SET_NULL, related_name="components"
    )
    stack = models.ForeignKey(
        Stack, null=True, blank=True, on_delete=models.SET_NULL, related_name="parts"
    )
    """The stack it was made with, and is deleted with."""
    public_read = models.BooleanField(default=False)
    """Whether the whole world may read it: of a repository."""
    template = models.ForeignKey(
        StackTemplate, null=True, blank=True, on_delete=models.SET_NULL, related_name="made"
    )
    made_from = models.JSONField(default=dict)
    """Of a knowledge stack, as the template and the answers stood when it was made: what removing
    it needs does not change with the template.
    """
    port = models.PositiveIntegerField(null=True, blank=True, unique=True)
    """Where a knowledge stack is reached on the host of its engine: one of a range that settings
    name.
    """


class ServiceKey(Entity):
    """A credential in one system, shown once and then forgotten here.

    A personal one opens everything its owner may use there: one per person and system. A machine
    key (`component` is set) is of an account of its own, which may use that component and nothing
    else.
    """

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="service_keys")
    system = models.CharField(max_length=40)
    account = models.CharField(max_length=255)
    secret = SecretField()
    revealed_at = models.DateTimeField(null=True, blank=True)
    renewed_at = models.DateTimeField(null=True, blank=True)
    next_secret = SecretField()
    """What takes the place of the secret, from the moment a renewal is asked for to its end."""
    component = models.ForeignKey(
        Component, null=True, blank=True, on_delete=models.CASCADE, related_name="machine_keys"
    )
    """Of a machine key: what it opens."""
    purpose = models.CharField(max_length=100, blank=True)
    """Of a machine key, in words: which program uses it."""
    used_by = models.ForeignKey(
        Component, null=True, blank=True, on_delete=models.CASCADE, related_name="keys_used"
    )
    """Of a machine key that a knowledge stack was given: it goes with that one."""

    class Meta(Entity.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "system"],
                condition=models.Q(component=None),
                name="one_key_per_system",
            )
        ]


class Tile(models.Model):
    """A tile on a person's dashboard: one of the workspace's applications, given at
    first sign-in.
    """

    class Kind(models.TextChoices):
        DRIVE = "drive"
        NOTEBOOK_HUB = "notebook_hub"
        ONTOLOGY_EDITOR = "ontology_editor"
        SQL_ADMIN_TOOL = "sql_admin_tool"

    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="tiles")
    kind = models.CharField(max_length=40, choices=without_labels(Kind))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "kind"], name="tile_once")]

    def __str__(self) -> str:
        return self.kind
