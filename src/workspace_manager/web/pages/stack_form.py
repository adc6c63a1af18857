"""The form of a new stack, with its template's questions."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.knowledge_stacks.stack_choice import PARTS, StackRequest
from workspace_manager.knowledge_stacks.templates import LONGEST_VALUE, Parameter
from workspace_manager.records.models import Component, Person, Project, StackTemplate
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.components import ProjectField

PARAMETER: Final = "parameter_"
USES: Final = "uses_"


class NewStack(forms.Form):
    """The form of a new stack. `template`: the template of its knowledge stack; None for a stack of
    a database and a repository.
    """

    label = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy(
            "A name that you recognise. The technical name is derived from it and never changes."
        ),
    )
    project = ProjectField(
        label=gettext_lazy("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=gettext_lazy("None, only for me"),
        help_text=gettext_lazy("Members of the project use it with their own accounts."),
    )

    def __init__(
        self, *args: Any, owner: Person, template: StackTemplate | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.template = template
        project = self.fields["project"]
        assert isinstance(project, ProjectField)
        project.offer(owner)
        for asked in template.parameters if template else []:
            self._ask(Parameter.model_validate(asked))
        self.needed = [kind for kind in PARTS if template and kind in template.needs]
        for kind in self.needed:
            self.fields[USES + kind] = _own_component(owner, kind)

    def _ask(self, asked: Parameter) -> None:
        self.fields[PARAMETER + asked.name] = forms.CharField(
            label=asked.label or asked.name,
            initial=asked.default,
            required=asked.required and not asked.default,
            max_length=LONGEST_VALUE,
            widget=forms.Textarea({"rows": 3}) if "\n" in asked.default else forms.TextInput(),
        )

    @property
    def parameters(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(PARAMETER)]

    @property
    def parts(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(USES)]

    def clean(self) -> dict[str, Any]:
        """Refuse own components for some of the parts only: all are used or all are made."""
        cleaned = super().clean() or {}
        uses = [cleaned.get(USES + kind) for kind in self.needed]
        if any(uses) and not all(uses):
            self.add_error(None, _("Choose your own component for all of these or for none."))
        return cleaned

    @property
    def wanted(self) -> StackRequest | None:
        """Return the request for the story."""
        if self.template is None:
            return None
        parameters = {
            name.removeprefix(PARAMETER): str(value)
            for name, value in self.cleaned_data.items()
            if name.startswith(PARAMETER)
        }
        uses = {str(kind): str(self.cleaned_data[USES + kind].id) for kind in self.used}
        return StackRequest(self.template.name, parameters, uses)

    @property
    def used(self) -> list[Component.Kind]:
        """Return the kinds with a chosen component."""
        return [kind for kind in self.needed if self.cleaned_data.get(USES + kind)]

    @property
    def alone(self) -> bool:
        """Return whether only the knowledge stack is made."""
        return self.template is not None and len(self.used) == len(self.needed)


def _own_component(owner: Person, kind: Component.Kind) -> forms.ModelChoiceField:  # type: ignore[type-arg]
    rows = Component.objects.filter(owner=owner, kind=kind, state=Component.State.READY)
    return forms.ModelChoiceField(
        label=labels.kind(str(kind)),
        queryset=rows.order_by("label", "id"),
        required=False,
        empty_label=gettext_lazy("A new one, created and deleted together with the stack"),
    )
