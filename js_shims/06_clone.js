// structuredClone (HTML, 2.7): V8's serializer does the work; objects of the platform give their copies themselves.
import { core, expose, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";

const { ArrayBufferPrototype, ArrayPrototypeIncludes, ArrayPrototypePush, ObjectDefineProperty, ObjectPrototypeIsPrototypeOf } = primordials;

/** Prototypes of what can be transferred. */
const transferables = [ArrayBufferPrototype];
/** The clone under way: platform objects met, their copies, and what is transferred. */
let under = null;

/**
 * Makes the objects of a platform class cloneable: `copy(object, transferred)` gives the copy; null where it may not be copied.
 * Workers share the page's memory here, so a copy needs no bytes of its own if it never changes.
 */
export function cloneable(prototype, copy, transferable = false) {
  if (transferable) ArrayPrototypePush(transferables, prototype);
  ObjectDefineProperty(prototype, core.hostObjectBrand, {
    __proto__: null,
    // Read by the serializer just before it looks the object up among the originals.
    get() {
      if (under === null || ArrayPrototypeIncludes(under.originals, this)) return true;
      const made = copy(this, ArrayPrototypeIncludes(under.transfer, this));
      if (made === null) throw new DOMException(`${this.constructor.name} object could not be cloned.`, "DataCloneError");
      ArrayPrototypePush(under.originals, this);
      ArrayPrototypePush(under.copies, made);
      return true;
    },
  });
}

expose("structuredClone", function structuredClone(value, options = undefined) {
  required(arguments.length, 1, "Failed to execute 'structuredClone' on 'Window'");
  const transfer = [...(options?.transfer ?? [])];
  for (let i = 0; i < transfer.length; i++) {
    if (!transferables.some((prototype) => ObjectPrototypeIsPrototypeOf(prototype, transfer[i]))) {
      throw new DOMException(`Failed to execute 'structuredClone' on 'Window': Value at index ${i} does not have a transferable type.`, "DataCloneError");
    }
  }
  const outer = under;
  under = { __proto__: null, originals: [], copies: [], transfer };
  let copy;
  try {
    copy = core.deserialize(core.serialize(value, { hostObjects: under.originals }), { hostObjects: under.copies });
  } catch (error) {
    throw new DOMException(`Failed to execute 'structuredClone' on 'Window': ${error?.message ?? error}`, "DataCloneError");
  } finally {
    under = outer;
  }
  // The copy owns its bytes already; what was to be moved is gone from the original.
  for (const item of transfer) {
    if (ObjectPrototypeIsPrototypeOf(ArrayBufferPrototype, item)) item.transfer?.(0);
    else item._moved?.();
  }
  return copy;
});
