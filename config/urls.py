"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.urls")),
    path("", include("analysis.urls")),
    path("admin/", admin.site.urls),
]

handler500 = "annotation.views.faults.broken"
