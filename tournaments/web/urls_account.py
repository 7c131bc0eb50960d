"""Logging in and out, and the pages of a person's own login.

login  login-code  logout  forgotten  new-password (token)
account  end-session  password  second-factor  mail  result-keys
"""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from tournaments.web.views import account
from tournaments.web.views.forgotten import forgotten, new_password
from tournaments.web.views.login import Login, login_code

urlpatterns = [
    path("login/", Login.as_view(), name="login"),
    path("login/code/", login_code, name="login-code"),
    path("login/forgotten/", forgotten, name="forgotten"),
    path("login/new-password/<str:token>/", new_password, name="new-password"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", account.account, name="account"),
    path("account/end/", account.end, name="end-session"),
    path("account/second-factor/", account.second_factor, name="second-factor"),
    path("account/mail/", account.mail, name="mail"),
    path("password/", account.password, name="password"),
    path("keys/", account.result_keys, name="result-keys"),
]
