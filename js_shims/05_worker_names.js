// The globals of classic workers: properties of the page's own global object under names of the worker's own, which
// runtime/worker_names.rs writes into its scripts. `self` shows them under the names the program gave them.
import { primordials } from "ext:replay/00_primordials.js";
import { printing } from "ext:replay/01_console.js";
import { op_worker_alias, op_worker_rename, op_worker_script, op_worker_spelled } from "ext:core/ops";

const {
  ErrorPrototype, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectHasOwn, ObjectKeys, ObjectPrototypeIsPrototypeOf,
  ReflectDefineProperty, ReflectDeleteProperty, ReflectGet, ReflectGetOwnPropertyDescriptor, ReflectHas, ReflectOwnKeys, ReflectSet, SafeMap, SafeSet,
} = primordials;

const page = globalThis;
/** Members of DedicatedWorkerGlobalScope, which is a [Global] interface: the object's own (Web IDL, 3.7.6). */
const OWN = new SafeSet(["name", "postMessage", "close", "onmessage", "onmessageerror", "requestAnimationFrame", "cancelAnimationFrame"]);
/** Of ECMAScript's globals, those that do not look like constructors. */
const PLAIN = new SafeSet([
  "console", "Math", "JSON", "Reflect", "Atomics", "Intl", "WebAssembly", "Proxy", "parseInt", "parseFloat", "isNaN", "isFinite", "eval",
  "encodeURI", "encodeURIComponent", "decodeURI", "decodeURIComponent", "escape", "unescape",
]);

/** Is this name of the platform's an own property of a browser's global object? */
function isOwn(name, platform) {
  if (PLAIN.has(name)) return true;
  const value = platform(name);
  return typeof value === "function" && ObjectHasOwn(value, "prototype") && /^[A-Z]/.test(name);
}

/** A text of V8's with names as the program wrote them; the letters are those of runtime/worker_names.rs. */
function spelled(text) {
  return /[\u3400-\u4db5\ua000]/.test(text) ? op_worker_spelled(text) : text;
}
printing.text = spelled;

/** Puts names as the program wrote them into what V8 says of an exception. */
function written(error) {
  if (typeof error !== "object" || error === null || !ObjectPrototypeIsPrototypeOf(ErrorPrototype, error)) return;
  for (const key of ["message", "stack"]) {
    const text = ObjectHasOwn(error, key) ? error[key] : undefined;
    if (typeof text !== "string") continue;
    const plain = spelled(text);
    if (plain !== text) ObjectDefineProperty(error, key, { __proto__: null, value: plain, writable: true, enumerable: false, configurable: true });
  }
}

/**
 * Gives `realm` its globals, and the traps of its `self`. `scope` says what it has otherwise: `target`, its own object; `members`, names
 * that belong to it; `inherited(key)` and `platform(key)`, whether and what it has of the page's; `shared()`, a list of those names;
 * `vary(key)`, which makes a name answer by realm for source text that keeps its names.
 */
function classicScope(realm, { target, members, inherited, platform, shared, vary }) {
  const { number } = realm;
  /** Every name the worker made. */
  const made = new SafeSet();
  /** Names of the platform's that the worker has for itself. */
  const replaced = new SafeSet();
  /** Readers of `let`, `const` and classes, for source text. */
  const lexical = new SafeMap();
  /** Does a script run source text that keeps its names? */
  let dynamic = false;
  let running;
  const slots = new SafeMap();
  /** What the worker calls `key`. */
  const slot = (key) => {
    let own = slots.get(key);
    if (own === undefined) slots.set(key, own = op_worker_alias(number, key));
    return own;
  };
  const owns = (key) => typeof key === "string" && ObjectHasOwn(page, slot(key));
  const put = (key, value) => ObjectDefineProperty(page, slot(key), { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const member = (key) => ObjectDefineProperty(page, slot(key), {
    __proto__: null,
    get: () => ReflectGet(target, key, realm.self),
    set: (value) => void ReflectSet(target, key, value, target),
    enumerable: false,
    configurable: true,
  });
  const replace = (key) => {
    put(key, platform(key));
    replaced.add(key);
  };
  const traps = {
    __proto__: null,
    has: (_, key) => owns(key) || ReflectHas(target, key) || inherited(key),
    get(_, key) {
      if (owns(key)) return page[slot(key)];
      if (ReflectHas(target, key)) return ReflectGet(target, key, realm.self);
      return inherited(key) ? platform(key) : undefined;
    },
    set(_, key, value) {
      if (owns(key)) page[slot(key)] = value;
      else if (typeof key !== "string" || ReflectHas(target, key)) return ReflectSet(target, key, value, target);
      else {
        if (inherited(key)) replaced.add(key);
        put(key, value);
        made.add(key);
        if (dynamic) vary(key);
      }
      return true;
    },
    defineProperty(_, key, descriptor) {
      if (typeof key !== "string" || descriptor.configurable === false) {
        if (typeof key === "string") member(key);
        return ReflectDefineProperty(target, key, descriptor);
      }
      if (inherited(key)) replaced.add(key);
      made.add(key);
      if (dynamic) vary(key);
      return ReflectDefineProperty(page, slot(key), { __proto__: null, ...descriptor, configurable: true });
    },
    getOwnPropertyDescriptor(_, key) {
      if (!owns(key) || !made.has(key)) return ReflectGetOwnPropertyDescriptor(target, key);
      return { value: page[slot(key)], writable: true, enumerable: true, configurable: true };
    },
    deleteProperty: (_, key) => (typeof key !== "string" || ReflectDeleteProperty(page, slot(key))) && ReflectDeleteProperty(target, key),
    ownKeys() {
      const keys = ReflectOwnKeys(target);
      for (const key of made) if (owns(key) && !keys.includes(key)) keys.push(key);
      return keys;
    },
  };
  const named = (value, name) => {
    if (typeof value !== "function") return;
    if (ObjectGetOwnPropertyDescriptor(value, "name")?.value === slot(name)) ObjectDefineProperty(value, "name", { __proto__: null, value: name, configurable: true });
  };
  // Called by each script before its first statement and after its last: functions get the names that the program gave them.
  ObjectDefineProperty(page, `\ua001${number}`, {
    __proto__: null,
    value(values, names = undefined) {
      if (names !== undefined) return names.split(",").forEach((name, i) => named(values[i], name));
      for (const name of running.functions) named(page[slot(name)], name);
      for (const name of ObjectKeys(values)) lexical.set(name, values[name]);
    },
  });
  for (const key of members) member(key);
  /** Runs a classic script of the worker; `url` is its address with the worker's mark. */
  realm.run = (source, url) => {
    const names = replaced.size === 0 ? shared() : shared().split("\n").filter((name) => !replaced.has(name)).join("\n");
    const script = op_worker_rename(source, number, names, dynamic);
    // What V8 has against it is said better.
    if (script.error !== null) return op_worker_script("}", source, url, 0);
    for (const name of script.writes) if (!owns(name) && inherited(name)) replace(name);
    // What browsers have on the prototypes of the scope, a `var` hides: it begins undefined.
    for (const name of script.values) {
      if (made.has(name)) continue;
      if (OWN.has(name)) {
        if (!owns(name) && inherited(name)) replace(name);
      } else if (owns(name) || inherited(name)) {
        put(name, isOwn(name, platform) ? platform(name) : undefined);
        replaced.add(name);
      }
    }
    for (const name of [...script.values, ...script.writes]) made.add(name);
    for (const name of script.lexical) if (inherited(name)) replaced.add(name);
    dynamic ||= script.dynamic;
    if (dynamic) for (const name of [...members, ...made, ...script.lexical]) vary(name);
    running = script;
    op_worker_script(script.text, source, url, script.lead);
  };
  /** What a name means in source text that keeps its names. */
  realm.read = (key) => (lexical.has(key) ? lexical.get(key)() : realm.self[key]);
  return {
    traps,
    /** To be called once `realm.self` is there. */
    begin() {
      for (const key of ["self", "globalThis", "this"]) put(key, realm.self);
    },
  };
}

export { classicScope, spelled, written };
