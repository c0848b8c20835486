// What a browser would load of a page beside what is loaded here: frames, objects, posters, what links fetch ahead, pictures of
// styles. None of it is shown; a file of the project counts as loaded all the same, and an address elsewhere as an attempt to reach
// the network.
import { primordials } from "ext:replay/00_primordials.js";
import { fire, hide } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { cascade } from "ext:replay/05_dom_cascade.js";
import { tagOf } from "ext:replay/05_dom_document.js";
import { kLazy } from "ext:replay/05_dom_element.js";
import { generated } from "ext:replay/05_dom_generated.js";
import { kinds } from "ext:replay/05_dom_html.js";
import { writtenAt } from "ext:replay/05_dom_imports.js";
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { kChildren, version } from "ext:replay/05_dom_node.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import "ext:replay/05_dom_scripts.js";
import "ext:replay/07_image.js";
import "ext:replay/10_media.js";
import { op_asked_at, op_asks, op_leaves } from "ext:core/ops";

const { SafeMap } = primordials;

const ELEMENT = 1;
/** Nodes looked through each time, and addresses remembered. */
const MAX_NODES = 5000;

// --- elements ---------------------------------------------------------------------------------------------------------

/** By tag: which attributes name what is loaded, and what it is. A video loads its poster wherever it is, the others in the page alone. */
const LOADS = {
  __proto__: null,
  iframe: [["src"], "page of the frame"],
  object: [["data"], "object"],
  embed: [["src"], "embedded file"],
  video: [["poster"], "poster"],
  image: [["href", "xlink:href"], "picture"],
  input: [["src"], "picture of the button"],
};
/** What links fetch. Of icons and the like only attempts to reach the network count: no picture shows them. */
const FETCHED = /^(?:preload|modulepreload|prefetch|prerender)$/i;
const DESTINATIONS = /^(?:fetch|font|image|json|script|style|track)$/i;
const REACHED = /^(?:preconnect|dns-prefetch|icon|apple-touch-icon|apple-touch-icon-precomposed|mask-icon|manifest)$/i;

function absolute(url, base) {
  if (url === null || url === undefined || url.trim() === "" || url.startsWith("#")) return null;
  try {
    const { href, protocol } = new URL(url.trim(), base);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}

/** Addresses asked for, and whether they are there. */
const asked = new SafeMap();

function ask(url, place, what) {
  let there = asked.get(url);
  if (there === undefined) {
    there = op_asks(url, place, what);
    if (asked.size < MAX_NODES) asked.set(url, there);
  }
  return there;
}

const waits = new WeakSet();

/** Once the program's task is over, `element` loads what its attributes then say. */
function later(element, load) {
  if (waits.has(element)) return;
  waits.add(element);
  if (element._line === undefined) hide(element, "_asked", op_asked_at());
  queueTask(() => {
    waits.delete(element);
    load(element);
  });
}

function load(element) {
  const [attributes, what] = LOADS[element._name];
  if (element._name !== "video" && !element.isConnected) return;
  if (element._name === "input" && !/^image$/i.test(element.getAttribute("type") ?? "")) return;
  for (const name of attributes) {
    const url = absolute(element.getAttribute(name), element.baseURI);
    if (url !== null) ask(url, tagOf(element), what);
  }
}

function loadLink(link) {
  if (!link.isConnected) return;
  const url = absolute(link.getAttribute("href"), link.baseURI);
  if (url === null) return;
  const relations = (link.getAttribute("rel") ?? "").split(/\s+/);
  if (!mediaMatches(link.getAttribute("media") ?? "")) return;
  const ahead = relations.filter((r) => FETCHED.test(r));
  // What is loaded ahead has to say what for (HTML, 4.6.7.19).
  if (ahead.some((r) => !/^preload$/i.test(r) || DESTINATIONS.test(link.getAttribute("as") ?? ""))) {
    const there = ask(url, tagOf(link), "file that a link fetches");
    fire(link, there ? "load" : "error");
  } else if (relations.some((r) => REACHED.test(r))) {
    op_leaves(url);
  }
}

/** Adds `then` to what `map` has for `tag`. */
function also(map, tag, then) {
  const before = map.get(tag);
  map.set(tag, before === undefined ? then : (...args) => {
    before(...args);
    then(...args);
  });
}

for (const tag in LOADS) {
  const [attributes] = LOADS[tag];
  const named = (element) => attributes.some((name) => element[kAttrs].has(name));
  also(kinds.changed, tag, (element, name, _old, value) => {
    const counts = attributes.includes(name) || (tag === "input" && name === "type");
    if (value !== null && counts && (tag === "video" || element.isConnected)) later(element, load);
  });
  if (tag !== "video") also(kinds.connected, tag, (element) => void (named(element) && later(element, load)));
}
also(kinds.connected, "link", (link) => void (link[kAttrs].has("href") && later(link, loadLink)));
also(kinds.changed, "link", (link, name) => void ((name === "href" || name === "rel") && link.isConnected && link[kAttrs].has("href") && later(link, loadLink)));

// --- pictures of styles -----------------------------------------------------------------------------------------------

const URLS = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)/gi;

let stylesSeen = -1;

/** Asks for the pictures of the styles that hold for what is in the page, whenever it has changed. */
function askStyles() {
  if (stylesSeen === version.tree) return;
  stylesSeen = version.tree;
  const root = globalThis.document.documentElement;
  if (root === null) return;
  const some = sheets.rules().some(({ declarations }) => {
    for (const [, { value }] of declarations) if (value.includes("url(")) return true;
    return false;
  });
  const left = { __proto__: null, nodes: MAX_NODES };
  walk(root, some, left);
}

/** `some`: do rules of the page's sheets name addresses? Else only style attributes and shadow trees do. */
function walk(element, some, left) {
  if (left.nodes-- <= 0) return;
  const shadow = element[kLazy]?.shadow;
  const own = element[kAttrs].get("style");
  const hinted = element[kAttrs].has("background");
  const look = some || shadow !== undefined || own !== undefined || hinted;
  if (look) {
    const map = cascade(element);
    if (map.get("display")?.value === "none") return;
    if (some || hinted || own?.includes("url(")) askAll(map, element);
    for (const which of ["before", "after"]) {
      const box = some || shadow !== undefined ? generated(element, which) : null;
      if (box !== null) askAll(cascade(box), element);
    }
  }
  const children = shadow !== undefined ? shadow[kChildren] : element[kChildren];
  for (let i = 0; i < children.length; i++) if (children[i].nodeType === ELEMENT) walk(children[i], some || shadow !== undefined, left);
}

function askAll(map, element) {
  if (map.get("display")?.value === "none") return;
  for (const [name, { value }] of map) if (!name.startsWith("--")) askFor(value, element);
}

function askFor(value, element) {
  if (!value.includes("url(")) return;
  for (const m of value.matchAll(URLS)) {
    const named = m[1] ?? m[2] ?? m[3];
    const written = /^(?:data|blob|#)/i.test(named) ? null : writtenAt(named);
    const url = absolute(named, written?.base ?? globalThis.document.baseURI);
    if (url !== null && !asked.has(url)) ask(url, written?.place ?? tagOf(element), "background picture");
  }
}

export { askStyles };
