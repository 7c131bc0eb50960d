// What can be listened to.

export class Target {
  listeners = [];

  addEventListener(type, listener, capture = false) {
    this.listeners.push({ type, listener, capture: capture === true });
  }

  // Listeners of the window and the document that capture come first, then the target, and then those around it.
  dispatchEvent(event) {
    const around = [];
    for (let each = this; each; each = each.above) around.push(each);
    let [stopped, ended] = [false, false];
    Object.defineProperties(event, {
      target: { value: this, configurable: true },
      stopPropagation: {
        value: () => {
          stopped = true;
        },
      },
      stopImmediatePropagation: {
        value: () => {
          stopped = ended = true;
        },
      },
    });
    const call = (place, capture) => {
      for (const each of place.listeners) {
        if (!ended && each.type === event.type && each.capture === capture) each.listener.call(place, event);
      }
    };
    for (const place of [...around].reverse()) if (!stopped) call(place, true);
    for (const place of event.bubbles ? around : [this]) if (!stopped) call(place, false);
    return !event.defaultPrevented;
  }
}
