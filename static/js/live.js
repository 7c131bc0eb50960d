// Pages that show what others do. The root has data-live: the address that is asked every few seconds with the revision of
// the page (empty: the address of the page). 204 means that nothing is new. Only changed parts are replaced (data-part, each
// with an id), and never a part that the person types in, has open or presses. A lost connection is shown with its time.
"use strict";

{
  const EVERY = 4000; // milliseconds between two questions, a tenth more or less, so that not all seats ask at once
  const SLOWEST = 15000; // between two tries while the server does not answer
  const PATIENCE = 10000; // for an answer
  const GUARD = 450; // how long after a change a press that was meant for the former control does nothing
  const SAID = 4000; // how long the page says that a press did nothing
  const HOLD = 5000; // how long news waits for the answer to the person's own press, which brings the whole page

  const sent = new Map(); // by id: each part as the server sent it last
  let waiting = null; // an answer that could not be put in yet
  let timer = 0;
  let asking = null;
  let failures = 0;
  let heard = new Date(); // when the server answered last
  let pressed = false;
  let sentAt = -HOLD; // when the last press of this person was sent
  let changed = 0; // parts put in by the last answer
  let guard = { until: 0, places: new Map(), keys: new Map() };
  let unsaid = 0;

  const root = () => document.querySelector("[data-live]");
  const words = () => document.getElementById("live-words")?.dataset ?? {};
  const parts = (scope) => [...scope.querySelectorAll("[data-part]")];
  // The outermost parts in `scope`: a list is a part, and so is each of its rows.
  const within = (scope) => parts(scope).filter((part) => part.parentElement.closest("[data-part]") === (scope.matches("[data-part]") ? scope : null));
  const ids = (scope) => within(scope).map((part) => part.id).join(" ");
  const clock = (moment) => moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  // Tokens of forms differ each time, and keys.js adds attributes. Neither is news.
  const plain = (part) =>
    part.outerHTML.replace(/(name="csrfmiddlewaretoken" value=)"[^"]*"/g, "$1").replace(/ aria-keyshortcuts="[^"]*"/g, "");

  // Remember the whole page as what the server sent; or only the part `here`, which was put in for `fresh`.
  function remember(here, fresh) {
    if (!here) {
      sent.clear();
      if (waiting && root()) root().dataset.seen = ""; // ask for it again, because it was never put in
      waiting = null;
      for (const part of parts(document)) sent.set(part.id, plain(part));
      return;
    }
    for (const part of [fresh, ...parts(fresh)]) sent.set(part.id, plain(part));
  }

  // Parts that must not be replaced now --------------------------------------------------------------------------------

  const typed = (field) =>
    field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked
    : field.matches("select") ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.type !== "hidden" && field.value !== field.defaultValue;

  function busy(part) {
    if (pressed || part.matches("[data-busy]") || part.querySelector("[data-busy], .htmx-request, dialog[open]")) return true;
    const focus = document.activeElement;
    if (part.contains(focus) && focus.matches("input:not([type=hidden]), select, textarea")) return true;
    if (part.querySelector("details[open]")?.contains(focus)) return true;
    const selection = getSelection();
    if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return true;
    return [...part.querySelectorAll("input, select, textarea")].some(typed);
  }

  // Putting in -------------------------------------------------------------------------------------------------------

  const CONTROLS = "a[href], button, summary, input, select, textarea";
  // A name that identifies a control on this page and on the next. Each row of a list has buttons that post to another
  // address, or that name the player in hidden words.
  const nameOf = (control) => {
    const own = control.getAttribute("formaction");
    return [control.localName, control.id, own ?? control.getAttribute("href") ?? control.form?.getAttribute("action") ?? "",
      control.name ?? "", own ? "" : control.getAttribute("value") ?? "",
      control.matches("summary") ? control.textContent : control.querySelector(".sr")?.textContent ?? ""].join("|");
  };
  const byName = (scope, name) => [...scope.querySelectorAll(CONTROLS)].find((control) => nameOf(control) === name);

  function look() {
    const places = new Map();
    const keys = new Map();
    for (const control of root().querySelectorAll(CONTROLS)) {
      places.set(nameOf(control), { box: control.getBoundingClientRect(), x: scrollX, y: scrollY });
      for (const key of [control.dataset.key, control.dataset.keyAlso]) if (key && !keys.has(key)) keys.set(key, nameOf(control));
    }
    return { places, keys };
  }

  function put(old, fresh) {
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const focused = focus && nameOf(focus);
    const open = new Set([...old.querySelectorAll("details[open]")].map((each) => each.id));
    const copy = document.importNode(fresh, true);
    for (const each of copy.querySelectorAll("details")) if (open.has(each.id)) each.open = true;
    old.replaceWith(copy);
    window.htmx?.process(copy);
    if (focus) (byName(copy, focused) ?? (focus.id && document.getElementById(focus.id)))?.focus({ preventScroll: true });
    return copy;
  }

  // Replace the parts that changed. Return false if a part must wait.
  function renew(old, fresh) {
    const html = plain(fresh);
    if (sent.get(fresh.id) === html) return true;
    const rows = within(old);
    if (rows.length && ids(old) === ids(fresh)) {
      const done = within(fresh).map((row, place) => renew(rows[place], row));
      if (done.every(Boolean)) sent.set(fresh.id, html);
      return done.every(Boolean);
    }
    if (busy(old)) return false;
    remember(put(old, fresh), fresh);
    changed += 1;
    return true;
  }

  function take(fresh) {
    if (document.querySelector(".htmx-request") && performance.now() - sentAt < HOLD) {
      waiting = fresh; // put in now, it would move controls twice, and the next press would be taken for a slip
      return;
    }
    const here = root();
    const before = look();
    changed = 0;
    let done = true;
    if (ids(here) === ids(fresh)) {
      const old = within(here);
      done = within(fresh).map((part, place) => renew(old[place], part)).every(Boolean);
      here.dataset.seen = fresh.dataset.seen;
      here.dataset.live = fresh.dataset.live;
    } else if (busy(here)) done = false;
    else {
      put(here, fresh);
      remember();
      changed += 1;
    }
    waiting = done ? null : fresh;
    if (!changed) return;
    guard = { until: performance.now() + GUARD, ...before };
    const said = document.getElementById("live-said");
    if (said && said.textContent !== (fresh.dataset.said ?? "")) said.textContent = fresh.dataset.said ?? "";
    tick();
    document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // filters and keys look at the page again
  }

  // Asking -----------------------------------------------------------------------------------------------------------

  function schedule(delay) {
    clearTimeout(timer);
    timer = setTimeout(ask, delay * (0.9 + Math.random() / 5));
  }

  async function ask() {
    clearTimeout(timer);
    const here = root();
    if (!here || document.hidden) return schedule(EVERY);
    asking?.abort();
    const mine = (asking = new AbortController());
    const late = setTimeout(() => mine.abort("late"), PATIENCE);
    try {
      const address = new URL(here.dataset.live || location.pathname + location.search, location.href);
      address.searchParams.set("seen", here.dataset.seen);
      const answer = await fetch(address, { headers: { "HX-Request": "true" }, cache: "no-store", signal: mine.signal });
      if (answer.headers.get("HX-Redirect") || [401, 403, 404].includes(answer.status)) return over(answer);
      if (!answer.ok) throw new Error(String(answer.status));
      const html = answer.status === 204 ? "" : await answer.text();
      back();
      if (html && here.isConnected && here === root()) {
        const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-live]");
        if (fresh) take(fresh);
      }
      schedule(EVERY);
    } catch {
      if (mine !== asking) return; // a newer question is on its way
      lost();
      schedule(Math.min(SLOWEST, 1500 * 2 ** Math.min(failures, 4)));
    } finally {
      clearTimeout(late);
    }
  }

  function state(text, kind) {
    const box = document.getElementById("live-state");
    if (!box) return;
    if (box.textContent !== text) box.textContent = text;
    box.className = `live-state note ${kind}`;
    box.hidden = !text;
  }

  function lost() {
    failures += 1;
    state((words().lost ?? "").replace("{at}", clock(heard)), "warn");
  }

  function back() {
    heard = new Date();
    if (failures) state("", "");
    failures = 0;
  }

  function over(answer) {
    const ended = answer.headers.get("HX-Redirect");
    state(ended ? words().ended : words().gone, "bad");
    if (!ended) return;
    const link = document.createElement("a");
    link.href = `${ended}?next=${encodeURIComponent(location.pathname)}`;
    link.textContent = words().login;
    document.getElementById("live-state")?.append(" ", link);
  }

  function now() {
    if (root() && !document.hidden) ask();
  }

  // Hands ------------------------------------------------------------------------------------------------------------

  const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  // At the same place of the screen, or of the page if it was scrolled since.
  const covers = ({ box, x, y }, event) =>
    inside(box, event.clientX, event.clientY) || inside(box, event.clientX + scrollX - x, event.clientY + scrollY - y);

  // Refuse a press, and say why: "moved" if the page has just changed, "soon" if the button is new on the page.
  function refuse(event, why = "moved") {
    event.preventDefault();
    const box = document.getElementById("live-moved");
    box.textContent = words()[why];
    box.hidden = false;
    clearTimeout(unsaid);
    unsaid = setTimeout(() => { box.hidden = true; box.textContent = ""; }, SAID);
  }

  function settle() {
    setTimeout(() => {
      if (waiting && root() && !pressed) take(waiting);
    }, 60);
  }

  function release() {
    pressed = false;
    settle();
  }

  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release, true);
  document.addEventListener("htmx:beforeRequest", () => { sentAt = performance.now(); });
  for (const name of ["focusout", "change", "htmx:afterRequest"]) document.addEventListener(name, settle);
  document.addEventListener(
    "click",
    (event) => {
      if (!event.isTrusted || !event.detail || performance.now() > guard.until) return;
      const control = event.target.closest(CONTROLS);
      if (!control || !root()?.contains(control)) return;
      const before = guard.places.get(nameOf(control));
      if (before && covers(before, event)) return;
      event.stopImmediatePropagation();
      refuse(event); // the control has only just come under the finger
    },
    true,
  );
  // Whether the key has only just come to mean another control. Then the key does nothing, and the page says so.
  function moved(event, control) {
    const before = guard.keys.get(event.key) ?? guard.keys.get(event.key.toLowerCase());
    if (performance.now() > guard.until || !before || before === nameOf(control)) return false;
    refuse(event);
    return true;
  }

  // Times that the page counts on: "12 min ago" --------------------------------------------------------------------

  function ago(moment) {
    const minutes = Math.max(0, Math.floor((Date.now() - moment) / 60000));
    const said = minutes < 1 ? words().just : minutes < 60 ? words().minutes : words().hours;
    return (said ?? "").replace("{h}", Math.floor(minutes / 60)).replace("{m}", minutes < 60 ? minutes : minutes % 60);
  }

  function tick() {
    for (const each of document.querySelectorAll("[data-since]")) {
      const text = ago(new Date(each.dataset.since));
      if (each.textContent !== text) each.textContent = text;
    }
    for (const each of document.querySelectorAll("[data-until]")) each.hidden = new Date(each.dataset.until) < new Date();
  }

  document.addEventListener("visibilitychange", now);
  for (const name of ["online", "pageshow", "focus"]) window.addEventListener(name, now);
  window.addEventListener("offline", () => { if (root()) lost(); });
  document.addEventListener("htmx:historyRestore", () => remember());
  document.addEventListener("htmx:afterSwap", () => { remember(); tick(); }); // a form has replaced the page
  setInterval(tick, 15000);
  window.live = { now, moved, refuse };
  remember();
  tick();
  schedule(EVERY);
}
