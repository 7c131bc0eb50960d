// The button that opens the print dialogue of the browser. Without this script the menu of the browser does the same.
// An address that ends with #print or #pdf opens it by itself: a printer and a PDF are two choices of the same dialogue.

import { all } from "./dom.js";

if (["#print", "#pdf"].includes(location.hash)) addEventListener("load", () => print());
for (const button of all(document, "[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
