// structuredClone (HTML, 2.7): V8's serializer does the work.
import { core, expose, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";

const { ArrayBufferPrototype, ObjectPrototypeIsPrototypeOf } = primordials;

expose("structuredClone", function structuredClone(value, options = undefined) {
  required(arguments.length, 1, "Failed to execute 'structuredClone' on 'Window'");
  const transfer = [...(options?.transfer ?? [])];
  for (const item of transfer) {
    if (!ObjectPrototypeIsPrototypeOf(ArrayBufferPrototype, item)) {
      throw new DOMException("Failed to execute 'structuredClone' on 'Window': Value at index 0 does not have a transferable type.", "DataCloneError");
    }
  }
  let copy;
  try {
    copy = core.deserialize(core.serialize(value, { hostObjects: [] }));
  } catch (error) {
    throw new DOMException(`Failed to execute 'structuredClone' on 'Window': ${error?.message ?? error}`, "DataCloneError");
  }
  // The copy owns its bytes already; what was to be moved is gone from the original.
  for (const item of transfer) item.transfer?.(0);
  return copy;
});
