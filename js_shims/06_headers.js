// Headers and FormData (Fetch Standard, XMLHttpRequest Standard).
import { exposeInterface, primordials } from "ext:replay/00_primordials.js";
import { Blob } from "ext:replay/06_blob.js";

const { SymbolIterator } = primordials;

class Headers {
  #map = new Map();
  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init[SymbolIterator] === "function") for (const [k, v] of init) this.append(k, v);
    else for (const k of Object.keys(init)) this.append(k, init[k]);
  }
  append(name, value) {
    const key = headerName(name);
    const old = this.#map.get(key);
    this.#map.set(key, old === undefined ? `${value}`.trim() : `${old}, ${`${value}`.trim()}`);
  }
  delete(name) {
    this.#map.delete(headerName(name));
  }
  get(name) {
    return this.#map.get(headerName(name)) ?? null;
  }
  getSetCookie() {
    return [];
  }
  has(name) {
    return this.#map.has(headerName(name));
  }
  set(name, value) {
    this.#map.set(headerName(name), `${value}`.trim());
  }
  forEach(callback, self = undefined) {
    for (const [k, v] of this) callback.call(self, v, k, this);
  }
  *entries() {
    for (const k of [...this.#map.keys()].sort()) yield [k, this.#map.get(k)];
  }
  *keys() {
    for (const [k] of this.entries()) yield k;
  }
  *values() {
    for (const [, v] of this.entries()) yield v;
  }
  [SymbolIterator]() {
    return this.entries();
  }
}
exposeInterface(Headers);

function headerName(name) {
  const text = `${name}`;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)) throw new TypeError(`Failed to execute on 'Headers': Invalid name`);
  return text.toLowerCase();
}

class FormData {
  #list = [];
  constructor(form = undefined) {
    if (form === undefined) return;
    for (const e of form.elements) {
      if (e.name === "" || e.disabled || ((e.type === "checkbox" || e.type === "radio") && !e.checked)) continue;
      this.append(e.name, e.value);
    }
  }
  append(name, value) {
    this.#list.push([`${name}`, value instanceof Blob ? value : `${value}`]);
  }
  delete(name) {
    this.#list = this.#list.filter(([k]) => k !== name);
  }
  get(name) {
    return this.#list.find(([k]) => k === name)?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([k]) => k === name).map(([, v]) => v);
  }
  has(name) {
    return this.#list.some(([k]) => k === name);
  }
  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }
  forEach(callback) {
    for (const [k, v] of this.#list) callback(v, k, this);
  }
  entries() {
    return this.#list.values();
  }
  keys() {
    return this.#list.map(([k]) => k).values();
  }
  values() {
    return this.#list.map(([, v]) => v).values();
  }
  [SymbolIterator]() {
    return this.entries();
  }
}
exposeInterface(FormData);

export { FormData, Headers };
