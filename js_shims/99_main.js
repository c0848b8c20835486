// Installs everything on globalThis and removes the way in.
import { globals, primordials } from "ext:replay/00_primordials.js";

const { ObjectDefineProperty, ObjectKeys } = primordials;

for (const name of ObjectKeys(globals)) {
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    value: globals[name],
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

delete globalThis.Deno;
delete globalThis.__bootstrap;
