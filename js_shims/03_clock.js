// Virtual time for the page: Date, performance, timers, animation frames, idle callbacks, tasks.
import { core, expose, exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException, reportException } from "ext:replay/01_errors.js";
import { EventTarget } from "ext:replay/02_events.js";
import { currentRealm, enterRealm } from "ext:replay/02_realm.js";
import { op_date_ms, op_invoke, op_now_ms, op_time_origin, op_timer_again, op_timer_cancel, op_timer_set } from "ext:core/ops";

const {
  ArrayPrototypeFilter, ArrayPrototypePush, ArrayPrototypeShift, Date: RealDate, DatePrototype, DateUTC, DateParse, FunctionPrototypeCall,
  MapPrototypeGet, MathFloor, MathMax, MathMin, Number, ObjectDefineProperty, ObjectSetPrototypeOf, ReflectApply,
  ReflectConstruct, SafeMap, TypeError,
} = primordials;

// --- Date -----------------------------------------------------------------------------------------------------------

const toString = DatePrototype.toString;

/** Date with the run's clock behind `Date()`, `new Date()` and `Date.now()` (ECMAScript, section 21.4). */
function Date(...args) {
  if (new.target === undefined) return FunctionPrototypeCall(toString, new RealDate(op_date_ms()));
  return ReflectConstruct(RealDate, args.length === 0 ? [op_date_ms()] : args, new.target);
}
Object.defineProperties(Date, {
  length: { value: 7, configurable: true },
  prototype: { value: RealDate.prototype, writable: false, enumerable: false, configurable: false },
  now: { value: function now() { return op_date_ms(); }, writable: true, configurable: true },
  parse: { value: RealDate.parse, writable: true, configurable: true },
  UTC: { value: RealDate.UTC, writable: true, configurable: true },
});
ObjectDefineProperty(RealDate.prototype, "constructor", { __proto__: null, value: Date, writable: true, configurable: true });
expose("Date", Date);
// The other ways to the present: Intl formatters without an argument.
for (const [Class, methods] of [[Intl.DateTimeFormat, ["formatToParts"]]]) {
  for (const name of methods) {
    const real = Class.prototype[name];
    const wrapped = { [name](date) { return ReflectApply(real, this, [date === undefined ? op_date_ms() : date]); } }[name];
    ObjectDefineProperty(Class.prototype, name, { __proto__: null, value: wrapped, writable: true, configurable: true });
  }
}
{
  const d = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format");
  const bound = new WeakMap();
  ObjectDefineProperty(Intl.DateTimeFormat.prototype, "format", {
    __proto__: null,
    get() {
      const real = ReflectApply(d.get, this, []);
      let f = bound.get(this);
      if (f === undefined) {
        f = (date) => real(date === undefined ? op_date_ms() : date);
        bound.set(this, f);
      }
      return f;
    },
    configurable: true,
  });
}
void DateUTC, DateParse;

// --- tasks: what a finished load, a message or an observer has to say ------------------------------------------------

const tasks = [];
let head = 0;

/** Runs `callback` of `realm` as a task of its own before the next frame; time does not pass until then. */
function queueTask(callback, realm = undefined) {
  ArrayPrototypePush(tasks, callback, arguments.length < 2 ? currentRealm() : realm);
}

/** Messages that one instant delivers: two sides that answer each other without end would never let time go on. */
const MOST_MESSAGES = 1000;
let messages = 0;
let instant = -1;
let late = [];

/** Delivers a message: as `queueTask` does, but a millisecond later and in order once an instant has had its fill. */
function queueMessage(callback, realm = undefined) {
  const of = arguments.length < 2 ? currentRealm() : realm;
  const now = op_now_ms();
  if (now !== instant) {
    instant = now;
    messages = 0;
  }
  if (late.length === 0 && ++messages <= MOST_MESSAGES) return queueTask(callback, of);
  if (late.length === 0) {
    const id = op_timer_set(1);
    if (id === 0) return queueTask(callback, of);
    timers.set(id, { __proto__: null, handler: deliverLate, args: [], delay: 1, repeat: false, level: 1, realm: undefined });
  }
  ArrayPrototypePush(late, callback, of);
}

function deliverLate() {
  const list = late;
  late = [];
  for (let i = 0; i < list.length; i += 2) queueTask(list[i], list[i + 1]);
}

/** Runs the first waiting task; false if there was none. */
function runTask() {
  if (head >= tasks.length) {
    tasks.length = head = 0;
    return false;
  }
  const task = tasks[head], realm = tasks[head + 1];
  tasks[head++] = undefined;
  tasks[head++] = undefined;
  guard(task, [], realm);
  return true;
}

/** Calls engine, page or worker code at the top of the stack: exceptions are reported, microtasks run afterwards. */
function guard(callback, args = [], realm = undefined) {
  if (realm !== undefined && !realm.alive) return;
  enterRealm(realm);
  try {
    op_invoke(callback, undefined, args);
  } catch (error) {
    reportException(error);
  }
  core.runMicrotasks();
  enterRealm(undefined);
}

// --- timers (HTML, section 8.7) -------------------------------------------------------------------------------------

const timers = new SafeMap();
let nesting = 0;

function setTimer(handler, timeout, args, repeat) {
  if (typeof handler !== "function") {
    const source = `${handler}`;
    handler = () => (0, eval)(source);
  }
  // WebIDL long: NaN and Infinity are 0, negative is 0.
  let delay = Number(timeout) || 0;
  delay = delay > 0 && delay <= 0x7fffffff ? MathFloor(delay) : 0;
  const level = nesting + 1;
  if (level > 5) delay = MathMax(delay, 4);
  const id = op_timer_set(delay);
  if (id === 0) throw new DOMException("too many timers", "QuotaExceededError");
  timers.set(id, { __proto__: null, handler, args, delay, repeat, level, realm: currentRealm() });
  return id;
}

function setTimeout(handler, timeout = 0, ...args) {
  required(arguments.length, 1, "Failed to execute 'setTimeout' on 'Window'");
  return setTimer(handler, timeout, args, false);
}
function setInterval(handler, timeout = 0, ...args) {
  required(arguments.length, 1, "Failed to execute 'setInterval' on 'Window'");
  return setTimer(handler, timeout, args, true);
}
function clearTimeout(id = 0) {
  const key = Number(id) | 0;
  if (timers.delete(key)) op_timer_cancel(key);
}
function clearInterval(id = 0) {
  clearTimeout(id);
}

/** Called by the frame loop when timer `id` is due; the clock stands at its time. */
function runTimer(id) {
  const timer = MapPrototypeGet(timers, id);
  if (timer === undefined) return;
  if (!timer.repeat) timers.delete(id);
  nesting = timer.level;
  guard(timer.handler, timer.args, timer.realm);
  nesting = 0;
  if (timer.repeat && timers.has(id)) {
    timer.level = MathMin(timer.level + 1, 10);
    op_timer_again(id, timer.level > 5 ? MathMax(timer.delay, 4) : timer.delay);
  }
}

for (const f of [setTimeout, setInterval, clearTimeout, clearInterval]) expose(f.name, f);

// --- animation frames and idle callbacks ----------------------------------------------------------------------------

let frameCallbacks = [];
let nextFrameId = 1;
let running = null;
let idleCallbacks = [];
let nextIdleId = 1;
const frameListeners = [];

function requestAnimationFrame(callback) {
  required(arguments.length, 1, "Failed to execute 'requestAnimationFrame' on 'Window'");
  if (typeof callback !== "function") {
    throw new TypeError("Failed to execute 'requestAnimationFrame' on 'Window': parameter 1 is not of type 'Function'.");
  }
  const id = nextFrameId++;
  ArrayPrototypePush(frameCallbacks, { __proto__: null, id, callback, realm: currentRealm() });
  return id;
}
function cancelAnimationFrame(id) {
  const key = Number(id);
  frameCallbacks = ArrayPrototypeFilter(frameCallbacks, (f) => f.id !== key);
  if (running !== null) {
    for (let i = 0; i < running.length; i++) if (running[i].id === key) running[i].callback = null;
  }
}
function requestIdleCallback(callback, options = undefined) {
  required(arguments.length, 1, "Failed to execute 'requestIdleCallback' on 'Window'");
  void options;
  const id = nextIdleId++;
  ArrayPrototypePush(idleCallbacks, { __proto__: null, id, callback });
  return id;
}
function cancelIdleCallback(id) {
  idleCallbacks = ArrayPrototypeFilter(idleCallbacks, (f) => f.id !== id);
}
for (const f of [requestAnimationFrame, cancelAnimationFrame, requestIdleCallback, cancelIdleCallback]) expose(f.name, f);
expose("webkitRequestAnimationFrame", requestAnimationFrame);
expose("webkitCancelAnimationFrame", cancelAnimationFrame);

class IdleDeadline {
  constructor(key) {
    illegalConstructor(key);
  }
  get didTimeout() {
    return false;
  }
  timeRemaining() {
    return 50;
  }
}
exposeInterface(IdleDeadline);

/** Runs before the animation frame callbacks of every frame (observers). */
function onFrame(callback) {
  ArrayPrototypePush(frameListeners, callback);
}

/** Calls `callback` at the end of each frame's callbacks, where browsers update styles. */
function onFrameEnd(callback) {
  ArrayPrototypePush(frameEnders, callback);
}
const frameEnders = [];

/** HTML, "run the animation frame callbacks": those asked for before now, with `performance.now()`. */
function runFrame() {
  for (let i = 0; i < frameListeners.length; i++) guard(frameListeners[i]);
  const any = frameCallbacks.length > 0 || idleCallbacks.length > 0;
  running = frameCallbacks;
  frameCallbacks = [];
  const now = op_now_ms();
  for (let i = 0; i < running.length; i++) {
    const callback = running[i].callback;
    if (callback !== null) guard(callback, [now], running[i].realm);
  }
  running = null;
  const idle = idleCallbacks;
  idleCallbacks = [];
  for (let i = 0; i < frameEnders.length; i++) guard(frameEnders[i]);
  for (let i = 0; i < idle.length; i++) guard(idle[i].callback, [new IdleDeadline(illegal)]);
  return any;
}

function queueMicrotask(callback) {
  required(arguments.length, 1, "Failed to execute 'queueMicrotask' on 'Window'");
  if (typeof callback !== "function") {
    throw new TypeError("Failed to execute 'queueMicrotask' on 'Window': parameter 1 is not of type 'Function'.");
  }
  const realm = currentRealm();
  realQueueMicrotask(() => {
    enterRealm(realm);
    try {
      op_invoke(callback, undefined, []);
    } catch (error) {
      reportException(error);
    }
  });
}
const realQueueMicrotask = globalThis.queueMicrotask;
expose("queueMicrotask", queueMicrotask);

// --- performance ----------------------------------------------------------------------------------------------------

class PerformanceEntry {
  #data;
  constructor(key, data) {
    illegalConstructor(key);
    this.#data = data;
  }
  get name() {
    return this.#data.name;
  }
  get entryType() {
    return this.#data.entryType;
  }
  get startTime() {
    return this.#data.startTime;
  }
  get duration() {
    return this.#data.duration;
  }
  get detail() {
    return this.#data.detail ?? null;
  }
  toJSON() {
    return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration };
  }
}
exposeInterface(PerformanceEntry);
class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    super(illegal, {
      name: `${name}`, entryType: "mark", startTime: options?.startTime ?? op_now_ms(), duration: 0, detail: options?.detail,
    });
  }
}
exposeInterface(PerformanceMark);
class PerformanceMeasure extends PerformanceEntry {}
exposeInterface(PerformanceMeasure);

let entries = [];
const MAX_ENTRIES = 10000;

function remember(entry) {
  if (entries.length >= MAX_ENTRIES) ArrayPrototypeShift(entries);
  ArrayPrototypePush(entries, entry);
  return entry;
}

class Performance extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  now() {
    return op_now_ms();
  }
  get timeOrigin() {
    return op_time_origin();
  }
  get timing() {
    const t = op_time_origin();
    return { navigationStart: t, fetchStart: t, domLoading: t, domInteractive: t, domComplete: t, loadEventStart: t, loadEventEnd: t };
  }
  get navigation() {
    return { type: 0, redirectCount: 0 };
  }
  get memory() {
    return { usedJSHeapSize: 10000000, totalJSHeapSize: 20000000, jsHeapSizeLimit: 4294705152 };
  }
  mark(name, options = undefined) {
    return remember(new PerformanceMark(name, options));
  }
  measure(name, start = undefined, end = undefined) {
    const time = (mark, fallback) => {
      if (mark === undefined) return fallback;
      if (typeof mark === "number") return mark;
      for (let i = entries.length - 1; i >= 0; i--) {
        if (entries[i].name === `${mark}` && entries[i].entryType === "mark") return entries[i].startTime;
      }
      throw new DOMException(`Failed to execute 'measure' on 'Performance': The mark '${mark}' does not exist.`, "SyntaxError");
    };
    const dict = typeof start === "object" && start !== null ? start : { start, end };
    const startTime = time(dict.start, 0);
    const endTime = dict.duration !== undefined ? startTime + dict.duration : time(dict.end, op_now_ms());
    return remember(
      new PerformanceMeasure(illegal, {
        name: `${name}`, entryType: "measure", startTime, duration: endTime - startTime, detail: dict.detail,
      }),
    );
  }
  clearMarks(name = undefined) {
    entries = ArrayPrototypeFilter(entries, (e) => e.entryType !== "mark" || (name !== undefined && e.name !== name));
  }
  clearMeasures(name = undefined) {
    entries = ArrayPrototypeFilter(entries, (e) => e.entryType !== "measure" || (name !== undefined && e.name !== name));
  }
  getEntries() {
    return ArrayPrototypeFilter(entries, () => true);
  }
  getEntriesByType(type) {
    return ArrayPrototypeFilter(entries, (e) => e.entryType === type);
  }
  getEntriesByName(name, type = undefined) {
    return ArrayPrototypeFilter(entries, (e) => e.name === name && (type === undefined || e.entryType === type));
  }
  clearResourceTimings() {}
  setResourceTimingBufferSize() {}
  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}
exposeInterface(Performance);
const performance = new Performance(illegal);
expose("performance", performance);

class PerformanceObserver {
  #callback;
  constructor(callback) {
    this.#callback = callback;
  }
  observe() {
    void this.#callback;
  }
  disconnect() {}
  takeRecords() {
    return [];
  }
  static get supportedEntryTypes() {
    return ["mark", "measure"];
  }
}
exposeInterface(PerformanceObserver);

// Collection is never seen: a run must not depend on when V8 collects.
class FinalizationRegistry {
  constructor(cleanup) {
    if (typeof cleanup !== "function") throw new TypeError("FinalizationRegistry: cleanup must be callable");
  }
  register() {}
  unregister() {
    return false;
  }
}
exposeInterface(FinalizationRegistry);
class WeakRef {
  #target;
  constructor(target) {
    if ((typeof target !== "object" || target === null) && typeof target !== "symbol" && typeof target !== "function") {
      throw new TypeError("WeakRef: target must be an object");
    }
    this.#target = target;
  }
  deref() {
    return this.#target;
  }
}
exposeInterface(WeakRef);
void ObjectSetPrototypeOf;

export { guard, onFrame, onFrameEnd, performance, queueMessage, queueTask, requestAnimationFrame, runFrame, runTask, runTimer, setTimeout };
