// A clock for timers and performance.now(). It stands still until the test moves it.
export class Clock {
  now = 1_000_000;
  timers = new Map();
  count = 0;

  set(work, delay, every) {
    this.count += 1;
    this.timers.set(this.count, { work, at: this.now + (delay ?? 0), every });
    return this.count;
  }

  async move(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [id, timer] = due;
      this.now = timer.at;
      if (timer.every) timer.at += timer.every;
      else this.timers.delete(id);
      timer.work();
      await settled();
    }
    this.now = end;
  }
}

// Wait until all promises have done their work. There is no timer and no network in tests, so this many rounds are enough.
export async function settled() {
  for (let round = 0; round < 50; round += 1) await Promise.resolve();
}
