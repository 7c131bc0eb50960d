// The button that opens the print dialogue of the browser. Without this script the menu of the browser does the same.
// An address that ends with #print opens it by itself.

import { all } from "./dom.js";

if (location.hash === "#print") addEventListener("load", () => print());
for (const button of all(document, "[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
