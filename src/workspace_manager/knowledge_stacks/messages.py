"""Messages about knowledge stacks, the templates they are made from, and stacks."""

from typing import Final

from workspace_manager.contract.message import Catalogue, English

COMPOSE: Final[dict[str, English]] = {
    # As text.
    "too_long": "The compose file is longer than {most} characters.",
    "too_deep": "The compose file is nested too deeply.",
    "not_yaml": "Line {line} is not YAML: {why}.",
    "unreadable": "This text is not valid YAML.",
    "no_mapping": (
        "A compose file has named sections, and this text has none. Begin with “services:”."
    ),
    "anchors": (
        "Line {line}: anchors and aliases (“&”, “*”) are not supported. Write the value out."
    ),
    "tags": "Line {line}: tags (“!”) are not supported. Write a plain value.",
    "keys": "Line {line}: a name has to be plain text. Merge keys (“<<”) are not supported.",
    "twice": "Line {line}: “{name}” occurs twice.",
    "characters": "Line {line} has a character that is not allowed in text. Remove it.",
    # As a compose file.
    "no_services": "The compose file has no services.",
    "too_many_services": "The compose file has more than {most} services.",
    "shape": "{where}: “{feature}” does not have the form that compose files require.",
    "repeated": "{where}: “{feature}” has the same entry twice. Remove one.",
    "name": "{where}: “{name}” cannot be a name.",
    "not_carried_out": (
        "{where}: “{feature}” is not supported. Remove it. docs/reference/compose-features.md "
        "lists what is supported."
    ),
    "managed": "{where}: the manager sets “{feature}” itself. Remove it.",
    "privileged": (
        "{where}: “{feature}” gives access to the host, which the settings of the container "
        "manager do not allow."
    ),
    "host_path": (
        "{where}: “{path}” is a path of the host, which the settings of the container manager do "
        "not allow. Use a volume."
    ),
    "no_image": "{where}: “image” is missing. Name a ready image; images cannot be built here.",
    "no_value": "{where}: “{name}” in “{feature}” has no value.",
    "no_such_volume": "{where}: the file does not define the volume “{name}”.",
    "unnamed_volume": "{where}: the volume “{path}” has no name. Write name:{path}.",
    "not_there": "{where}: “{feature}” names “{name}”, which the file does not define.",
    "dollar": (
        "{where}: “{feature}” has a “$” that belongs to no variable. Write ${{NAME}} for a "
        "variable, and $$ for the character itself."
    ),
    "variable_place": (
        "{where}: {name} in “{feature}” is not supported. Use variables in environment and labels "
        "only."
    ),
    "secret_place": (
        "{where}: {name} in “{feature}” is not supported. Use secrets in the environment of "
        "services only."
    ),
    "variable_unknown": (
        "{where}: {name} is not a parameter of this template, and nothing that the template needs "
        "sets it."
    ),
    "no_web_service": "The file has no service “{name}” for people to open. It has {there}.",
}
"""Of compose files that cannot be taken."""

message = Catalogue(
    "work_stacks",
    __file__,
    {
        # Templates.
        "template_name": "Use 1 to 40 characters of a-z, 0-9 and “-”. Begin with a letter.",
        "template_name_taken": "A template with the name “{name}” already exists.",
        "template_name_stays": "You cannot change the name of a template. Add another template.",
        "template_unusable": "“{label}” cannot be used now: {why}",
        "template_offered": "This template is offered. Withdraw it first.",
        "parameter_name": (
            "“{name}” cannot be a parameter. Use A-Z, 0-9 and “_”, each name once, and no name "
            "that the workspace sets itself."
        ),
        "parameter_label": "The label of “{name}” has characters that cannot be shown.",
        "parameter_value": (
            "The value of “{name}” has more than {most} characters, or characters that cannot be "
            "shown."
        ),
        "parameters_many": "A template can have at most {most} parameters.",
        "parameter_unknown": "This template has no parameter “{name}”. Its parameters: {there}.",
        "parameter_missing": "Enter a value for “{name}”.",
        "needs": "Choose from {needs}.",
        "web_port": "A port is a number from 1 to 65535.",
        "web_service_needed": (
            "A stack with sign_in needs a service that people open. Choose that service, or switch "
            "sign_in off."
        ),
        "health_text": "Use at most 200 characters, and none that cannot be shown.",
        "path": "A path begins with “/” and has no spaces.",
        # Knowledge stacks.
        "template_wanted": "Choose a template: {there}.",
        "recipe_refused": (
            "A knowledge stack cannot be created from “{template}” as it was then: {why}"
        ),
        "template_of_none": "Only a knowledge stack can be created from a template.",
        "no_templates": "There is no template yet. An administrator has to offer one.",
        "uses_unknown": "This template does not use “{name}”. It uses {there}.",
        "uses_missing": (
            "This template needs a component of the kind {kind}. Choose one of yours, or create a "
            "stack, which includes one."
        ),
        "uses_not_yours": "Choose a component of the kind {kind} that is yours and ready.",
        "drive_not_connected": (
            "This template uses your files, but your drive is not connected. Connect it on the "
            "page Connected accounts, and try again."
        ),
        "no_link_no_groups": (
            "A stack from this template asks people to sign in, and {name} is not linked to an "
            "account at the identity provider yet. Sign in through the identity provider first."
        ),
        "no_port": (
            "All {count} ports for knowledge stacks are in use. Delete a stack that nobody needs, "
            "or ask an administrator to allow more ports (setting stack_ports)."
        ),
        "keep_volumes_of_none": "Only a knowledge stack has volumes to keep.",
        "volumes_stay": (
            "The volumes of “{label}” stay in the container manager: those with the label "
            "workspace.manager.component={id}, and those without a name that an image created. "
            "Somebody has to delete them there by hand."
        ),
        "volumes_go": "“{label}”: its volumes are removed, and everything in them.",
        "goes_with_it": (
            "“{label}”: its containers and networks, its client and groups at the identity "
            "provider, and its own accounts are removed."
        ),
        "purpose": "Knowledge stack {label}",
        # Stacks.
        "part_of_stack": (
            "“{label}” is part of the stack “{stack}”. Change or delete the whole stack."
        ),
        "nothing_held": "No step of “{label}” is stuck or waits for a retry.",
        "not_by_trying": "A retry of “{label}” does not help now: {reason}",
        "stack_gone": "This stack does not exist any more.",
        "stack_deleting": "This stack is already being deleted.",
        "stack_goes": "{name} is being removed, and this stack with them.",
        "stack_owner_does_not_share": "The owner of the stack is not a member of this project.",
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
