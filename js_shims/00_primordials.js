// Built-ins captured before any program runs, and the list of what goes on globalThis.
import { core, primordials } from "ext:core/mod.js";
import { op_unsupported } from "ext:core/ops";

const { ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ReflectOwnKeys, SafeWeakSet, SymbolToStringTag, TypeError } = primordials;

const globals = { __proto__: null };
const accessors = { __proto__: null };

/** Puts `value` on globalThis (at the end, by 99_main.js): writable, configurable, not enumerable. */
function expose(name, value) {
  globals[name] = value;
}

/** Puts an accessor on globalThis. */
function exposeAccessor(name, get, set = undefined) {
  accessors[name] = { get, set };
}

/** Exposes a class as a WebIDL interface: enumerable members, `Symbol.toStringTag`. */
function exposeInterface(ctor, name = ctor.name) {
  finishInterface(ctor, name);
  globals[name] = ctor;
  return ctor;
}

function finishInterface(ctor, name = ctor.name) {
  const proto = ctor.prototype;
  for (const key of ReflectOwnKeys(proto)) {
    if (typeof key !== "string" || key === "constructor") continue;
    const d = ObjectGetOwnPropertyDescriptor(proto, key);
    if (!d.configurable || d.enumerable) continue;
    d.enumerable = true;
    ObjectDefineProperty(proto, key, d);
  }
  ObjectDefineProperty(proto, SymbolToStringTag, { __proto__: null, value: name, configurable: true });
  if (ctor.name !== name) ObjectDefineProperty(ctor, "name", { __proto__: null, value: name, configurable: true });
}

/** Defines constants on an interface and its prototype. */
function constants(ctor, table) {
  for (const key of ReflectOwnKeys(table)) {
    const d = { __proto__: null, value: table[key], enumerable: true };
    ObjectDefineProperty(ctor, key, d);
    ObjectDefineProperty(ctor.prototype, key, d);
  }
}

/** Notes in the report that a page used something that is not supported. */
function unsupported(interface_, member, detail = "") {
  op_unsupported(interface_, member, detail);
}

/** Exceptions that only a gap of this engine made. */
const gaps = new SafeWeakSet();

/** Marks `error` as such: when nobody catches it, it is told and the program goes on, as it would in a browser that has the feature. */
function gap(error) {
  gaps.add(error);
  return error;
}

/** The key engine code passes to constructors that pages may not call. */
const illegal = Symbol("illegal constructor key");
function illegalConstructor(key) {
  if (key !== illegal) throw new TypeError("Illegal constructor");
}

/** Throws what browsers throw when a required argument is missing. */
function required(got, need, what) {
  if (got < need) {
    throw new TypeError(`${what}: ${need} argument${need === 1 ? "" : "s"} required, but only ${got} present.`);
  }
}

export {
  accessors,
  constants,
  core,
  expose,
  exposeAccessor,
  exposeInterface,
  finishInterface,
  gap,
  gaps,
  globals,
  illegal,
  illegalConstructor,
  primordials,
  required,
  unsupported,
};
