"""What everybody may do with their own login."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _

from .staff.access import person_page


class _PasswordView(PasswordChangeView):
    """Asks for the old password; the person's other browsers are logged out."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: forms.Form) -> HttpResponse:
        messages.info(self.request, _("Your password is changed."))
        return super().form_valid(form)

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


password = person_page("GET", "HEAD", "POST")(_PasswordView.as_view())
