import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addresses,
  isForAll,
  isLost,
  keptAt,
  kindOf,
  LONGEST,
  noticeOf,
  patience,
  saysItsAge,
  surplus,
  withAge,
  withTime,
} from "../../static/js/worker/rules.js";

const HALL = "https://hall.example";
const kind = (path, method = "GET", mode = "navigate") => kindOf({ url: HALL + path, method, mode }, HALL);
const answer = (headers, status = 200) =>
  new Response("", { status, headers: { "Content-Type": "text/html; charset=utf-8", ...headers } });

test("the worker answers for pages that somebody opens, and for files that never change", () => {
  assert.deepEqual([kind("/open/a/pairings/"), kind("/de/open/a/players/?by=rating")], ["page", "page"]);
  assert.equal(kind("/static/css/base.0123456789ab.css", "GET", "no-cors"), "file");
  assert.equal(kind("/static/css/base.css", "GET", "no-cors"), "other");
});

test("it leaves questions for news, forms, downloads by scripts and other hosts alone", () => {
  assert.equal(kind("/open/a/pairings/?seen=7&round=2", "GET", "cors"), "other");
  assert.equal(kind("/open/a/rounds/pair/", "POST"), "other");
  assert.equal(kind("/open/a/pairings/", "HEAD", "cors"), "other");
  assert.equal(kindOf({ url: "https://other.example/", method: "GET", mode: "navigate" }, HALL), "other");
});

test("logging in and out is noticed in every language", () => {
  assert.deepEqual(
    ["/login/", "/de/login/code/", "/logout/", "/uk/logout/", "/sign-up/"].map((path) => kind(path, "POST")),
    Array(5).fill("login"),
  );
  assert.deepEqual([kind("/login/"), kind("/loginopen/a/", "POST")], ["page", "other"]);
});

test("only a page that is the same for everybody is kept", () => {
  assert.equal(isForAll(answer({ "Cache-Control": "public, max-age=0, s-maxage=1" })), true);
  for (const cache of ["private, no-cache", "no-store", "", "max-age=9, xpublic"]) {
    assert.equal(isForAll(answer({ "Cache-Control": cache })), false, cache);
  }
  assert.equal(isForAll(answer({})), false);
  assert.equal(isForAll(answer({ "Cache-Control": "public" }, 404)), false);
  assert.equal(isForAll(answer({ "Cache-Control": "public", "Content-Type": "text/csv" })), false);
  const led = answer({ "Cache-Control": "public" });
  Object.defineProperty(led, "redirected", { value: true });
  assert.equal(isForAll(led), false);
});

test("only a page that can say its age is kept, and none that is very long", () => {
  const page = `<html lang="en"><p data-kept-words></p></html>`;
  assert.deepEqual([page, "<html></html>", page + " ".repeat(LONGEST)].map(saysItsAge), [true, false, false]);
});

test("a kept page is shown with the time at which it came", async () => {
  const kept = withTime(`<!DOCTYPE html><html lang="de"><body><html></body></html>`, 1_700_000_000_123);
  assert.equal(keptAt(kept.headers), 1_700_000_000_123);
  assert.equal(
    withAge(await kept.text(), kept.headers),
    `<!DOCTYPE html><html data-kept="1700000000123" lang="de"><body><html></body></html>`,
  );
});

test("a page has three seconds, and more if somebody loads it again", () => {
  assert.deepEqual(["default", "no-cache", "reload"].map(patience), [3000, 20_000, 20_000]);
});

test("a proxy that does not reach the program is like no network, and other failures are not", () => {
  assert.deepEqual([200, 404, 500, 502, 503, 504].map((status) => isLost({ status })), [
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
});

test("the oldest pages go when there are too many or they are too large", () => {
  const kept = [[3, 10], [1, 10], [4, 50], [2, 10]].map(([at, bytes]) => ({ url: `p${at}`, at, bytes }));
  assert.deepEqual(surplus(kept, 4, 80), []);
  assert.deepEqual(surplus(kept, 2, 80), ["p1", "p2"]);
  assert.deepEqual(surplus(kept, 4, 79), ["p1"]);
  assert.deepEqual(surplus(kept, 4, 49), ["p1", "p2", "p3", "p4"]);
  assert.deepEqual(surplus([], 4, 80), []);
});

test("the address of a section leads to its pairings or its players without a network too", () => {
  assert.deepEqual(addresses(`${HALL}/de/open/a/?by=name#me`), [
    `${HALL}/de/open/a/?by=name`,
    `${HALL}/de/open/a/pairings/`,
    `${HALL}/de/open/a/players/`,
  ]);
});

test("a notice opens a page of this site and no other", () => {
  const sent = { title: "Round 2 is published", body: "Open · A", url: "/de/open/a/pairings/", tag: "section-1" };
  assert.deepEqual(noticeOf(JSON.stringify(sent), HALL), {
    title: "Round 2 is published",
    options: { body: "Open · A", tag: "section-1", data: { url: `${HALL}/de/open/a/pairings/` } },
  });
  for (const url of ["https://other.example/", "//other.example/", "javascript:alert(1)", "http://", 7]) {
    assert.equal(noticeOf(JSON.stringify({ ...sent, url }), HALL).options.data.url, `${HALL}/`, String(url));
  }
  for (const message of ["", "7", "null", "{"]) assert.equal(noticeOf(message, HALL).title, "Evenboard");
});
