// Blob, File, FileReader; what stands behind `data:` and `blob:` addresses (File API).
import { cloneable } from "ext:replay/06_clone.js";
import { exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { ProgressEvent } from "ext:replay/02_event_kinds.js";
import { queueTask } from "ext:replay/03_clock.js";
import { streamOf } from "ext:replay/06_streams.js";
import { TextDecoder, bytesOf, latin1 } from "ext:replay/06_text.js";
import { op_base64_encode, op_data_url, op_own_bytes, op_text_decode, op_text_encode } from "ext:core/ops";

const { ObjectDefineProperty, Promise, SafeMap, SymbolIterator, TypeError, Uint8Array } = primordials;

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

export { Blob, File, blobs, readUrl };
