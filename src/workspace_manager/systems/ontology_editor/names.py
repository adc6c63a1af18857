"""Identifiers of ontology projects and of people in the editor. Pure functions.

The editor derives a person's account from the name by rules of its own
(docs/systems/ontology-editor.md#account-names). They are repeated here exactly, because a grant
goes to a string and not to an account: a wrong string gives somebody else a right.
"""

import re
import unicodedata
from urllib.parse import quote

from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.ontology_editor.messages import message

GUEST = "guest"
LONGEST_ACCOUNT = 200
LONGEST_TITLE = 200
PERMISSIONS = ("VIEW", "COMMENT", "EDIT", "MANAGE")

_PROJECT_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_MARK = re.compile(r"[A-Za-z0-9_.:-]{8,80}\Z")
_MARKED = re.compile(r"\[workspace-manager:([A-Za-z0-9_.:-]{8,80})\]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*\Z")


def account_name(username: str, sub: str) -> str:
    """Return the account that the editor makes for a person at the first sign-in: lower case,
    `[a-z0-9_.-]`, other characters as `_`, at most 200.

    `username` is the identity provider's; without one the `sub` takes its place. Empty names and
    `guest` become `u_` and a hash of the `sub`.
    """
    trimmed = _java_trim(username) or sub
    units = _utf16_units(trimmed.lower())
    kept = "".join(unit if re.fullmatch(r"[a-z0-9_.-]", unit) else "_" for unit in units)
    name = kept[:LONGEST_ACCOUNT]
    return f"u_{_java_hash(sub)}" if name in {"", GUEST} else name


def second_account_name(username: str, sub: str) -> str:
    """Return the account of a person whose verified e-mail already belongs to another record there
    (step 5 of docs/systems/ontology-editor.md#account-names).
    """
    return f"{account_name(username, sub)}_{_java_hash(sub)}"


def is_guest_like(account: str) -> bool:
    """Return whether the editor treats an account as a guest: it checks whether "guest" ends with
    the name.

    See docs/systems/ontology-editor.md#keys-and-refusals.
    """
    return GUEST.endswith(account)


def project(mark: str, owner: str) -> dict[str, str]:
    """Return the target of a project to create. `mark`: random, stored by us before the call.
    Raises NameImpossible.
    """
    if not _MARK.match(mark):
        raise NameImpossible(message("impossible_mark"))
    return {"mark": mark, "owner": owner}


def existing_project(project_id: str, *, mark: str = "", owner: str = "") -> dict[str, str]:
    """Return the target of an existing project. Raises NameImpossible for a malformed id."""
    lower = project_id.lower()
    if not is_project_id(lower):
        raise NameImpossible(message("id_is_no_uuid"))
    return (
        {"project_id": lower}
        | ({"mark": mark} if mark else {})
        | ({"owner": owner} if owner else {})
    )


def membership(project_id: str, account: str) -> dict[str, str]:
    """Return the target of a person's access to a project. `account`: the editor's name of the
    person.
    """
    return {**existing_project(project_id), "user": account}


def is_project_id(text: str) -> bool:
    """Return whether a text is an id that the editor routes: a UUID in lower case.

    See docs/systems/ontology-editor.md#reading-projects.
    """
    return _PROJECT_ID.match(text) is not None


def with_mark(description: str, mark: str) -> str:
    """Return a description with our mark, by which an interrupted creation is found again."""
    return f"{description} {_tag(mark)}".strip()


def carries_mark(description: str, mark: str) -> bool:
    """Return whether a description contains exactly this mark."""
    return bool(mark) and _tag(mark) in description


def mark_in(description: str) -> str:
    """Return the mark in a description, or ""."""
    found = _MARKED.search(description)
    return found[1] if found else ""


def without_mark(description: str, mark: str) -> str:
    """Return a description without our mark, for comparisons."""
    return description.replace(_tag(mark), "").strip() if mark else description


def title(text: str) -> str:
    """Return a display name: one line, no control characters; the editor itself accepts anything.

    See docs/systems/ontology-editor.md#creating-a-project.
    """
    plain = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in text)
    return " ".join(plain.split())[:LONGEST_TITLE]


def language(tag: str) -> str:
    """Return a language tag as the editor stores it, in lower case. Raises NameImpossible for other
    texts, which the editor would accept.
    """
    lower = tag.strip().lower()
    if not _LANGUAGE.match(lower):
        raise NameImpossible(message("no_language_tag", tag=tag))
    return lower


def project_address(host: str, project_id: str, perspective_id: str = "") -> str:
    """Return the link that opens a project (docs/explanation/projects.md#links-into-the-editor).

    Without a perspective the editor uses its own: an address that ends with `/perspectives/` opens
    none.
    """
    project = quote(project_id, safe="")
    perspective = f"/perspectives/{quote(perspective_id, safe='')}" if perspective_id else ""
    return f"{host.rstrip('/')}/?project={project}#projects/{project}{perspective}"


def list_address(host: str) -> str:
    """Return the link that opens the list of projects.

    See docs/explanation/projects.md#links-into-the-editor.
    """
    return f"{host.rstrip('/')}/#projects/list"


def _tag(mark: str) -> str:
    return f"[workspace-manager:{mark}]"


def _java_trim(text: str) -> str:
    """Strip like Java's trim: everything up to the blank, but not a no-break space."""
    return text.strip("".join(chr(code) for code in range(33)))


def _utf16_units(text: str) -> list[str]:
    """Split a text into Java's characters: one above U+FFFF counts as two (an emoji becomes two
    `_`: docs/systems/ontology-editor.md#account-names).
    """
    raw = text.encode("utf-16-be", errors="surrogatepass")
    return [raw[n : n + 2].decode("utf-16-be", errors="replace") for n in range(0, len(raw), 2)]


def _java_hash(text: str) -> str:
    """Return Java's `hashCode` of a string as eight hexadecimal digits."""
    found = 0
    raw = text.encode("utf-16-be", errors="surrogatepass")
    for n in range(0, len(raw), 2):
        found = (31 * found + int.from_bytes(raw[n : n + 2], "big")) & 0xFFFFFFFF
    return f"{found:08x}"
