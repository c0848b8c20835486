// What a worker's scripts see instead of the page's window (HTML, 10.2).
//
// A worker runs in the page's own thread and V8 context, as tasks; its record is the current realm meanwhile. The globals of a
// classic script are the page's under other names (see 05_worker_names.js). Modules keep their names: for them, those that a
// worker has otherwise than the page become accessors of the global object that answer by realm, and each of its modules is an
// instance of its own (`#worker-N` behind its address, see runtime/modules.rs). Pages without module workers keep plain globals.
import { finishInterface, globals, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { handlers, placeOf } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, dispatch, fire, hasListeners, hide } from "ext:replay/02_events.js";
import { ErrorEvent, MessageEvent, PromiseRejectionEvent } from "ext:replay/02_event_kinds.js";
import { currentRealm, enterRealm } from "ext:replay/02_realm.js";
import { queueMessage, queueTask } from "ext:replay/03_clock.js";
import { portsOf } from "ext:replay/05_messages.js";
import { classicScope, spelled, written } from "ext:replay/05_worker_names.js";
import { URL } from "ext:replay/06_url.js";

const {
  ArrayPrototypePush, ArrayPrototypeSplice, FunctionPrototypeCall, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf,
  ObjectKeys, Proxy, ReflectDefineProperty, ReflectGet, ReflectHas, ReflectSet, SafeMap, SafeSet, Symbol, TypeError,
} = primordials;

/** The page's global object, whatever `globalThis` answers now. */
const page = globalThis;

class WorkerGlobalScope extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
}
class DedicatedWorkerGlobalScope extends WorkerGlobalScope {}
const EVENTS = ["message", "messageerror", "error", "unhandledrejection", "rejectionhandled", "online", "offline", "languagechange"];
defineHandlers(DedicatedWorkerGlobalScope.prototype, EVENTS);
finishInterface(WorkerGlobalScope);
finishInterface(DedicatedWorkerGlobalScope);

/** What a worker does not have of the page's, besides the interfaces of documents. */
const WINDOW_ONLY = new SafeSet([
  "window", "document", "parent", "top", "frames", "opener", "frameElement", "localStorage", "sessionStorage", "alert", "confirm", "prompt",
  "print", "open", "history", "screen", "Image", "Audio", "Option", "matchMedia", "getComputedStyle", "getSelection", "innerWidth", "innerHeight",
  "outerWidth", "outerHeight", "devicePixelRatio", "scrollX", "scrollY", "pageXOffset", "pageYOffset", "scroll", "scrollTo", "scrollBy",
  "visualViewport", "requestIdleCallback", "cancelIdleCallback", "customElements", "Window", "Document", "DocumentFragment", "Node", "NodeList",
  "Element", "Text", "Comment", "Attr", "CharacterData", "ShadowRoot", "DOMParser", "XMLSerializer", "DOMImplementation", "DOMTokenList",
  "MutationObserver", "ResizeObserver", "IntersectionObserver", "AudioContext", "webkitAudioContext", "OfflineAudioContext", "Storage", "History",
  "Screen", "Location", "Navigator", "MediaQueryList", "UIEvent", "MouseEvent", "PointerEvent", "KeyboardEvent", "WheelEvent", "TouchEvent",
  "Touch", "SpeechSynthesis", "SpeechSynthesisUtterance", "speechSynthesis", "Geolocation", "DragEvent", "FocusEvent", "InputEvent",
  "Range", "AbstractRange", "Selection",
]);
/** A worker's own members; modules of a worker read them through the global object, too. */
const OWN = [
  "self", "globalThis", "name", "location", "postMessage", "close", "importScripts", "addEventListener", "removeEventListener", "dispatchEvent",
  "onmessage", "onmessageerror", "onerror", "onunhandledrejection", "WorkerGlobalScope", "DedicatedWorkerGlobalScope",
];

const CLASSIC_MEMBERS = [...new SafeSet([...OWN, ...EVENTS.map((type) => `on${type}`)])];

function isWindowOnly(key) {
  return typeof key === "string" && (WINDOW_ONLY.has(key) || /^(?:HTML|SVG|CSSStyle|CSSRule|StyleSheet)/.test(key));
}

// --- names by realm ---------------------------------------------------------------------------------------------------

/** The page's own value of each name that answers by realm. */
const varying = new SafeMap();
let installed = false;
/** What the platform put on the global object: the page's own additions are no worker's. */
let platform = new SafeSet();
let common;

/** The names that pages and classic workers have in common, a line each. */
function shared() {
  if (common !== undefined) return common;
  const apart = new SafeSet(CLASSIC_MEMBERS);
  const names = [...platform].filter((name) => !apart.has(name) && !isWindowOnly(name) && !/^on[a-z]/.test(name));
  common = [...names, "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"].join("\n");
  return common;
}

/** Makes the global `key` answer by realm. */
function vary(key) {
  if (!installed || typeof key !== "string" || varying.has(key)) return;
  const was = ObjectGetOwnPropertyDescriptor(page, key);
  if (was !== undefined && !was.configurable) return;
  const accessor = was !== undefined && was.get !== undefined;
  let own = was !== undefined;
  let held = was?.value;
  const read = () => {
    if (accessor) return FunctionPrototypeCall(was.get, page);
    return own ? held : ReflectGet(ObjectGetPrototypeOf(page), key, page);
  };
  varying.set(key, read);
  ObjectDefineProperty(page, key, {
    __proto__: null,
    get() {
      const realm = currentRealm();
      return realm === undefined ? read() : realm.read(key);
    },
    set(value) {
      const realm = currentRealm();
      if (realm !== undefined) realm.self[key] = value;
      else if (accessor) was.set !== undefined && FunctionPrototypeCall(was.set, page, value);
      else {
        own = true;
        held = value;
      }
    },
    enumerable: was?.enumerable ?? false,
    configurable: true,
  });
}

function install() {
  if (installed) return;
  installed = true;
  for (const key of OWN) vary(key);
  for (const key of WINDOW_ONLY) if (key in page) vary(key);
  for (const key of ObjectKeys(globals)) if (isWindowOnly(key)) vary(key);
  for (const realm of realms.values()) for (const key of ObjectKeys(realm.target)) vary(key);
}

/** Worker records by number. */
const realms = new SafeMap();

// Called by the first line of each module of worker `number`, before the module's own code.
ObjectDefineProperty(page, Symbol.for("replay.worker"), {
  __proto__: null,
  value(number) {
    const realm = realms.get(number);
    if (realm === undefined) throw new TypeError(`there is no worker ${number}`);
    install();
    enterRealm(realm);
    realm.begin();
  },
});

// --- one worker's record ------------------------------------------------------------------------------------------------

function messageOf(error) {
  return `Uncaught ${typeof error === "object" && error !== null && "message" in error ? `${error.name}: ${error.message}` : String(error)}`;
}

/**
 * The record of a new worker at `url`. `outside` is what the record tells: `message({ data, ports })`, `error(message, place, error)`, each called in
 * the realm that made the worker.
 */
function makeRealm(url, name, module, outside) {
  const number = realms.size + 1;
  const target = new DedicatedWorkerGlobalScope(illegal);
  const parent = currentRealm();
  /** Messages that came before the script had run. */
  const early = [];
  let open = false;
  let begun = false;
  let reporting = false;
  const tell = (callback) => queueMessage(callback, parent);
  const realm = {
    __proto__: null, number, url, module, target, self: null, read: null, run: null,
    /** Do its tasks run? Not after close() or terminate(). */
    alive: true,
    /** Does the page hear what it posted? Not after terminate(). */
    heard: true,
    get begun() {
      return begun;
    },
    /** The script begins; messages are delivered once its first part has run. */
    begin() {
      if (begun) return;
      begun = true;
      queueTask(() => realm.open(), realm);
    },
    open() {
      open = true;
      for (const init of ArrayPrototypeSplice(early, 0)) realm.deliver(init);
    },
    /** `init`: what the event has, `{ data, ports }`. */
    deliver(init) {
      if (open) queueMessage(() => fire(realm.self, "message", init, MessageEvent), realm);
      else ArrayPrototypePush(early, init);
    },
    /** An exception nobody caught (HTML, "report an exception"): to the worker's own handlers, then to the Worker object. */
    report(error) {
      written(error);
      const message = messageOf(error), place = placeOf(error);
      if (!reporting && hasListeners(realm.self, "error")) {
        reporting = true;
        const event = new ErrorEvent("error", { cancelable: true, message, ...place, error });
        hide(event, "_errorArgs", [message, place.filename, place.lineno, place.colno, error]);
        event._trusted = true;
        try {
          if (!dispatch(realm.self, event)) return;
        } finally {
          reporting = false;
        }
      }
      tell(() => outside.error(message, place, error));
    },
    /** A rejected promise nobody handled; true if the worker takes care of it. */
    reject(promise, reason) {
      if (!hasListeners(realm.self, "unhandledrejection")) return false;
      const event = new PromiseRejectionEvent("unhandledrejection", { cancelable: true, promise, reason });
      event._trusted = true;
      return !dispatch(realm.self, event);
    },
  };
  const inherited = (key) => typeof key === "symbol" || (platform.has(key) && !isWindowOnly(key));
  const inherit = (key) => (varying.has(key) ? varying.get(key)() : page[key]);
  const get = (key) => {
    if (key === "self" || key === "globalThis") return realm.self;
    if (ReflectHas(target, key)) return ReflectGet(target, key, realm.self);
    return inherited(key) ? inherit(key) : undefined;
  };
  if (module) {
    realm.read = get;
    realm.self = new Proxy(target, {
      has: (_, key) => ReflectHas(target, key) || inherited(key),
      get: (_, key) => get(key),
      set(_, key, value) {
        vary(key);
        return ReflectSet(target, key, value, target);
      },
      defineProperty(_, key, descriptor) {
        vary(key);
        return ReflectDefineProperty(target, key, descriptor);
      },
    });
  } else {
    const scope = classicScope(realm, {
      target, members: CLASSIC_MEMBERS, inherited, platform: inherit, shared,
      vary(key) {
        install();
        vary(key);
      },
    });
    realm.self = new Proxy(target, scope.traps);
    scope.begin();
  }
  const on = (method) => (...args) => method.apply(realm.self, args);
  const members = {
    __proto__: null,
    name,
    location: new URL(url),
    postMessage: (message, transfer = undefined) => {
      if (!realm.alive) return;
      if (!module) written(message);
      const init = clone(!module && typeof message === "string" ? spelled(message) : message, transfer);
      tell(() => realm.heard && outside.message(init));
    },
    close: () => void (realm.alive = false),
    addEventListener: on(EventTarget.prototype.addEventListener),
    removeEventListener: on(EventTarget.prototype.removeEventListener),
    dispatchEvent: on(EventTarget.prototype.dispatchEvent),
    WorkerGlobalScope,
    DedicatedWorkerGlobalScope,
  };
  for (const key of ObjectKeys(members)) ObjectDefineProperty(target, key, { __proto__: null, value: members[key], writable: true, configurable: true });
  realms.set(number, realm);
  return realm;
}

/** What the event of a message has: its copy, and the ports that come with it. */
function clone(message, transfer) {
  const list = Array.isArray(transfer) ? transfer : transfer?.transfer ?? [];
  return { __proto__: null, data: page.structuredClone(message, { transfer: list }), ports: portsOf(list) };
}

handlers.realm = currentRealm;

/** Called once everything is installed. */
function platformIs(names) {
  platform = new SafeSet(names);
}

export { clone, makeRealm, platformIs };
