// Navigator: a Chromium on Linux without devices.
import { expose, exposeInterface, gap, illegal, illegalConstructor, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { op_asked_at, op_asks, op_network } from "ext:core/ops";

const none = (interface_, member, value) => () => {
  unsupported(interface_, member);
  return Promise.reject(gap(new DOMException(`${interface_}.${member} is not supported`, value ?? "NotSupportedError")));
};
const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

/** A registration whose worker never comes to run: the page goes on as in a browser that still installs it. */
function register(url, options = undefined) {
  unsupported("ServiceWorkerContainer", "register", `${url}: the worker does not run`);
  const script = new globalThis.URL(`${url}`, globalThis.document.baseURI).href;
  op_asks(script, op_asked_at(), "service worker");
  const scope = new globalThis.URL(options?.scope ?? "./", script).href;
  const nothing = () => {};
  return Promise.resolve({
    scope, active: null, installing: null, waiting: null, onupdatefound: null, update: () => Promise.resolve(), unregister: () => Promise.resolve(true),
    addEventListener: nothing, removeEventListener: nothing,
  });
}

class Navigator {
  #clipboard = { writeText: () => Promise.resolve(), write: () => Promise.resolve(), readText: () => Promise.resolve(""), read: () => Promise.resolve([]) };
  #media = {
    getUserMedia: none("MediaDevices", "getUserMedia", "NotFoundError"), getDisplayMedia: none("MediaDevices", "getDisplayMedia", "NotAllowedError"),
    enumerateDevices: () => Promise.resolve([]), addEventListener() {}, removeEventListener() {}, getSupportedConstraints: () => ({}),
  };
  constructor(key) {
    illegalConstructor(key);
  }
  get userAgent() {
    return AGENT;
  }
  get appVersion() {
    return AGENT.slice(8);
  }
  get appName() {
    return "Netscape";
  }
  get appCodeName() {
    return "Mozilla";
  }
  get product() {
    return "Gecko";
  }
  get platform() {
    return "Linux x86_64";
  }
  get vendor() {
    return "Google Inc.";
  }
  get language() {
    return "en-US";
  }
  get languages() {
    return ["en-US", "en"];
  }
  get onLine() {
    return false;
  }
  get hardwareConcurrency() {
    return 4;
  }
  get deviceMemory() {
    return 8;
  }
  get maxTouchPoints() {
    return 0;
  }
  get cookieEnabled() {
    return false;
  }
  get doNotTrack() {
    return null;
  }
  get webdriver() {
    return false;
  }
  get pdfViewerEnabled() {
    return false;
  }
  get plugins() {
    return [];
  }
  get mimeTypes() {
    return [];
  }
  get clipboard() {
    return this.#clipboard;
  }
  get mediaDevices() {
    return this.#media;
  }
  get permissions() {
    return { query: ({ name } = {}) => Promise.resolve({ name, state: "denied", onchange: null, addEventListener() {} }) };
  }
  get userActivation() {
    return { hasBeenActive: false, isActive: false };
  }
  get connection() {
    return { effectiveType: "4g", downlink: 10, rtt: 50, saveData: false, addEventListener() {} };
  }
  get userAgentData() {
    return { mobile: false, platform: "Linux", brands: [{ brand: "Chromium", version: "150" }], getHighEntropyValues: () => Promise.resolve({ mobile: false, platform: "Linux", architecture: "x86" }) };
  }
  get storage() {
    return { estimate: () => Promise.resolve({ quota: 0, usage: 0 }), persist: () => Promise.resolve(false), persisted: () => Promise.resolve(false) };
  }
  get serviceWorker() {
    return { register, ready: new Promise(() => {}), controller: null, getRegistrations: () => Promise.resolve([]), addEventListener() {} };
  }
  get wakeLock() {
    return { request: () => Promise.resolve({ release: () => Promise.resolve(), addEventListener() {} }) };
  }
  getGamepads() {
    return [null, null, null, null];
  }
  // The callback form that browsers keep for old pages (Media Capture and Streams, 10.3): there is no camera.
  getUserMedia(_constraints, _success, failure) {
    required(arguments.length, 3, "Failed to execute 'getUserMedia' on 'Navigator'");
    this.#media.getUserMedia().catch((error) => failure?.(error));
  }
  webkitGetUserMedia(constraints, success, failure) {
    required(arguments.length, 3, "Failed to execute 'webkitGetUserMedia' on 'Navigator'");
    this.getUserMedia(constraints, success, failure);
  }
  javaEnabled() {
    return false;
  }
  vibrate() {
    return false;
  }
  sendBeacon(target) {
    unsupported("Navigator", "sendBeacon", `${target}`);
    op_network(`${target}`);
    return false;
  }
  share() {
    return none("Navigator", "share", "NotAllowedError")();
  }
}
exposeInterface(Navigator);
expose("navigator", new Navigator(illegal));
expose("clientInformation", undefined);
