// The page of rating lists: a file is sent in parts, with a bar, and the form follows with its name alone.

import { dataOf, fieldOf, forEachComing, one } from "./dom.js";
import { sendParts } from "./rating_list_parts.js";

forEachComing("#list-file", (form) => {
  const bar = one(form, "progress", HTMLProgressElement);
  const failed = one(form, "[data-failed]");

  form.addEventListener("submit", async (event) => {
    const input = one(form, "input[type=file]", HTMLInputElement);
    const file = input.files?.[0];
    if (!file) return;
    event.preventDefault();
    const button = one(form, "button", HTMLButtonElement);
    const token = fieldOf(form, "csrfmiddlewaretoken").value;
    const { parts, most } = dataOf(form);
    button.disabled = true;
    bar.hidden = false;
    failed.hidden = true;
    /** @type {import("./rating_list_parts.js").SendPart} */
    const send = async (start, part, sent) => {
      const body = new FormData();
      body.append("part", part, "part");
      body.append("start", String(start));
      body.append("sent", sent);
      const answer = await fetch(parts, { method: "POST", body, headers: { "X-CSRFToken": token } });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    };
    const wait = (/** @type {number} */ milliseconds) =>
      new Promise((/** @type {(value?: undefined) => void} */ done) => setTimeout(done, milliseconds));
    try {
      fieldOf(form, "sent").value = await sendParts(file, Number(most), send, (part) => (bar.value = part), wait);
      fieldOf(form, "sent_name").value = file.name;
      input.disabled = true;
      form.submit();
    } catch {
      failed.hidden = false;
      bar.hidden = true;
      button.disabled = false;
    }
  });
}, HTMLFormElement);
