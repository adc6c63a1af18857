"""What is said about compose files that cannot be used."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "work_compose",
    __file__,
    {
        # As text.
        "too_long": "The compose file is longer than {most} characters.",
        "too_deep": "The compose file has parts within parts too deep to be read.",
        "not_yaml": "Line {line} is not YAML: {why}.",
        "unreadable": "This cannot be read as YAML.",
        "no_mapping": "A compose file has parts with names; this has none. Begin with “services:”.",
        "anchors": (
            "Line {line}: anchors and aliases (“&”, “*”) are not carried out. Write it out."
        ),
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
    },
)
