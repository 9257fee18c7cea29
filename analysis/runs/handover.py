"""From the queue to a worker: at once by Celery where there is a broker, else whoever looks next."""

import logging
from importlib import import_module

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)


def hand_over(pk: int) -> None:
    """Tell a broker of a run once it is stored; without one, `work` finds it by itself."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: send(pk))


def send(pk: int) -> None:
    """Send the run's number. A broker that is down delays the run and spoils no request."""
    tasks = import_module("analysis.runs.tasks")
    try:
        tasks.send(tasks.run_do_task, pk)
    except tasks.OperationalError as fault:
        log.warning("run %s waits in the database; the broker does not answer: %s", pk, fault)
