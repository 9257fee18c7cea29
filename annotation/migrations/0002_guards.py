"""What Django's constraints cannot say, in each database's own words.

- A screen's item is its slot's item and its annotator its claim's annotator: composite foreign keys
  on PostgreSQL, triggers on SQLite (which cannot add a foreign key to a table that exists).
- A locked plan, an audit event and a revision are never updated; the first two never deleted.

SQLite drops the triggers of a table that a later migration rebuilds; run `install` again there
(tests/annotation/models/test_constraints.py fails until it is).
"""

from django.db import migrations

POSTGRESQL = """
ALTER TABLE annotation_slot ADD CONSTRAINT slot_with_item UNIQUE (id, item_id);
ALTER TABLE annotation_claim ADD CONSTRAINT claim_with_annotator UNIQUE (id, annotator_id);
ALTER TABLE annotation_assignment ADD CONSTRAINT assignment_item_is_the_slots
  FOREIGN KEY (slot_id, item_id) REFERENCES annotation_slot (id, item_id)
  DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE annotation_assignment ADD CONSTRAINT assignment_annotator_is_the_claims
  FOREIGN KEY (claim_id, annotator_id) REFERENCES annotation_claim (id, annotator_id)
  DEFERRABLE INITIALLY IMMEDIATE;
CREATE FUNCTION parallax_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is never changed (%)', TG_TABLE_NAME, TG_OP USING ERRCODE = '23514';
END $$;
CREATE TRIGGER plan_lock_is_final BEFORE UPDATE OR DELETE ON annotation_planlock
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON annotation_auditevent
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
CREATE TRIGGER revision_is_final BEFORE UPDATE ON annotation_answerrevision
  FOR EACH ROW EXECUTE FUNCTION parallax_refuse();
"""

POSTGRESQL_BACK = """
DROP TRIGGER revision_is_final ON annotation_answerrevision;
DROP TRIGGER audit_is_final ON annotation_auditevent;
DROP TRIGGER plan_lock_is_final ON annotation_planlock;
DROP FUNCTION parallax_refuse();
ALTER TABLE annotation_assignment DROP CONSTRAINT assignment_annotator_is_the_claims;
ALTER TABLE annotation_assignment DROP CONSTRAINT assignment_item_is_the_slots;
ALTER TABLE annotation_claim DROP CONSTRAINT claim_with_annotator;
ALTER TABLE annotation_slot DROP CONSTRAINT slot_with_item;
"""

_SAME_ITEM = """
  SELECT RAISE(ABORT, 'assignment_item_is_the_slots') WHERE NEW.slot_id IS NOT NULL AND NEW.item_id
    IS NOT (SELECT item_id FROM annotation_slot WHERE id = NEW.slot_id);
  SELECT RAISE(ABORT, 'assignment_annotator_is_the_claims') WHERE NEW.annotator_id
    IS NOT (SELECT annotator_id FROM annotation_claim WHERE id = NEW.claim_id);
"""


def _sqlite_refusal(name: str, when: str, table: str) -> str:
    return (
        f"CREATE TRIGGER {name} BEFORE {when} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is never changed'); END"
    )


SQLITE = [
    f"CREATE TRIGGER assignment_fits_on_insert BEFORE INSERT ON annotation_assignment "
    f"BEGIN {_SAME_ITEM} END",
    f"CREATE TRIGGER assignment_fits_on_update BEFORE UPDATE ON annotation_assignment "
    f"BEGIN {_SAME_ITEM} END",
    # The same from the other side: what a screen stands on does not turn into something else.
    "CREATE TRIGGER slot_keeps_its_item BEFORE UPDATE OF item_id ON annotation_slot "
    "WHEN NEW.item_id IS NOT OLD.item_id "
    "BEGIN SELECT RAISE(ABORT, 'assignment_item_is_the_slots') WHERE EXISTS "
    "(SELECT 1 FROM annotation_assignment WHERE slot_id = OLD.id); END",
    "CREATE TRIGGER claim_keeps_its_annotator BEFORE UPDATE OF annotator_id ON annotation_claim "
    "WHEN NEW.annotator_id IS NOT OLD.annotator_id "
    "BEGIN SELECT RAISE(ABORT, 'assignment_annotator_is_the_claims') WHERE EXISTS "
    "(SELECT 1 FROM annotation_assignment WHERE claim_id = OLD.id); END",
    _sqlite_refusal("plan_lock_not_updated", "UPDATE", "annotation_planlock"),
    _sqlite_refusal("plan_lock_not_deleted", "DELETE", "annotation_planlock"),
    _sqlite_refusal("audit_not_updated", "UPDATE", "annotation_auditevent"),
    _sqlite_refusal("audit_not_deleted", "DELETE", "annotation_auditevent"),
    _sqlite_refusal("revision_not_updated", "UPDATE", "annotation_answerrevision"),
]
SQLITE_NAMES = [statement.split()[2] for statement in SQLITE]


def install(apps, schema_editor):
    """Add the guards."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL, params=None)
        return
    for statement in SQLITE:
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """Take the guards away again."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL_BACK, params=None)
        return
    for name in SQLITE_NAMES:
        schema_editor.execute(f"DROP TRIGGER {name}")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_studies_and_slots")]

    operations = [migrations.RunPython(install, remove)]
