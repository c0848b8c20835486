// fetch, Headers, Request, Response, FormData, XMLHttpRequest over the project's files; the network is refused.
import { exposeInterface, expose, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { ProgressEvent } from "ext:replay/02_event_kinds.js";
import { queueTask } from "ext:replay/03_clock.js";
import { Blob, ReadableStream, URL, URLSearchParams, bytesOf, latin1, readUrl, streamOf } from "ext:replay/06_blob.js";
import { op_fetch, op_text_decode, op_text_encode } from "ext:core/ops";

const { Promise, SymbolIterator, TypeError, Uint8Array, ErrorCaptureStackTrace } = primordials;

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

function resolve(input, what) {
  try {
    return new URL(`${input}`, globalThis.document.baseURI).href;
  } catch {
    throw new TypeError(`Failed to execute '${what}': Failed to parse URL from ${input}`);
  }
}

/** The answer for an absolute address, at once; also for methods other than GET. */
function answerFor(url, method = "GET") {
  if (url.startsWith("data:") || url.startsWith("blob:")) return readUrl(url);
  if (method !== "GET" && method !== "HEAD") {
    unsupported("fetch", method, "nothing is sent anywhere");
    return { status: 0, url, mime: "", body: new Uint8Array(0), error: `network call blocked: ${method} ${url}` };
  }
  return op_fetch(url, "");
}

function fetch(input, init = undefined) {
  if (arguments.length < 1) {
    return Promise.reject(new TypeError("Failed to execute 'fetch' on 'Window': 1 argument required, but only 0 present."));
  }
  // The stack of the caller, not of the task that settles the promise.
  const at = new TypeError("Failed to fetch");
  ErrorCaptureStackTrace(at, fetch);
  return new Promise((done, fail) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input._init.signal : null);
    if (signal?.aborted) return fail(signal.reason);
    signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
    queueTask(() => {
      const answer = answerFor(request.url, request.method);
      if (answer.status === 0) {
        const error = new TypeError(`Failed to fetch: ${answer.error}`);
        error.stack = `TypeError: Failed to fetch: ${answer.error}${at.stack.slice(at.stack.indexOf("\n"))}`;
        return fail(error);
      }
      if (request.method === "HEAD") answer.body = new Uint8Array(0);
      done(Response._of(answer));
    });
  });
}
expose("fetch", fetch);

class XMLHttpRequestEventTarget extends EventTarget {}
defineHandlers(XMLHttpRequestEventTarget.prototype, ["loadstart", "progress", "abort", "error", "load", "timeout", "loadend"]);
exposeInterface(XMLHttpRequestEventTarget);
class XMLHttpRequestUpload extends XMLHttpRequestEventTarget {}
exposeInterface(XMLHttpRequestUpload);

class XMLHttpRequest extends XMLHttpRequestEventTarget {
  #state = 0;
  #method = "GET";
  #url = "";
  #async = true;
  #answer = null;
  #type = "";
  #mime = null;
  #sent = false;
  #cache;
  #upload = new XMLHttpRequestUpload();
  timeout = 0;
  withCredentials = false;
  get readyState() {
    return this.#state;
  }
  get upload() {
    return this.#upload;
  }
  get status() {
    return this.#answer === null ? 0 : this.#answer.status;
  }
  get statusText() {
    return { 200: "OK", 404: "Not Found" }[this.status] ?? "";
  }
  get responseURL() {
    return this.#answer?.url ?? "";
  }
  get responseType() {
    return this.#type;
  }
  set responseType(value) {
    if (this.#state >= 3) throw new DOMException("The response type cannot be set if the object's state is LOADING or DONE.", "InvalidStateError");
    if (["", "arraybuffer", "blob", "document", "json", "text"].includes(value)) this.#type = value;
  }
  get response() {
    if (this.#type === "" || this.#type === "text") return this.responseText;
    if (this.#state !== 4 || this.#answer === null || this.#answer.status === 0) return null;
    if (this.#cache !== undefined) return this.#cache;
    const { body, mime } = this.#answer;
    switch (this.#type) {
      case "arraybuffer": this.#cache = body.slice().buffer; break;
      case "blob": this.#cache = new Blob([body], { type: this.#mime ?? mime }); break;
      case "json":
        try {
          this.#cache = JSON.parse(op_text_decode(body, "utf-8", false));
        } catch {
          this.#cache = null;
        }
        break;
      default:
        this.#cache = new globalThis.DOMParser().parseFromString(op_text_decode(body, "utf-8", false), /xml/.test(this.#mime ?? mime) ? "text/xml" : "text/html");
    }
    return this.#cache;
  }
  get responseText() {
    if (this.#type !== "" && this.#type !== "text") {
      throw new DOMException("Failed to read the 'responseText' property from 'XMLHttpRequest': The value is only accessible if the object's 'responseType' is '' or 'text'.", "InvalidStateError");
    }
    if (this.#state < 3 || this.#answer === null) return "";
    if (/x-user-defined/.test(this.#mime ?? "")) {
      return [...latin1(this.#answer.body)].map((c) => (c.charCodeAt(0) < 128 ? c : String.fromCharCode(0xf700 | c.charCodeAt(0)))).join("");
    }
    return op_text_decode(this.#answer.body, "utf-8", false);
  }
  get responseXML() {
    return new globalThis.DOMParser().parseFromString(this.responseText, "text/xml");
  }
  open(method, url, isAsync = true) {
    required(arguments.length, 2, "Failed to execute 'open' on 'XMLHttpRequest'");
    this.#method = `${method}`.toUpperCase();
    this.#url = resolve(url, "open' on 'XMLHttpRequest");
    this.#async = isAsync !== false;
    this.#answer = null;
    this.#cache = undefined;
    this.#sent = false;
    this.#move(1);
  }
  setRequestHeader() {
    if (this.#state !== 1) throw new DOMException("Failed to execute 'setRequestHeader' on 'XMLHttpRequest': The object's state must be OPENED.", "InvalidStateError");
  }
  overrideMimeType(mime) {
    this.#mime = `${mime}`;
  }
  getResponseHeader(name) {
    if (this.#answer === null || this.#state < 2) return null;
    const key = `${name}`.toLowerCase();
    return key === "content-type" ? this.#answer.mime : key === "content-length" ? `${this.#answer.body.length}` : null;
  }
  getAllResponseHeaders() {
    return this.#answer === null ? "" : `content-length: ${this.#answer.body.length}\r\ncontent-type: ${this.#answer.mime}\r\n`;
  }
  send() {
    if (this.#state !== 1 || this.#sent) throw new DOMException("Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED.", "InvalidStateError");
    this.#sent = true;
    if (!this.#async) return this.#finish();
    queueTask(() => {
      if (this.#sent && this.#state === 1) this.#finish();
    });
  }
  #finish() {
    const answer = answerFor(this.#url, this.#method);
    if (answer.status === 0) {
      this.#state = 4;
      if (!this.#async) throw new DOMException(`Failed to execute 'send' on 'XMLHttpRequest': ${answer.error}`, "NetworkError");
      fire(this, "readystatechange");
      fire(this, "error", {}, ProgressEvent);
      fire(this, "loadend", {}, ProgressEvent);
      return;
    }
    this.#answer = answer;
    const size = { lengthComputable: true, loaded: answer.body.length, total: answer.body.length };
    if (this.#async) fire(this, "loadstart", { lengthComputable: false, loaded: 0, total: 0 }, ProgressEvent);
    this.#move(2);
    this.#move(3);
    if (this.#async) fire(this, "progress", size, ProgressEvent);
    this.#move(4);
    fire(this, "load", size, ProgressEvent);
    fire(this, "loadend", size, ProgressEvent);
  }
  #move(state) {
    this.#state = state;
    fire(this, "readystatechange");
  }
  abort() {
    if (this.#sent && this.#state < 4) {
      this.#sent = false;
      this.#state = 4;
      fire(this, "readystatechange");
      fire(this, "abort", {}, ProgressEvent);
      fire(this, "loadend", {}, ProgressEvent);
      this.#state = 0;
    }
  }
}
defineHandlers(XMLHttpRequest.prototype, ["readystatechange"]);
for (const [k, v] of [["UNSENT", 0], ["OPENED", 1], ["HEADERS_RECEIVED", 2], ["LOADING", 3], ["DONE", 4]]) {
  XMLHttpRequest[k] = XMLHttpRequest.prototype[k] = v;
}
exposeInterface(XMLHttpRequest);

// WebAssembly.compileStreaming and instantiateStreaming on our Response.
const { compile, instantiate } = WebAssembly;
WebAssembly.compileStreaming = async (source) => compile(await (await source).arrayBuffer());
WebAssembly.instantiateStreaming = async (source, imports) => instantiate(await (await source).arrayBuffer(), imports);

export { Response, answerFor, fetch };
