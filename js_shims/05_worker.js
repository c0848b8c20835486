// Worker: a classic worker's script runs in the page's own thread, as tasks, with a global object of its own.
//
// The script is compiled inside `with (scope)`: free names are looked up in the worker's scope first, assignments to
// undeclared names stay there. Messages are cloned and delivered as tasks, so the order is always the same. Module workers
// cannot be shadowed this way; they are reported as unsupported.
import { exposeInterface, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException, reportException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, dispatch, fire, getHandler, setHandler } from "ext:replay/02_events.js";
import { ErrorEvent, MessageEvent } from "ext:replay/02_event_kinds.js";
import { queueTask } from "ext:replay/03_clock.js";
import { URL } from "ext:replay/06_blob.js";
import { answerFor } from "ext:replay/06_fetch.js";
import { op_text_decode } from "ext:core/ops";

const { ObjectDefineProperty, Proxy, ReflectGet, ReflectHas, ReflectSet, SymbolUnscopables, TypeError } = primordials;

/** What a worker does not have of the page's. */
const HIDDEN = new Set(["window", "document", "parent", "top", "frames", "localStorage", "sessionStorage", "alert", "confirm", "prompt", "history", "screen", "Image", "Audio", "matchMedia", "getComputedStyle"]);

class DedicatedWorkerGlobalScope extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
}
exposeInterface(DedicatedWorkerGlobalScope);

function makeScope(worker, url, name) {
  const self = new DedicatedWorkerGlobalScope(illegal);
  const post = (message, transfer = undefined) => {
    if (!worker._alive) return;
    const data = clone(message, transfer);
    queueTask(() => worker._alive && fire(worker, "message", { data }, MessageEvent));
  };
  const members = {
    name,
    location: new URL(url),
    postMessage: post,
    close: () => worker.terminate(),
    importScripts: (...list) => {
      for (const item of list) run(self, new URL(`${item}`, url).href);
    },
    addEventListener: (...args) => EventTarget.prototype.addEventListener.apply(self, args),
    removeEventListener: (...args) => EventTarget.prototype.removeEventListener.apply(self, args),
    dispatchEvent: (event) => EventTarget.prototype.dispatchEvent.call(self, event),
  };
  for (const key of Object.keys(members)) ObjectDefineProperty(self, key, { __proto__: null, value: members[key], writable: true, configurable: true });
  for (const key of ["onmessage", "onmessageerror", "onerror"]) {
    ObjectDefineProperty(self, key, { __proto__: null, get: () => getHandler(self, key), set: (value) => setHandler(self, key, value), configurable: true });
  }
  const scope = new Proxy(self, {
    has: () => true,
    get(target, key) {
      if (key === SymbolUnscopables) return undefined;
      if (key === "self" || key === "globalThis") return scope;
      if (ReflectHas(target, key)) return ReflectGet(target, key, target);
      if (HIDDEN.has(key)) return undefined;
      const value = globalThis[key];
      if (value === undefined && !(key in globalThis)) {
        // `typeof name` of an undeclared name cannot be told from a use of it here.
        return undefined;
      }
      return value;
    },
    set: (target, key, value) => ReflectSet(target, key, value, target),
  });
  ObjectDefineProperty(self, "_scope", { __proto__: null, value: scope });
  ObjectDefineProperty(self, "_url", { __proto__: null, value: url });
  return self;
}

function clone(message, transfer) {
  const list = Array.isArray(transfer) ? transfer : transfer?.transfer ?? [];
  return globalThis.structuredClone(message, { transfer: list });
}

/** Runs a script of the worker. */
function run(self, url) {
  const answer = answerFor(url);
  if (answer.status !== 200) throw new DOMException(`Failed to load the worker's script at '${url}': ${answer.error}`, "NetworkError");
  const source = op_text_decode(answer.body, "utf-8", false);
  // `var` lands in the scope by itself; functions, classes and constants at the top of a line are put there, for importScripts.
  let exports = "";
  for (const m of source.matchAll(/^(?:(?:async\s+)?function\s*\*?|class|const|let)\s+([A-Za-z_$][\w$]*)/gm)) {
    exports += `try { __scope.${m[1]} = ${m[1]}; } catch {}\n`;
  }
  const code = new Function("__scope", `with (__scope) {${source}\n;${exports}}\n//# sourceURL=${url}`);
  code.call(self._scope, self._scope);
}

class Worker extends EventTarget {
  #self = null;
  #waiting = [];
  constructor(address, options = {}) {
    required(arguments.length, 1, "Failed to construct 'Worker'");
    super();
    ObjectDefineProperty(this, "_alive", { __proto__: null, value: true, writable: true });
    let url;
    try {
      url = new URL(`${address}`, globalThis.document.baseURI).href;
    } catch {
      throw new DOMException(`Failed to construct 'Worker': '${address}' is not a valid URL.`, "SyntaxError");
    }
    if (options?.type === "module") {
      unsupported("Worker", "type: module", `${address}; the worker does not run, its error event fires`);
      queueTask(() => this.#fail(new TypeError(`module workers are not supported: ${address}`)));
      return;
    }
    queueTask(() => {
      if (!this._alive) return;
      this.#self = makeScope(this, url, options?.name ?? "");
      try {
        run(this.#self, url);
      } catch (error) {
        this.#fail(error);
      }
      for (const data of this.#waiting.splice(0)) this.#deliver(data);
    });
  }
  #fail(error) {
    const event = new ErrorEvent("error", { cancelable: true, message: `${error?.message ?? error}`, error });
    if (this.onerror === null && !this._heard) reportException(error);
    dispatch(this, event);
  }
  #deliver(data) {
    queueTask(() => {
      if (this._alive && this.#self !== null) fire(this.#self, "message", { data }, MessageEvent);
    });
  }
  postMessage(message, transfer = undefined) {
    required(arguments.length, 1, "Failed to execute 'postMessage' on 'Worker'");
    const data = clone(message, transfer);
    if (this.#self === null) this.#waiting.push(data);
    else this.#deliver(data);
  }
  addEventListener(type, ...rest) {
    if (type === "error") ObjectDefineProperty(this, "_heard", { __proto__: null, value: true });
    super.addEventListener(type, ...rest);
  }
  terminate() {
    this._alive = false;
  }
}
defineHandlers(Worker.prototype, ["message", "messageerror", "error"]);
exposeInterface(Worker);
