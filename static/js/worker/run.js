// The service worker: pages for everybody come from the network, and without a network from what this device has seen last.
// /worker.js calls it with the version of the program (web/views/public/app.py). rules.js decides.

import {
  addresses,
  BYTES,
  filesOf,
  isBareDesk,
  isForAll,
  isLost,
  KEPT_MANUAL,
  keptAt,
  kindOf,
  MOST,
  NOT_HERE,
  noticeOf,
  patience,
  saysItsAge,
  surplus,
  withAge,
  withTime,
} from "./rules.js";

const OURS = "evenboard-";

/**
 * Serve this version of the program. What other versions kept is deleted, because its pages name files that are gone.
 * @param {WorkerScope} here the worker
 * @param {string} version
 */
export function serve(here, version) {
  const names = {
    pages: `${OURS}pages-${version}`,
    desks: `${OURS}desks-${version}`,
    files: `${OURS}files-${version}`,
    manual: KEPT_MANUAL,
  };
  let turn = Promise.resolve(); // what is kept is counted by one at a time
  let logins = 0;

  /** @param {Cache} cache */
  async function tidy(cache) {
    const kept = await Promise.all((await cache.keys()).map(async ({ url }) => {
      const answer = /** @type {Response} */ (await cache.match(url));
      return { url, at: keptAt(answer.headers), bytes: (await answer.arrayBuffer()).byteLength };
    }));
    for (const url of surplus(kept, MOST, BYTES)) await cache.delete(url);
  }

  /** @param {() => Promise<void>} work */
  const inTurn = (work) => (turn = turn.then(work).catch(() => {})); // a full disk: then nothing is kept

  /**
   * @param {string} url
   * @param {Response} answer
   * @param {number} began the logins up to the moment at which the page was asked for
   */
  function keep(url, answer, began) {
    return inTurn(async () => {
      const cache = await caches.open(names.pages);
      const html = isForAll(answer) ? await answer.text() : "";
      if (saysItsAge(html) && began === logins) {
        await cache.put(addresses(url)[0], withTime(html, Date.now(), answer.headers));
        await tidy(cache);
      } else await cache.delete(addresses(url)[0]); // it is gone, or another person's
    });
  }

  /** @param {string} url */
  async function kept(url) {
    const cache = await caches.open(names.pages);
    for (const [place, address] of addresses(url).entries()) {
      const answer = await cache.match(address);
      if (!answer) continue;
      if (place) return Response.redirect(address);
      return new Response(withAge(await answer.text(), answer.headers), { headers: answer.headers });
    }
    return undefined;
  }

  /**
   * Somebody who follows a link to a page that is not on this device stays on the page with the link, which says so.
   * @param {Request} request
   * @param {unknown} failure
   */
  async function stay({ url, referrer }, failure) {
    if (!referrer || referrer === url || !await kept(referrer)) throw failure;
    return Response.redirect(`${referrer}${NOT_HERE}`);
  }

  /** @param {WorkerFetch} event */
  async function page(event) {
    const { request } = event;
    const began = logins;
    const network = (async () => {
      const answer = (await event.preloadResponse) ?? await fetch(request);
      if (answer.type !== "opaqueredirect" && answer.status < 500) {
        event.waitUntil(keep(request.url, answer.clone(), began));
      }
      return answer;
    })();
    event.waitUntil(network.catch(() => {}));
    const old = await kept(request.url);
    if (!old) return await network.catch((failure) => stay(request, failure));
    const late = new Promise((resolve) => setTimeout(resolve, patience(request.cache)));
    const answer = /** @type {Response | undefined} */ (await Promise.race([network, late]).catch(() => undefined));
    return answer && !isLost(answer) ? answer : old;
  }

  /**
   * The desk of a person who is logged in, without its players. It goes with the login, and when the server refuses it.
   * @param {string} url
   * @param {Response} answer
   * @param {number} began
   */
  const keepDesk = (url, answer, began) =>
    inTurn(async () => {
      const desks = await caches.open(names.desks);
      const { origin, pathname } = new URL(url);
      if (!isBareDesk(url, answer)) {
        if (answer.status !== 200) await desks.delete(origin + pathname);
      } else if (began === logins) {
        await desks.put(origin + pathname, withTime(await answer.text(), Date.now(), answer.headers));
      }
    });

  /** @param {WorkerFetch} event */
  async function desk(event) {
    const { request } = event;
    const began = logins;
    const network = (async () => {
      const answer = (await event.preloadResponse) ?? await fetch(request);
      if (answer.status < 500) event.waitUntil(keepDesk(request.url, answer.clone(), began));
      return answer;
    })();
    event.waitUntil(network.catch(() => {}));
    const { origin, pathname } = new URL(request.url);
    const kept = await (await caches.open(names.desks)).match(origin + pathname);
    if (!kept) return await network;
    const late = new Promise((resolve) => setTimeout(resolve, patience(request.cache)));
    const answer = /** @type {Response | undefined} */ (await Promise.race([network, late]).catch(() => undefined));
    if (answer && !isLost(answer)) return answer;
    return new Response(withAge(await kept.text(), kept.headers), { headers: kept.headers });
  }

  /** @param {Request | string} asked @param {RequestCache} [cache] */
  async function file(asked, cache) {
    const files = await caches.open(names.files);
    const found = await files.match(asked) ?? await ofManual(asked);
    if (found) return found;
    const answer = await fetch(asked, cache && { cache });
    if (answer.status === 200) {
      const copy = answer.clone();
      inTurn(async () => {
        await files.put(asked, copy);
      });
    }
    return answer;
  }

  // The manual was kept whole, with its files, so its pages stay readable when the program has a new version.
  /** @param {Request | string} asked */
  const ofManual = async (asked) => await (await caches.open(names.manual)).match(asked, { ignoreVary: true });

  /** @param {WorkerFetch} event */
  async function manual(event) {
    const { request } = event;
    const network = (async () => (await event.preloadResponse) ?? await fetch(request))();
    event.waitUntil(network.catch(() => {}));
    const old = await ofManual(request.url);
    if (!old) return await network;
    const late = new Promise((resolve) => setTimeout(resolve, patience(request.cache)));
    const answer = /** @type {Response | undefined} */ (await Promise.race([network, late]).catch(() => undefined));
    return answer && !isLost(answer) ? answer : old;
  }

  async function forget() {
    logins += 1;
    await Promise.all([names.pages, names.desks].map((name) => caches.delete(name)));
  }

  here.addEventListener("install", (event) => event.waitUntil(here.skipWaiting()));
  here.addEventListener("activate", (event) =>
    event.waitUntil((async () => {
      const all = await caches.keys();
      const old = all.filter((name) => name.startsWith(OURS) && !Object.values(names).includes(name));
      await Promise.all(old.map((name) => caches.delete(name)));
      await here.registration.navigationPreload?.enable();
      await here.clients.claim();
    })()));
  here.addEventListener("push", (event) => {
    const { title, options } = noticeOf(event.data?.text() ?? "", here.location.origin);
    event.waitUntil(here.registration.showNotification(title, options));
  });
  here.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(here.clients.openWindow(event.notification.data.url));
  });
  here.addEventListener("fetch", (event) => {
    const kind = kindOf(event.request, here.location.origin);
    if (kind === "page") event.respondWith(page(event));
    else if (kind === "desk") event.respondWith(desk(event));
    else if (kind === "manual") event.respondWith(manual(event));
    else if (kind === "file") event.respondWith(file(event.request));
    else if (kind === "login") event.waitUntil(forget());
  });
  // A page that was loaded before there was a worker asks to be kept. The browser still has it, and all its files. The first
  // page of an app is kept with the files that it names.
  here.addEventListener("message", (event) => {
    const { keeps, files } = event.data ?? {};
    if (typeof keeps !== "string" || (files && !Array.isArray(files))) return;
    event.waitUntil(
      (async () => {
        const ours = (/** @type {string} */ url, /** @type {string} */ mode) =>
          kindOf({ url, method: "GET", mode }, here.location.origin);
        const began = logins;
        const kind = ours(keeps, "navigate");
        if (kind !== "page" && kind !== "desk") return;
        const answer = await fetch(keeps, { cache: files ? "force-cache" : "default" });
        const needed = /** @type {string[]} */ (files ?? filesOf(await answer.clone().text(), keeps));
        await (kind === "page" ? keep : keepDesk)(keeps, answer, began);
        await Promise.all(
          needed.filter((url) => ours(url, "cors") === "file").map((url) => file(url, "force-cache")),
        );
      })().catch(() => {}),
    );
  });
}

/**
 * Remove the worker and all that it has kept: the operator has switched it off.
 * @param {WorkerScope} here
 */
export function leave(here) {
  here.addEventListener("install", (event) => event.waitUntil(here.skipWaiting()));
  here.addEventListener("activate", (event) =>
    event.waitUntil((async () => {
      const all = await caches.keys();
      await Promise.all(all.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name)));
      await here.registration.unregister();
    })()));
}
