"""One BLAS thread for a fit of many small products."""

from contextlib import AbstractContextManager
from functools import cache

import scipy.linalg  # noqa: F401  loads the second BLAS before the controller looks for them
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread inside a `with` block.

    The fits make thousands of products of arrays with tens to hundreds of rows. More threads spend
    their time waiting for each other: measured on a busy machine, ten times the CPU seconds.
    """
    limiter: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limiter
