// What needs a store, a device or a person: it answers as a browser that refuses, so that programs take their other way.
import { expose, exposeInterface, gap, globals, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { Event, EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import "ext:replay/05_dom_navigator.js";

const { ArrayPrototypePush, ArrayPrototypeSplice, Number, ObjectDefineProperty, Promise, SafeMap, TypeError } = primordials;

/** Puts `value` on navigator. */
function onNavigator(name, value) {
  const member = typeof value === "function" ? { value, writable: true } : { get: () => value };
  ObjectDefineProperty(globals.Navigator.prototype, name, { __proto__: null, ...member, enumerable: true, configurable: true });
}

// --- Indexed Database ---------------------------------------------------------------------------------------------------

class IDBRequest extends EventTarget {
  #done = false;
  #error = null;
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  get readyState() {
    return this.#done ? "done" : "pending";
  }
  get error() {
    if (!this.#done) throw new DOMException("Failed to read the 'error' property from 'IDBRequest': The request has not finished.", "InvalidStateError");
    return this.#error;
  }
  get result() {
    if (!this.#done) throw new DOMException("Failed to read the 'result' property from 'IDBRequest': The request has not finished.", "InvalidStateError");
    return undefined;
  }
  get source() {
    return null;
  }
  get transaction() {
    return null;
  }
  static _refuse(request, error) {
    queueTask(() => {
      request.#done = true;
      request.#error = error;
      fire(request, "error", { bubbles: true, cancelable: true });
    });
    return request;
  }
}
const refuse = IDBRequest._refuse;
delete IDBRequest._refuse;
defineHandlers(IDBRequest.prototype, ["success", "error"]);
class IDBOpenDBRequest extends IDBRequest {}
defineHandlers(IDBOpenDBRequest.prototype, ["blocked", "upgradeneeded"]);

/** Chromium's words for a profile that cannot be written. */
const NO_STORE = "Internal error opening backing store for indexedDB.open.";

class IDBFactory {
  constructor(key) {
    illegalConstructor(key);
  }
  open(name, _version = undefined) {
    required(arguments.length, 1, "Failed to execute 'open' on 'IDBFactory'");
    unsupported("IDBFactory", "open", `${name}: nothing is kept between runs, so it fails as in a browser that cannot write`);
    return refuse(new IDBOpenDBRequest(illegal), gap(new DOMException(NO_STORE, "UnknownError")));
  }
  deleteDatabase(name) {
    required(arguments.length, 1, "Failed to execute 'deleteDatabase' on 'IDBFactory'");
    unsupported("IDBFactory", "deleteDatabase", `${name}`);
    return refuse(new IDBOpenDBRequest(illegal), gap(new DOMException(NO_STORE, "UnknownError")));
  }
  databases() {
    return Promise.resolve([]);
  }
}
exposeInterface(IDBRequest);
exposeInterface(IDBOpenDBRequest);
exposeInterface(IDBFactory);
expose("indexedDB", new IDBFactory(illegal));

// --- Cache Storage: always empty ------------------------------------------------------------------------------------------

class CacheStorage {
  constructor(key) {
    illegalConstructor(key);
  }
  open(name) {
    unsupported("CacheStorage", "open", `${name}: nothing is kept between runs`);
    return Promise.reject(gap(new DOMException("Failed to execute 'open' on 'CacheStorage': Unexpected internal error.", "UnknownError")));
  }
  has() {
    return Promise.resolve(false);
  }
  delete() {
    return Promise.resolve(false);
  }
  keys() {
    return Promise.resolve([]);
  }
  match() {
    return Promise.resolve(undefined);
  }
}
exposeInterface(CacheStorage);
expose("caches", new CacheStorage(illegal));

// --- Web Locks: among the tasks of one page, as the specification has them ------------------------------------------------

class Lock {
  #name;
  #mode;
  constructor(key, name, mode) {
    illegalConstructor(key);
    this.#name = name;
    this.#mode = mode;
  }
  get name() {
    return this.#name;
  }
  get mode() {
    return this.#mode;
  }
}
/** By name: what is held and who waits, in order. */
const queues = new SafeMap();

function grant(name) {
  const queue = queues.get(name);
  while (queue.waiting.length > 0) {
    const next = queue.waiting[0];
    const free = queue.held.length === 0 || (next.mode === "shared" && queue.held[0].mode === "shared");
    if (!free) return;
    ArrayPrototypeSplice(queue.waiting, 0, 1);
    const lock = new Lock(illegal, name, next.mode);
    ArrayPrototypePush(queue.held, lock);
    queueTask(() => hold(next, lock, () => {
      ArrayPrototypeSplice(queue.held, queue.held.indexOf(lock), 1);
      grant(name);
    }));
  }
}

/** Runs a request's callback with `lock`, and settles the request with what it returns. */
function hold(request, lock, done) {
  new Promise((resolve) => resolve(request.callback(lock))).then(
    (value) => {
      done();
      request.resolve(value);
    },
    (error) => {
      done();
      request.reject(error);
    },
  );
}

class LockManager {
  constructor(key) {
    illegalConstructor(key);
  }
  request(name, options, callback = undefined) {
    if (arguments.length < 2) return Promise.reject(new TypeError(`Failed to execute 'request' on 'LockManager': 2 arguments required, but only ${arguments.length} present.`));
    if (callback === undefined) [options, callback] = [{}, options];
    if (typeof callback !== "function") return Promise.reject(new TypeError("Failed to execute 'request' on 'LockManager': parameter 2 is not of type 'Function'."));
    const key = `${name}`;
    const mode = options?.mode === "shared" ? "shared" : "exclusive";
    if (!queues.has(key)) queues.set(key, { held: [], waiting: [] });
    const queue = queues.get(key);
    return new Promise((resolve, reject) => {
      const request = { callback, mode, resolve, reject };
      if (options?.signal?.aborted) return reject(options.signal.reason);
      const free = queue.waiting.length === 0 && (queue.held.length === 0 || (mode === "shared" && queue.held[0].mode === "shared"));
      if (options?.ifAvailable && !free) return queueTask(() => hold(request, null, () => {}));
      ArrayPrototypePush(queue.waiting, request);
      options?.signal?.addEventListener("abort", () => {
        const at = queue.waiting.indexOf(request);
        if (at < 0) return;
        ArrayPrototypeSplice(queue.waiting, at, 1);
        reject(options.signal.reason);
        grant(key);
      }, { once: true });
      grant(key);
    });
  }
  query() {
    const list = (which) => [...queues].flatMap(([name, queue]) => queue[which].map(({ mode }) => ({ name, mode, clientId: "" })));
    return Promise.resolve({ held: list("held"), pending: list("waiting") });
  }
}
exposeInterface(Lock);
exposeInterface(LockManager);

// --- Notifications, speech ------------------------------------------------------------------------------------------------

class Notification extends EventTarget {
  #title;
  #options;
  constructor(title, options = {}) {
    required(arguments.length, 1, "Failed to construct 'Notification'");
    super();
    this.#title = `${title}`;
    this.#options = options ?? {};
    unsupported("Notification", "constructor", this.#title);
    queueTask(() => fire(this, "error"));
  }
  static get permission() {
    return "denied";
  }
  static requestPermission(done = undefined) {
    if (typeof done === "function") queueTask(() => done("denied"));
    return Promise.resolve("denied");
  }
  get title() {
    return this.#title;
  }
  get body() {
    return `${this.#options.body ?? ""}`;
  }
  get tag() {
    return `${this.#options.tag ?? ""}`;
  }
  get data() {
    return this.#options.data ?? null;
  }
  close() {}
}
defineHandlers(Notification.prototype, ["click", "show", "error", "close"]);
exposeInterface(Notification);

class SpeechSynthesisUtterance extends EventTarget {
  constructor(text = "") {
    super();
    this.text = `${text}`;
    this.lang = "";
    this.voice = null;
    this.volume = this.rate = this.pitch = 1;
  }
}
defineHandlers(SpeechSynthesisUtterance.prototype, ["start", "end", "error", "pause", "resume", "mark", "boundary"]);
exposeInterface(SpeechSynthesisUtterance);
class SpeechSynthesisErrorEvent extends Event {
  #init;
  constructor(type, init = {}) {
    super(type, init);
    this.#init = init;
  }
  get error() {
    return this.#init.error;
  }
  get utterance() {
    return this.#init.utterance;
  }
}
exposeInterface(SpeechSynthesisErrorEvent);
class SpeechSynthesis extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  get pending() {
    return false;
  }
  get speaking() {
    return false;
  }
  get paused() {
    return false;
  }
  getVoices() {
    return [];
  }
  speak(utterance) {
    required(arguments.length, 1, "Failed to execute 'speak' on 'SpeechSynthesis'");
    unsupported("SpeechSynthesis", "speak", "there are no voices");
    queueTask(() => fire(utterance, "error", { error: "synthesis-unavailable", utterance }, SpeechSynthesisErrorEvent));
  }
  cancel() {}
  pause() {}
  resume() {}
}
defineHandlers(SpeechSynthesis.prototype, ["voiceschanged"]);
exposeInterface(SpeechSynthesis);
expose("speechSynthesis", new SpeechSynthesis(illegal));

// --- devices ----------------------------------------------------------------------------------------------------------------

class GeolocationPositionError {
  constructor(key) {
    illegalConstructor(key);
  }
  get code() {
    return 1;
  }
  get message() {
    return "User denied Geolocation";
  }
}
for (const [name, value] of [["PERMISSION_DENIED", 1], ["POSITION_UNAVAILABLE", 2], ["TIMEOUT", 3]]) {
  for (const on of [GeolocationPositionError, GeolocationPositionError.prototype]) ObjectDefineProperty(on, name, { __proto__: null, value, enumerable: true });
}
exposeInterface(GeolocationPositionError);
let watches = 0;
class Geolocation {
  constructor(key) {
    illegalConstructor(key);
  }
  getCurrentPosition(_success, failure = undefined) {
    required(arguments.length, 1, "Failed to execute 'getCurrentPosition' on 'Geolocation'");
    unsupported("Geolocation", "getCurrentPosition", "refused");
    if (typeof failure === "function") queueTask(() => failure(new GeolocationPositionError(illegal)));
  }
  watchPosition(success, failure = undefined) {
    required(arguments.length, 1, "Failed to execute 'watchPosition' on 'Geolocation'");
    this.getCurrentPosition(success, failure);
    return ++watches;
  }
  clearWatch() {}
}
exposeInterface(Geolocation);

/** A computer without a battery, as Chromium tells it. */
class BatteryManager extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  get charging() {
    return true;
  }
  get chargingTime() {
    return 0;
  }
  get dischargingTime() {
    return Number.POSITIVE_INFINITY;
  }
  get level() {
    return 1;
  }
}
defineHandlers(BatteryManager.prototype, ["chargingchange", "chargingtimechange", "dischargingtimechange", "levelchange"]);
exposeInterface(BatteryManager);
const battery = new BatteryManager(illegal);

onNavigator("locks", new LockManager(illegal));
onNavigator("geolocation", new Geolocation(illegal));
onNavigator("getBattery", function getBattery() {
  return Promise.resolve(battery);
});
