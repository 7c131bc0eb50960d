// A list in the web site of the organiser: asks for news, and says its height to the page around it.

import { byId, dataOf } from "./dom.js";

const EVERY = 30_000; // milliseconds between two questions, a fifth more or less

/** Anybody may read the height: it says no more than the page itself. */
function sayHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (window !== parent) parent.postMessage({ evenboard: { height } }, "*");
}

async function ask() {
  if (!document.hidden) {
    const main = byId("main");
    const query = new URLSearchParams(location.search);
    const { seen, round } = dataOf(main);
    query.set("seen", seen);
    query.set("round", round);
    try {
      const answer = await fetch(`${location.pathname}?${query}`, { cache: "no-store" });
      if (answer.headers.get("HX-Refresh")) location.reload();
      else if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("main");
        if (fresh) main.replaceWith(document.adoptNode(fresh));
        sayHeight();
      }
    } catch {
      // without a network the list stays as it is
    }
  }
  schedule();
}

function schedule() {
  setTimeout(ask, EVERY * (0.8 + Math.random() * 0.4));
}

sayHeight();
addEventListener("resize", sayHeight);
schedule();
