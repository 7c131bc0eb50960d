import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

const SYSTEMS = ["dubov", "dutch"].map((code) => `<input type="radio" name="system" value="${code}">`).join("");
const form = `<form data-new-section>${SYSTEMS}
<input name="rounds" value="1"><input name="first_day"><input name="every"><input name="at"><input name="name">
<div class="acceleration"></div><p data-past-end="" data-past="" data-a-day=""></p>
<template data-ties-of="dubov"><option value="">ARO, DE</option><option value="open">BH</option></template>
<template data-ties-of="dutch"><option value="">BH/C1, BH</option><option value="open">BH</option></template>
<p id="line" data-shows="#ties">ARO, DE</p><p id="typed" data-shows="#win">1</p>
<select id="ties" name="ties"><option value="" selected>ARO, DE</option><option value="open">BH</option></select>
<input id="win" name="win_points" value="1"><input id="bye" name="bye_points" value="1">
<input name="own_bye">
<table class="dates"><tbody><tr><th>1</th>
<td><label for="id_day-1">1</label><input name="day-1" id="id_day-1"></td>
<td><label for="id_time-1">1</label><input name="time-1" id="id_time-1"></td></tr></tbody></table>
<b data-made-name></b><span data-made-words="" data-made-undated=""></span></form>`;
openPage(form);
const { clock, pastEnd, roundDays } = await import("../../static/js/new_section.js");

test("a time is read as people type it", () => {
  for (const typed of ["16:30", "16.30", "1630", " 16h30 "]) assert.equal(clock(typed), "16:30");
  assert.deepEqual(["9.30", "930", "9", "24:00", "9:75", ""].map(clock), ["09:30", "09:30", "09:00", "", "", ""]);
});

test("days are filled down from the first one", () => {
  const three = { first: "2026-11-21", every: 1, at: "1000, 14.00 18:00", rounds: 4 };
  assert.deepEqual(roundDays(three).map((each) => each.join(" ")), [
    "2026-11-21 10:00",
    "2026-11-21 14:00",
    "2026-11-21 18:00",
    "2026-11-22 10:00",
  ]);
  const weekly = { first: "2026-11-28", every: 7, at: "19", rounds: 2 };
  assert.deepEqual(roundDays(weekly), [["2026-11-28", "19:00"], ["2026-12-05", "19:00"]]);
  assert.deepEqual(roundDays({ ...weekly, at: "25" }), []);
  assert.deepEqual(roundDays({ ...weekly, first: "" }), []);
});

test("a round after the last day of the event is warned of, with the rounds a day that end in time", () => {
  const days = ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"];
  assert.deepEqual(pastEnd(days, "2026-11-21"), { number: 2, day: "2026-11-22", count: 5 });
  assert.deepEqual(pastEnd(days, "2026-11-22"), { number: 3, day: "2026-11-23", count: 3 });
  assert.deepEqual(pastEnd(days, "2026-11-20"), { number: 1, day: "2026-11-21", count: 0 });
  assert.equal(pastEnd(days, "2026-11-25"), null);
  assert.equal(pastEnd(["", ""], "2026-11-20"), null);
});

test("the tie-breaks are those of the chosen system, and the line of a fold says what its fields have now", () => {
  const [, dutch] = document.querySelectorAll("[name=system]");
  const input = () => new Event("input", { bubbles: true });
  document.getElementById("win").value = "3";
  dutch.checked = true;
  dutch.dispatchEvent(input());
  const line = () => document.getElementById("line").textContent;
  assert.deepEqual([line(), document.getElementById("typed").textContent], ["BH/C1, BH", "3"]);
  document.querySelector("#ties option[value=open]").selected = true;
  document.querySelector("#ties option").selected = false;
  const [dubov] = document.querySelectorAll("[name=system]");
  dubov.dispatchEvent(input());
  assert.equal(line(), "BH");
  assert.deepEqual([...document.querySelectorAll("#ties option")].map((each) => each.textContent), ["ARO, DE", "BH"]);
});

test("the bye is worth a win until somebody types another value", () => {
  const [win, bye] = ["win", "bye"].map((id) => document.getElementById(id));
  const typed = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  typed(win, "3");
  assert.equal(bye.value, "3");
  typed(bye, "1");
  typed(win, "2");
  assert.equal(bye.value, "1");
});
