from .action_log import ActionLog, Integrity
from .bye import Bye
from .check_in import CheckIn
from .event import Event, EventRole
from .forbidden_pair import ForbiddenPair
from .game import Game
from .participant import Participant, RatingSource
from .player import Player, Sex, Title
from .round import Round
from .schedule import RoundStart
from .tournament import Tournament
from .user import ResultKeys, User

__all__ = [
    "ActionLog",
    "Bye",
    "CheckIn",
    "Event",
    "EventRole",
    "ForbiddenPair",
    "Game",
    "Integrity",
    "Participant",
    "Player",
    "RatingSource",
    "ResultKeys",
    "Round",
    "RoundStart",
    "Sex",
    "Title",
    "Tournament",
    "User",
]
