import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { leave, serve } from "../../static/js/worker/run.js";

const HALL = "https://hall.example";
const PAGE = `<html lang="en"><p data-kept-words></p>`;

/** Caches of a browser, by name. */
class Stores extends Map {
  open(name) {
    if (!this.has(name)) this.set(name, new Store());
    return Promise.resolve(this.get(name));
  }
  keys() {
    return Promise.resolve([...super.keys()]);
  }
}
class Store {
  answers = new Map();
  match(asked) {
    return Promise.resolve(this.answers.get(asked.url ?? asked)?.clone());
  }
  put(asked, answer) {
    return Promise.resolve(this.answers.set(asked.url ?? asked, answer));
  }
  keys() {
    return Promise.resolve([...this.answers.keys()].map((url) => ({ url })));
  }
  delete(url) {
    return Promise.resolve(this.answers.delete(url));
  }
}

/** A worker: run() does what the browser does with an event, and waits until the worker has ended its work. */
class Scope {
  listeners = new Map();
  location = new URL(HALL);
  done = [];
  registration = {
    unregister: () => this.done.push("unregister"),
    showNotification: (title, options) => this.done.push([title, options.data.url]),
    navigationPreload: { enable: () => this.done.push("preload") },
  };
  clients = { claim: () => this.done.push("claim"), openWindow: (url) => this.done.push(url) };
  skipWaiting() {
    this.done.push("skip");
  }
  addEventListener(name, listener) {
    this.listeners.set(name, listener);
  }
  async run(name, event = {}) {
    const work = [];
    let answer;
    this.listeners.get(name)({
      ...event,
      waitUntil: (promise) => work.push(promise),
      respondWith: (promise) => answer = promise,
    });
    const given = await answer;
    for (let at = 0; at < work.length; at += 1) await work[at];
    await new Promise((resolve) => setTimeout(resolve));
    return given;
  }
  open(path, referrer = "") {
    return this.run("fetch", {
      request: { url: HALL + path, method: "GET", mode: "navigate", cache: "default", referrer },
    });
  }
  login(path) {
    return this.run("fetch", { request: { url: HALL + path, method: "POST", mode: "navigate", cache: "default" } });
  }
}

let network = /** @type {(url: string) => Response} */ (() => new Response(""));
let asked = [];
const offline = () => {
  throw new TypeError("no network");
};
const page = (cache = "public, max-age=0") =>
  new Response(PAGE, { headers: { "Cache-Control": cache, "Content-Type": "text/html" } });
globalThis.fetch = (request) => {
  asked.push(request.url ?? request);
  return new Promise((resolve) => resolve(network(request.url ?? request)));
};
const worker = (version = "1") => {
  const scope = new Scope();
  serve(scope, version);
  return scope;
};

beforeEach(() => {
  Object.defineProperty(globalThis, "caches", { value: new Stores(), configurable: true });
  [network, asked] = [() => page(), []];
});

test("a page that was seen is shown without a network with its age", async () => {
  const scope = worker();
  await scope.open("/open/a/pairings/");
  network = offline;
  const shown = await (await scope.open("/open/a/pairings/")).text();
  assert.match(shown, /^<html data-kept="\d{13}" lang="en">/);
  await assert.rejects(scope.open("/open/a/players/"), /no network/);
});

test("a link to a page that was not seen leads back to its page, which says so", async () => {
  const scope = worker();
  await scope.open("/open/a/pairings/");
  network = offline;
  const led = await scope.open("/open/a/players/", `${HALL}/open/a/pairings/`);
  assert.deepEqual([led.status, led.headers.get("Location")], [302, `${HALL}/open/a/pairings/#not-here`]);
  await assert.rejects(scope.open("/open/a/players/", `${HALL}/open/a/names/`), /no network/);
});

test("without a network the front of a section leads to its pairings in the language that was seen", async () => {
  const scope = worker();
  await scope.open("/de/open/a/pairings/");
  network = offline;
  const led = await scope.open("/de/open/a/");
  assert.deepEqual([led.status, led.headers.get("Location")], [302, `${HALL}/de/open/a/pairings/`]);
  await assert.rejects(scope.open("/open/a/"), /no network/);
});

test("logging in or out forgets all pages, also one that was asked for before", async () => {
  const scope = worker();
  await scope.open("/open/a/players/");
  let answer = /** @type {(page: Response) => void} */ (() => {});
  network = () => /** @type {any} */ (new Promise((resolve) => answer = resolve));
  const slow = scope.open("/open/a/pairings/");
  await scope.login("/de/login/");
  answer(page());
  await slow;
  network = offline;
  for (const path of ["/open/a/players/", "/open/a/pairings/"]) await assert.rejects(scope.open(path), /no network/);
});

test("a page that is now another person's, or is gone, is no longer kept", async () => {
  const scope = worker();
  for (const [path, answer] of [["/open/a/", page("private")], ["/open/b/", new Response("", { status: 404 })]]) {
    network = () => page();
    await scope.open(path);
    network = () => answer;
    await scope.open(path);
    network = offline;
    await assert.rejects(scope.open(path), /no network/);
  }
});

test("a server that fails leaves the page, and a proxy that does not reach it is like no network", async () => {
  const scope = worker();
  await scope.open("/open/a/");
  network = () => new Response("failed", { status: 500 });
  assert.equal((await scope.open("/open/a/")).status, 500);
  network = () => new Response("", { status: 502 });
  assert.match(await (await scope.open("/open/a/")).text(), /data-kept=/);
});

test("a new version deletes what the former one kept, and nothing of others", async () => {
  const [former, own, other] = ["evenboard-pages-1", "evenboard-files-2", "another program"];
  for (const name of [former, own, other]) await caches.open(name);
  const scope = worker("2");
  await scope.run("install");
  await scope.run("activate");
  assert.deepEqual(await caches.keys(), [own, other]);
  assert.deepEqual(scope.done, ["skip", "preload", "claim"]);
});

test("a worker that is switched off deletes everything that it kept, and itself", async () => {
  for (const name of ["evenboard-pages-1", "evenboard-files-1", "another program"]) await caches.open(name);
  const scope = new Scope();
  leave(scope);
  await scope.run("install");
  await scope.run("activate");
  assert.deepEqual([await caches.keys(), scope.done], [["another program"], ["skip", "unregister"]]);
  assert.equal(scope.listeners.has("fetch"), false);
});

test("a page from before the worker is kept with its files, and nothing that it names falsely", async () => {
  const scope = worker();
  network = (url) => (url.includes("/static/") ? new Response("a script") : page());
  const file = `${HALL}/static/js/me.0123456789ab.js`;
  const files = [file, `${HALL}/static/js/me.js`, "https://other.example/static/js/me.0123456789ab.js"];
  await scope.run("message", { data: { keeps: `${HALL}/open/a/`, files } });
  await scope.run("message", { data: { keeps: "https://other.example/", files: [] } });
  assert.deepEqual(asked, [`${HALL}/open/a/`, file]);
  network = offline;
  const request = { url: file, method: "GET", mode: "cors" };
  assert.equal(await (await scope.run("fetch", { request })).text(), "a script");
  assert.match(await (await scope.open("/open/a/")).text(), /data-kept=/);
});

test("the first page of an installed app is kept with the files that it names", async () => {
  const scope = worker();
  const [style, script] = ["/static/css/base.0123456789ab.css", "/static/js/find.0123456789ab.js"];
  const html =
    `${PAGE}<link href="${style}"><script src="${script}"></script><a href="/open/">All</a><a href="//[">x</a>`;
  const headers = { "Cache-Control": "public, max-age=0", "Content-Type": "text/html" };
  network = (url) => (url.includes("/static/") ? new Response("a file") : new Response(html, { headers }));
  await scope.run("message", { data: { keeps: `${HALL}/open/` } });
  assert.deepEqual(asked, [`${HALL}/open/`, HALL + style, HALL + script]);
  network = offline;
  assert.match(await (await scope.open("/open/")).text(), /data-kept=/);
  const request = { url: HALL + script, method: "GET", mode: "cors" };
  assert.equal(await (await scope.run("fetch", { request })).text(), "a file");
});

test("a push message is shown, and a tap on it opens its page", async () => {
  const scope = worker();
  const sent = { title: "Round 3 is published", url: "/de/open/a/pairings/" };
  await scope.run("push", { data: { text: () => JSON.stringify(sent) } });
  const notification = { data: { url: `${HALL}/de/open/a/pairings/` }, close: () => scope.done.push("close") };
  await scope.run("notificationclick", { notification });
  const url = `${HALL}/de/open/a/pairings/`;
  assert.deepEqual(scope.done, [[sent.title, url], "close", url]);
});

test("the desk without its players is kept for the person who is logged in", async () => {
  const scope = worker();
  const desk = "/open/-/registration/desk/";
  const [policy, type] = ["default-src 'self'", "text/html"];
  const shown = (status = 200) =>
    new Response(PAGE, {
      status,
      headers: { "Cache-Control": "no-store", "Content-Type": type, "Content-Security-Policy": policy },
    });
  network = () => shown();
  await scope.open(`${desk}?q=ann`);
  network = offline;
  await assert.rejects(scope.open(desk), /no network/);
  network = () => shown();
  await scope.open(desk);
  network = offline;
  const kept = await scope.open(`${desk}?q=ann`); // the script finds the player
  assert.deepEqual([kept.headers.get("Content-Security-Policy"), (await kept.text()).includes("data-kept")], [
    policy,
    true,
  ]);
  network = () => shown(403); // the role has ended
  await scope.open(desk);
  network = offline;
  await assert.rejects(scope.open(desk), /no network/);
  network = () => shown();
  await scope.open(desk);
  await scope.login("/logout/");
  network = offline;
  await assert.rejects(scope.open(desk), /no network/);
});

test("the first desk, which came before the worker, is kept when it asks for it", async () => {
  const scope = worker();
  network = () => page("no-store");
  await scope.run("message", { data: { keeps: `${HALL}/open/-/registration/desk/`, files: [] } });
  network = offline;
  assert.equal((await scope.open("/open/-/registration/desk/")).status, 200);
});
