// Propose the Latin form for the report to FIDE while somebody types a new name in other letters.
import { forEachComing, one } from "./dom.js";
import { inLatin, latinForm } from "./spelling.js";

forEachComing("[data-latin]", (part) => {
  const name = one(/** @type {HTMLFormElement} */ (part.closest("form")), "[name=name]", HTMLInputElement);
  const latin = one(part, "[name=latin_name]", HTMLInputElement);
  let proposed = "";
  const propose = () => {
    if (["", proposed].includes(latin.value)) latin.value = proposed = latinForm(name.value); // what a person typed stays
    part.hidden = latin.value === "" && inLatin(name.value);
  };
  name.addEventListener("input", propose);
  propose();
});
