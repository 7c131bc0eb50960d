// What happens on the page "Work it out yourself": which step is next, and whether the rules agree with a choice.

/**
 * A step of the page. first, second: the keys of the pair. passed: who comes earlier and is not taken.
 * @typedef {{ first: string, second: string, passed: string[], open: boolean }} Step
 */

/**
 * Return the place of the first step that is still closed, -1 if there is none.
 * @param {Step[]} steps
 */
export const nextStep = (steps) => steps.findIndex((step) => !step.open);

/**
 * Return what the rules say to a choice: agree, passed (they have a reason against this player) or other.
 * @param {Step} step
 * @param {string} chosen
 */
export const verdict = (step, chosen) =>
  chosen === step.second ? "agree" : step.passed.includes(chosen) ? "passed" : "other";

/**
 * Return the players who have an opponent, by the steps that are open.
 * @param {Step[]} steps
 */
export const paired = (steps) =>
  new Set(steps.filter((step) => step.open).flatMap((step) => [step.first, step.second]));
