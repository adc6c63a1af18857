"""Messages about snapshots of repositories: why one is not stored, loaded or put into place."""

from workspace_manager.contract.message import English

SNAPSHOTS: dict[str, English] = {
    "capturing": "reading a repository for a snapshot",
    "restoring": "loading a snapshot into a repository",
    "switching": "putting the content of a repository in the place of another",
    "not_ours_to_keep": "{name} is no repository of ours",
    "no_repository_named": "there is no repository {repository_id}",
    "gave_up_on_rdf4j": "OpenGDB did not wait for RDF4J ({shape})",
    # content_reader.py
    "read_by_graph": (
        "The repository was read graph by graph, because it is too large for one call. What others "
        "changed meanwhile may be in one graph and not in another."
    ),
    "export_cut": (
        "OpenGDB ends an export after 5 seconds, and a graph that no query can name takes longer"
    ),
    "export_cut_advice": (
        "Give the graphs that are blank nodes a name, or let an administrator set a larger "
        "RDF4J_TIMEOUT in OpenGDB."
    ),
    "count_differs": (
        "the triplestore gave another number of statements of {repository_id} than it counts, "
        "{tries} times"
    ),
    "count_differs_advice": (
        "Try again when nobody writes to the repository. If nobody does, look at the repository "
        "in the triplestore: its export ends too early."
    ),
    "prefix_unfit": "the namespace of the prefix “{prefix}” cannot be written into a file",
    "statement_too_long": "statement {line} is longer than {most} MiB",
    "statement_unfit": "statement {line} is not valid N-Quads",
    "statement_unfit_advice": (
        "It could not be loaded again, so no snapshot is made of it. Correct or delete the "
        "statement, then try again."
    ),
    # load.py
    "not_empty": "the repository {repository_id} is not empty",
    "restore_into_fresh": "A snapshot is loaded into a fresh repository alone.",
    "loaded_differs": "the triplestore does not hold what was loaded into {repository_id}",
    "loaded_differs_advice": (
        "Nothing of it was kept. Try again; if it stays, look at the log of the triplestore."
    ),
    "file_unfit": "line {line} of the file is not valid N-Quads",
    "look_at_file": "Nothing of it was kept. Correct the file at this line.",
    # uploaded.py
    "file_empty": "The file is empty. Choose a file of N-Quads.",
    "file_no_quads": (
        "Line {line} of the file is not valid N-Quads. Send a file of N-Quads; it may be "
        "compressed with gzip or zstd."
    ),
    "file_of_prefixes": "The file names more than {most} MiB of prefixes. Leave some out.",
    "part_unreadable": "the part {part} of the snapshot is not as it was written",
    "snapshot_is_spoiled": "Nothing was kept. Verify the snapshot, or take another one.",
    # replacement.py
    "switch_unsure": (
        "the new content was sent to {repository_id}, and the triplestore does not show it"
    ),
    "switch_unsure_advice": (
        "The repository holds the old content or the new, never both. Look at it in the "
        "triplestore. If it holds the old content when the triplestore is idle, try again."
    ),
    "switch_to_nothing": "the restored repository is empty, and nothing is replaced by nothing",
    "switch_to_nothing_advice": (
        "Nothing was changed. Delete the statements in the repository itself, or restore the "
        "snapshot as a new repository."
    ),
    "switch_too_large": (
        "the content cannot be replaced at once: the triplestore takes a change of {most} MB"
    ),
    "switch_about_statements": (
        "the content cannot be replaced at once: it has statements about statements"
    ),
    "restore_as_new": "Nothing was changed. Restore the snapshot as a new repository.",
}
