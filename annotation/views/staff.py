"""Who is staff: the one rule behind every page that is not an annotator's."""

from django.contrib.auth.decorators import user_passes_test

staff_only = user_passes_test(
    lambda user: user.is_active and bool(getattr(user, "is_staff", False))
)
