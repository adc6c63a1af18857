"""Plans that have ended are noted, as they are: what was done to them earlier nobody can tell."""

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

from workspace_manager.records.audit_marks import Content, digest_of, mark_of, new_salt
from workspace_manager.records.plan_content import NOTED, contents, make_commitment
from workspace_manager.records.plan_content import digest_of as plan_digest_of
from workspace_manager.records.plan_content import new_salt as new_plan_salt

BATCH = 200
FORM = 1


def note_what_has_ended(apps, schema_editor):
    """Some at a time, in the order of their ids."""
    plans, notes, entries = (
        apps.get_model("records", name) for name in ("Plan", "PlanNote", "AuditEntry")
    )
    ended = plans.objects.filter(state__in=("done", "stale", "superseded")).order_by("id")
    after = "0" * 32
    while ids := list(ended.filter(id__gt=after).values_list("id", flat=True)[:BATCH]):
        after = ids[-1]
        at, made, noted = timezone.now(), [], []
        for plan, members in contents(plans, ids, FORM).items():
            salt = new_plan_salt()
            text = make_commitment(salt, members)
            made.append(notes(plan_id=plan, salt=salt, members=text))
            digest = plan_digest_of(plan, FORM, salt, text)
            details = {"n": 1, "form": FORM, "digest": digest, "at_upgrade": True}
            noted.append(_entry(entries, Content(at, "manager", NOTED, str(plan), details)))
        notes.objects.bulk_create(made)
        models.QuerySet(entries).bulk_create(noted)


def _entry(entries, content):
    salt = new_salt()
    digest = digest_of(salt, content)
    return entries(**content._asdict(), salt=salt, digest=digest, mark=mark_of(digest))


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0019_hold"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlanNote",
            fields=[
                (
                    "plan",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="note",
                        serialize=False,
                        to="records.plan",
                    ),
                ),
                ("salt", models.CharField(editable=False, max_length=64)),
                ("members", models.TextField(editable=False)),
            ],
        ),
        migrations.RunPython(note_what_has_ended, migrations.RunPython.noop, elidable=False),
    ]
