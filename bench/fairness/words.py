"""The parts of the page that no figure changes."""

HEAD = """\
The rules say what the Dubov System is for: a player with more points than another player should have a higher
performance rating as well. So players who finish level should have met equal opposition. This page measures how far
the system gets there, and what it costs, beside two other pairings. It is the output of

    {command}

with one process. A run ends by time or by the number of opens, never because of a result. The figures of the
pictures are in the tables.

A section has the same measures for its own rounds: **Standings**, then **Fairness**. For arbiters a link on that
page sets them beside other pairings of the same rounds ([decision 61](decisions/0061-fairness-of-a-section.md)).
"""
OPENS = """\
{opens} random opens were played three times, once by each pairing: {games} games. They have the seeds 1 to
{last}. {left_out} Each open has the same players and the same luck all three times, so differences are taken
open by open. ± is the 95% interval of a mean. A difference is bold if its interval does not contain 0. If nothing
differed, one of 20 differences would be bold by chance.
"""
METHOD = """\
- **Players**: {low} to {high}, each number equally often. The true strengths are drawn from a normal distribution
  with mean {mean} and standard deviation {deviation} Elo. A rating is the true strength plus normal noise with a
  standard deviation of {noise} Elo, one of these in each open. Both are kept between {least} and {most}.
- **Rounds**: {rounds}. The pairing numbers follow the ratings. The initial-colour is drawn. Everybody plays all
  rounds.
- **Results** come from the true strengths, by the model of `evenboard_engine/generating/results.py`: the table of
  expected scores of B.02, 8.1.2, with White's advantage and the share of draws of Milvang's model. Differences
  above 400 Elo count as 400.
- **The same luck**: for each two players one random number decides their game, whenever they meet and in whichever
  of the three opens. So two systems that pair the same two players with the same colours get the same result.
"""
PAIRINGS = """\
- **Dubov**: C.04.4.1 in the edition of 2026.
- **Upper half** (`evenboard_engine/upper_half.py`): nobody's regulation, but the plain idea of most Swiss systems. A
  round is legal if nobody meets the same player twice, nobody has a second bye, and two players with an absolute
  preference for one colour do not meet, as in the Dubov System. Players are ranked by points, then by pairing
  number. The lowest player without whom the rest can be paired has the bye. Of all legal rounds, the one with the
  least sum of squared differences of scores is taken. Of these, the one with the least sum of squared distances
  from the natural opponents. In a score group of n players the natural opponent is n // 2 places away; a player who
  floats should be one place from the opponent. Colours are given as in the Dubov System. Milder colour preferences
  and earlier floats do not count.
- **US Chess**: [the procedure of this program](uschess.md) with its default options. Where it cannot finish, the
  round that it offers is played.
"""
FOUND = """\
Three final orders are looked at: points alone, points and Buchholz (BH), points and ARO. Players who are still
level share their places. *Rank correlation* is Spearman's, between this order and the order by true strength: 1 is
the same order. The *true place of the winner* is the mean place by strength of all who are first. The *chance that
the strongest wins* counts a shared first place as its part.
"""
OPPOSED = """\
*Spread*: the standard deviation of the AROs from the mean of the player's own final score group, over all players,
with ARO not rounded. *Agreement*: of two players with different points, how much more often the one with more
points has the higher TPR (C.07, 10.2) than the lower one. This is Somers' D, from -1 to 1; 1 is what the rules of
the Dubov System name as their aim. *Q*: [the quality of the Pairing Tiebreaker](rules.md#the-pairing-tiebreaker),
for three orders inside a score group, the same for all systems. Smaller is more even.
"""
LIMITS_OF_IT = """\
- **Other fields.** Real opens have late entries, requested byes, withdrawals, unrated players and groups of very
  different strength. None of them is here, and there is no acceleration. Sections of more than 60 players with few
  rounds are not here either.
- **Other systems.** The upper-half pairing is no FIDE system: the Dutch System also looks at milder colours and
  floats.
- **People.** Strength is a constant. Nobody agrees a draw, gets tired or plays for a place. The results model does
  not know colour preferences, or that a player with much to lose plays in another way.
- **Which system is better.** Spread of AROs and agreement with performance are what the Dubov System works for, by
  the ratings that it knows. So it is expected to lead in them. An order that agrees better with true strength is
  another aim, and ARO as a tie-break has less to say where AROs are made equal.
- **A single open.** The differences are means over many opens. They are small beside what luck does in one.
- **One value of Q.** It depends on the order inside the score groups. So three orders are shown, and they do not agree.
"""
