"""Messages about stacks: their files, their state, and the program that makes them."""

from workspace_manager.contract.message import English

STACKS: dict[str, English] = {
    # connector/stack_file.py
    "reading_stack_file": "reading a stack's compose file",
    "not_a_stack_file": "it is no compose file: {why}",
    "no_services": "it has no services",
    "not_a_mapping": "{name} is not a mapping",
    "has_own_name": "{name} has a name of its own, by which nobody could tell whose it is",
    "marked_otherwise": "{name} carries another component's mark",
    "correct_template": "Correct the template it was made from.",
    # client/projects.py
    "listing_networks": "listing networks",
    "removing_network": "removing a network",
    "asking_health": "asking how a container is",
    # client/stacks.py
    "reading_file_of_stack": "reading the file of a stack",
    "stack_not_started": "it could not start the stack: {why}",
    "look_at_template": (
        "Look at the template's images and settings, and at the container manager's log; it is "
        "made again."
    ),
    # client/values.py
    "checking_values": "checking the values a stack gets",
    "value_not_literal": "the value of {name} has characters that Compose does not take literally",
    "renew_secret": (
        "Have a secret of letters, digits and . _ ~ - made in its place; others are changed on the "
        "way."
    ),
    # client/compose_output.py
    "why_image": "an image it needs cannot be had",
    "why_port": "a port it needs is taken",
    "why_name": "a name it needs is taken",
    "why_file": "Compose does not accept its file",
    "why_engine": "the engine was not reached",
    "why_unknown": "Compose ended with an error",
    # client/compose.py
    "running_compose": "making a stack with the compose command",
    "no_compose": "there is no compose command on the machine of the worker",
    "install_compose": (
        "Install docker compose, docker-compose or podman-compose on the machine of the worker, or "
        "put Portainer before the engine."
    ),
    "compose_shows_secrets": (
        "podman-compose would show the stack's secrets to everybody on the machine of the worker"
    ),
    "install_other_compose": (
        "Install docker compose or docker-compose there, which work with podman too, or put "
        "Portainer before the engine."
    ),
    "compose_failed": "{program} ended with {status}: {why}",
    "compose_took_too_long": "{program} took longer than {seconds} s",
    # client/health.py
    "asking_stack": "asking a stack whether it is well",
    # connector/stack_state.py
    "looking_at_stack": "looking at a stack",
    "foreign_in_stack": "under the name of this stack there is something else's: {names}",
    "foreign_in_stack_advice": (
        "Look in the container manager whose it is, and move or remove it there; nothing of it is "
        "touched."
    ),
    # connector/stacks.py
    "making_stack": "making a stack",
    "removing_stack": "removing a stack",
    "stack_goes_on": "it was sent, and the container manager is still at it",
    "stack_goes_on_advice": (
        "Images may have to be fetched. What it made is looked for and taken up; if it stays so, "
        "look at the container manager's log."
    ),
    "stack_left_over": "something of the stack is still there: {names}",
    "looked_at_again_stack": "It is looked at again; if it stays, look at the containers' logs.",
    "container_not_well": "container {name} is {status}",
    "not_answering_yet": "the stack is not available at {url} yet: {why}",
    "answers_status": "it answers with status {status}",
    "answers_without_text": "its answer does not say “{text}”",
    "answers_redirect": "it leads to another address",
    "answers_nothing": "nothing answers",
    "stack_runs": (
        "the stack {name} runs with {n} container, and everything in it is ours",
        "the stack {name} runs with {n} containers, and everything in it is ours",
    ),
    "stack_runs_and_answers": (
        "the stack {name} runs with {n} container, everything in it is ours, and {url} answers",
        "the stack {name} runs with {n} containers, everything in it is ours, and {url} answers",
    ),
    "nothing_of_stack": "there is no container and no network of the stack {name}",
    "looked_at_project": "containers and networks with the label of project {name}",
    # connector/stack_volumes.py
    "making_volumes": "making volumes",
    "volumes_not_made": "volumes are made with their stack, never by themselves",
    "make_the_stack": "Make the stack; its volumes come with it.",
    "no_volumes_of_stack": "there is no volume of the stack {name}",
    "looked_at_volumes": "volumes with the label of project {name}",
    # checks.py
    "check_compose": "compose command",
    "compose_found": "stacks are made by {program}",
    "compose_without_secrets": (
        "only stacks without secrets are made by {program}, which would show them to everybody on "
        "the machine of the worker"
    ),
    "check_stack_ports": "ports of knowledge stacks",
    "stack_ports_usable": (
        "{n} port can be reserved",
        "{n} ports can be reserved",
    ),
    "stack_ports_unusable": "“{text}” is no range of ports between 1024 and 65535",
    "set_stack_ports": "Set stack_ports to a first and a last port, like 20000-20999.",
    "check_stack_address": "address of knowledge stacks",
    "stack_address_used": "a stack is reached at an address like {url}",
    "stack_address_unusable": "{url} is not an address that is each stack's own",
    "set_stack_address": (
        "Set stack_address to an address that begins with http:// or https:// and has {{port}} or "
        "{{name}} in it, or leave it blank."
    ),
}
