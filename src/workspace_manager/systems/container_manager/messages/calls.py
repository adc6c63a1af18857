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
        "The token must belong to an administrator, because a regular user sees only their own "
        "containers. Create a new access token as an administrator in Portainer, and save it as "
        "api_key."
    ),
    "regular_users_key": (
        "This is how Portainer answers the key of a regular user. Create a new access token as an "
        "administrator in Portainer, and save it as api_key."
    ),
    "check_base_address": (
        "Check the address in the settings: it must be the address of Portainer itself, without "
        "/api or anything after it."
    ),
    "set_environment": (
        "Set environment_id to the number of an existing environment (Portainer, Environments)."
    ),
    "make_new_token": (
        "Create a new access token as an administrator in Portainer, and save it as api_key."
    ),
    "not_accepted": "it did not accept the request ({shape})",
    "check_docker_environment": (
        "Check that the address and the environment belong to Docker. See the log of the container "
        "manager."
    ),
    "not_an_object": "expected a JSON object, got {shape}",
    "not_an_array": "expected a JSON array of objects, got {shape}",
    "odd_entry": "entry {place} of the list has an unknown form ({shape})",
    "labels_of_unknown_shape": "the labels have an unknown form ({shape})",
    "no_number": "the answer has no number in {name} ({shape})",
    "no_such_environment": "Portainer has no environment with this number",
    "unknown_stack_environment": (
        "Portainer does not know the environment that the manager asked for the stack"
    ),
    "something_else_is_missing": "something is missing, but not what the manager asked for",
    "look_at_containers_settings": (
        "An image, network or volume that the call needs is missing. Look at the container's "
        "settings."
    ),
    "unknown_route": "Portainer does not know this address",
    "portainer_does_not_know": "Portainer did not find it ({shape})",
    "look_in_portainer": (
        "Check in Portainer whether it exists. The manager did not expect it to be missing."
    ),
    "engine_does_not_know": "the engine does not know this path ({shape})",
    "other_product_may_answer": (
        "Check the address in the settings; a proxy or another product may be answering."
    ),
    "key_not_accepted": "the API key or sign-in was not accepted (HTTP {status})",
    "two_authorizations": (
        "the request arrived with an API key and another authorization (HTTP 403)"
    ),
    "remove_header_at_proxy": (
        "A proxy in front of Portainer adds an Authorization header. Remove it there."
    ),
    "cookie_arrived": "the request arrived with a sign-in cookie (HTTP 403)",
    "remove_cookie_at_proxy": "A proxy in front of Portainer adds a cookie. Remove it there.",
    "owner_may_not": "the owner of the API key may not do this (HTTP 403)",
    "does_not_run": "the container is not running (HTTP 409)",
    "start_or_unpause": "Start or unpause the container. The manager then repeats the call.",
    "in_use": "it is in use, or its name is taken (HTTP 409)",
    "decide_whose": (
        "Find out in the container manager what has this name or uses it, and decide whose it is."
    ),
    "refused_in_proxy": "Portainer's proxy refused it ({shape})",
    "answered": "it answers {shape}: not available at the moment",
    "engine_may_be_down": (
        "The container engine behind it may be down or busy. The manager asks again."
    ),
    "locked_itself": (
        "Portainer is locked, because nobody created an administrator within five minutes of its "
        "first start"
    ),
    "restart_portainer": "Restart Portainer and create its administrator immediately.",
    "redirected": "it answered with a redirect ({shape})",
    "something_else_answers": (
        "Check the address in the settings. A sign-in page or a proxy may be answering instead."
    ),
    # client/connection.py
    "no_portainer": "there is no Portainer: the address is that of a container engine",
    "stacks_need_portainer": (
        "Stacks need a Portainer address in the settings of the container manager."
    ),
    "unexpected_success": "it answered {shape}, which this call does not expect",
    "proxy_may_answer": (
        "A proxy or another product may be answering; check the address in the settings."
    ),
    # client/containers.py
    "asking_version": "asking for its version",
    "asking_whose_key": "asking whose key it is",
    "reading_environment": "reading the environment",
    "another_environment": "it answered with another environment",
    "asking_engine_version": "asking the engine for its version",
    "looking_at_container": "looking at a container",
    "impossible_container_name": "a container cannot have this name",
    "check_naming_rule": (
        "Check the prefix and the escape rule for container names in the settings of the notebook "
        "hub."
    ),
    "only_id_begins_so": "the engine found only a container whose id begins with this name",
    "listing_containers": "listing containers",
    "names_of_unknown_shape": "the names have an unknown form ({shape})",
    "looking_at_volume": "looking at a volume",
    "starting_container": "starting a container",
    "stopping_container": "stopping a container",
    "unpausing_container": "unpausing a container",
    "removing_container": "removing a container",
    "preparing_command": "preparing a command in a container",
    "command_without_id": "it returned no id for the command ({shape})",
    "running_command": "running a command in a container",
    "output_not_framed": "the output of the command has an unknown form ({shape})",
    "asking_how_command_ended": "asking for the exit code of a command in a container",
    "needs_full_id": "a call needs the full id of a container",
    "look_first": (
        "Look up the container first. A short id may also be the beginning of another container's "
        "id."
    ),
    "no_container_described": "the answer does not describe a container ({shape})",
    # client/stacks.py
    "listing_stacks": "listing stacks",
    "reading_stack": "reading a stack",
    "creating_stack": "creating a stack",
    "impossible_stack_name": "a stack cannot have this name",
    "containers_without_stack": (
        "containers of a project with this name exist, but they belong to no stack"
    ),
    "look_at_them": (
        "Look at them in the container manager. If they belong to nobody, remove them there."
    ),
    "deleting_stack": "deleting a stack",
    "listing_projects_containers": "listing a project's containers",
    "listing_volumes": "listing volumes",
    "not_a_list_of_volumes": "expected a list of volumes, got {shape}",
    "removing_volume": "removing a volume",
    "no_stack_described": "the answer does not describe a stack ({shape})",
}
