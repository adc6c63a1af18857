"""Messages about stacks: their files, their state, and the program that makes them."""

from workspace_manager.contract.message import English

STACKS: dict[str, English] = {
    # connector/stack_file.py
    "reading_stack_file": "reading a stack's compose file",
    "not_a_stack_file": "this is not a compose file: {why}",
    "no_services": "it has no services",
    "not_a_mapping": "{name} is not a mapping",
    "has_own_name": "{name} has a name of its own, so nobody could tell whose it is",
    "marked_otherwise": "{name} carries the mark of another component",
    "correct_template": "Correct the template of this stack.",
    # client/projects.py
    "listing_networks": "listing networks",
    "removing_network": "removing a network",
    "asking_health": "asking for the health of a container",
    # client/stacks.py
    "reading_file_of_stack": "reading the compose file of a stack",
    "stack_not_started": "it could not start the stack: {why}",
    "look_at_template": (
        "Check the images and settings of the template, and look at the log of the container "
        "manager. The manager tries again."
    ),
    # client/values.py
    "checking_values": "checking the values of a stack",
    "value_not_literal": "the value of {name} has characters that Compose interprets",
    "renew_secret": (
        "Create a new secret that has only letters, digits and . _ ~ - in it. Compose changes "
        "other characters."
    ),
    # client/compose_output.py
    "why_image": "an image that the stack needs is not available",
    "why_port": "a port that the stack needs is in use",
    "why_name": "a name that the stack needs is taken",
    "why_file": "Compose does not accept its file",
    "why_engine": "the engine could not be reached",
    "why_unknown": "Compose ended with an error",
    # client/compose.py
    "running_compose": "making a stack with the compose command",
    "no_compose": "there is no compose command on the worker's machine",
    "install_compose": (
        "Install docker compose, docker-compose or podman-compose on the worker's machine, or put "
        "Portainer in front of the engine."
    ),
    "compose_shows_secrets": (
        "podman-compose would show the stack's secrets to everybody on the worker's machine"
    ),
    "install_other_compose": (
        "Install docker compose or docker-compose there, which also work with podman, or put "
        "Portainer in front of the engine."
    ),
    "compose_failed": "{program} ended with {status}: {why}",
    "compose_took_too_long": "{program} took longer than {seconds} s",
    # client/health.py
    "asking_stack": "checking whether a stack answers",
    # connector/stack_state.py
    "looking_at_stack": "looking at a stack",
    "foreign_in_stack": "something that is not part of this stack has the stack's name: {names}",
    "foreign_in_stack_advice": (
        "Find out in the container manager whose it is, and move or remove it there. The manager "
        "does not touch it."
    ),
    # connector/stacks.py
    "making_stack": "making a stack",
    "removing_stack": "removing a stack",
    "stack_goes_on": "the request was sent, and the container manager is still working on it",
    "stack_goes_on_advice": (
        "It may have to download images. The manager checks again and continues with what is "
        "there. If this stays, look at the log of the container manager."
    ),
    "stack_left_over": "parts of the stack are still there: {names}",
    "looked_at_again_stack": (
        "The manager checks again. If this stays, look at the containers' logs."
    ),
    "container_not_well": "container {name} is {status}",
    "not_answering_yet": "the stack does not answer at {url} yet: {why}",
    "answers_status": "it answers with status {status}",
    "answers_without_text": "its answer does not contain “{text}”",
    "answers_redirect": "it redirects to another address",
    "answers_nothing": "nothing answers",
    "stack_runs": (
        "the stack {name} runs with {n} container, which belongs to it",
        "the stack {name} runs with {n} containers, which all belong to it",
    ),
    "stack_runs_and_answers": (
        "the stack {name} runs with {n} container, which belongs to it, and {url} answers",
        "the stack {name} runs with {n} containers, which all belong to it, and {url} answers",
    ),
    "nothing_of_stack": "there is no container and no network of the stack {name}",
    "looked_at_project": "containers and networks with the label of project {name}",
    # connector/stack_volumes.py
    "making_volumes": "making volumes",
    "volumes_not_made": "volumes are created with their stack and never alone",
    "make_the_stack": "Create the stack. Its volumes are created with it.",
    "no_volumes_of_stack": "there is no volume of the stack {name}",
    "looked_at_volumes": "volumes with the label of project {name}",
    # checks.py
    "check_compose": "compose command",
    "compose_found": "{program} creates stacks",
    "compose_without_secrets": (
        "{program} creates only stacks without secrets, because it would show secrets to everybody "
        "on the worker's machine"
    ),
    "check_stack_ports": "ports of knowledge stacks",
    "stack_ports_usable": (
        "{n} port is available",
        "{n} ports are available",
    ),
    "stack_ports_unusable": "“{text}” is not a range of ports between 1024 and 65535",
    "set_stack_ports": "Set stack_ports to a first and a last port, for example 20000-20999.",
    "check_stack_address": "address of knowledge stacks",
    "stack_address_used": "people open a stack at an address like {url}",
    "stack_address_unusable": "{url} gives several stacks the same address",
    "set_stack_address": (
        "Set stack_address to an address that begins with http:// or https:// and contains "
        "{{port}} or {{name}}, or leave it empty."
    ),
}
