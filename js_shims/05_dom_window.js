// The window: location, history, navigator, screen, storage, observers, messages, and the odds and ends pages touch.
import { cloneable } from "ext:replay/06_clone.js";
import { expose, exposeAccessor, exposeInterface, finishInterface, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException, handlers, reportException } from "ext:replay/01_errors.js";
import { Event, EventTarget, defineHandlers, dispatch, fire, hasListeners, hide, kListeners } from "ext:replay/02_events.js";
import { ErrorEvent, MediaQueryListEvent, MessageEvent, PromiseRejectionEvent } from "ext:replay/02_event_kinds.js";
import { onFrame, queueTask } from "ext:replay/03_clock.js";
import { kParent } from "ext:replay/02_events.js";
import { Document, document } from "ext:replay/05_dom_document.js";
import { DOMRect, Element, attributeHooks } from "ext:replay/05_dom_element.js";
import { CustomElementRegistry, GLOBAL_EVENTS } from "ext:replay/05_dom_html.js";
import { boxOf, getComputedStyle, mediaMatches } from "ext:replay/05_dom_style.js";
import { setup, viewport } from "ext:replay/05_dom_viewport.js";
import { URL } from "ext:replay/06_blob.js";

const { ArrayPrototypePush, ObjectCreate, ObjectDefineProperty, ObjectSetPrototypeOf, Proxy, SafeMap, String, TypeError } = primordials;

// --- Window ---------------------------------------------------------------------------------------------------------

class Window extends EventTarget {
  constructor() {
    illegalConstructor(undefined);
    super();
  }
}
exposeInterface(Window);
ObjectSetPrototypeOf(globalThis, Window.prototype);

/** Elements by their id as global names (HTML, 7.2.2.3), behind everything else that a name can mean. */
const namedElements = ObjectCreate(EventTarget.prototype);
ObjectSetPrototypeOf(Window.prototype, namedElements);
attributeHooks.named = (id) => {
  if (id === "" || id in namedElements) return;
  ObjectDefineProperty(namedElements, id, {
    __proto__: null,
    get: () => document.getElementById(id) ?? undefined,
    set: (value) => ObjectDefineProperty(globalThis, id, { __proto__: null, value, writable: true, enumerable: true, configurable: true }),
    enumerable: false,
    configurable: true,
  });
};
hide(globalThis, kListeners, null);
defineHandlers(globalThis, [
  ...GLOBAL_EVENTS, "afterprint", "beforeprint", "beforeunload", "hashchange", "languagechange", "message", "messageerror", "offline", "online",
  "pagehide", "pageshow", "popstate", "rejectionhandled", "storage", "unhandledrejection", "unload", "devicemotion", "deviceorientation",
  "gamepadconnected", "gamepaddisconnected", "DOMContentLoaded",
]);
// The window is the document's parent in an event's path, except for `load`.
Document.prototype[kParent] = function (event) {
  return this === document && event.type !== "load" ? globalThis : null;
};

for (const name of ["window", "self", "frames", "parent", "top"]) expose(name, globalThis);
expose("document", document);
exposeAccessor("opener", () => null);
exposeAccessor("frameElement", () => null);
expose("length", 0);
expose("name", "");
expose("status", "");
expose("closed", false);
expose("origin", "http://localhost");
expose("isSecureContext", true);
expose("crossOriginIsolated", false);
expose("customElements", new CustomElementRegistry(illegal));
exposeAccessor("event", () => undefined);

const numbers = {
  innerWidth: viewport.width, innerHeight: viewport.height, outerWidth: viewport.width, outerHeight: viewport.height,
  devicePixelRatio: viewport.ratio, screenX: 0, screenY: 0, screenLeft: 0, screenTop: 0, scrollX: 0, scrollY: 0, pageXOffset: 0, pageYOffset: 0,
};
for (const key of Object.keys(numbers)) expose(key, numbers[key]);

class VisualViewport extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  get width() {
    return viewport.width;
  }
  get height() {
    return viewport.height;
  }
  get scale() {
    return 1;
  }
  get offsetLeft() {
    return 0;
  }
  get offsetTop() {
    return 0;
  }
  get pageLeft() {
    return 0;
  }
  get pageTop() {
    return 0;
  }
}
exposeInterface(VisualViewport);
expose("visualViewport", new VisualViewport(illegal));

class ScreenOrientation extends EventTarget {
  get type() {
    return viewport.width >= viewport.height ? "landscape-primary" : "portrait-primary";
  }
  get angle() {
    return 0;
  }
  lock() {
    return Promise.reject(new DOMException("screen.orientation.lock() is not available on this device.", "NotSupportedError"));
  }
  unlock() {}
}
defineHandlers(ScreenOrientation.prototype, ["change"]);
exposeInterface(ScreenOrientation);
class Screen {
  #orientation = new ScreenOrientation();
  get width() {
    return viewport.width;
  }
  get height() {
    return viewport.height;
  }
  get availWidth() {
    return viewport.width;
  }
  get availHeight() {
    return viewport.height;
  }
  get availLeft() {
    return 0;
  }
  get availTop() {
    return 0;
  }
  get colorDepth() {
    return 24;
  }
  get pixelDepth() {
    return 24;
  }
  get orientation() {
    return this.#orientation;
  }
}
exposeInterface(Screen);
expose("screen", new Screen());

// --- location and history -------------------------------------------------------------------------------------------

let url = new URL(setup.page);

function navigate(target) {
  const next = new URL(`${target}`, document.baseURI);
  if (next.href.split("#")[0] === url.href.split("#")[0] && next.hash !== url.hash) {
    const oldURL = url.href;
    url = next;
    document._url = url.href;
    queueTask(() => fire(globalThis, "hashchange", { oldURL, newURL: next.href }, globalThis.HashChangeEvent ?? Event));
    return;
  }
  unsupported("Location", "navigation", `to ${next.href}; the page stays`);
}

class Location {
  constructor(key) {
    illegalConstructor(key);
  }
  get ancestorOrigins() {
    return [];
  }
  assign(target) {
    navigate(target);
  }
  replace(target) {
    navigate(target);
  }
  reload() {
    unsupported("Location", "reload", "the page stays");
  }
  toString() {
    return url.href;
  }
}
for (const part of ["href", "protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin"]) {
  ObjectDefineProperty(Location.prototype, part, {
    __proto__: null,
    get() {
      return url[part];
    },
    set: part === "origin" ? undefined : function (value) {
      if (part === "href") return navigate(value);
      const next = new URL(url.href);
      next[part] = value;
      navigate(next.href);
    },
    enumerable: true,
    configurable: true,
  });
}
exposeInterface(Location);
const location = new Location(illegal);
exposeAccessor("location", () => location, (value) => navigate(value));

class History {
  #states = [null];
  #at = 0;
  scrollRestoration = "auto";
  constructor(key) {
    illegalConstructor(key);
  }
  get length() {
    return this.#states.length;
  }
  get state() {
    return this.#states[this.#at];
  }
  #change(state, target) {
    if (target !== undefined && target !== null) {
      url = new URL(`${target}`, document.baseURI);
      document._url = url.href;
    }
    this.#states[this.#at] = globalThis.structuredClone(state ?? null);
  }
  pushState(state, _title, target = null) {
    this.#states.length = ++this.#at;
    this.#change(state, target);
  }
  replaceState(state, _title, target = null) {
    this.#change(state, target);
  }
  go() {
    unsupported("History", "go");
  }
  back() {
    unsupported("History", "back");
  }
  forward() {
    unsupported("History", "forward");
  }
}
exposeInterface(History);
expose("history", new History(illegal));

// --- navigator ------------------------------------------------------------------------------------------------------

const none = (interface_, member, value) => () => {
  unsupported(interface_, member);
  return Promise.reject(new DOMException(`${interface_}.${member} is not supported`, value ?? "NotSupportedError"));
};
const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

class Navigator {
  #clipboard = { writeText: () => Promise.resolve(), write: () => Promise.resolve(), readText: () => Promise.resolve(""), read: () => Promise.resolve([]) };
  #media = {
    getUserMedia: none("MediaDevices", "getUserMedia", "NotFoundError"), getDisplayMedia: none("MediaDevices", "getDisplayMedia", "NotAllowedError"),
    enumerateDevices: () => Promise.resolve([]), addEventListener() {}, removeEventListener() {}, getSupportedConstraints: () => ({}),
  };
  constructor(key) {
    illegalConstructor(key);
  }
  get userAgent() {
    return AGENT;
  }
  get appVersion() {
    return AGENT.slice(8);
  }
  get appName() {
    return "Netscape";
  }
  get appCodeName() {
    return "Mozilla";
  }
  get product() {
    return "Gecko";
  }
  get platform() {
    return "Linux x86_64";
  }
  get vendor() {
    return "Google Inc.";
  }
  get language() {
    return "en-US";
  }
  get languages() {
    return ["en-US", "en"];
  }
  get onLine() {
    return false;
  }
  get hardwareConcurrency() {
    return 4;
  }
  get deviceMemory() {
    return 8;
  }
  get maxTouchPoints() {
    return 0;
  }
  get cookieEnabled() {
    return false;
  }
  get doNotTrack() {
    return null;
  }
  get webdriver() {
    return false;
  }
  get pdfViewerEnabled() {
    return false;
  }
  get plugins() {
    return [];
  }
  get mimeTypes() {
    return [];
  }
  get clipboard() {
    return this.#clipboard;
  }
  get mediaDevices() {
    return this.#media;
  }
  get permissions() {
    return { query: ({ name } = {}) => Promise.resolve({ name, state: "denied", onchange: null, addEventListener() {} }) };
  }
  get userActivation() {
    return { hasBeenActive: false, isActive: false };
  }
  get connection() {
    return { effectiveType: "4g", downlink: 10, rtt: 50, saveData: false, addEventListener() {} };
  }
  get userAgentData() {
    return { mobile: false, platform: "Linux", brands: [{ brand: "Chromium", version: "150" }], getHighEntropyValues: () => Promise.resolve({ mobile: false, platform: "Linux", architecture: "x86" }) };
  }
  get storage() {
    return { estimate: () => Promise.resolve({ quota: 0, usage: 0 }), persist: () => Promise.resolve(false), persisted: () => Promise.resolve(false) };
  }
  get serviceWorker() {
    return { register: none("ServiceWorkerContainer", "register"), ready: new Promise(() => {}), controller: null, getRegistrations: () => Promise.resolve([]), addEventListener() {} };
  }
  get wakeLock() {
    return { request: () => Promise.resolve({ release: () => Promise.resolve(), addEventListener() {} }) };
  }
  getGamepads() {
    return [null, null, null, null];
  }
  javaEnabled() {
    return false;
  }
  vibrate() {
    return false;
  }
  sendBeacon(target) {
    unsupported("Navigator", "sendBeacon", `${target}`);
    return false;
  }
  share() {
    return none("Navigator", "share", "NotAllowedError")();
  }
}
exposeInterface(Navigator);
expose("navigator", new Navigator(illegal));
expose("clientInformation", undefined);

// --- storage --------------------------------------------------------------------------------------------------------

class Storage {
  #map = new SafeMap();
  constructor(key) {
    illegalConstructor(key);
  }
  get length() {
    return this.#map.size;
  }
  key(n) {
    return [...this.#map.keys()][n] ?? null;
  }
  getItem(key) {
    required(arguments.length, 1, "Failed to execute 'getItem' on 'Storage'");
    return this.#map.get(`${key}`) ?? null;
  }
  setItem(key, value) {
    required(arguments.length, 2, "Failed to execute 'setItem' on 'Storage'");
    this.#map.set(`${key}`, `${value}`);
  }
  removeItem(key) {
    this.#map.delete(`${key}`);
  }
  clear() {
    this.#map.clear();
  }
  _keys() {
    return [...this.#map.keys()];
  }
}
exposeInterface(Storage);
hide(Storage.prototype, "_keys", Storage.prototype._keys);
function makeStorage() {
  return new Proxy(new Storage(illegal), {
    get: (t, k) => {
      if (k in Storage.prototype || typeof k === "symbol") {
        const v = Reflect.get(t, k, t);
        return typeof v === "function" ? v.bind(t) : v;
      }
      return t.getItem(k) ?? undefined;
    },
    set: (t, k, v) => (t.setItem(k, v), true),
    has: (t, k) => k in Storage.prototype || (typeof k === "string" && t.getItem(k) !== null),
    deleteProperty: (t, k) => (t.removeItem(k), true),
    ownKeys: (t) => t._keys(),
    getOwnPropertyDescriptor: (t, k) => {
      const value = typeof k === "string" ? t.getItem(k) : null;
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
expose("localStorage", makeStorage());
expose("sessionStorage", makeStorage());

// --- media queries and observers ------------------------------------------------------------------------------------

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

// --- messages -------------------------------------------------------------------------------------------------------

class MessagePort extends EventTarget {
  #other = null;
  #open = false;
  #waiting = [];
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  _join(other) {
    this.#other = other;
  }
  postMessage(message, transfer = undefined) {
    const data = globalThis.structuredClone(message, Array.isArray(transfer) ? { transfer } : transfer);
    const other = this.#other;
    if (other === null) return;
    queueTask(() => other._receive(data));
  }
  _receive(data) {
    if (!this.#open) return void this.#waiting.push(data);
    fire(this, "message", { data }, MessageEvent);
  }
  start() {
    this.#open = true;
    for (const data of this.#waiting.splice(0)) queueTask(() => this._receive(data));
  }
  close() {
    this.#other = null;
  }
}
defineHandlers(MessagePort.prototype, ["message", "messageerror"]);
{
  const d = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  ObjectDefineProperty(MessagePort.prototype, "onmessage", {
    ...d,
    set(value) {
      d.set.call(this, value);
      this.start();
    },
  });
}
exposeInterface(MessagePort);
cloneable(MessagePort.prototype, (port, transferred) => (transferred ? port : null), true);
class MessageChannel {
  #a = new MessagePort(illegal);
  #b = new MessagePort(illegal);
  constructor() {
    this.#a._join(this.#b);
    this.#b._join(this.#a);
  }
  get port1() {
    return this.#a;
  }
  get port2() {
    return this.#b;
  }
}
exposeInterface(MessageChannel);

const channels = new Map();
class BroadcastChannel extends EventTarget {
  #name;
  constructor(name) {
    super();
    this.#name = `${name}`;
    channels.set(this.#name, [...(channels.get(this.#name) ?? []), this]);
  }
  get name() {
    return this.#name;
  }
  postMessage(message) {
    const data = globalThis.structuredClone(message);
    for (const c of channels.get(this.#name) ?? []) if (c !== this) queueTask(() => fire(c, "message", { data }, MessageEvent));
  }
  close() {
    channels.set(this.#name, (channels.get(this.#name) ?? []).filter((c) => c !== this));
  }
}
defineHandlers(BroadcastChannel.prototype, ["message", "messageerror"]);
exposeInterface(BroadcastChannel);

expose("postMessage", function postMessage(message, target = undefined, transfer = undefined) {
  const list = Array.isArray(transfer) ? transfer : typeof target === "object" && target !== null ? target.transfer : undefined;
  const data = globalThis.structuredClone(message, list === undefined ? undefined : { transfer: list });
  queueTask(() => fire(globalThis, "message", { data, origin: "http://localhost", source: globalThis }, MessageEvent));
});

// --- functions ------------------------------------------------------------------------------------------------------

expose("getComputedStyle", (element) => getComputedStyle(element));
expose("getSelection", () => ({ rangeCount: 0, removeAllRanges() {}, addRange() {}, toString: () => "", isCollapsed: true, type: "None" }));
for (const [name, value] of [["alert", undefined], ["confirm", true], ["prompt", null], ["open", null], ["print", undefined]]) {
  expose(name, { [name](...args) {
    unsupported("Window", name, args.length > 0 ? `${args[0]}` : "");
    return value;
  } }[name]);
}
for (const name of ["focus", "blur", "close", "stop", "moveTo", "moveBy", "resizeTo", "resizeBy", "scroll", "scrollTo", "scrollBy", "captureEvents", "releaseEvents"]) {
  expose(name, { [name]() {} }[name]);
}
expose("reportError", function reportError(error) {
  reportException(error);
});

class SharedWorker extends EventTarget {
  constructor(address) {
    super();
    unsupported("SharedWorker", "constructor", `${address}`);
    throw new DOMException("SharedWorker is not supported", "NotSupportedError");
  }
}
exposeInterface(SharedWorker);
for (const name of ["WebSocket", "EventSource", "RTCPeerConnection", "WebTransport"]) {
  const Class = { [name]: class extends EventTarget {
    constructor(address = "") {
      super();
      unsupported(name, "constructor", `${address}; the network is never used`);
      queueTask(() => {
        fire(this, "error");
        fire(this, "close");
      });
    }
    get readyState() {
      return 3;
    }
    send() {}
    close() {}
  } }[name];
  defineHandlers(Class.prototype, ["open", "message", "error", "close"]);
  exposeInterface(Class, name);
}

class FontFace {
  constructor(family, source) {
    this.family = `${family}`;
    this.status = "unloaded";
    unsupported("FontFace", "constructor", `${family}: text uses the bundled fonts`);
    void source;
  }
  load() {
    this.status = "loaded";
    return Promise.resolve(this);
  }
  get loaded() {
    return Promise.resolve(this);
  }
}
exposeInterface(FontFace);

expose("CSS", {
  supports: () => true,
  escape: (s) => `${s}`.replace(/[^\w\u0080-\uffff-]/g, "\\$&").replace(/^(-?)(\d)/, (_, a, d) => `${a}\\3${d} `),
  px: (n) => `${n}px`,
});
expose("NodeFilter", { SHOW_ALL: 0xffffffff, SHOW_ELEMENT: 1, SHOW_TEXT: 4, SHOW_COMMENT: 128, FILTER_ACCEPT: 1, FILTER_REJECT: 2, FILTER_SKIP: 3 });

// --- uncaught exceptions --------------------------------------------------------------------------------------------

handlers.error = (error) => {
  if (!hasListeners(globalThis, "error")) return false;
  const message = `Uncaught ${typeof error === "object" && error !== null && "message" in error ? `${error.name}: ${error.message}` : String(error)}`;
  const place = /((?:http|blob)[^\s()]*?):(\d+):(\d+)/.exec(error?.stack ?? "") ?? [];
  const event = new ErrorEvent("error", { cancelable: true, message, filename: place[1] ?? "", lineno: +(place[2] ?? 0), colno: +(place[3] ?? 0), error });
  hide(event, "_errorArgs", [message, event.filename, event.lineno, event.colno, error]);
  event._trusted = true;
  return !dispatch(globalThis, event);
};
handlers.rejection = (promise, reason) => {
  if (!hasListeners(globalThis, "unhandledrejection")) return false;
  const event = new PromiseRejectionEvent("unhandledrejection", { cancelable: true, promise, reason });
  event._trusted = true;
  return !dispatch(globalThis, event);
};
void finishInterface, Event;
