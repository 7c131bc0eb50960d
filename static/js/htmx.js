// htmx is a script of its own, which base.html loads before our modules. This is the only place that knows its global name.

/** @type {{ process(element: Element): void, trigger(element: Element, event: string): void }} */
export const htmx = /** @type {any} */ (globalThis).htmx;
