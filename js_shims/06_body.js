// Body, Request and Response (Fetch Standard).
import { exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { Blob } from "ext:replay/06_blob.js";
import { resolve } from "ext:replay/06_fetch.js";
import { FormData, Headers } from "ext:replay/06_headers.js";
import { ReadableStream, streamOf } from "ext:replay/06_streams.js";
import { bytesOf } from "ext:replay/06_text.js";
import { URLSearchParams } from "ext:replay/06_url.js";
import { op_text_decode, op_text_encode } from "ext:core/ops";

const { TypeError, Uint8Array } = primordials;

/** Bytes and type of a body init. */
function extract(init) {
  if (init === null || init === undefined) return { bytes: null, type: null, stream: null };
  if (init instanceof ReadableStream) return { bytes: null, type: null, stream: init };
  if (init instanceof Blob) return { bytes: init._bytes, type: init.type || null, stream: null };
  const bytes = bytesOf(init);
  if (bytes !== null) return { bytes: bytes.slice(), type: null, stream: null };
  if (init instanceof URLSearchParams) {
    return { bytes: op_text_encode(`${init}`), type: "application/x-www-form-urlencoded;charset=UTF-8", stream: null };
  }
  return { bytes: op_text_encode(`${init}`), type: "text/plain;charset=UTF-8", stream: null };
}

/** Body of Request and Response. */
class Body {
  #bytes;
  #stream;
  #used = false;
  constructor(bytes, stream) {
    this.#bytes = bytes;
    this.#stream = stream;
  }
  get body() {
    if (this.#stream === null && this.#bytes !== null) this.#stream = streamOf(this.#bytes);
    return this.#stream;
  }
  get bodyUsed() {
    return this.#used || (this.#stream?.locked ?? false);
  }
  async _take() {
    if (this.bodyUsed) throw new TypeError("Failed to execute on 'Response': body stream already read");
    this.#used = true;
    if (this.#bytes !== null) return this.#bytes;
    if (this.#stream === null) return new Uint8Array(0);
    const chunks = [];
    for await (const chunk of this.#stream) chunks.push(chunk);
    return new Blob(chunks)._bytes;
  }
  _copy() {
    if (this.bodyUsed) throw new TypeError("Failed to execute 'clone' on 'Response': Response body is already used");
    if (this.#bytes !== null || this.#stream === null) return [this.#bytes, null];
    const [a, b] = this.#stream.tee();
    this.#stream = a;
    return [null, b];
  }
  async arrayBuffer() {
    return (await this._take()).slice().buffer;
  }
  async bytes() {
    return (await this._take()).slice();
  }
  async blob() {
    return new Blob([await this._take()], { type: this.headers.get("content-type") ?? "" });
  }
  async text() {
    const text = op_text_decode(await this._take(), "utf-8", false);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
  async json() {
    return JSON.parse(await this.text());
  }
  async formData() {
    const form = new FormData();
    for (const [k, v] of new URLSearchParams(await this.text())) form.append(k, v);
    return form;
  }
}

class Request extends Body {
  #url;
  #method;
  #headers;
  #signal;
  #init;
  constructor(input, init = {}) {
    required(arguments.length, 1, "Failed to construct 'Request'");
    const from = input instanceof Request ? input : null;
    const body = extract(init.body ?? null);
    super(...(from !== null && init.body === undefined ? from._copy() : [body.bytes, body.stream]));
    this.#url = from !== null ? from.url : resolve(input, "Request");
    this.#method = `${init.method ?? from?.method ?? "GET"}`.toUpperCase();
    this.#headers = new Headers(init.headers ?? from?.headers);
    if (body.type !== null && !this.#headers.has("content-type")) this.#headers.set("content-type", body.type);
    this.#signal = init.signal ?? from?.signal ?? null;
    this.#init = { ...(from === null ? {} : from._init), ...init };
  }
  get _init() {
    return this.#init;
  }
  get url() {
    return this.#url;
  }
  get method() {
    return this.#method;
  }
  get headers() {
    return this.#headers;
  }
  get signal() {
    return this.#signal ?? new globalThis.AbortController().signal;
  }
  get mode() {
    return this.#init.mode ?? "cors";
  }
  get credentials() {
    return this.#init.credentials ?? "same-origin";
  }
  get cache() {
    return this.#init.cache ?? "default";
  }
  get redirect() {
    return this.#init.redirect ?? "follow";
  }
  get referrer() {
    return "about:client";
  }
  get destination() {
    return "";
  }
  clone() {
    return new Request(this);
  }
}
exposeInterface(Request);

class Response extends Body {
  #status;
  #text;
  #headers;
  #url = "";
  #type = "default";
  constructor(body = null, init = {}) {
    const { bytes, type, stream } = extract(body);
    const status = init.status ?? 200;
    if (status !== 0 && (status < 200 || status > 599)) {
      throw new RangeError(`Failed to construct 'Response': The status provided (${status}) is outside the range [200, 599].`);
    }
    super(bytes, stream);
    this.#status = status;
    this.#text = init.statusText ?? "";
    this.#headers = new Headers(init.headers);
    if (type !== null && !this.#headers.has("content-type")) this.#headers.set("content-type", type);
  }
  static _of(answer) {
    const headers = { "content-type": answer.mime, "content-length": `${answer.body.length}` };
    const r = new Response(null, { status: answer.status === 404 ? 404 : 200, statusText: answer.status === 404 ? "Not Found" : "OK", headers });
    const made = new Response(answer.body, { status: r.status, statusText: r.statusText, headers: r.headers });
    made.#url = answer.url;
    made.#type = "basic";
    return made;
  }
  static error() {
    const r = new Response(null, { status: 0 });
    r.#type = "error";
    return r;
  }
  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(JSON.stringify(data), { ...init, headers });
  }
  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: `${url}` } });
  }
  get status() {
    return this.#status;
  }
  get ok() {
    return this.#status >= 200 && this.#status < 300;
  }
  get statusText() {
    return this.#text;
  }
  get headers() {
    return this.#headers;
  }
  get url() {
    return this.#url;
  }
  get type() {
    return this.#type;
  }
  get redirected() {
    return false;
  }
  clone() {
    const [bytes, stream] = this._copy();
    const r = new Response(bytes ?? stream, { status: this.#status || 200, statusText: this.#text, headers: this.#headers });
    r.#url = this.#url;
    r.#type = this.#type;
    return r;
  }
}
exposeInterface(Response);

export { Request, Response };
