// Bytes and text: buffer sources, base64, TextDecoder, TextEncoder (Encoding Standard).
import { expose, exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { op_base64_decode, op_base64_encode, op_encoding_of, op_text_decode, op_text_encode } from "ext:core/ops";

const { ArrayBufferIsView, ArrayBufferPrototype, ObjectPrototypeIsPrototypeOf, TypeError, Uint8Array } = primordials;
const { SharedArrayBuffer } = globalThis;

const isBuffer = (v) => typeof v === "object" && v !== null && (v instanceof ArrayBuffer || v instanceof SharedArrayBuffer || ObjectPrototypeIsPrototypeOf(ArrayBufferPrototype, v));

/** The bytes of a BufferSource, not copied. */
function bytesOf(source) {
  if (isBuffer(source)) return new Uint8Array(source);
  if (ArrayBufferIsView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return null;
}

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

class TextDecoder {
  #label;
  #fatal;
  #bom;
  #rest = new Uint8Array(0);
  constructor(label = "utf-8", options = {}) {
    this.#label = op_encoding_of(`${label}`);
    if (this.#label === null) throw new RangeError(`Failed to construct 'TextDecoder': The encoding label provided ('${label}') is invalid.`);
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

export { TextDecoder, bytesOf, isBuffer, latin1 };
