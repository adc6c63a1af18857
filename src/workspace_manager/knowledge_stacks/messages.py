"""Messages about knowledge stacks, the templates they are made from, and stacks."""

from typing import Final

from workspace_manager.contract.message import Catalogue, English

COMPOSE: Final[dict[str, English]] = {
    # As text.
    "too_long": "The compose file is longer than {most} characters.",
    "too_deep": "The compose file has parts within parts too deep to be read.",
    "not_yaml": "Line {line} is not YAML: {why}.",
    "unreadable": "This cannot be read as YAML.",
    "no_mapping": "A compose file has parts with names; this has none. Begin with “services:”.",
    "anchors": ("Line {line}: anchors and aliases (“&”, “*”) are not carried out. Write it out."),
    "tags": "Line {line}: tags (“!”) are not carried out. Write a plain value.",
    "keys": "Line {line}: a name has to be plain text; merged keys (“<<”) are not carried out.",
    "twice": "Line {line}: “{name}” stands there twice.",
    "characters": "Line {line}: a character there cannot be part of a text. Leave it out.",
    # As a compose file.
    "no_services": "The compose file has no services.",
    "too_many_services": "The compose file has more than {most} services.",
    "shape": "{where}: “{feature}” does not have the form it has in a compose file.",
    "repeated": "{where}: “{feature}” has the same twice. Leave one out.",
    "name": "{where}: “{name}” cannot be a name.",
    "not_carried_out": (
        "{where}: “{feature}” is not carried out. Leave it out; docs/reference/"
        "compose-features.md says what is carried out."
    ),
    "managed": "{where}: “{feature}” is decided by the manager. Leave it out.",
    "privileged": (
        "{where}: “{feature}” reaches the host, and the settings of the container manager do "
        "not allow that."
    ),
    "host_path": (
        "{where}: “{path}” is a path of the host, and the settings of the container manager do "
        "not allow that. Name a volume."
    ),
    "no_image": "{where}: “image” is missing. An image is named, and not built.",
    "no_value": "{where}: “{name}” in “{feature}” has no value.",
    "no_such_volume": "{where}: the volume “{name}” is not among the volumes of the file.",
    "unnamed_volume": "{where}: “{path}” is no named volume. Write name:{path}.",
    "not_there": "{where}: “{name}” in “{feature}” is not in the file.",
    "dollar": (
        "{where}: in “{feature}” is a “$” that is no variable. Write ${{NAME}} for a variable, "
        "$$ for the sign itself."
    ),
    "variable_place": (
        "{where}: {name} in “{feature}” is not carried out. Variables stand in environment and "
        "labels only."
    ),
    "secret_place": (
        "{where}: {name} in “{feature}” is not carried out. Secrets stand in the environment "
        "of services only."
    ),
    "variable_unknown": (
        "{where}: {name} is neither a parameter of this template nor something its needs bring."
    ),
    "no_web_service": "The service that people open, “{name}”, is not among {there}.",
}
"""Of compose files that cannot be taken."""

message = Catalogue(
    "work_stacks",
    __file__,
    {
        # Templates.
        "template_name": "Use 1 to 40 of a-z, 0-9 and “-”, beginning with a letter.",
        "template_name_taken": "There is a template of the name “{name}” already.",
        "template_name_stays": "The name of a template stays. Add another one.",
        "template_unusable": "Nothing can be made from “{label}” now: {why}",
        "template_offered": "This template is offered. Withdraw it first.",
        "parameter_name": (
            "“{name}” cannot be a parameter: use A-Z, 0-9 and “_”, each name once, and none that "
            "the workspace brings itself."
        ),
        "parameter_label": "The label of “{name}” cannot be shown.",
        "parameter_value": (
            "The value of “{name}” has more than {most} characters, or some that cannot be shown."
        ),
        "parameters_many": "More than {most} parameters are too many.",
        "parameter_unknown": "“{name}” is not asked for; this template asks for {there}.",
        "parameter_missing": "“{name}” is needed.",
        "needs": "Choose of {needs}.",
        "web_port": "A port is a number from 1 to 65535.",
        "web_service_needed": (
            "People sign in to a service they open: say which one that is, or do not ask for "
            "sign_in."
        ),
        "health_text": "Use at most 200 characters that can be shown.",
        "path": "A path begins with “/” and has no spaces.",
        # Knowledge stacks.
        "template_wanted": "Say which template it is made from: {there}.",
        "template_of_none": "Only a knowledge stack is made from a template.",
        "no_templates": "No template is offered yet; an administrator offers one.",
        "uses_unknown": "“{name}” is not needed; this template needs {there}.",
        "uses_missing": (
            "This template needs a component of the kind {kind}. Name one of yours, or make a "
            "stack, which brings it along."
        ),
        "uses_not_yours": "Name a component of yours of the kind {kind} that is ready.",
        "drive_not_connected": (
            "This template works with your files, and your drive is not connected. Connect it on "
            "your page of connected accounts, and ask again."
        ),
        "no_link_no_groups": (
            "People sign in to what this template makes, and {name} has no account link: nobody "
            "could be let in. Sign in through the identity provider first."
        ),
        "no_port": (
            "All {count} ports for knowledge stacks are taken. Delete one that is not needed, or "
            "have an administrator allow more (setting stack_ports)."
        ),
        "keep_volumes_of_none": "Only a knowledge stack has volumes that could be kept.",
        "volumes_stay": (
            "The volumes of “{label}” stay at the container manager: those labelled "
            "workspace.manager.component={id}, and those without a name that an image asked for. "
            "Nobody deletes them but by hand."
        ),
        "volumes_go": "“{label}”: its volumes are removed with everything in them.",
        "goes_with_it": (
            "“{label}”: its containers and networks, its client and groups at the identity "
            "provider, and the accounts it was given are removed."
        ),
        "purpose": "Knowledge stack {label}",
        # Stacks.
        "part_of_stack": (
            "“{label}” is a part of the stack “{stack}”; change or delete that one as a whole."
        ),
        "nothing_held": "Nothing of “{label}” is stuck or waits for another try.",
        "not_by_trying": "Trying “{label}” again does not help now: {reason}",
        "stack_gone": "This stack is not there any more.",
        "stack_deleting": "This stack is being deleted already.",
        "stack_goes": "{name} is being removed, and this stack goes with that.",
        "stack_owner_does_not_share": "The owner of the stack does not share this project.",
        "step.create_machine_accounts": "Create its own accounts",
        "step.create_groups": "Create its groups at the identity provider",
        "step.create_client": "Create its client at the identity provider",
        "step.create_stack": "Start its containers",
        "step.create_stack.ended": "Its containers are running and it answers.",
        "step.delete_stack": "Stop and remove its containers and networks",
        "step.delete_stack.ended": "All its containers and networks are removed.",
        "step.delete_volumes": "Remove its volumes",
        "step.delete_volumes.ended": "All its volumes are removed.",
        "step.delete_client": "Delete its client at the identity provider",
        "step.delete_client.ended": "Its client is deleted.",
        "step.delete_groups": "Delete its groups at the identity provider",
        "step.delete_groups.ended": "Its groups are deleted.",
        **COMPOSE,
    },
    codes={key: f"work_compose.{key}" for key in COMPOSE},
)
