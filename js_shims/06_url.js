// URL and URLSearchParams (URL Standard), and addresses of blobs.
import { expose, exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { Blob, blobs } from "ext:replay/06_blob.js";
import { op_blob_module, op_form_parse, op_form_serialize, op_text_decode, op_url_parse, op_url_set } from "ext:core/ops";

const { ObjectDefineProperty, SymbolIterator, TypeError } = primordials;

const PARTS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash", "origin"];

class URLSearchParams {
  #pairs = [];
  #url = null;
  constructor(init = "") {
    if (typeof init === "object" && init !== null) {
      if (typeof init[SymbolIterator] === "function") {
        for (const pair of init) {
          const [k, v, ...more] = pair;
          if (v === undefined || more.length > 0) throw new TypeError("Failed to construct 'URLSearchParams': Sequence initializer must only contain pair elements");
          this.#pairs.push(`${k}`, `${v}`);
        }
      } else for (const k of Object.keys(init)) this.#pairs.push(k, `${init[k]}`);
    } else {
      const text = `${init}`;
      this.#pairs = op_form_parse(text.startsWith("?") ? text.slice(1) : text);
    }
  }
  static _of(url) {
    const p = new URLSearchParams(url.search);
    p.#url = url;
    return p;
  }
  _refresh(text) {
    this.#pairs = op_form_parse(text.startsWith("?") ? text.slice(1) : text);
  }
  #changed() {
    this.#url?._search(this.toString());
  }
  get size() {
    return this.#pairs.length / 2;
  }
  append(name, value) {
    this.#pairs.push(`${name}`, `${value}`);
    this.#changed();
  }
  delete(name, value = undefined) {
    const out = [];
    for (let i = 0; i < this.#pairs.length; i += 2) {
      if (this.#pairs[i] !== `${name}` || (value !== undefined && this.#pairs[i + 1] !== `${value}`)) out.push(this.#pairs[i], this.#pairs[i + 1]);
    }
    this.#pairs = out;
    this.#changed();
  }
  get(name) {
    for (let i = 0; i < this.#pairs.length; i += 2) if (this.#pairs[i] === `${name}`) return this.#pairs[i + 1];
    return null;
  }
  getAll(name) {
    const out = [];
    for (let i = 0; i < this.#pairs.length; i += 2) if (this.#pairs[i] === `${name}`) out.push(this.#pairs[i + 1]);
    return out;
  }
  has(name, value = undefined) {
    return value === undefined ? this.get(name) !== null : this.getAll(name).includes(`${value}`);
  }
  set(name, value) {
    let done = false;
    const out = [];
    for (let i = 0; i < this.#pairs.length; i += 2) {
      if (this.#pairs[i] !== `${name}`) out.push(this.#pairs[i], this.#pairs[i + 1]);
      else if (!done) {
        done = true;
        out.push(`${name}`, `${value}`);
      }
    }
    if (!done) out.push(`${name}`, `${value}`);
    this.#pairs = out;
    this.#changed();
  }
  sort() {
    const pairs = [...this.entries()].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#pairs = pairs.flat();
    this.#changed();
  }
  forEach(callback, self = undefined) {
    for (const [k, v] of this.entries()) callback.call(self, v, k, this);
  }
  *entries() {
    for (let i = 0; i < this.#pairs.length; i += 2) yield [this.#pairs[i], this.#pairs[i + 1]];
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
  toString() {
    return op_form_serialize(this.#pairs);
  }
}
exposeInterface(URLSearchParams);

class URL {
  #parts;
  #params = null;
  constructor(url, base = undefined) {
    required(arguments.length, 1, "Failed to construct 'URL'");
    this.#parts = op_url_parse(`${url}`, base === undefined ? "" : `${base}`);
    if (this.#parts.length === 0) throw new TypeError(`Failed to construct 'URL': Invalid ${base === undefined ? "" : "base "}URL`.replace("base URL", "URL"));
  }
  static parse(url, base = undefined) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
  static canParse(url, base = undefined) {
    return URL.parse(url, base) !== null;
  }
  static createObjectURL(object) {
    if (!(object instanceof Blob)) {
      throw new TypeError("Failed to execute 'createObjectURL' on 'URL': Overload resolution failed.");
    }
    const url = `blob:http://localhost/${globalThis.crypto.randomUUID()}`;
    blobs.set(url, object);
    if (/javascript|ecmascript/.test(object.type) || object.type === "") op_blob_module(url, op_text_decode(object._bytes, "utf-8", false));
    return url;
  }
  static revokeObjectURL(url) {
    blobs.delete(`${url}`);
  }
  _search(text) {
    this.#parts = op_url_set(this.#parts[0], "search", text);
  }
  get searchParams() {
    return (this.#params ??= URLSearchParams._of(this));
  }
  _get(i) {
    return this.#parts[i];
  }
  _set(name, value) {
    if (name === "href") {
      const parts = op_url_parse(`${value}`, "");
      if (parts.length === 0) throw new TypeError("Failed to set the 'href' property on 'URL': Invalid URL");
      this.#parts = parts;
    } else this.#parts = op_url_set(this.#parts[0], name, `${value}`);
    this.#params?._refresh(this.#parts[8]);
  }
  toString() {
    return this.#parts[0];
  }
  toJSON() {
    return this.#parts[0];
  }
}
for (let i = 0; i < PARTS.length; i++) {
  ObjectDefineProperty(URL.prototype, PARTS[i], {
    __proto__: null,
    get() {
      return this._get(i);
    },
    set: PARTS[i] === "origin" ? undefined : function (value) {
      this._set(PARTS[i], value);
    },
    enumerable: true,
    configurable: true,
  });
}
exposeInterface(URL);
expose("webkitURL", URL);

export { URL, URLSearchParams };
