// "Tell me when the pairings of round 5 are out": one tap asks the browser for a push address and gives it to the server, another one ends it.
// The device remembers for which sections it asked. The service worker shows the notices (worker/run.js).

import { dataOf, forEachComing, one } from "./dom.js";
import { remembers } from "./followed_players.js";

/**
 * Return the bytes of a key in base64 for addresses.
 * @param {string} text
 */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/**
 * Return what the server must know about a push address.
 * @param {PushSubscriptionJSON} subscription
 * @param {string} language
 */
export const known = ({ endpoint, keys }, language) => ({
  endpoint,
  point: keys?.p256dh,
  secret: keys?.auth,
  language,
});

/** @param {HTMLElement} place */
function begin(place) {
  const { url, key, language, section } = dataOf(place);
  const name = `notices-${section}`;
  const [on, off] = [one(place, "[data-on]", HTMLButtonElement), one(place, "[data-off]", HTMLButtonElement)];
  const state = one(place, "[role=status]");

  /** @param {string} [sentence] */
  function show(sentence = "") {
    const asked = localStorage.getItem(name) !== null;
    [on.hidden, off.hidden] = [asked, !asked];
    state.textContent = sentence || (asked ? dataOf(place).active : "");
  }

  /** @param {string} method @param {object} body */
  async function send(method, body) {
    const answer = await fetch(url, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(String(answer.status));
  }

  /** @param {HTMLButtonElement} button @param {() => Promise<void>} work @param {string} failed */
  async function press(button, work, failed) {
    button.disabled = true;
    try {
      await work();
      show();
    } catch {
      show(failed);
    }
    button.disabled = false;
    if (button.hidden) (button === on ? off : on).focus();
  }

  on.onclick = () =>
    press(on, async () => {
      const { pushManager } = await navigator.serviceWorker.ready;
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
      await send("POST", known(subscription.toJSON(), language));
      localStorage.setItem(name, "1");
    }, dataOf(place).failed);
  off.onclick = () =>
    press(off, async () => {
      const { pushManager } = await navigator.serviceWorker.ready;
      const subscription = await pushManager.getSubscription();
      if (subscription) await send("DELETE", { endpoint: subscription.endpoint });
      localStorage.removeItem(name);
    }, dataOf(place).lost);
  show();
  place.hidden = false;
}

/**
 * Show the buttons if this browser has notices, the service worker is there, and the page can remember something.
 * @param {HTMLElement} place
 */
async function offer(place) {
  if (!navigator.serviceWorker) return;
  const { pushManager } = await navigator.serviceWorker.ready; // waits for ever if there will be no worker
  if (pushManager && remembers()) begin(place);
}

if (typeof document !== "undefined") forEachComing("[data-notices]", offer);
