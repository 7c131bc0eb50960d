// On every page of a person who is logged in: the lists of the desk go when the person logs out, and when the event is over.

import { elementOf } from "../dom.js";
import { forgetLists, forgetOld } from "./kept.js";

forgetOld(Date.now());
document.addEventListener("submit", (event) => {
  if (elementOf(event)?.getAttribute("action")?.endsWith("/logout/")) forgetLists();
});
