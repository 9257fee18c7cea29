"""The log is keyed, ends at a head, and holds what it says of people apart.

An older log is chained anew, under the key: what its events say of an annotator moves into details,
and one more event says what the old chain ended with, and whether it was whole.

The guards of the log stand here from now on; SQLite dropped those of the table it rebuilt.
"""

import hashlib
import json
import secrets
from datetime import UTC
from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

POSTGRESQL = """
CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON annotation_auditevent
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON annotation_auditevent
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_detail_is_final BEFORE UPDATE ON annotation_auditdetail
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_detail_is_not_emptied BEFORE TRUNCATE ON annotation_auditdetail
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_head_goes_forward BEFORE UPDATE ON annotation_audithead
  FOR EACH ROW WHEN (NEW.events <> OLD.events + 1) EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_head_stays BEFORE DELETE ON annotation_audithead
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_head_is_not_emptied BEFORE TRUNCATE ON annotation_audithead
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER erasure_is_final BEFORE UPDATE OR DELETE ON annotation_erasure
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER erasure_is_not_emptied BEFORE TRUNCATE ON annotation_erasure
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER plan_lock_is_not_emptied BEFORE TRUNCATE ON annotation_planlock
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER revision_is_not_emptied BEFORE TRUNCATE ON annotation_answerrevision
  FOR EACH STATEMENT EXECUTE FUNCTION parallax_refuse();
"""
_HEADS = [line.split() for line in POSTGRESQL.splitlines() if line.startswith("CREATE TRIGGER")]
POSTGRESQL_NAMES = {head[2]: head[-1] for head in _HEADS}


def _refusal(name, when, table, condition=""):
    return (
        f"CREATE TRIGGER {name} BEFORE {when} ON {table} {condition} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is never changed'); END"
    )


SQLITE = [
    _refusal("audit_not_updated", "UPDATE", "annotation_auditevent"),
    _refusal("audit_not_deleted", "DELETE", "annotation_auditevent"),
    _refusal("audit_detail_not_updated", "UPDATE", "annotation_auditdetail"),
    _refusal(
        "audit_head_goes_forward",
        "UPDATE",
        "annotation_audithead",
        "WHEN NEW.events IS NOT OLD.events + 1",
    ),
    _refusal("audit_head_stays", "DELETE", "annotation_audithead"),
    _refusal("erasure_not_updated", "UPDATE", "annotation_erasure"),
    _refusal("erasure_not_deleted", "DELETE", "annotation_erasure"),
]
SQLITE_NAMES = [statement.split()[2] for statement in SQLITE]


def install(apps, schema_editor):
    """Add the guards."""
    if schema_editor.connection.vendor == "postgresql":
        # A trigger is not put on a table whose deferred checks are still to come.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute(POSTGRESQL, params=None)
        return
    for statement in SQLITE:
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """Take the guards away again, those of older migrations on the same tables included."""
    if schema_editor.connection.vendor == "postgresql":
        for name, table in POSTGRESQL_NAMES.items():
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        return
    for name in SQLITE_NAMES:
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")


def remove_older(apps, schema_editor):
    """Take away the older guards of the log."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER audit_is_final ON annotation_auditevent")
        return
    for name in ("audit_not_updated", "audit_not_deleted"):
        schema_editor.execute(f"DROP TRIGGER {name}")


def install_older(apps, schema_editor):
    """Put the older guards of the log back."""
    older = import_module("annotation.migrations.0002_guards")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL[: POSTGRESQL.index(";") + 1], params=None)
        return
    for statement in older.SQLITE:
        if statement.split()[2] in {"audit_not_updated", "audit_not_deleted"}:
            schema_editor.execute(statement, params=None)


def chain_anew(apps, schema_editor):
    """Bring the log under the key, and put the head at its end."""
    log = import_module("annotation.services.audit")
    events = apps.get_model("annotation", "AuditEvent").objects
    last, old_last, first_broken = None, "", None
    for event in events.order_by("number").iterator(chunk_size=2_000):
        whole = event.previous == old_last and event.sha256 == _older_digest(event)
        if first_broken is None and not whole:
            first_broken = event.number
        old_last = event.sha256
        _bind(log, apps, event, last)
        event.save()
        last = event
    if last is not None:
        said = {"events": last.number, "sha256": old_last, "first_broken": first_broken}
        event = events.model(
            number=last.number + 1,
            at=timezone.now(),
            author="migration",
            verb="audit_rekey",
            data=said,
        )
        _bind(log, apps, event, last)
        event.save()
        last = event
    count, digest = (last.number, last.sha256) if last else (0, "")
    apps.get_model("annotation", "AuditHead").objects.create(
        id=1, events=count, sha256=log.head_digest(count, digest)
    )


def _bind(log, apps, event, last):
    """Put an event on the one before; what it says of a person moves into a detail."""
    pseudonym = event.data.get("annotator")
    person = (
        pseudonym
        and apps.get_model("annotation", "Annotator").objects.filter(pseudonym=pseudonym).first()
    )
    if person:
        detail = apps.get_model("annotation", "AuditDetail")(
            event=event, annotator=person, salt=secrets.token_hex(32), data=event.data
        )
        event.data, event.commitment = {}, log.detail_commitment(detail)
        detail.save(force_insert=True)
    event.previous = last.sha256 if last else ""
    event.sha256 = log.event_digest(event)


def _older_digest(event):
    content = [
        event.number,
        event.at.astimezone(UTC).isoformat(),
        event.author,
        event.verb,
        event.study,
        event.data,
        event.previous,
    ]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0004_api_tokens"),
    ]

    operations = [
        migrations.RunPython(remove_older, install_older),
        migrations.AddField(
            model_name="auditevent",
            name="commitment",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.CreateModel(
            name="AuditDetail",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="detail",
                        serialize=False,
                        to="annotation.auditevent",
                    ),
                ),
                ("salt", models.CharField(max_length=64)),
                ("data", models.JSONField()),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_details",
                        to="annotation.annotator",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("events", models.PositiveBigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="audit_head_is_one")
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("receipt", models.CharField(max_length=20, unique=True)),
                ("at", models.DateTimeField()),
                ("author", models.CharField(max_length=150)),
                ("counts", models.JSONField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to="annotation.study",
                    ),
                ),
            ],
        ),
        migrations.RunPython(chain_anew, migrations.RunPython.noop),
        migrations.RunPython(install, remove),
    ]
