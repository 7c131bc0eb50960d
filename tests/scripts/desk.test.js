import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

openPage('<main><input id="q"></main>');
const { pressedBy } = await import("../../static/js/desk.js");

test("Enter in the empty field presses the button of the one player who is shown", () => {
  const [one, other] = [{}, {}].map((each) => /** @type {HTMLElement} */ (each));
  assert.equal(pressedBy(" ", [one]), one);
  assert.equal(pressedBy("lov", [one]), null);
  assert.equal(pressedBy("", [one, other]), null);
  assert.equal(pressedBy("", []), null);
});
