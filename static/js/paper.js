// The button that opens the browser's own print dialogue. Without it the browser's menu does the same.
"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
