"""Every attack there is, by the name it is reported under."""

from collections.abc import Callable
from typing import Final

from tests.attack import (
    access,
    addresses,
    at_rest,
    clocks,
    in_the_database,
    meanwhile,
    people,
    rows,
    sign_in,
    slow,
    tokens,
    wires,
)
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
        access.a_permission_over_everything_opens_nothing,
        access.one_refusal_pauses_no_system,
        access.the_next_thing_works_after_a_key_was_shown,
        people.a_project_tells_no_names_and_makes_nothing_unasked,
        addresses.an_address_that_nobody_confirmed_is_no_proof,
        addresses.no_click_makes_somebody_an_administrator,
        meanwhile.whoever_lost_the_right_meanwhile_approves_nobody,
        people.whoever_is_disabled_there_is_out_here,
        wires.a_stored_secret_goes_nowhere_else,
        slow.systems_that_drip_hold_nobody,
        wires.an_answer_that_unpacks_fills_no_memory,
        wires.a_sql_server_that_asks_is_told_no_password,
        at_rest.what_lies_on_the_disk_lets_nobody_in,
        at_rest.a_key_that_can_be_guessed_starts_nothing,
        rows.no_row_is_a_pickle,
        rows.a_pickle_in_the_queue_runs_nothing,
        rows.a_pickle_in_the_cache_runs_nothing,
        in_the_database.a_proof_that_is_edited_is_no_proof_any_more,
        tokens.a_copied_token_stays_what_it_is,
        tokens.a_token_grows_with_nothing_that_is_given_later,
        clocks.a_worker_whose_clock_is_ahead_ends_nothing,
        sign_in.whoever_only_asks_to_sign_in_holds_up_nobody,
        sign_in.who_comes_with_made_up_codes_holds_up_nobody,
        sign_in.of_many_at_once_so_many_come_through,
    )
}
