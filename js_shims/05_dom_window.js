// Window: the global object of a page, its sizes, and the odds and ends pages touch.
import { expose, exposeAccessor, exposeInterface, gap, illegal, illegalConstructor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException, handlers, placeOf, reportException } from "ext:replay/01_errors.js";
import { ErrorEvent, PromiseRejectionEvent } from "ext:replay/02_event_kinds.js";
import { EventTarget, defineHandlers, dispatch, fire, hasListeners, hide, kListeners, kParent } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { op_leaves, op_network } from "ext:core/ops";
import { getComputedStyle } from "ext:replay/05_dom_computed.js";
import { generatedBox } from "ext:replay/05_dom_generated.js";
import { Document, document } from "ext:replay/05_dom_document.js";
import { attributeHooks } from "ext:replay/05_dom_element.js";
import { CustomElementRegistry, GLOBAL_EVENTS } from "ext:replay/05_dom_html.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const { ObjectCreate, ObjectDefineProperty, ObjectSetPrototypeOf, String } = primordials;

// --- Window ---------------------------------------------------------------------------------------------------------

class Window extends EventTarget {
  constructor() {
    illegalConstructor(undefined);
    super();
  }
}
exposeInterface(Window);
ObjectSetPrototypeOf(globalThis, Window.prototype);

/** Elements by their id as global names (HTML, 7.2.2.3), behind everything else that a name can mean. */
const namedElements = ObjectCreate(EventTarget.prototype);
ObjectSetPrototypeOf(Window.prototype, namedElements);
attributeHooks.named = (id) => {
  if (id === "" || id in namedElements) return;
  ObjectDefineProperty(namedElements, id, {
    __proto__: null,
    get: () => document.getElementById(id) ?? undefined,
    set: (value) => ObjectDefineProperty(globalThis, id, { __proto__: null, value, writable: true, enumerable: true, configurable: true }),
    enumerable: false,
    configurable: true,
  });
};
hide(globalThis, kListeners, null);
defineHandlers(globalThis, [
  ...GLOBAL_EVENTS, "afterprint", "beforeprint", "beforeunload", "hashchange", "languagechange", "message", "messageerror", "offline", "online",
  "pagehide", "pageshow", "popstate", "rejectionhandled", "storage", "unhandledrejection", "unload", "devicemotion", "deviceorientation",
  "gamepadconnected", "gamepaddisconnected", "DOMContentLoaded",
]);
// The window is the document's parent in an event's path, except for `load`.
Document.prototype[kParent] = function (event) {
  return this === document && event.type !== "load" ? globalThis : null;
};

for (const name of ["window", "self", "frames", "parent", "top"]) expose(name, globalThis);
expose("document", document);
exposeAccessor("opener", () => null);
exposeAccessor("frameElement", () => null);
expose("length", 0);
expose("name", "");
expose("status", "");
expose("closed", false);
expose("origin", "http://localhost");
expose("isSecureContext", true);
expose("crossOriginIsolated", false);
expose("customElements", new CustomElementRegistry(illegal));
exposeAccessor("event", () => undefined);

const numbers = {
  innerWidth: viewport.width, innerHeight: viewport.height, outerWidth: viewport.width, outerHeight: viewport.height,
  devicePixelRatio: viewport.ratio, screenX: 0, screenY: 0, screenLeft: 0, screenTop: 0,
};
for (const key of Object.keys(numbers)) expose(key, numbers[key]);

class VisualViewport extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  get width() {
    return viewport.width;
  }
  get height() {
    return viewport.height;
  }
  get scale() {
    return 1;
  }
  get offsetLeft() {
    return 0;
  }
  get offsetTop() {
    return 0;
  }
  get pageLeft() {
    return 0;
  }
  get pageTop() {
    return 0;
  }
}
exposeInterface(VisualViewport);
expose("visualViewport", new VisualViewport(illegal));

class ScreenOrientation extends EventTarget {
  get type() {
    return viewport.width >= viewport.height ? "landscape-primary" : "portrait-primary";
  }
  get angle() {
    return 0;
  }
  lock() {
    unsupported("ScreenOrientation", "lock", "rejects, as on a desktop");
    return Promise.reject(gap(new DOMException("screen.orientation.lock() is not available on this device.", "NotSupportedError")));
  }
  unlock() {}
}
defineHandlers(ScreenOrientation.prototype, ["change"]);
exposeInterface(ScreenOrientation);
class Screen {
  #orientation = new ScreenOrientation();
  get width() {
    return viewport.width;
  }
  get height() {
    return viewport.height;
  }
  get availWidth() {
    return viewport.width;
  }
  get availHeight() {
    return viewport.height;
  }
  get availLeft() {
    return 0;
  }
  get availTop() {
    return 0;
  }
  get colorDepth() {
    return 24;
  }
  get pixelDepth() {
    return 24;
  }
  get orientation() {
    return this.#orientation;
  }
}
exposeInterface(Screen);
expose("screen", new Screen());

// --- functions ------------------------------------------------------------------------------------------------------

expose("getComputedStyle", (element, part = undefined) => {
  const which = /^::?(before|after)$/.exec(part ?? "")?.[1];
  return getComputedStyle(which === undefined ? element : generatedBox(element, which));
});
for (const [name, value] of [["alert", undefined], ["confirm", true], ["prompt", null], ["open", null], ["print", undefined]]) {
  expose(name, { [name](...args) {
    unsupported("Window", name, args.length > 0 ? `${args[0]}` : "");
    if (name === "open" && args.length > 0) {
      try {
        op_leaves(new globalThis.URL(`${args[0]}`, document.baseURI).href);
      } catch {}
    }
    return value;
  } }[name]);
}
for (const name of ["focus", "blur", "close", "stop", "moveTo", "moveBy", "resizeTo", "resizeBy", "captureEvents", "releaseEvents"]) {
  expose(name, { [name]() {} }[name]);
}
expose("reportError", function reportError(error) {
  reportException(error);
});

class SharedWorker extends EventTarget {
  constructor(address) {
    super();
    unsupported("SharedWorker", "constructor", `${address}`);
    throw new DOMException("SharedWorker is not supported", "NotSupportedError");
  }
}
exposeInterface(SharedWorker);
for (const name of ["WebSocket", "EventSource", "RTCPeerConnection", "WebTransport"]) {
  const Class = { [name]: class extends EventTarget {
    constructor(address = "") {
      super();
      unsupported(name, "constructor", `${address}; the network is never used`);
      op_network(name === "RTCPeerConnection" ? name : `${address}`);
      queueTask(() => {
        fire(this, "error");
        fire(this, "close");
      });
    }
    get readyState() {
      return 3;
    }
    send() {}
    close() {}
  } }[name];
  defineHandlers(Class.prototype, ["open", "message", "error", "close"]);
  exposeInterface(Class, name);
}

expose("CSS", {
  supports: () => true,
  escape: (s) => `${s}`.replace(/[^\w\u0080-\uffff-]/g, "\\$&").replace(/^(-?)(\d)/, (_, a, d) => `${a}\\3${d} `),
  px: (n) => `${n}px`,
});
expose("NodeFilter", { SHOW_ALL: 0xffffffff, SHOW_ELEMENT: 1, SHOW_TEXT: 4, SHOW_COMMENT: 128, FILTER_ACCEPT: 1, FILTER_REJECT: 2, FILTER_SKIP: 3 });

// --- uncaught exceptions --------------------------------------------------------------------------------------------

handlers.error = (error) => {
  if (!hasListeners(globalThis, "error")) return false;
  const message = `Uncaught ${typeof error === "object" && error !== null && "message" in error ? `${error.name}: ${error.message}` : String(error)}`;
  const event = new ErrorEvent("error", { cancelable: true, message, ...placeOf(error), error });
  hide(event, "_errorArgs", [message, event.filename, event.lineno, event.colno, error]);
  event._trusted = true;
  return !dispatch(globalThis, event);
};
handlers.rejection = (promise, reason) => {
  if (!hasListeners(globalThis, "unhandledrejection")) return false;
  const event = new PromiseRejectionEvent("unhandledrejection", { cancelable: true, promise, reason });
  event._trusted = true;
  return !dispatch(globalThis, event);
};
