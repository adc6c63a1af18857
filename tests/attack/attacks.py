"""Every attack there is, by the name it is reported under."""

from collections.abc import Callable
from typing import Final

from tests.attack import access, people, slow, tokens
from tests.attack.scene import Scene

ATTACKS: Final[dict[str, Callable[[Scene], None]]] = {
    one.__name__.replace("_", " "): one
    for one in (
        people.a_name_no_system_can_hold_leaves_again,
        access.a_suspension_shuts_everything,
        access.a_script_that_goes_on_making_things_keeps_nobody,
        people.a_role_is_not_given_by_a_name,
        people.names_of_systems_are_nobodys,
        people.a_container_of_that_name_runs_on,
        access.one_refusal_pauses_no_system,
        access.the_next_thing_works_after_a_key_was_shown,
        people.a_project_tells_no_names_and_makes_nothing_unasked,
        people.whoever_is_disabled_there_is_out_here,
        slow.systems_that_drip_hold_nobody,
        tokens.a_copied_token_stays_what_it_is,
    )
}
