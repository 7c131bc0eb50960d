// The button that opens the print dialogue of the browser. Without this script the menu of the browser does the same.
"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
