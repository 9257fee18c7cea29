"""The Celery app of a test: as the real one, but a part of a run waits while a file is there."""

from dataclasses import replace
from importlib import import_module

from celery.signals import worker_init

from analysis import apart
from analysis.runs.kinds import CLCG, KINDS
from config.celery import app

__all__ = ["app"]

PARTS = "tests.concurrency.held_parts"
# So that what is done for many answers is done for a few.
apart.FEW_ANSWERS = 0
KINDS[CLCG] = replace(KINDS[CLCG], module=PARTS, part_function="held_part")


@worker_init.connect
def import_once(**_):
    """Load the libraries before the pool is forked, so that each process has them."""
    import_module(PARTS)
