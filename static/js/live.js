// A list that asks for news says so when nobody answers; otherwise it is silent.
"use strict";

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(
    name,
    (event) => {
      const list = event.target.closest?.("[data-offline]");
      const trouble = document.getElementById("trouble");
      if (!list || !trouble) return;
      event.stopPropagation();
      trouble.textContent = list.dataset.offline;
      trouble.hidden = false;
    },
    true,
  );
}
