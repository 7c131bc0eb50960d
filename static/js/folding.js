// How a search compares names: without case, accents and signs. The server does the same
// (base/text.py).

// Letters that Unicode does not take apart into a letter and its accent.
/** @type {Record<string, string>} */
const PLAIN = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ə: "e",
  ŋ: "n",
  ŧ: "t",
};

/**
 * Return the text in small letters without accents, its words separated by one space.
 * @param {string} text
 */
export const folded = (text) =>
  [...text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((sign) => PLAIN[sign] ?? sign)
    .join("")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * Return whether each searched word begins a word of the row. A number must be a whole word.
 * @param {string} key the folded words of the row, with a space before and after
 * @param {string[]} words
 */
export const found = (key, words) => words.every((word) => key.includes(/^\d+$/.test(word) ? ` ${word} ` : ` ${word}`));
