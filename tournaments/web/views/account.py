"""What everybody may change about their own login."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from tournaments.actions.logins import choose_result_keys
from tournaments.models import ResultKeys

from .staff.access import person_page, posted


class _PasswordView(PasswordChangeView):
    """Asks for the old password. The change logs out the person's other browsers."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: forms.Form) -> HttpResponse:
        messages.info(self.request, _("Your password is changed."))
        return super().form_valid(form)

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class _KeysForm(forms.Form):
    keys = forms.ChoiceField(
        label=_lazy("Digits as in"), choices=ResultKeys.choices, widget=forms.RadioSelect
    )


@person_page("GET", "HEAD", "POST")
def result_keys(request: HttpRequest) -> HttpResponse:
    """Choose which keys type results. The page of results asks for JSON, and gets 200 or 422."""
    form = _KeysForm(posted(request), initial={"keys": request.user.result_keys})
    by_script = request.headers.get("Accept", "").startswith("application/json")
    if request.method == "POST" and form.is_valid():
        choose_result_keys(user=request.user, keys=form.cleaned_data["keys"])
        if by_script:
            return JsonResponse({"keys": request.user.result_keys})
        messages.info(request, _("Your keys for results are saved."))
        return redirect("result-keys")
    if by_script:
        return JsonResponse({"keys": request.user.result_keys}, status=422 if form.is_bound else 200)
    return render(request, "registration/keys.html", {"form": form}, status=422 if form.is_bound else 200)


password = person_page("GET", "HEAD", "POST")(_PasswordView.as_view())
