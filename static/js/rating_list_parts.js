// A large file in parts. A request has a limit, so each part is one request; the server says how much it has.

/**
 * What sends one part: from which byte, its bytes, and the name that the server gave the file. It returns what the server
 * has now, or throws an error.
 * @typedef {(start: number, part: Blob, sent: string) => Promise<{ sent: string, size: number }>} SendPart
 */

const TRIES = 5;
const PAUSE = 2000; // milliseconds before a part is sent again

/**
 * Send a file and return the name that the server gave it. A part that fails is sent again a few times.
 * @param {Blob} file
 * @param {number} most bytes of a part
 * @param {SendPart} send
 * @param {(part: number) => void} progress called with how much is sent, 0 to 1
 * @param {(milliseconds: number) => Promise<void>} wait
 * @returns {Promise<string>}
 */
export async function sendParts(file, most, send, progress, wait) {
  let [sent, size, failed] = ["", 0, 0];
  do {
    try {
      const answer = await send(size, file.slice(size, size + most), sent);
      [sent, size, failed] = [answer.sent, answer.size, 0];
      progress(file.size ? size / file.size : 1);
    } catch (error) {
      failed += 1;
      if (failed === TRIES) throw error;
      await wait(PAUSE);
    }
  } while (size < file.size || failed);
  return sent;
}
