// What the clocks of a screen in the hall show. Times are in milliseconds since 1970.

const BEGUN = 10 * 60000; // for which "Play has begun" is shown

/**
 * The beginning of a round, as the server writes it.
 * @typedef {{ at: number, words: string }} Start
 */

/**
 * Return the hours, minutes and seconds until a moment, rounded up: 1:05:00, 5:00, 0:09.
 * @param {number} left milliseconds
 */
export function timeLeft(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return (hours ? `${hours}:${two(minutes)}` : String(minutes)) + `:${two(seconds % 60)}`;
}

/**
 * Return what a countdown shows: nothing without one, or some time after its end.
 * @param {number} to 0: there is no countdown
 * @param {number} now
 * @param {{ begins: string, begun: string }} words
 * @returns {{ words: string, time: string } | null}
 */
export function countdown(to, now, words) {
  const left = to - now;
  if (!to || left < -BEGUN) return null;
  return left > 0 ? { words: words.begins, time: timeLeft(left) } : { words: words.begun, time: "" };
}

/**
 * Return what a screen with nothing but a clock shows: the countdown of the arbiter, the time to the next round by the
 * schedule, or the time of day.
 * @param {ReturnType<typeof countdown>} set
 * @param {Start[]} starts by time
 * @param {number} now
 * @param {string} day the time of day
 */
export function largeClock(set, starts, now, day) {
  if (set) return set;
  const next = starts.find((start) => start.at > now);
  return next && next.at - now < 86_400_000
    ? { words: next.words, time: timeLeft(next.at - now) }
    : { words: "", time: day };
}
