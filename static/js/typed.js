// What was typed into a long form stays when its page is opened in another language, or the rating list is asked. It is
// kept between the two pages only, and in this tab only.

/** @typedef {{ name: string, type: string, value: string, checked?: boolean }} Field */

/** @param {Field} field */
const isTick = (field) => field.type === "checkbox" || field.type === "radio";

/**
 * Return what is kept of the fields: name, value, and whether a tick is set.
 * @param {Field[]} fields
 * @returns {[string, string, boolean][]}
 */
export const taken = (fields) =>
  fields
    .filter((field) => field.name && !["hidden", "submit", "button"].includes(field.type))
    .map((field) => [field.name, field.value, Boolean(field.checked)]);

/**
 * Put back what was kept. A field that the server has filled stays as it is.
 * @param {Field[]} fields
 * @param {[string, string, boolean][]} kept
 */
export function putBack(fields, kept) {
  for (const [name, value, checked] of kept) {
    for (const field of fields.filter((each) => each.name === name && each.type !== "hidden")) {
      if (isTick(field)) {
        if (field.value === value) field.checked = checked;
      } else if (!field.value) {
        field.value = value;
      }
    }
  }
}

/**
 * Return under which name the form of a page is kept, in every language.
 * @param {string} path
 */
export const keyOf = (path) => `evenboard:form:${path.replace(/^\/[a-z]{2}(?=\/[^/]+\/-\/)/, "")}`;

/**
 * Return whether somebody is younger than an age on a day.
 * @param {string} born YYYY-MM-DD
 * @param {string} day YYYY-MM-DD
 * @param {number} age in years
 */
export const isYounger = (born, day, age) =>
  /^\d{4}-/.test(born) && `${Number(born.slice(0, 4)) + age}${born.slice(4)}` > day;
