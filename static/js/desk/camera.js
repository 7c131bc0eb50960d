// The camera of this device as a scanner, where the browser itself reads codes. No picture leaves the device.

const EVERY = 200; // milliseconds between two looks
const SAME = 3000; // milliseconds without a code, after which it counts as shown again
const LONGEST = 180_000; // milliseconds without any code, after which the camera goes off: it needs much power

/** Return whether this browser reads QR codes and the page may ask for the camera: not over plain http. */
export async function readsCodes() {
  if (typeof BarcodeDetector === "undefined" || !navigator.mediaDevices) return false;
  try {
    return (await BarcodeDetector.getSupportedFormats()).includes("qr_code");
  } catch {
    return false; // the system below has no reader
  }
}

/** @param {MediaStream} stream */
function stopTracks(stream) {
  for (const track of stream.getTracks()) track.stop();
}

export class Camera {
  /**
   * @param {HTMLVideoElement} video
   * @param {(text: string) => void} found is called once for each code that is shown
   * @param {() => void} off is called when the camera goes off
   */
  constructor(video, found, off) {
    this.video = video;
    this.found = found;
    this.off = off;
    this.stream = /** @type {MediaStream | null} */ (null);
    this.text = "";
    this.seen = 0;
    this.timer = 0;
    this.starts = 0;
  }

  get on() {
    return this.stream !== null;
  }

  /** Ask for the camera at the back and begin to look. Raise what the browser says if there is none or it is not allowed. */
  async start() {
    const start = this.starts += 1;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment" } });
    if (start !== this.starts) return stopTracks(stream); // it was stopped before the browser allowed it
    this.stream = stream;
    this.video.srcObject = stream;
    await this.video.play();
    this.text = "";
    this.seen = performance.now();
    this.look(new BarcodeDetector({ formats: ["qr_code"] }));
  }

  stop() {
    clearTimeout(this.timer);
    this.starts += 1;
    if (this.stream) stopTracks(this.stream);
    this.stream = null;
    this.video.srcObject = null;
    this.off();
  }

  /** @param {BarcodeReader} detector */
  async look(detector) {
    const codes = await detector.detect(this.video).catch(() => []); // it fails while the camera has no picture yet
    if (!this.on) return;
    const now = performance.now();
    const text = codes[0]?.rawValue ?? "";
    if (text) {
      const again = text === this.text && now - this.seen < SAME;
      this.text = text;
      this.seen = now;
      if (!again) this.found(text);
    } else if (now - this.seen > LONGEST) return this.stop();
    this.timer = setTimeout(() => this.look(detector), EVERY);
  }
}
