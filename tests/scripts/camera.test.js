import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, settled } from "./page.js";

const { clock } = openPage("<video></video>");
const { Camera, readsCodes } = await import("../../static/js/desk/camera.js");

let shown; // what stands before the camera
let tracks; // how many run
let allowed;
let found;
let offs;
const video = { srcObject: null, play: () => Promise.resolve() };
globalThis.BarcodeDetector = class {
  static getSupportedFormats = () => Promise.resolve(["qr_code"]);
  detect = () => shown === null ? Promise.reject(new Error("no picture")) : Promise.resolve(shown);
};
Object.defineProperty(navigator, "mediaDevices", {
  configurable: true,
  value: {
    getUserMedia() {
      if (!allowed) return Promise.reject(new Error("not allowed"));
      tracks += 1;
      return Promise.resolve({ getTracks: () => [{ stop: () => tracks -= 1 }] });
    },
  },
});
const camera = new Camera(video, (text) => found.push(text), () => offs += 1);
const show = async (...texts) => {
  shown = texts.map((rawValue) => ({ rawValue }));
  await clock.move(400);
};

beforeEach(() => {
  if (camera.on) camera.stop();
  [shown, tracks, allowed, found, offs] = [[], 0, true, [], 0];
});

test("a code that stays in view counts once, another one at once, the same one when it is shown again", async () => {
  await camera.start();
  await show("a");
  await show("a");
  await show("b");
  await show();
  await show("b"); // the hand trembled
  assert.deepEqual(found, ["a", "b"]);
  await show();
  await clock.move(3000);
  await show("b");
  assert.deepEqual(found, ["a", "b", "b"]);
});

test("a camera without a picture yet is asked again", async () => {
  shown = null;
  await camera.start();
  await clock.move(1000);
  await show("a");
  assert.deepEqual(found, ["a"]);
});

test("the camera goes off by the button, and by itself when no code comes for three minutes", async () => {
  await camera.start();
  assert.deepEqual([camera.on, tracks], [true, 1]);
  camera.stop();
  await show("a");
  assert.deepEqual([camera.on, tracks, found, offs, video.srcObject], [false, 0, [], 1, null]);
  await camera.start();
  await show("a");
  shown = [];
  await clock.move(179_000);
  assert.equal(camera.on, true);
  await clock.move(2000);
  assert.deepEqual([camera.on, tracks, offs], [false, 0, 2]);
});

test("a camera that is not allowed is an error and not a camera that is on", async () => {
  allowed = false;
  await assert.rejects(camera.start());
  assert.equal(camera.on, false);
});

test("a camera that is stopped before it is allowed does not go on", async () => {
  const started = camera.start();
  camera.stop();
  await started;
  assert.deepEqual([camera.on, tracks], [false, 0]);
});

test("a browser that reads no QR codes offers no camera", async () => {
  assert.equal(await readsCodes(), true);
  const former = globalThis.BarcodeDetector.getSupportedFormats;
  globalThis.BarcodeDetector.getSupportedFormats = () => Promise.resolve([]);
  assert.equal(await readsCodes(), false);
  globalThis.BarcodeDetector.getSupportedFormats = former;
  Object.defineProperty(navigator, "mediaDevices", { configurable: true, value: undefined }); // plain http
  assert.equal(await readsCodes(), false);
  await settled();
});
