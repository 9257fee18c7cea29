"""The Celery app, where `CELERY_BROKER_URL` names a broker: `celery -A config.celery worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("parallax", include=["analysis.runs.tasks"])
# Only the broker's address is a setting; the rest is what the runs need.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,  # results stand in the database
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    task_serializer="json",
    accept_content=["json"],
)
