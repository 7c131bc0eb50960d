// The desk by keyboard or scanner: a code and Enter find the player, and Enter in the empty field notes what is next.

/**
 * Return the button that Enter in the field presses: the marked one, if one player is shown and nothing is typed.
 * @param {string} typed
 * @param {NodeListOf<HTMLElement> | HTMLElement[]} marked
 */
export const pressedBy = (typed, marked) => (typed.trim() === "" && marked.length === 1 ? marked[0] : null);

document.getElementById("q")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  const button = pressedBy(event.target.value, document.querySelectorAll(".at-desk.scanned .btn.go"));
  if (!button) return;
  event.preventDefault();
  button.click();
});
