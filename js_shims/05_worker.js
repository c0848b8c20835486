// Worker (HTML, 10.2.6): scripts that run as tasks between the page's own, so that the order is always the same.
import { exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException, reportException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, dispatch, fire, hasListeners } from "ext:replay/02_events.js";
import { ErrorEvent, MessageEvent } from "ext:replay/02_event_kinds.js";
import { currentRealm, within } from "ext:replay/02_realm.js";
import { queueTask } from "ext:replay/03_clock.js";
import { document } from "ext:replay/05_dom_document.js";
import { importModule } from "ext:replay/05_dom_scripts.js";
import { clone, makeRealm } from "ext:replay/05_worker_scope.js";
import { URL } from "ext:replay/06_url.js";
import { answerFor } from "ext:replay/06_fetch.js";
import { op_text_decode } from "ext:core/ops";

const { Error, ObjectDefineProperty, TypeError } = primordials;

/** Runs a classic script of `realm` that `answer` holds. */
function run(realm, answer, url) {
  let source = op_text_decode(answer.body, "utf-8", false);
  if (source.charCodeAt(0) === 0xfeff) source = source.slice(1);
  realm.run(source, `${url}#worker-${realm.number}-script`);
}

/** HTML, "importScripts": at once, in order. */
function importScripts(realm, list) {
  if (realm.module) throw new TypeError("Failed to execute 'importScripts' on 'WorkerGlobalScope': Module scripts don't support importScripts().");
  for (const item of list) {
    const url = new URL(`${item}`, realm.url).href;
    const answer = answerFor(url);
    if (answer.status !== 200) {
      throw new DOMException(`Failed to execute 'importScripts' on 'WorkerGlobalScope': The script at '${url}' failed to load: ${answer.error}`, "NetworkError");
    }
    run(realm, answer, url);
  }
}

class Worker extends EventTarget {
  #realm;
  constructor(address, options = {}) {
    required(arguments.length, 1, "Failed to construct 'Worker'");
    super();
    let url;
    try {
      // A worker's mark is no part of an address that its modules pass on.
      url = new URL(`${address}`, currentRealm()?.url ?? document.baseURI).href.replace(/#worker-\d+(?:-script)?$/, "");
    } catch {
      throw new DOMException(`Failed to construct 'Worker': '${address}' is not a valid URL.`, "SyntaxError");
    }
    const type = `${options?.type ?? "classic"}`;
    if (type !== "classic" && type !== "module") {
      throw new TypeError(`Failed to construct 'Worker': Failed to read the 'type' property from 'WorkerOptions': The provided value '${type}' is not a valid enum value of type WorkerType.`);
    }
    const realm = makeRealm(url, `${options?.name ?? ""}`, type === "module", {
      message: (init) => fire(this, "message", init, MessageEvent),
      error: (message, place, error) => this.#error(message, place, error),
    });
    this.#realm = realm;
    ObjectDefineProperty(realm.target, "importScripts", { __proto__: null, value: (...list) => importScripts(realm, list), writable: true, configurable: true });
    const made = currentRealm();
    const fail = (error) => queueTask(() => this.#fail(error), made);
    if (realm.module) {
      // Says who asked for a module that is not there.
      const asked = new DOMException("", "NetworkError").stack;
      queueTask(() => {
        importModule(`${url.replace(/#.*$/, "")}#worker-${realm.number}`).then(undefined, (error) => {
          if (realm.begun) return within(realm, () => realm.report(error));
          if (error instanceof Error && !`${error.stack}`.includes("\n    at ")) error.stack += asked.slice(asked.indexOf("\n"));
          fail(error);
        });
      }, realm);
      return;
    }
    // Now, since pages revoke a blob's address at once.
    const answer = answerFor(url);
    if (answer.status !== 200) return fail(new DOMException(`Failed to load the worker's script at '${url}': ${answer.error}`, "NetworkError"));
    queueTask(() => {
      try {
        run(realm, answer, url);
      } catch (error) {
        realm.report(error);
      }
      realm.open();
    }, realm);
  }
  /** The script is not there or cannot be compiled; where nobody listens, a browser's console tells. */
  #fail(error) {
    const heard = hasListeners(this, "error");
    fire(this, "error", { cancelable: true, message: `${error?.message ?? error}` }, ErrorEvent);
    if (!heard) reportException(error);
  }
  /** HTML, 10.2.5: an exception the worker did not handle is the page's, unless the event is cancelled. */
  #error(message, place, error) {
    const event = new ErrorEvent("error", { cancelable: true, message, ...place, error: null });
    event._trusted = true;
    if (dispatch(this, event)) reportException(error);
  }
  postMessage(message, transfer = undefined) {
    required(arguments.length, 1, "Failed to execute 'postMessage' on 'Worker'");
    this.#realm.deliver(clone(message, transfer));
  }
  terminate() {
    this.#realm.alive = this.#realm.heard = false;
  }
}
defineHandlers(Worker.prototype, ["message", "messageerror", "error"]);
exposeInterface(Worker);
