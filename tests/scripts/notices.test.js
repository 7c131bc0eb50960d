import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesOf, known } from "../../static/js/notices.js";
import { openPage, settled } from "./page.js";

test("a key is read from base64 for addresses", () => {
  assert.deepEqual([...bytesOf("-_8A")], [251, 255, 0]);
});

test("the server gets the address, the keys and the language", () => {
  const subscription = { endpoint: "https://push.example/1", expirationTime: null, keys: { p256dh: "P", auth: "A" } };
  assert.deepEqual(known(subscription, "de"), {
    endpoint: "https://push.example/1",
    point: "P",
    secret: "A",
    language: "de",
  });
});

test("one tap asks for notices and another one ends them", async () => {
  const { document } = openPage(
    `<div data-notices hidden data-url="/open/a/notices/" data-key="BQ" data-language="de" data-section="3"
      data-active="on" data-failed="failed" data-lost="lost"><button data-on>On</button><button data-off hidden>Off</button>
      <span role="status"></span></div>`,
  );
  const sent = [];
  let status = 204;
  globalThis.fetch = (url, { method, body }) => {
    sent.push([method, url, JSON.parse(body)]);
    return Promise.resolve(new Response(null, { status }));
  };
  const endpoint = "https://push.example/1";
  const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh: "P", auth: "A" } }) };
  let allowed = false;
  const pushManager = {
    subscribe: () => allowed ? Promise.resolve(subscription) : Promise.reject(new Error("denied")),
    getSubscription: () => Promise.resolve(subscription),
  };
  const ready = Promise.resolve({ pushManager });
  Object.defineProperty(navigator, "serviceWorker", { value: { ready }, configurable: true });
  await import("../../static/js/notices.js?offered");
  await settled();
  const place = document.querySelector("[data-notices]");
  const [on, off] = [place.querySelector("[data-on]"), place.querySelector("[data-off]")];
  const state = () => [place.hidden, on.hidden, off.hidden, place.querySelector("[role=status]").textContent];
  const tap = async (button) => {
    button.onclick();
    await settled();
    return state();
  };
  assert.deepEqual(state(), [false, false, true, ""]);
  assert.deepEqual(await tap(on), [false, false, true, "failed"]);
  assert.deepEqual(sent, []);
  allowed = true;
  assert.deepEqual(await tap(on), [false, true, false, "on"]);
  status = 503;
  assert.deepEqual(await tap(off), [false, true, false, "lost"]);
  status = 204;
  assert.deepEqual(await tap(off), [false, false, true, ""]);
  assert.deepEqual(sent[0], ["POST", "/open/a/notices/", {
    endpoint,
    point: "P",
    secret: "A",
    language: "de",
  }]);
  assert.deepEqual(sent[2], ["DELETE", "/open/a/notices/", { endpoint }]);
});
