// Event, EventTarget, `on...` handlers, AbortController (DOM Standard, sections 2 and 3).
import { constants, exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException, reportException } from "ext:replay/01_errors.js";
import { currentRealm, enterRealm } from "ext:replay/02_realm.js";
import { op_invoke, op_now_ms } from "ext:core/ops";

const {
  ArrayPrototypeIndexOf, ArrayPrototypePush, ArrayPrototypeSlice, ArrayPrototypeSplice, FunctionPrototypeCall, MapPrototypeGet,
  ObjectDefineProperty, ReflectApply, SafeMap, SafeSet, Symbol, TypeError, StringPrototypeStartsWith,
} = primordials;

const NONE = 0, CAPTURING_PHASE = 1, AT_TARGET = 2, BUBBLING_PHASE = 3;

class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #time = op_now_ms();
  _target = null;
  _current = null;
  _phase = NONE;
  _stop = false;
  _stopNow = false;
  _canceled = false;
  _passive = false;
  _dispatching = false;
  _trusted = false;
  _path = [];

  constructor(type, init = undefined) {
    required(arguments.length, 1, `Failed to construct '${new.target?.name ?? "Event"}'`);
    this.#type = `${type}`;
    this.#bubbles = !!init?.bubbles;
    this.#cancelable = !!init?.cancelable;
    this.#composed = !!init?.composed;
  }
  get type() {
    return this.#type;
  }
  get target() {
    return this._target;
  }
  get srcElement() {
    return this._target;
  }
  get currentTarget() {
    return this._current;
  }
  composedPath() {
    return ArrayPrototypeSlice(this._path);
  }
  get eventPhase() {
    return this._phase;
  }
  stopPropagation() {
    this._stop = true;
  }
  get cancelBubble() {
    return this._stop;
  }
  set cancelBubble(value) {
    if (value) this._stop = true;
  }
  stopImmediatePropagation() {
    this._stop = true;
    this._stopNow = true;
  }
  get bubbles() {
    return this.#bubbles;
  }
  get cancelable() {
    return this.#cancelable;
  }
  get returnValue() {
    return !this._canceled;
  }
  set returnValue(value) {
    if (!value) this.preventDefault();
  }
  preventDefault() {
    if (this.#cancelable && !this._passive) this._canceled = true;
  }
  get defaultPrevented() {
    return this._canceled;
  }
  get composed() {
    return this.#composed;
  }
  get isTrusted() {
    return this._trusted;
  }
  get timeStamp() {
    return this.#time;
  }
  initEvent(type, bubbles = false, cancelable = false) {
    if (this._dispatching) return;
    this.#type = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
    this._canceled = false;
    this._stop = this._stopNow = false;
  }
}
// Fields above are the engine's own; pages that list an event's keys should not see them.
const hidden = ["_target", "_current", "_phase", "_stop", "_stopNow", "_canceled", "_passive", "_dispatching", "_trusted", "_path"];
exposeInterface(Event);
constants(Event, { NONE, CAPTURING_PHASE, AT_TARGET, BUBBLING_PHASE });

/** Listeners by target: type to list of records, in order of adding. */
const kListeners = Symbol("listeners");
const kHandlers = Symbol("handlers");
/** A node's parent in the event path; set by 05_dom_node.js. */
const kParent = Symbol("event parent");

class EventTarget {
  constructor() {
    hide(this, kListeners, null);
  }
  addEventListener(type, callback, options = undefined) {
    required(arguments.length, 2, "Failed to execute 'addEventListener' on 'EventTarget'");
    if (callback === null || callback === undefined) return;
    if (typeof callback !== "function" && typeof callback !== "object") {
      throw new TypeError("Failed to execute 'addEventListener' on 'EventTarget': parameter 2 is not of type 'Object'.");
    }
    const target = self(this);
    const capture = typeof options === "object" && options !== null ? !!options.capture : !!options;
    const record = {
      __proto__: null, callback, capture, once: false, passive: false, removed: false, handler: false, realm: currentRealm(),
    };
    if (typeof options === "object" && options !== null) {
      record.once = !!options.once;
      record.passive = !!options.passive;
      const signal = options.signal;
      if (signal !== undefined && signal !== null) {
        if (signal.aborted) return;
        signal.addEventListener("abort", () => target.removeEventListener(type, callback, capture), { once: true });
      }
    }
    const list = listenersOf(target, `${type}`, true);
    for (let i = 0; i < list.length; i++) {
      if (list[i].callback === callback && list[i].capture === capture && !list[i].handler) return;
    }
    ArrayPrototypePush(list, record);
  }
  removeEventListener(type, callback, options = undefined) {
    required(arguments.length, 2, "Failed to execute 'removeEventListener' on 'EventTarget'");
    const capture = typeof options === "object" && options !== null ? !!options.capture : !!options;
    const list = listenersOf(self(this), `${type}`, false);
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      const record = list[i];
      if (record.callback === callback && record.capture === capture && !record.handler) {
        record.removed = true;
        ArrayPrototypeSplice(list, i, 1);
        return;
      }
    }
  }
  dispatchEvent(event) {
    required(arguments.length, 1, "Failed to execute 'dispatchEvent' on 'EventTarget'");
    if (!(isEvent(event))) {
      throw new TypeError("Failed to execute 'dispatchEvent' on 'EventTarget': parameter 1 is not of type 'Event'.");
    }
    if (event._dispatching) {
      throw new DOMException("Failed to execute 'dispatchEvent' on 'EventTarget': The event is already being dispatched.", "InvalidStateError");
    }
    event._trusted = false;
    return dispatch(self(this), event);
  }
}
exposeInterface(EventTarget);

function isEvent(value) {
  return typeof value === "object" && value !== null && "_dispatching" in value && "composedPath" in value;
}

/** `this` of a bare `addEventListener(...)` call is the window. */
function self(value) {
  return value === undefined || value === null ? globalThis : value;
}

function hide(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, configurable: true });
}

function listenersOf(target, type, make) {
  let map = target[kListeners];
  if (map === null || map === undefined) {
    if (!make) return undefined;
    map = new SafeMap();
    hide(target, kListeners, map);
  }
  let list = MapPrototypeGet(map, type);
  if (list === undefined && make) {
    list = [];
    map.set(type, list);
  }
  return list;
}

/** Does anybody listen? */
function hasListeners(target, type) {
  const list = listenersOf(target, type, false);
  return list !== undefined && list.length > 0;
}

/** DOM Standard, "dispatch": the path is target, its ancestors, the window. */
function dispatch(target, event) {
  event._dispatching = true;
  event._target = target;
  const path = [target];
  let parent = target[kParent]?.(event) ?? null;
  while (parent !== null) {
    ArrayPrototypePush(path, parent);
    parent = parent[kParent]?.(event) ?? null;
  }
  event._path = path;
  for (let i = path.length - 1; i > 0 && !event._stop; i--) {
    event._phase = CAPTURING_PHASE;
    invoke(path[i], event, true);
  }
  if (!event._stop) {
    event._phase = AT_TARGET;
    invoke(target, event, true);
    if (!event._stop) invoke(target, event, false);
  }
  if (event.bubbles) {
    for (let i = 1; i < path.length && !event._stop; i++) {
      event._phase = BUBBLING_PHASE;
      invoke(path[i], event, false);
    }
  }
  event._phase = NONE;
  event._current = null;
  event._path = [];
  event._dispatching = false;
  event._stop = event._stopNow = false;
  return !event._canceled;
}

function invoke(target, event, capturing) {
  const list = listenersOf(target, event.type, false);
  if (list === undefined || list.length === 0) return;
  event._current = target;
  const now = ArrayPrototypeSlice(list);
  for (let i = 0; i < now.length; i++) {
    const record = now[i];
    if (record.removed || record.capture !== capturing) continue;
    if (record.once) {
      record.removed = true;
      const at = ArrayPrototypeIndexOf(list, record);
      if (at >= 0) ArrayPrototypeSplice(list, at, 1);
    }
    event._passive = record.passive;
    const outer = currentRealm();
    enterRealm(record.realm);
    try {
      const callback = record.callback;
      if (record.handler) {
        callHandler(target, event, callback);
      } else if (typeof callback === "function") {
        op_invoke(callback, target, [event]);
      } else {
        const method = callback.handleEvent;
        if (typeof method !== "function") throw new TypeError("EventListener.handleEvent is not a function");
        op_invoke(method, callback, [event]);
      }
    } catch (error) {
      reportException(error);
    }
    enterRealm(outer);
    event._passive = false;
    if (event._stopNow) return;
  }
}

/** HTML, "the event handler processing algorithm". */
function callHandler(target, event, callback) {
  if (event.type === "error" && event._errorArgs !== undefined) {
    if (op_invoke(callback, target, event._errorArgs) === true) event._canceled = true;
    return;
  }
  const result = op_invoke(callback, target, [event]);
  if (event.type === "beforeunload") return;
  if (result === false) event._canceled = event.cancelable || event._canceled;
}

function setHandler(target, name, value) {
  const type = name.slice(2);
  const list = listenersOf(target, type, true);
  let handlers = target[kHandlers];
  if (handlers === undefined) {
    handlers = new SafeMap();
    hide(target, kHandlers, handlers);
  }
  const old = MapPrototypeGet(handlers, name);
  const callable = typeof value === "function" || (typeof value === "object" && value !== null);
  if (!callable) {
    if (old !== undefined) {
      handlers.delete(name);
      old.removed = true;
      const at = ArrayPrototypeIndexOf(list, old);
      if (at >= 0) ArrayPrototypeSplice(list, at, 1);
    }
    return;
  }
  if (old !== undefined) {
    old.callback = value;
    old.realm = currentRealm();
    return;
  }
  const record = {
    __proto__: null, callback: value, capture: false, once: false, passive: false, removed: false, handler: true, realm: currentRealm(),
  };
  handlers.set(name, record);
  ArrayPrototypePush(list, record);
}

function getHandler(target, name) {
  const handlers = target[kHandlers];
  return (handlers === undefined ? undefined : MapPrototypeGet(handlers, name)?.callback) ?? null;
}

/** Defines `on...` attributes on a prototype (or on the window itself). */
function defineHandlers(proto, names) {
  for (let i = 0; i < names.length; i++) {
    const name = `on${names[i]}`;
    ObjectDefineProperty(proto, name, {
      __proto__: null,
      get() {
        return getHandler(self(this), name);
      },
      set(value) {
        setHandler(self(this), name, value);
      },
      enumerable: true,
      configurable: true,
    });
  }
}

/** Fires a trusted event from the engine. */
function fire(target, type, init = undefined, Class = Event) {
  const event = new Class(type, init);
  event._trusted = true;
  return dispatch(target, event);
}

for (const key of hidden) void key;

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }
  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }
  _abort(reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason === undefined ? new DOMException("signal is aborted without reason", "AbortError") : reason;
    fire(this, "abort");
  }
  static abort(reason) {
    const signal = new AbortSignal();
    signal._abort(reason);
    return signal;
  }
  static timeout(ms) {
    const signal = new AbortSignal();
    globalThis.setTimeout(() => signal._abort(new DOMException("signal timed out", "TimeoutError")), ms);
    return signal;
  }
  static any(signals) {
    const signal = new AbortSignal();
    for (const s of signals) {
      if (s.aborted) {
        signal._abort(s.reason);
        break;
      }
      s.addEventListener("abort", () => signal._abort(s.reason), { once: true });
    }
    return signal;
  }
}
defineHandlers(AbortSignal.prototype, ["abort"]);
exposeInterface(AbortSignal);

class AbortController {
  #signal = new AbortSignal();
  get signal() {
    return this.#signal;
  }
  abort(reason) {
    this.#signal._abort(reason);
  }
}
exposeInterface(AbortController);

export {
  AbortController, AbortSignal, Event, EventTarget, defineHandlers, dispatch, fire, getHandler, hasListeners, hide, kListeners,
  kParent, setHandler,
};
