// Built-ins captured before any program runs, and the list of what goes on globalThis.
import { core, primordials } from "ext:core/mod.js";
import { op_unsupported } from "ext:core/ops";

const { ObjectDefineProperty, SymbolToStringTag } = primordials;

const globals = { __proto__: null };

/** Puts `value` on globalThis (at the end, by 99_main.js), as WebIDL does for interfaces: not enumerable. */
function expose(name, value) {
  globals[name] = value;
}

/** Exposes a class as an interface: its name, `Symbol.toStringTag`, enumerable members. */
function exposeInterface(ctor, name = ctor.name) {
  ObjectDefineProperty(ctor.prototype, SymbolToStringTag, {
    __proto__: null,
    value: name,
    configurable: true,
  });
  globals[name] = ctor;
}

/** Notes in the report that a page used something that is not supported. */
function unsupported(interface_, member, detail = "") {
  op_unsupported(interface_, member, detail);
}

/** Throws unless called by the engine itself: constructors that pages may not call. */
const illegal = Symbol("illegal constructor key");
function illegalConstructor(key) {
  if (key !== illegal) throw new primordials.TypeError("Illegal constructor");
}

export { core, expose, exposeInterface, globals, illegal, illegalConstructor, primordials, unsupported };
