// URL, URLSearchParams, Blob, File, FileReader, text coding, streams, `data:` and `blob:` addresses.
import { cloneable } from "ext:replay/06_clone.js";
import { expose, exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { ProgressEvent } from "ext:replay/02_event_kinds.js";
import { queueTask } from "ext:replay/03_clock.js";
import {
  op_base64_decode, op_base64_encode, op_blob_module, op_data_url, op_own_bytes, op_form_parse, op_form_serialize, op_text_decode, op_text_encode,
  op_url_parse, op_url_set,
} from "ext:core/ops";

const {
  ArrayBufferIsView, ArrayBufferPrototype, ArrayBufferPrototypeSlice, ObjectDefineProperty, ObjectPrototypeIsPrototypeOf, Promise, SafeMap,
  SymbolAsyncIterator, SymbolIterator, TypeError, Uint8Array,
} = primordials;

const isBuffer = (v) => typeof v === "object" && v !== null && (v instanceof ArrayBuffer || v instanceof SharedArrayBuffer || ObjectPrototypeIsPrototypeOf(ArrayBufferPrototype, v));

/** The bytes of a BufferSource, not copied. */
function bytesOf(source) {
  if (isBuffer(source)) return new Uint8Array(source);
  if (ArrayBufferIsView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return null;
}

// --- URL ------------------------------------------------------------------------------------------------------------

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

// --- base64 and text ------------------------------------------------------------------------------------------------

function atob(data) {
  required(arguments.length, 1, "Failed to execute 'atob' on 'Window'");
  let bytes;
  try {
    bytes = op_base64_decode(`${data}`);
  } catch {
    throw new DOMException("Failed to execute 'atob' on 'Window': The string to be decoded is not correctly encoded.", "InvalidCharacterError");
  }
  return latin1(bytes);
}
function btoa(data) {
  required(arguments.length, 1, "Failed to execute 'btoa' on 'Window'");
  const text = `${data}`;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c > 255) {
      throw new DOMException("Failed to execute 'btoa' on 'Window': The string to be encoded contains characters outside of the Latin1 range.", "InvalidCharacterError");
    }
    bytes[i] = c;
  }
  return op_base64_encode(bytes);
}
expose("atob", atob);
expose("btoa", btoa);

function latin1(bytes) {
  let out = "";
  for (let i = 0; i < bytes.length; i += 8192) out += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192));
  return out;
}

const LABELS = { __proto__: null, "utf-8": "utf-8", utf8: "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16": "utf-16le", "utf-16le": "utf-16le", "utf-16be": "utf-16be", "iso-8859-1": "windows-1252", latin1: "windows-1252", ascii: "windows-1252", "us-ascii": "windows-1252", "windows-1252": "windows-1252" };

class TextDecoder {
  #label;
  #fatal;
  #bom;
  #rest = new Uint8Array(0);
  constructor(label = "utf-8", options = {}) {
    this.#label = LABELS[`${label}`.trim().toLowerCase()];
    if (this.#label === undefined) throw new RangeError(`Failed to construct 'TextDecoder': The encoding label provided ('${label}') is invalid.`);
    this.#fatal = !!options.fatal;
    this.#bom = !!options.ignoreBOM;
  }
  get encoding() {
    return this.#label;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#bom;
  }
  decode(input = undefined, options = {}) {
    let bytes = input === undefined ? new Uint8Array(0) : bytesOf(input);
    if (bytes === null) throw new TypeError("Failed to execute 'decode' on 'TextDecoder': parameter 1 is not of type 'ArrayBuffer'.");
    if (this.#rest.length > 0) {
      const joined = new Uint8Array(this.#rest.length + bytes.length);
      joined.set(this.#rest);
      joined.set(bytes, this.#rest.length);
      bytes = joined;
      this.#rest = new Uint8Array(0);
    }
    if (options.stream) {
      const cut = this.#label === "utf-8" ? incomplete(bytes) : this.#label.startsWith("utf-16") ? bytes.length % 2 : 0;
      if (cut > 0) {
        this.#rest = bytes.slice(bytes.length - cut);
        bytes = bytes.subarray(0, bytes.length - cut);
      }
    }
    const text = op_text_decode(bytes.buffer instanceof SharedArrayBuffer ? new Uint8Array(bytes) : bytes, this.#label, this.#fatal);
    return !this.#bom && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
exposeInterface(TextDecoder);

/** How many bytes at the end belong to a character that goes on. */
function incomplete(bytes) {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const b = bytes[bytes.length - back];
    if ((b & 0xc0) === 0x80) continue;
    const need = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc0 ? 2 : 1;
    return need > back ? back : 0;
  }
  return 0;
}

class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(text = "") {
    return op_text_encode(`${text}`);
  }
  encodeInto(text, target) {
    let read = 0, written = 0;
    for (const ch of `${text}`) {
      const bytes = op_text_encode(ch);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += ch.length;
    }
    return { read, written };
  }
}
exposeInterface(TextEncoder);

// --- streams: as much as bodies need --------------------------------------------------------------------------------

class ReadableStreamDefaultReader {
  #stream;
  constructor(stream) {
    if (stream._reader) throw new TypeError("Failed to construct 'ReadableStreamDefaultReader': stream is locked");
    stream._reader = this;
    this.#stream = stream;
  }
  get closed() {
    return Promise.resolve();
  }
  read() {
    return this.#stream._read();
  }
  releaseLock() {
    this.#stream._reader = null;
  }
  cancel(reason) {
    return this.#stream.cancel(reason);
  }
}
exposeInterface(ReadableStreamDefaultReader);

class ReadableStream {
  constructor(source = {}, _strategy = undefined) {
    const state = { __proto__: null, queue: [], closed: false, error: undefined, failed: false, waiting: [], pulling: false };
    for (const [key, value] of [["_state", state], ["_source", source], ["_reader", null]]) {
      ObjectDefineProperty(this, key, { __proto__: null, value, writable: true, configurable: true });
    }
    const stream = this;
    const controller = {
      get desiredSize() {
        return state.closed ? 0 : 1 - state.queue.length;
      },
      enqueue(chunk) {
        if (state.waiting.length > 0) state.waiting.shift().resolve({ value: chunk, done: false });
        else state.queue.push(chunk);
      },
      close() {
        state.closed = true;
        for (const w of state.waiting.splice(0)) w.resolve({ value: undefined, done: true });
      },
      error(reason) {
        state.failed = true;
        state.error = reason;
        for (const w of state.waiting.splice(0)) w.reject(reason);
      },
    };
    ObjectDefineProperty(this, "_controller", { __proto__: null, value: controller });
    Promise.resolve(source.start?.(controller)).catch((e) => controller.error(e));
    void stream;
  }
  get locked() {
    return this._reader !== null;
  }
  _read() {
    const s = this._state;
    if (s.queue.length > 0) return Promise.resolve({ value: s.queue.shift(), done: false });
    if (s.failed) return Promise.reject(s.error);
    if (s.closed) return Promise.resolve({ value: undefined, done: true });
    const promise = new Promise((resolve, reject) => s.waiting.push({ resolve, reject }));
    this._pull();
    return promise;
  }
  _pull() {
    const s = this._state;
    if (this._source.pull === undefined || s.pulling || s.closed || s.failed || s.waiting.length === 0) return;
    s.pulling = true;
    Promise.resolve().then(() => this._source.pull(this._controller)).then(
      () => {
        s.pulling = false;
        this._pull();
      },
      (e) => this._controller.error(e),
    );
  }
  getReader() {
    return new ReadableStreamDefaultReader(this);
  }
  cancel(reason) {
    this._state.closed = true;
    this._state.queue.length = 0;
    this._source.cancel?.(reason);
    return Promise.resolve();
  }
  tee() {
    const chunks = [];
    const source = this.getReader();
    const pump = source.read().then(function more(r) {
      if (r.done) return;
      chunks.push(r.value);
      return source.read().then(more);
    });
    const one = () => new ReadableStream({ start: (c) => pump.then(() => { for (const x of chunks) c.enqueue(x); c.close(); }) });
    return [one(), one()];
  }
  async pipeTo(target) {
    const writer = target.getWriter();
    for await (const chunk of this) await writer.write(chunk);
    await writer.close();
  }
  pipeThrough(pair) {
    this.pipeTo(pair.writable).catch(() => {});
    return pair.readable;
  }
  async *[SymbolAsyncIterator]() {
    const reader = this.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  }
}
exposeInterface(ReadableStream);

class WritableStream {
  constructor(sink = {}) {
    ObjectDefineProperty(this, "_sink", { __proto__: null, value: sink });
    sink.start?.({});
  }
  getWriter() {
    const sink = this._sink;
    return {
      write: async (chunk) => void (await sink.write?.(chunk, {})),
      close: async () => void (await sink.close?.()),
      abort: async (r) => void (await sink.abort?.(r)),
      releaseLock() {},
      ready: Promise.resolve(), closed: Promise.resolve(),
    };
  }
}
exposeInterface(WritableStream);

class TransformStream {
  constructor(transformer = {}) {
    let controller;
    this.readable = new ReadableStream({ start: (c) => void (controller = c) });
    const api = { enqueue: (x) => controller.enqueue(x), terminate: () => controller.close(), error: (e) => controller.error(e) };
    this.writable = new WritableStream({
      start: () => transformer.start?.(api),
      write: (chunk) => (transformer.transform ? transformer.transform(chunk, api) : controller.enqueue(chunk)),
      close: async () => {
        await transformer.flush?.(api);
        controller.close();
      },
    });
  }
}
exposeInterface(TransformStream);

// --- Blob -----------------------------------------------------------------------------------------------------------

/** Blobs behind `blob:` addresses. */
const blobs = new SafeMap();

class Blob {
  #bytes;
  #type;
  constructor(parts = [], options = {}) {
    if (typeof parts !== "object" || parts === null || typeof parts[SymbolIterator] !== "function") {
      throw new TypeError("Failed to construct 'Blob': The provided value cannot be converted to a sequence.");
    }
    const chunks = [];
    let size = 0;
    for (const part of parts) {
      const bytes = part instanceof Blob ? part.#bytes : bytesOf(part) ?? op_text_encode(`${part}`);
      chunks.push(bytes);
      size += bytes.length;
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const c of chunks) {
      all.set(c, at);
      at += c.length;
    }
    this.#bytes = all;
    const type = options?.type === undefined ? "" : `${options.type}`;
    this.#type = /[^\x20-\x7e]/.test(type) ? "" : type.toLowerCase();
  }
  get _bytes() {
    return this.#bytes;
  }
  get size() {
    return this.#bytes.length;
  }
  get type() {
    return this.#type;
  }
  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  arrayBuffer() {
    return Promise.resolve(this.#bytes.slice().buffer);
  }
  bytes() {
    return Promise.resolve(this.#bytes.slice());
  }
  text() {
    return Promise.resolve(op_text_decode(this.#bytes, "utf-8", false));
  }
  stream() {
    const bytes = this.#bytes.slice();
    return streamOf(bytes);
  }
}
ObjectDefineProperty(Blob.prototype, "_bytes", { __proto__: null, enumerable: false });
exposeInterface(Blob);
// Blobs never change.
cloneable(Blob.prototype, (blob) => blob);

/** A stream of `bytes` in chunks, as a network would deliver them. */
function streamOf(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(c) {
      if (at >= bytes.length) return c.close();
      c.enqueue(bytes.slice(at, at + 65536));
      at += 65536;
    },
  });
}

class File extends Blob {
  #name;
  #modified;
  constructor(parts, name, options = {}) {
    required(arguments.length, 2, "Failed to construct 'File'");
    super(parts, options);
    this.#name = `${name}`;
    this.#modified = options?.lastModified ?? globalThis.Date.now();
  }
  get name() {
    return this.#name;
  }
  get lastModified() {
    return this.#modified;
  }
  get webkitRelativePath() {
    return "";
  }
}
exposeInterface(File);

class FileReader extends EventTarget {
  #state = 0;
  #result = null;
  #error = null;
  get readyState() {
    return this.#state;
  }
  get result() {
    return this.#result;
  }
  get error() {
    return this.#error;
  }
  #read(blob, convert) {
    if (!(blob instanceof Blob)) throw new TypeError("Failed to execute 'readAs...' on 'FileReader': parameter 1 is not of type 'Blob'.");
    if (this.#state === 1) throw new DOMException("The object is already busy reading Blobs.", "InvalidStateError");
    this.#state = 1;
    queueTask(() => {
      if (this.#state !== 1) return;
      const size = { lengthComputable: true, loaded: blob.size, total: blob.size };
      fire(this, "loadstart", size, ProgressEvent);
      this.#result = convert(blob._bytes);
      this.#state = 2;
      fire(this, "progress", size, ProgressEvent);
      fire(this, "load", size, ProgressEvent);
      fire(this, "loadend", size, ProgressEvent);
    });
  }
  readAsArrayBuffer(blob) {
    this.#read(blob, (b) => b.slice().buffer);
  }
  readAsText(blob, label = "utf-8") {
    this.#read(blob, (b) => new TextDecoder(label).decode(b));
  }
  readAsDataURL(blob) {
    this.#read(blob, (b) => `data:${blob.type || "application/octet-stream"};base64,${op_base64_encode(b)}`);
  }
  readAsBinaryString(blob) {
    this.#read(blob, latin1);
  }
  abort() {
    if (this.#state === 1) {
      this.#state = 2;
      fire(this, "abort", {}, ProgressEvent);
    }
  }
}
defineHandlers(FileReader.prototype, ["loadstart", "progress", "load", "abort", "error", "loadend"]);
for (const [k, v] of [["EMPTY", 0], ["LOADING", 1], ["DONE", 2]]) FileReader[k] = FileReader.prototype[k] = v;
exposeInterface(FileReader);

/** Bytes behind a `data:` or `blob:` address, shaped like op_fetch's answer. */
function readUrl(url) {
  if (url.startsWith("blob:")) {
    const blob = blobs.get(url.split("#")[0]);
    if (blob !== undefined) op_own_bytes(blob.type, blob._bytes.byteLength);
    if (blob === undefined) return { status: 0, url, mime: "", body: new Uint8Array(0), error: `${url} is no blob: address of this page, or was revoked` };
    return { status: 200, url, mime: blob.type, body: blob._bytes, error: "" };
  }
  try {
    const all = op_data_url(url);
    const nul = all.indexOf(0);
    const mime = latin1(all.subarray(0, nul));
    op_own_bytes(mime, all.byteLength - nul - 1);
    return { status: 200, url, mime, body: all.slice(nul + 1), error: "" };
  } catch (e) {
    return { status: 0, url, mime: "", body: new Uint8Array(0), error: e.message };
  }
}
void ArrayBufferPrototypeSlice;

export { Blob, File, ReadableStream, URL, URLSearchParams, bytesOf, isBuffer, latin1, readUrl, streamOf };
