"""From the queue to a worker: at once by Celery where there is a broker, else whoever looks next.

Tasks are called by their names, so that nothing of Celery is needed where there is no broker.
"""

import logging

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)
RUN_DO, RUNS_LEFT = "run_do", "runs_left"
# Celery would try for seconds, while a request waits.
AT_ONCE = {"max_retries": 1, "interval_start": 0}


def hand_over(pk: int) -> None:
    """Tell a broker of a run once it is stored; without one, `work` finds it by itself."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: call(RUN_DO, pk))


def call(task: str, *arguments: int, expires: float | None = None) -> None:
    """Send a message now or not at all: a broker that is down delays a run and spoils no request.

    A connection of its own: messages are few, and one that was kept may have died unnoticed.
    """
    from kombu.exceptions import OperationalError  # noqa: PLC0415  an extra, like the next

    from config.celery import app  # noqa: PLC0415

    address = settings.CELERY_BROKER_URL
    try:
        with app.connection_for_write(address, transport_options=AT_ONCE) as connection:
            app.send_task(task, arguments, connection=connection, retry=False, expires=expires)
    except OperationalError as fault:
        log.warning("runs wait in the database; the broker does not answer: %s", fault)
