"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from annotation.admin_accounts import own_password
from annotation.views.staff import staff_only

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.urls")),
    path("", include("analysis.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("analysis.api.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="api_schema"),
    # One log-in for all, which lets nobody guess for long.
    path(
        "admin/login/",
        RedirectView.as_view(pattern_name="login", query_string=True),
        name="admin_login",
    ),
    path("admin/password_change/", staff_only(own_password), name="own_password"),
    path("admin/", admin.site.urls),
]

handler500 = "annotation.views.faults.broken"
