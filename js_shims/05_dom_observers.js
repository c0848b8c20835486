// Media queries, ResizeObserver, IntersectionObserver.
import { expose, exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { MediaQueryListEvent } from "ext:replay/02_event_kinds.js";
import { EventTarget, defineHandlers, hide } from "ext:replay/02_events.js";
import { onFrame, queueTask } from "ext:replay/03_clock.js";
import { boxOf } from "ext:replay/05_dom_boxes.js";
import { Element } from "ext:replay/05_dom_element.js";
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { DOMRect } from "ext:replay/05_dom_rect.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const { ArrayPrototypePush, ObjectDefineProperty, TypeError } = primordials;

class MediaQueryList extends EventTarget {
  #media;
  constructor(key, media) {
    illegalConstructor(key);
    super();
    this.#media = media;
  }
  get media() {
    return this.#media;
  }
  get matches() {
    return mediaMatches(this.#media);
  }
  addListener(callback) {
    this.addEventListener("change", callback);
  }
  removeListener(callback) {
    this.removeEventListener("change", callback);
  }
}
defineHandlers(MediaQueryList.prototype, ["change"]);
exposeInterface(MediaQueryList);
expose("matchMedia", function matchMedia(query) {
  required(arguments.length, 1, "Failed to execute 'matchMedia' on 'Window'");
  return new MediaQueryList(illegal, `${query}`);
});
void MediaQueryListEvent;

const resizeObservers = [];

class ResizeObserverEntry {
  constructor(key, target, box) {
    illegalConstructor(key);
    const size = [{ inlineSize: box.width, blockSize: box.height }];
    const pixels = [{ inlineSize: Math.round(box.width * viewport.ratio), blockSize: Math.round(box.height * viewport.ratio) }];
    for (const [k, v] of [["target", target], ["contentRect", new DOMRect(0, 0, box.width, box.height)], ["contentBoxSize", size], ["borderBoxSize", size], ["devicePixelContentBoxSize", pixels]]) {
      ObjectDefineProperty(this, k, { __proto__: null, value: v, enumerable: true });
    }
  }
}
exposeInterface(ResizeObserverEntry);

class ResizeObserver {
  #callback;
  #targets = new Map();
  constructor(callback) {
    if (typeof callback !== "function") throw new TypeError("Failed to construct 'ResizeObserver': parameter 1 is not of type 'Function'.");
    this.#callback = callback;
    ArrayPrototypePush(resizeObservers, this);
  }
  observe(target) {
    if (!(target instanceof Element)) throw new TypeError("Failed to execute 'observe' on 'ResizeObserver': parameter 1 is not of type 'Element'.");
    this.#targets.set(target, { width: -1, height: -1 });
  }
  unobserve(target) {
    this.#targets.delete(target);
  }
  disconnect() {
    this.#targets.clear();
  }
  _gather() {
    const entries = [];
    for (const [target, last] of this.#targets) {
      const box = boxOf(target);
      if (box.width === last.width && box.height === last.height) continue;
      this.#targets.set(target, { width: box.width, height: box.height });
      entries.push(new ResizeObserverEntry(illegal, target, box));
    }
    if (entries.length > 0) this.#callback.call(this, entries, this);
  }
}
hide(ResizeObserver.prototype, "_gather", ResizeObserver.prototype._gather);
exposeInterface(ResizeObserver);
onFrame(() => {
  for (let i = 0; i < resizeObservers.length; i++) resizeObservers[i]._gather();
});

class IntersectionObserverEntry {}
exposeInterface(IntersectionObserverEntry);
class IntersectionObserver {
  #callback;
  #options;
  constructor(callback, options = {}) {
    if (typeof callback !== "function") throw new TypeError("Failed to construct 'IntersectionObserver': parameter 1 is not of type 'Function'.");
    this.#callback = callback;
    this.#options = options;
  }
  get root() {
    return this.#options.root ?? null;
  }
  get rootMargin() {
    return this.#options.rootMargin ?? "0px 0px 0px 0px";
  }
  get thresholds() {
    return [this.#options.threshold ?? 0].flat();
  }
  observe(target) {
    queueTask(() => {
      const b = boxOf(target);
      const rect = new DOMRect(b.x, b.y, b.width, b.height);
      const seen = b.width > 0 && b.height > 0 && b.x < viewport.width && b.y < viewport.height && b.x + b.width > 0 && b.y + b.height > 0;
      const entry = Object.assign(new IntersectionObserverEntry(), {
        target, isIntersecting: seen, intersectionRatio: seen ? 1 : 0, boundingClientRect: rect, intersectionRect: rect,
        rootBounds: new DOMRect(0, 0, viewport.width, viewport.height), time: globalThis.performance.now(),
      });
      this.#callback.call(this, [entry], this);
    });
  }
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
exposeInterface(IntersectionObserver);
