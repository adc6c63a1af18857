"""Keys of stored secrets: rotated without a stop, and a missing one says what to do."""

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured

from workspace_manager.cli.__main__ import main
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Registration, StoredSetting, VaultEntry

pytestmark = pytest.mark.django_db
OLD, NEW = "the old key of these tests", "the new key of these tests"


@pytest.fixture
def stored_setting(settings: LazySettings) -> StoredSetting:
    settings.SECRET_KEYS = [OLD]
    VaultEntry.objects.create(secret=Secret("in the vault"))
    Registration.objects.create(username="erin", password_hash=Secret("a hash"))
    return StoredSetting.objects.create(
        system="drive", name="admin_password", secret=Secret("s3cret")
    )


def test_every_stored_secret_moves_to_the_first_key(
    stored_setting: StoredSetting, settings: LazySettings
) -> None:
    settings.SECRET_KEYS = [NEW, OLD]
    done = CliRunner().invoke(main, ["keys", "rotate"])
    assert done.exit_code == 0
    assert "Stored secrets: 3." in done.output
    assert "s3cret" not in done.output
    settings.SECRET_KEYS = [NEW]
    for secret, clear in (
        (StoredSetting.objects.get().secret, "s3cret"),
        (VaultEntry.objects.get().secret, "in the vault"),
        (Registration.objects.get().password_hash, "a hash"),
    ):
        assert secret is not None
        assert secret.reveal() == clear
    settings.SECRET_KEYS = [OLD]
    with pytest.raises(ImproperlyConfigured):
        StoredSetting.objects.get()


def test_a_key_that_is_missing_after_a_restore_is_named_as_what_it_is(
    stored_setting: StoredSetting, settings: LazySettings
) -> None:
    settings.SECRET_KEYS = [NEW]
    for command in (["check"], ["settings", "list"], ["keys", "rotate"]):
        answer = CliRunner().invoke(main, command)
        assert answer.exit_code == 1, command
        assert isinstance(answer.exception, SystemExit), command
    settings.SECRET_KEYS = [NEW, OLD]
    assert CliRunner().invoke(main, ["settings", "list"]).exit_code == 0
