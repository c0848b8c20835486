// localStorage and sessionStorage, for the length of a run.
import { expose, exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";

const { Proxy, SafeMap } = primordials;

class Storage {
  #map = new SafeMap();
  constructor(key) {
    illegalConstructor(key);
  }
  get length() {
    return this.#map.size;
  }
  key(n) {
    return [...this.#map.keys()][n] ?? null;
  }
  getItem(key) {
    required(arguments.length, 1, "Failed to execute 'getItem' on 'Storage'");
    return this.#map.get(`${key}`) ?? null;
  }
  setItem(key, value) {
    required(arguments.length, 2, "Failed to execute 'setItem' on 'Storage'");
    this.#map.set(`${key}`, `${value}`);
  }
  removeItem(key) {
    this.#map.delete(`${key}`);
  }
  clear() {
    this.#map.clear();
  }
  _keys() {
    return [...this.#map.keys()];
  }
}
exposeInterface(Storage);
hide(Storage.prototype, "_keys", Storage.prototype._keys);
function makeStorage() {
  return new Proxy(new Storage(illegal), {
    get: (t, k) => {
      if (k in Storage.prototype || typeof k === "symbol") {
        const v = Reflect.get(t, k, t);
        return typeof v === "function" ? v.bind(t) : v;
      }
      return t.getItem(k) ?? undefined;
    },
    set: (t, k, v) => (t.setItem(k, v), true),
    has: (t, k) => k in Storage.prototype || (typeof k === "string" && t.getItem(k) !== null),
    deleteProperty: (t, k) => (t.removeItem(k), true),
    ownKeys: (t) => t._keys(),
    getOwnPropertyDescriptor: (t, k) => {
      const value = typeof k === "string" ? t.getItem(k) : null;
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
expose("localStorage", makeStorage());
expose("sessionStorage", makeStorage());
