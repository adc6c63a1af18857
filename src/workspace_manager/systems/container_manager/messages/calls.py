"""Messages of the calls to the container manager."""

from workspace_manager.contract.message import English

CLIENT: dict[str, English] = {
    # client/answers.py
    "no_such_container": "there is no such container",
    "no_such_exec": "there is no such exec",
    "no_such_volume": "there is no such volume",
    "no_such_network": "there is no such network",
    "no_such_image": "there is no such image",
    "no_such_stack": "there is no such stack",
    "token_must_be_administrators": (
        "The token must be an administrator's: a regular user sees its own containers only. Make a "
        "new access token as an administrator in Portainer and store it as api_key."
    ),
    "regular_users_key": (
        "This is how Portainer answers the key of a regular user: Make a new access token as an "
        "administrator in Portainer and store it as api_key."
    ),
    "check_base_address": (
        "Check the address in the settings: it must be Portainer's own, without /api or anything "
        "behind it."
    ),
    "set_environment": (
        "Set environment_id to the number of an existing environment (Portainer, Environments)."
    ),
    "make_new_token": (
        "Make a new access token as an administrator in Portainer and store it as api_key."
    ),
    "not_accepted": "it did not accept the request ({shape})",
    "check_docker_environment": (
        "Check that address and environment are those of a Docker environment; see the container "
        "manager's log."
    ),
    "not_an_object": "expected a JSON object, got {shape}",
    "not_an_array": "expected a JSON array of objects, got {shape}",
    "odd_entry": "the entry at place {place} of the list has an unknown shape ({shape})",
    "labels_of_unknown_shape": "the labels have an unknown shape ({shape})",
    "no_number": "the answer has no number in {name} ({shape})",
    "no_such_environment": "Portainer has no environment with this number",
    "unknown_stack_environment": "Portainer does not know the environment the stack was asked in",
    "something_else_is_missing": "something else than what was asked for is missing",
    "look_at_containers_settings": (
        "An image, network or volume that the call needs is not there; look at the container's "
        "settings."
    ),
    "unknown_route": "the address leads to an unknown Portainer route",
    "portainer_does_not_know": "Portainer does not know what was asked for ({shape})",
    "look_in_portainer": (
        "Look in Portainer whether it is there; this client does not expect it to be missing."
    ),
    "engine_does_not_know": "the engine does not know this path ({shape})",
    "other_product_may_answer": (
        "Check the address in the settings; a proxy or another product may be answering."
    ),
    "key_not_accepted": "the API key or sign-in was not accepted (HTTP {status})",
    "two_authorizations": "an API key and another authorization arrived together (HTTP 403)",
    "remove_header_at_proxy": (
        "A proxy in front of Portainer adds an Authorization header; remove it there."
    ),
    "cookie_arrived": "a login cookie arrived with the request (HTTP 403)",
    "remove_cookie_at_proxy": "A proxy in front of Portainer adds a cookie; remove it there.",
    "owner_may_not": "the API key's owner may not do this (HTTP 403)",
    "does_not_run": "the container does not run at present (HTTP 409)",
    "start_or_unpause": "Start or unpause the container; the call is made again.",
    "in_use": "it is in use, or its name is taken (HTTP 409)",
    "decide_whose": (
        "Look in the container manager at what has this name or uses it, and decide whose it is."
    ),
    "refused_in_proxy": "Portainer refused inside its proxy ({shape})",
    "answered": "it answers {shape}: not available at the moment",
    "engine_may_be_down": "The container engine behind it may be down or busy; it is asked again.",
    "locked_itself": (
        "Portainer locked itself: no administrator was created within five minutes of its first "
        "start"
    ),
    "restart_portainer": "Restart Portainer and create its administrator at once.",
    "redirected": "it answered with a redirect ({shape})",
    "something_else_answers": (
        "Check the address in the settings: a login page or a proxy may be answering instead."
    ),
    # client/connection.py
    "no_portainer": "there is no Portainer: the address is a container engine's own",
    "stacks_need_portainer": (
        "Stacks need a Portainer address in the settings of the container manager."
    ),
    "unexpected_success": "it answered {shape}, which is none of this call's successes",
    "proxy_may_answer": (
        "A proxy or another product may be answering; check the address in the settings."
    ),
    # client/containers.py
    "asking_version": "asking for its version",
    "asking_whose_key": "asking whose key this is",
    "reading_environment": "reading the environment",
    "another_environment": "it answered with another environment than was asked for",
    "asking_engine_version": "asking the engine for its version",
    "looking_at_container": "looking at a container",
    "impossible_container_name": "no container can have this name",
    "check_naming_rule": (
        "Check the prefix and the escape rule that name containers; see the notebook hub's "
        "settings."
    ),
    "only_id_begins_so": "the engine offers only a container whose id begins like this name",
    "listing_containers": "listing containers",
    "names_of_unknown_shape": "the names have an unknown shape ({shape})",
    "looking_at_volume": "looking at a volume",
    "starting_container": "starting a container",
    "stopping_container": "stopping a container",
    "unpausing_container": "unpausing a container",
    "removing_container": "removing a container",
    "preparing_command": "preparing a command in a container",
    "command_without_id": "it gave the command no id ({shape})",
    "running_command": "running a command in a container",
    "output_not_framed": "the output of the command is not a framed stream ({shape})",
    "asking_how_command_ended": "asking how a command in a container ended",
    "needs_full_id": "a container must be addressed by its full id",
    "look_first": "Look at the container first; a short id may be the beginning of a stranger's.",
    "no_container_described": "the answer does not describe a container ({shape})",
    # client/stacks.py
    "listing_stacks": "listing stacks",
    "reading_stack": "reading a stack",
    "creating_stack": "creating a stack",
    "impossible_stack_name": "no stack can have this name",
    "containers_without_stack": (
        "containers of a project of this name exist that belong to no stack"
    ),
    "look_at_them": (
        "Look at them in the container manager; remove them there if they are nobody's."
    ),
    "deleting_stack": "deleting a stack",
    "listing_projects_containers": "listing a project's containers",
    "listing_volumes": "listing volumes",
    "not_a_list_of_volumes": "expected a list of volumes, got {shape}",
    "removing_volume": "removing a volume",
    "no_stack_described": "the answer does not describe a stack ({shape})",
}
