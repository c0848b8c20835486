// Location and History.
import { expose, exposeAccessor, exposeInterface, illegal, illegalConstructor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { Event, fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { document } from "ext:replay/05_dom_document.js";
import { setup } from "ext:replay/05_dom_viewport.js";
import { URL } from "ext:replay/06_url.js";
import { op_leaves } from "ext:core/ops";

const { ObjectDefineProperty } = primordials;

let url = new URL(setup.page);

function navigate(target) {
  const next = new URL(`${target}`, document.baseURI);
  if (next.href.split("#")[0] === url.href.split("#")[0] && next.hash !== url.hash) {
    const oldURL = url.href;
    url = next;
    document._url = url.href;
    queueTask(() => fire(globalThis, "hashchange", { oldURL, newURL: next.href }, globalThis.HashChangeEvent ?? Event));
    return;
  }
  unsupported("Location", "navigation", `to ${next.href}; the page stays`);
  op_leaves(next.href);
}

class Location {
  constructor(key) {
    illegalConstructor(key);
  }
  get ancestorOrigins() {
    return [];
  }
  assign(target) {
    navigate(target);
  }
  replace(target) {
    navigate(target);
  }
  reload() {
    unsupported("Location", "reload", "the page stays");
  }
  toString() {
    return url.href;
  }
}
for (const part of ["href", "protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin"]) {
  ObjectDefineProperty(Location.prototype, part, {
    __proto__: null,
    get() {
      return url[part];
    },
    set: part === "origin" ? undefined : function (value) {
      if (part === "href") return navigate(value);
      const next = new URL(url.href);
      next[part] = value;
      navigate(next.href);
    },
    enumerable: true,
    configurable: true,
  });
}
exposeInterface(Location);
const location = new Location(illegal);
exposeAccessor("location", () => location, (value) => navigate(value));

class History {
  #states = [null];
  #at = 0;
  scrollRestoration = "auto";
  constructor(key) {
    illegalConstructor(key);
  }
  get length() {
    return this.#states.length;
  }
  get state() {
    return this.#states[this.#at];
  }
  #change(state, target) {
    if (target !== undefined && target !== null) {
      url = new URL(`${target}`, document.baseURI);
      document._url = url.href;
    }
    this.#states[this.#at] = globalThis.structuredClone(state ?? null);
  }
  pushState(state, _title, target = null) {
    this.#states.length = ++this.#at;
    this.#change(state, target);
  }
  replaceState(state, _title, target = null) {
    this.#change(state, target);
  }
  go() {
    unsupported("History", "go");
  }
  back() {
    unsupported("History", "back");
  }
  forward() {
    unsupported("History", "forward");
  }
}
exposeInterface(History);
expose("history", new History(illegal));
