from .entries import Bye, CheckIn, ForbiddenPair, Participant, Player, RatingSource, Sex, Title
from .event_changes import EventChange
from .events import Event, EventRole, WordEnd
from .hall import Screen
from .incidents import Incident
from .log import ActionLog, Integrity
from .logins import (
    ColumnLayout,
    DeviceLink,
    LoginSession,
    LoginTrials,
    OneTimeLink,
    PasswordLink,
    RecoveryCode,
    ResultKeys,
    SecondFactor,
    User,
)
from .notices import NoticeSubscription
from .people import Invitation
from .persons_page import FinalPlace, JoinedEntry
from .prizes import PrizeCategory, PrizePlan
from .programs import AccessToken, KeptAnswer, Scope, Webhook, WebhookMessage
from .published_lists import PublishedList
from .rehearsals import RehearsalClock
from .rounds import Game, OtherRound, PreparedRound, Round, RoundFile, WaitingOnDevice
from .sections import RoundStart, Section
from .site import (
    Chore,
    CopyProof,
    EnginePackage,
    EventMakers,
    KeptUpload,
    ServerClock,
    SiteLog,
    SiteSettings,
)
from .spare import WritingTerm

__all__ = [
    "AccessToken",
    "ActionLog",
    "Bye",
    "CheckIn",
    "Chore",
    "ColumnLayout",
    "CopyProof",
    "DeviceLink",
    "EnginePackage",
    "Event",
    "EventChange",
    "EventMakers",
    "EventRole",
    "FinalPlace",
    "ForbiddenPair",
    "Game",
    "Incident",
    "Integrity",
    "Invitation",
    "JoinedEntry",
    "KeptAnswer",
    "KeptUpload",
    "LoginSession",
    "LoginTrials",
    "NoticeSubscription",
    "OneTimeLink",
    "OtherRound",
    "Participant",
    "PasswordLink",
    "Player",
    "PreparedRound",
    "PrizeCategory",
    "PrizePlan",
    "PublishedList",
    "RatingSource",
    "RecoveryCode",
    "RehearsalClock",
    "ResultKeys",
    "Round",
    "RoundFile",
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
    "WordEnd",
    "WritingTerm",
]
