"""Projects, components, stacks, service keys and applications.

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
    """Common columns of owned things: id, owner, label, time."""

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
    """A project. `ontology_project_id` is the ontology project's UUID."""

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="projects")
    description = models.TextField(blank=True)
    ontology_project_id = models.CharField(max_length=36, blank=True)
    ontology_mark = models.CharField(max_length=64, blank=True)
    ontology_owner = models.CharField(max_length=255, blank=True)
    """The owner of the ontology project in the editor: the person it was made for, also after a
    hand-over.
    """
    default = models.BooleanField(default=False)
    members = models.ManyToManyField(Person, through="Membership", related_name="shared_projects")
    received_at = models.DateTimeField(null=True, blank=True)
    """When its owner received it; None if the owner made it."""
    received_from = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The giver, while that person is here."""


class Membership(models.Model):
    """A person who uses what a project shares. The owner is not a member."""

    class Role(models.TextChoices):
        READ = "read", _("read")
        """Reads what the project shares, here and in the systems."""
        WRITE = "write", _("read and write")
        """Reads and writes; the role of an approved request."""
        MANAGE = "manage", _("read, write and manage members")
        """Reads, writes, and decides on members."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=without_labels(Role), default=Role.WRITE)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "person"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.person} in {self.project}"


class MembershipRequest(models.Model):
    """A request to join a project, for its owner to decide."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="requests")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="requests")
    state = models.CharField(max_length=20, default="pending")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.person} asks for {self.project}"


class Resource(Entity):
    """Common columns of components and stacks, which plans make and delete."""

    class State(models.TextChoices):
        CREATING = "creating", _("being created")
        READY = "ready", _("ready")
        WAITING = "waiting", _("waiting")
        FAILED = "failed", _("failed")
        DELETING = "deleting", _("being deleted")

    state = models.CharField(max_length=20, choices=without_labels(State), default=State.CREATING)
    name = models.CharField(max_length=64, unique=True)
    """Its name in the system: derived once, stored, never recomputed."""
    address = models.CharField(max_length=500, blank=True)

    class Meta(Entity.Meta):
        abstract = True


class StackTemplate(models.Model):
    """A template of knowledge stacks: a compose file and its parameters."""

    class State(models.TextChoices):
        DRAFT = "draft"
        """Administrators can try it."""
        OFFERED = "offered"
        """Everybody can make a knowledge stack from it."""
        WITHDRAWN = "withdrawn"
        """Nobody can make another; existing ones continue."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.SlugField(max_length=40, unique=True)
    label = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.DRAFT)
    compose = models.TextField()
    """The compose file as it was typed."""
    parameters = models.JSONField(default=list)
    """Questions to the person who makes one: `[{"name", "label", "default", "required"}]`."""
    needs = models.JSONField(default=list)
    """Access that it needs: `sign_in`, `sql_database`, `triplestore_repository`, `drive`."""
    web_service = models.CharField(max_length=63, blank=True)
    """The service that people open; "" for none."""
    web_port = models.PositiveIntegerField(default=80)
    """That service's port inside."""
    health_path = models.CharField(max_length=200, default="/")
    health_text = models.CharField(max_length=200, blank=True)
    """Text that its answer has to contain; "" accepts any successful answer."""
    open_path = models.CharField(max_length=200, default="/")
    """The path that people open."""
    redirect_path = models.CharField(max_length=200, default="/oidc/callback")
    """The path to which the identity provider returns after a sign-in."""
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
    """The stack that it was made with, and is deleted with."""
    public_read = models.BooleanField(default=False)
    """Whether everybody may read it; for a repository."""
    template = models.ForeignKey(
        StackTemplate, null=True, blank=True, on_delete=models.SET_NULL, related_name="made"
    )
    made_from = models.JSONField(default=dict)
    """The template and answers of a knowledge stack when it was made: its deletion must not change
    with the template.
    """
    port = models.PositiveIntegerField(null=True, blank=True, unique=True)
    """The port of a knowledge stack on its engine's host, from a range in the settings."""


class ServiceKey(Entity):
    """A credential in one system, shown once and then erased here.

    A personal key opens everything that its owner may use there: one per person and system. A
    machine key (`component` is set) has an account of its own, which may use that component and
    nothing else.
    """

    owner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="service_keys")
    system = models.CharField(max_length=40)
    account = models.CharField(max_length=255)
    secret = SecretField()
    revealed_at = models.DateTimeField(null=True, blank=True)
    renewed_at = models.DateTimeField(null=True, blank=True)
    next_secret = SecretField()
    """The next secret, from the request of a renewal to its end."""
    component = models.ForeignKey(
        Component, null=True, blank=True, on_delete=models.CASCADE, related_name="machine_keys"
    )
    """The component that a machine key opens."""
    purpose = models.CharField(max_length=100, blank=True)
    """The program that uses a machine key, in words."""
    used_by = models.ForeignKey(
        Component, null=True, blank=True, on_delete=models.CASCADE, related_name="keys_used"
    )
    """The knowledge stack that received a machine key, which ends with it."""

    class Meta(Entity.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "system"],
                condition=models.Q(component=None),
                name="one_key_per_system",
            )
        ]


class Tile(models.Model):
    """A tile of a person's dashboard: an application, given at the first sign-in."""

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
