"""A member of staff, logged in."""

import pytest


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("staff", is_staff=True))
    return client
