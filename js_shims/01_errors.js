// DOMException, and where uncaught exceptions go.
import { constants, exposeInterface, gaps, primordials } from "ext:replay/00_primordials.js";
import { op_console, op_rejected_at, op_report_exception, op_thrown_at } from "ext:core/ops";

const {
  AggregateError, ArrayPrototypeJoin, Error, ErrorCaptureStackTrace, ErrorPrototype, JSONStringify, ObjectDefineProperty, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype,
  ObjectSetPrototypeOf, RegExpPrototypeExec, StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeSlice,
} = primordials;

const CODES = {
  __proto__: null,
  IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5, NoModificationAllowedError: 7,
  NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12,
  InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18,
  NetworkError: 19, AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23,
  InvalidNodeTypeError: 24, DataCloneError: 25,
};

class DOMException {
  #message;
  #name;
  constructor(message = "", name = "Error") {
    this.#message = `${message}`;
    this.#name = `${typeof name === "object" && name !== null ? name.name ?? "Error" : name}`;
    ErrorCaptureStackTrace(this, DOMException);
  }
  get name() {
    return this.#name;
  }
  get message() {
    return this.#message;
  }
  get code() {
    return ObjectHasOwn(CODES, this.#name) ? CODES[this.#name] : 0;
  }
}
ObjectSetPrototypeOf(DOMException.prototype, ErrorPrototype);
exposeInterface(DOMException);
constants(DOMException, {
  INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10,
  INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21,
  QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25,
});

// Filled by 05_dom_window.js: fires `error` or `unhandledrejection` at the window; true if the page handled it.
// By 05_worker_scope.js: whose code is running.
const handlers = { __proto__: null, error: null, rejection: null, realm: () => undefined };
let reporting = false;

/** Reports an exception nobody caught: to the page's handlers first, then to the run, which ends with it. */
function reportException(error) {
  const realm = handlers.realm();
  if (realm !== undefined) return realm.report(error);
  if (!reporting && handlers.error !== null) {
    reporting = true;
    try {
      if (handlers.error(error)) return;
    } catch (inner) {
      op_report_exception(told(inner), false, isBare(inner), inner);
    } finally {
      reporting = false;
    }
  }
  end(error, false);
}

/** Ends the run with an exception nobody caught; one that a gap of this engine made is only told, as browsers tell rejections. */
function end(reason, rejection) {
  if (typeof reason === "object" && reason !== null && gaps.has(reason)) {
    op_console(4, `Uncaught ${rejection ? "(in promise) " : ""}${reason.name}: ${reason.message}`);
  } else {
    const error = told(reason);
    op_report_exception(error, rejection, isBare(reason) && !(error !== reason && StringPrototypeIncludes(`${error.stack}`, "\n    at ")), reason);
  }
}

/** Has what was thrown no stack of its own? */
function isBare(reason) {
  if (typeof reason !== "object" || reason === null) return true;
  try {
    return typeof reason.stack !== "string";
  } catch {
    return true;
  }
}

/** Where `error` happened, as an error event tells it; a worker's mark is no part of an address. */
function placeOf(error) {
  const text = isBare(error) ? op_thrown_at(error) : error.stack;
  const found = RegExpPrototypeExec(/((?:http|blob|data:)[^\s()]*?)(?:#worker-\d+(?:-script)?)?:(\d+):(\d+)/, text) ?? [];
  return { filename: found[1] ?? "", lineno: +(found[2] ?? 0), colno: +(found[3] ?? 0) };
}

/** What is no error says nothing by itself: an event's failed file, or the fields of a plain object take its place in the report. */
function told(reason) {
  if (typeof reason !== "object" || reason === null) return reason;
  if (!("_dispatching" in reason)) return ObjectGetPrototypeOf(reason) === ObjectPrototype ? fieldsOf(reason) : withCauses(reason);
  const target = reason.target;
  const address = target?.currentSrc || target?.src || target?.href || target?.responseURL || reason.filename || "";
  const what = target?.localName !== undefined ? `<${target.localName}>` : target?.constructor?.name ?? "nothing";
  // Of a picture: why it did not load, and who asked for it.
  const { why = reason.message, asked = "" } = target?._broken ?? {};
  const error = new Error(`an "${reason.type}" event of ${what}${address === "" ? "" : ` for ${address}`}${why ? `: ${why}` : ""}, which nobody handled`);
  // Made here, where it did not happen.
  error.stack = `${error.name}: ${error.message}`;
  return placed(error, asked);
}

/** An AggregateError says nothing by itself: the errors it stands for come with it. */
function withCauses(reason) {
  try {
    if (!(reason instanceof AggregateError) || reason.errors.length === 0) return reason;
    const all = [];
    for (let i = 0; i < reason.errors.length && i < 4; i++) all[i] = StringPrototypeSlice(`${reason.errors[i]}`, 0, 200);
    const more = reason.errors.length > 4 ? ` and ${reason.errors.length - 4} more` : "";
    const error = new Error(`${reason.message}: ${ArrayPrototypeJoin(all, "; ")}${more}`);
    error.name = reason.name;
    let frames = framesOf(reason);
    // One of `Promise.any` is made by no line: where the first of its errors was made says most.
    for (let i = 0; i < reason.errors.length && frames === ""; i++) frames = framesOf(reason.errors[i]);
    error.stack = `${error.name}: ${error.message}${frames}`;
    return error;
  } catch {
    return reason;
  }
}

/** The frames of an error's stack; of another value the place where a promise was rejected with it. */
function framesOf(reason) {
  if (isBare(reason)) {
    const at = op_rejected_at(reason);
    return at === "" ? "" : `\n    at ${at}`;
  }
  const at = StringPrototypeIndexOf(reason.stack, "\n    at ");
  return at < 0 ? "" : StringPrototypeSlice(reason.stack, at);
}

/** A plain object that was thrown, as far as JSON tells it. */
function fieldsOf(object) {
  let text;
  try {
    text = StringPrototypeSlice(JSONStringify(object), 0, 200);
  } catch {
    return object;
  }
  const error = new Error(`${text} was thrown, which is no Error`);
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** The same for a rejected promise without a handler. */
function reportRejection(promise, reason) {
  if (handlers.realm()?.reject(promise, reason)) return;
  if (handlers.rejection !== null) {
    try {
      if (handlers.rejection(promise, reason)) return;
    } catch (inner) {
      op_report_exception(told(inner), false, isBare(inner), inner);
    }
  }
  end(reason, true);
}

/** `error`, which an API found out later, as thrown where it was asked for: `asked` of op_asked_at. */
function placed(error, asked) {
  if (asked === "" || typeof error !== "object" || error === null) return error;
  ObjectDefineProperty(error, "stack", {
    __proto__: null, value: `${error.name}: ${error.message}\n    at ${asked}`, writable: true, enumerable: false, configurable: true,
  });
  return error;
}

export { DOMException, end, handlers, placeOf, placed, reportException, reportRejection };
