"""database_role: what the role of the application may do on PostgreSQL, and that it may no more."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from annotation.errors import StateForbids
from annotation.management.study_command import Document, StudyCommand
from annotation.services.audit import audit_record

# Tables of which the application's role may not do everything with rows; none may it empty or alter.
LIMITED = {
    "annotation_auditevent": "SELECT, INSERT",
    # Erasing a person deletes what the log says of them; audit_verify names any other deletion.
    "annotation_auditdetail": "SELECT, INSERT, DELETE",
    "annotation_audithead": "SELECT, UPDATE",
    "annotation_erasure": "SELECT, INSERT",
    "annotation_planlock": "SELECT, INSERT",
    "annotation_answerrevision": "SELECT, INSERT, DELETE",
    "django_migrations": "SELECT",
}
ALL_ROWS = "SELECT, INSERT, UPDATE, DELETE"


class Command(StudyCommand):
    help = (
        "Print what gives a PostgreSQL role the rights the application needs and none on the log's "
        "past; run as the owner of the tables, after each migrate. The role must exist."
    )

    def declare(self, parser: ArgumentParser) -> None:
        """Take the role's name, and whether to do it."""
        parser.add_argument("role", help="the role as which the application connects")
        parser.add_argument("--apply", action="store_true", help="do it, instead of printing it")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        if connection.vendor != "postgresql":
            raise StateForbids("Only PostgreSQL knows roles; set DATABASE_URL to one.")
        statements = _grants(options["role"])
        if options["apply"]:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(";\n".join(statements))
                data = {"role": options["role"]}
                audit_record("database_role", study="", author=author, now=now, data=data)
        return {"role": options["role"], "applied": options["apply"], "sql": statements}

    def tell(self, document: Document) -> str:
        """Print the statements, ready for psql."""
        return "\n".join(f"{statement};" for statement in document["sql"])


def _grants(role: str) -> list[str]:
    name = connection.ops.quote_name(role)
    database = connection.ops.quote_name(str(connection.settings_dict["NAME"]))
    grants = [
        f"GRANT CONNECT ON DATABASE {database} TO {name}",
        f"GRANT USAGE ON SCHEMA public TO {name}",
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {name}",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {name}",
    ]
    for table in sorted(connection.introspection.table_names()):
        rights = LIMITED.get(table, ALL_ROWS)
        grants.append(f"GRANT {rights} ON {connection.ops.quote_name(table)} TO {name}")
    return grants
