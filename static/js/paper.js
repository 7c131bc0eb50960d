// The button that opens the print dialogue of the browser. Without this script the menu of the browser does the same.

import { all } from "./dom.js";

for (const button of all(document, "[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
