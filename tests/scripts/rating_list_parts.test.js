import assert from "node:assert/strict";
import { test } from "node:test";

import { sendParts } from "../../static/js/rating_list_parts.js";

/** A server that keeps the bytes; `breaks` names the requests that fail. */
function server(breaks = []) {
  const kept = { bytes: "", starts: [], waits: 0 };
  kept.send = async (start, part, sent) => {
    kept.starts.push(start);
    if (breaks.includes(kept.starts.length)) throw new Error("offline");
    assert.equal(sent, start || kept.starts.length > 1 && kept.bytes ? "token" : "");
    kept.bytes = kept.bytes.slice(0, start) + await part.text();
    return { sent: "token", size: kept.bytes.length };
  };
  kept.wait = () => {
    kept.waits += 1;
    return Promise.resolve();
  };
  return kept;
}

test("a file arrives whole, part by part", async () => {
  const there = server();
  const shown = [];
  const sent = await sendParts(new Blob(["abcdefghij"]), 4, there.send, (part) => shown.push(part), there.wait);
  assert.deepEqual([sent, there.bytes, there.starts, shown], ["token", "abcdefghij", [0, 4, 8], [0.4, 0.8, 1]]);
});

test("a part that fails is sent again after a pause", async () => {
  const there = server([2, 3]);
  await sendParts(new Blob(["abcdefghij"]), 4, there.send, () => {}, there.wait);
  assert.deepEqual([there.bytes, there.starts, there.waits], ["abcdefghij", [0, 4, 4, 4, 8], 2]);
});

test("after five failures in a row the page is told", async () => {
  const there = server([1, 2, 3, 4, 5]);
  await assert.rejects(sendParts(new Blob(["ab"]), 4, there.send, () => {}, there.wait));
  assert.equal(there.starts.length, 5);
});

test("an empty file is sent once, so that the server can refuse it", async () => {
  const there = server();
  await sendParts(new Blob([]), 4, there.send, () => {}, there.wait);
  assert.deepEqual(there.starts, [0]);
});
