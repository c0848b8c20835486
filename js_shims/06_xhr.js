// XMLHttpRequest (XMLHttpRequest Standard).
import { exposeInterface, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { ProgressEvent } from "ext:replay/02_event_kinds.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { Blob } from "ext:replay/06_blob.js";
import { answerFor, resolve } from "ext:replay/06_fetch.js";
import { latin1 } from "ext:replay/06_text.js";
import { op_asked_at, op_text_decode } from "ext:core/ops";

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
  #asked = "";
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
    this.#asked = op_asked_at();
    if (!this.#async) return this.#finish();
    queueTask(() => {
      if (this.#sent && this.#state === 1) this.#finish();
    });
  }
  #finish() {
    const answer = answerFor(this.#url, this.#method, this.#asked);
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
