from .access_token import AccessToken, KeptAnswer, Scope
from .action_log import ActionLog, Integrity
from .bye import Bye
from .check_in import CheckIn
from .copies import Chore, CopyProof, ServerClock
from .event import Event, EventRole
from .forbidden_pair import ForbiddenPair
from .game import Game
from .invitation import Invitation
from .login import (
    DeviceLink,
    LoginSession,
    LoginTrials,
    OneTimeLink,
    PasswordLink,
    RecoveryCode,
    SecondFactor,
)
from .notice import NoticeSubscription
from .other_round import OtherRound
from .participant import Participant, RatingSource
from .player import Player, Sex, Title
from .prizes import PrizeCategory, PrizePlan
from .published_list import PublishedList
from .round import Round, WaitingOnDevice
from .schedule import RoundStart
from .screen import Screen
from .section import Section
from .site import EventMakers, SiteLog, SiteSettings
from .user import ColumnLayout, ResultKeys, User
from .webhook import Webhook, WebhookMessage

__all__ = [
    "AccessToken",
    "ActionLog",
    "Bye",
    "CheckIn",
    "Chore",
    "ColumnLayout",
    "CopyProof",
    "DeviceLink",
    "Event",
    "EventMakers",
    "EventRole",
    "ForbiddenPair",
    "Game",
    "Integrity",
    "Invitation",
    "KeptAnswer",
    "LoginSession",
    "LoginTrials",
    "NoticeSubscription",
    "OneTimeLink",
    "OtherRound",
    "Participant",
    "PasswordLink",
    "Player",
    "PrizeCategory",
    "PrizePlan",
    "PublishedList",
    "RatingSource",
    "RecoveryCode",
    "ResultKeys",
    "Round",
    "RoundStart",
    "Scope",
    "Screen",
    "SecondFactor",
    "Section",
    "ServerClock",
    "Sex",
    "SiteLog",
    "SiteSettings",
    "Title",
    "User",
    "WaitingOnDevice",
    "Webhook",
    "WebhookMessage",
]
