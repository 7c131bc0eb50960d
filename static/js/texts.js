// Texts of the page with names in braces. The server has translated them.

/**
 * Return the text with a value for each name in braces.
 * @param {string} text
 * @param {Record<string, string | number | undefined>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * Return the text in the form that its language has for the number n. Every language repeats its forms after a hundred.
 * @param {string} forms as web/words/script_counts.py writes them: the texts, and from which number on which
 *   of them is right
 * @param {Record<string, string | number> & { n: number }} values
 */
export function counted(forms, values) {
  const [texts, starts] = /** @type {[string[], [number, number][]]} */ (JSON.parse(forms));
  const like = values.n < 200 ? values.n : 100 + values.n % 100;
  const form = starts.reduce((before, [first, text]) => (first <= like ? text : before), 0);
  return fill(texts[form], values);
}

/**
 * Return the items as a list.
 * @param {(string | number)[]} items
 * @param {string} joint what joins {first} and {last} in this language
 */
export const listed = (items, joint) =>
  items.map(String).reduce((first, last) => (first ? fill(joint, { first, last }) : last), "");
