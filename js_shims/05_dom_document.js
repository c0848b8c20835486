// Document, its style sheets, DOMParser and XMLSerializer.
import { exposeInterface, gap, illegal, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import * as EventKinds from "ext:replay/02_event_kinds.js";
import { Event, defineHandlers, hide } from "ext:replay/02_events.js";
import { DocumentFragment, HTML_NS, byNames, descendants, find, kLazy, mixin, parentMixin, removeChildren } from "ext:replay/05_dom_element.js";
import { GLOBAL_EVENTS, makeElement } from "ext:replay/05_dom_html.js";
import { CSSStyleSheet } from "ext:replay/05_dom_cssom.js";
import { withImports } from "ext:replay/05_dom_imports.js";
import { buildNodes } from "ext:replay/05_dom_markup.js";
import { Comment, DOCUMENT_NODE, DocumentType, HTMLCollection, Node, Text, insert, isNode, kChildren, kDocument, liveList, version } from "ext:replay/05_dom_node.js";
import { Range, selection } from "ext:replay/05_dom_range.js";
import { adoptedSheets, sheets } from "ext:replay/05_dom_sheets.js";
import "ext:replay/05_dom_svg.js";
import { lower } from "ext:replay/05_dom_util.js";
import { setup, viewport } from "ext:replay/05_dom_viewport.js";
import { buildXml, serializeXml } from "ext:replay/05_dom_xml.js";
import { fonts } from "ext:replay/08c_fonts.js";
import { op_fetch, op_parse_html, op_parse_html_fragment, op_text_decode } from "ext:core/ops";

const { SafeMap } = primordials;

class Document extends Node {
  constructor() {
    super(illegal, null);
    this[kDocument] = this;
    hide(this, "_url", setup.page);
    hide(this, "_ready", "complete");
    hide(this, "_active", null);
    hide(this, "_script", null);
    hide(this, "_type", "text/html");
  }
  get nodeType() {
    return DOCUMENT_NODE;
  }
  get nodeName() {
    return "#document";
  }
  get implementation() {
    return {
      createHTMLDocument: (title = "") => parseDocument(`<!doctype html><title>${title}</title>`),
      createDocument: (namespace = null, name = "") => {
        const made = new XMLDocument();
        made._type = "application/xml";
        if (name !== null && `${name}` !== "") made.append(made.createElementNS(namespace, name));
        return made;
      },
      hasFeature: () => true,
    };
  }
  get documentElement() {
    return this.firstElementChild;
  }
  get doctype() {
    return this[kChildren].find((n) => n.nodeType === 10) ?? null;
  }
  get head() {
    return child(this.documentElement, "head");
  }
  get body() {
    return child(this.documentElement, "body") ?? child(this.documentElement, "frameset");
  }
  set body(value) {
    const old = this.body;
    if (old !== null) old.replaceWith(value);
    else this.documentElement.append(value);
  }
  get title() {
    return find(this, (e) => e.localName === "title")?.textContent.trim() ?? "";
  }
  set title(value) {
    let title = find(this, (e) => e.localName === "title");
    if (title === null) {
      title = this.createElement("title");
      this.head?.append(title);
    }
    title.textContent = value;
  }
  get URL() {
    return this._url;
  }
  get documentURI() {
    return this._url;
  }
  get baseURI() {
    const cache = this[kLazy];
    if (cache.baseVersion !== version.tree || cache.baseOf !== this._url) {
      const base = find(this, (e) => e.localName === "base" && e.hasAttribute("href"));
      cache.base = this._url;
      try {
        if (base !== null) cache.base = new globalThis.URL(base.getAttribute("href"), this._url).href;
      } catch {}
      cache.baseVersion = version.tree;
      cache.baseOf = this._url;
    }
    return cache.base;
  }
  get location() {
    return this === globalThis.document ? globalThis.location : null;
  }
  set location(value) {
    globalThis.location.href = value;
  }
  get domain() {
    return "localhost";
  }
  get referrer() {
    return "";
  }
  get cookie() {
    return this[kLazy]?.cookie ?? "";
  }
  set cookie(value) {
    void value;
  }
  get readyState() {
    return this._ready;
  }
  get compatMode() {
    return this.doctype === null ? "BackCompat" : "CSS1Compat";
  }
  get characterSet() {
    return this._encoding ?? "UTF-8";
  }
  get charset() {
    return this._encoding ?? "UTF-8";
  }
  get inputEncoding() {
    return this._encoding ?? "UTF-8";
  }
  get contentType() {
    return this._type;
  }
  get lastModified() {
    return "01/01/2026 00:00:00";
  }
  get defaultView() {
    return this === globalThis.document ? globalThis : null;
  }
  get currentScript() {
    return this._script;
  }
  get activeElement() {
    return this._active ?? this.body;
  }
  get hidden() {
    return false;
  }
  get visibilityState() {
    return "visible";
  }
  get webkitHidden() {
    return false;
  }
  get fullscreenElement() {
    return null;
  }
  get fullscreenEnabled() {
    return false;
  }
  get pointerLockElement() {
    return null;
  }
  get pictureInPictureEnabled() {
    return false;
  }
  get designMode() {
    return "off";
  }
  get dir() {
    return "";
  }
  get scrollingElement() {
    return this.documentElement;
  }
  get styleSheets() {
    return styleElements(this).map((e) => this._sheetOf(e)).filter((s) => s !== null);
  }
  get adoptedStyleSheets() {
    if (this._adopted === undefined) hide(this, "_adopted", adoptedSheets([]));
    return this._adopted;
  }
  set adoptedStyleSheets(list) {
    hide(this, "_adopted", adoptedSheets(list));
  }
  get fonts() {
    return fonts;
  }
  get timeline() {
    return { get currentTime() { return globalThis.performance.now(); } };
  }
  get images() {
    return liveList(this, HTMLCollection, () => descendants(this, (e) => e.localName === "img"), "images");
  }
  get scripts() {
    return liveList(this, HTMLCollection, () => descendants(this, (e) => e.localName === "script"), "scripts");
  }
  get links() {
    return liveList(this, HTMLCollection, () => descendants(this, (e) => e.localName === "a" && e.hasAttribute("href")), "links");
  }
  get forms() {
    return liveList(this, HTMLCollection, () => descendants(this, (e) => e.localName === "form"), "forms");
  }
  get textContent() {
    return null;
  }
  set textContent(value) {}
  getElementById(id) {
    required(arguments.length, 1, "Failed to execute 'getElementById' on 'Document'");
    const want = `${id}`;
    const cache = (this._ids ??= idCache(this));
    if (cache.version !== version.tree) {
      cache.version = version.tree;
      cache.map.clear();
      for (const e of descendants(this, (x) => x.hasAttribute("id"))) if (!cache.map.has(e.id)) cache.map.set(e.id, e);
    }
    return want === "" ? null : cache.map.get(want) ?? null;
  }
  getElementsByName(name) {
    return liveList(this, HTMLCollection, () => descendants(this, (e) => e.getAttribute("name") === `${name}`), `name ${name}`);
  }
  createElement(name) {
    required(arguments.length, 1, "Failed to execute 'createElement' on 'Document'");
    const tag = `${name}`;
    if (!/^[a-zA-Z_:][^\s<>/=\u0000]*$/.test(tag)) {
      throw new DOMException(`Failed to execute 'createElement' on 'Document': The tag name provided ('${tag}') is not a valid name.`, "InvalidCharacterError");
    }
    if (this._type === "text/html") return makeElement(this, lower(tag), HTML_NS);
    return makeElement(this, tag, this._type === "application/xhtml+xml" ? HTML_NS : "");
  }
  createElementNS(namespace, name) {
    required(arguments.length, 2, "Failed to execute 'createElementNS' on 'Document'");
    const tag = `${name}`;
    const colon = tag.indexOf(":");
    const element = makeElement(this, tag.slice(colon + 1), namespace === null ? "" : `${namespace}`);
    if (colon > 0) hide(element, "_prefix", tag.slice(0, colon));
    return element;
  }
  createTextNode(data) {
    const node = new Text(`${data}`);
    node[kDocument] = this;
    return node;
  }
  createComment(data) {
    const node = new Comment(`${data}`);
    node[kDocument] = this;
    return node;
  }
  createDocumentFragment() {
    return new DocumentFragment(illegal, this);
  }
  createAttribute(name) {
    return { name: `${name}`, value: "" };
  }
  createEvent(kind) {
    const name = { __proto__: null, htmlevents: "Event", event: "Event", events: "Event", mouseevents: "MouseEvent", uievents: "UIEvent" }[lower(`${kind}`)] ?? `${kind}`;
    const Class = globalThis[name] ?? EventKinds[name] ?? Event;
    return new Class("");
  }
  createRange() {
    const range = new Range();
    range.selectNodeContents(this);
    range.collapse(true);
    return range;
  }
  evaluate(expression) {
    unsupported("Document", "evaluate", `${expression}`);
    throw gap(new DOMException(`document.evaluate: XPath is not supported (${expression}); querySelector finds elements too`, "NotSupportedError"));
  }
  createTreeWalker(root, show = 0xffffffff) {
    const all = [];
    const visit = (n) => {
      for (const c of n[kChildren]) {
        if ((show >> (c.nodeType - 1)) & 1) all.push(c);
        visit(c);
      }
    };
    visit(root);
    let at = -1;
    return { root, get currentNode() { return all[at] ?? root; }, nextNode: () => all[++at] ?? null, previousNode: () => all[--at] ?? null };
  }
  importNode(node, deep = false) {
    return node.cloneNode(deep);
  }
  adoptNode(node) {
    node.remove?.();
    return node;
  }
  hasFocus() {
    return true;
  }
  getSelection() {
    return selection;
  }
  elementFromPoint() {
    return this.body;
  }
  elementsFromPoint() {
    return [this.body];
  }
  execCommand() {
    return false;
  }
  queryCommandSupported() {
    return false;
  }
  exitFullscreen() {
    return Promise.resolve();
  }
  exitPointerLock() {}
  getAnimations() {
    return [];
  }
  startViewTransition(callback) {
    callback?.();
    return { finished: Promise.resolve(), ready: Promise.resolve(), updateCallbackDone: Promise.resolve() };
  }
  open() {
    removeChildren(this);
    return this;
  }
  close() {}
  write(...parts) {
    const html = parts.map((part) => `${part}`).join("");
    // While the page is parsed, and only from a script that the parser waits for (HTML, "document write steps").
    if (this._writer !== undefined && this._writer(html)) return;
    const script = this._script;
    const target = script?.parentNode ?? this.body ?? this;
    const fragment = new DocumentFragment(illegal, this);
    for (const step of buildNodes(this, op_parse_html_fragment(html, "body", HTML_NS), fragment, false)) void step;
    insert(target, fragment, script?.nextSibling ?? null, "write");
  }
  writeln(...parts) {
    this.write(...parts, "\n");
  }
  _make(name, namespace) {
    return makeElement(this, name, namespace);
  }
  _doctype(name) {
    return new DocumentType(illegal, this, name);
  }
  _sheetOf(element) {
    return sheetOf(element);
  }
  _clone() {
    return new this.constructor();
  }
  get [kLazy]() {
    const lazy = { __proto__: null };
    hide(this, kLazy, lazy);
    return lazy;
  }
}
mixin(Document.prototype, parentMixin);
mixin(Document.prototype, byNames);
defineHandlers(Document.prototype, [...GLOBAL_EVENTS, "DOMContentLoaded", "readystatechange", "visibilitychange", "fullscreenchange", "fullscreenerror", "pointerlockchange", "pointerlockerror"]);
exposeInterface(Document);
class HTMLDocument extends Document {}
exposeInterface(HTMLDocument);
class XMLDocument extends Document {}
exposeInterface(XMLDocument);

function idCache(document) {
  const cache = { __proto__: null, version: -1, map: new SafeMap() };
  hide(document, "_ids", cache);
  return cache;
}

function child(parent, tag) {
  if (parent === null || parent === undefined) return null;
  for (const c of parent[kChildren]) if (c._name === tag) return c;
  return null;
}

// --- style sheets of the document -----------------------------------------------------------------------------------

function styleElements(root) {
  return descendants(root, (e) => e.localName === "style" || (e.localName === "link" && /\bstylesheet\b/i.test(e.getAttribute("rel") ?? "")));
}

/** Where an element was asked for: its tag, or who put it into the page; an empty string if nobody knows. */
function tagOf(element) {
  return element._line === undefined ? element._asked ?? "" : `${document.URL.split("#")[0]}:${element._line}:1`;
}

function sheetOf(element) {
  const lazy = element[kLazy];
  const source = element.localName === "style" ? element.textContent : `link ${element.getAttribute("href")}`;
  if (lazy.sheet !== undefined && lazy.sheetSource === source) return lazy.sheet;
  const sheet = new CSSStyleSheet();
  hide(sheet, "ownerNode", element);
  lazy.sheet = sheet;
  lazy.sheetSource = source;
  let text = element.textContent;
  if (element.localName === "link") {
    const href = element.href;
    const answer = href.startsWith("data:") || href.startsWith("blob:") ? globalThis._readUrl(href) : op_fetch(href, tagOf(element) || document.URL);
    text = answer.status === 200 ? withImports(op_text_decode(answer.body, "utf-8", false), href, 1) : "";
    hide(sheet, "_base", href);
    hide(sheet, "_missing", answer.status !== 200);
  } else text = withImports(text, document.URL, element._line ?? 1, document.baseURI);
  const was = version.tree;
  sheet.replaceSync(text);
  version.tree = was;
  return sheet;
}

/** What `make` gives, made again only once the page has changed. */
function perTree(make) {
  let made = -1, value;
  return () => {
    if (made !== version.tree) [value, made] = [make(), version.tree];
    return value;
  };
}

function rulesIn(root) {
  const rules = [];
  for (const element of styleElements(root)) {
    const media = element.getAttribute("media");
    if (media !== null && !globalThis.matchMedia(media).matches) continue;
    for (const r of sheetOf(element)._rules) rules.push(r);
  }
  for (const s of root._adopted ?? []) for (const r of s._rules) rules.push(r);
  return rules;
}

sheets.rules = perTree(() => rulesIn(document));
const trees = new WeakMap();
/** The rules of a shadow tree's own sheets. */
sheets.treeRules = (root) => {
  let rules = trees.get(root);
  if (rules === undefined) trees.set(root, rules = perTree(() => rulesIn(root)));
  return rules();
};
/** Calls `visit` with every sheet of the page, whatever its media. */
function eachSheet(visit) {
  for (const element of styleElements(document)) visit(sheetOf(element));
  for (const sheet of document._adopted ?? []) visit(sheet);
}

/** The @font-face rules that hold, with the address that theirs are relative to. */
sheets.faces = () => {
  const faces = [];
  eachSheet((sheet) => {
    for (const declarations of sheet._rules.faces ?? []) faces.push({ declarations, base: sheet._base ?? document.baseURI });
  });
  return faces;
};
/** Bodies of the @keyframes rules by their names. */
sheets.keyframes = () => {
  const all = new Map();
  eachSheet((sheet) => {
    for (const [name, body] of sheet._rules.keyframes ?? []) all.set(name, body);
  });
  return all;
};
/** Layers from the weakest: in the order of their first appearance, inner ones before what stands in the outer one itself. */
sheets.layers = perTree(() => {
  const layers = [];
  const enter = (name) => {
    if (layers.includes(name)) return;
    const dot = name.lastIndexOf(".");
    if (dot < 0) return void layers.push(name);
    enter(name.slice(0, dot));
    layers.splice(layers.indexOf(name.slice(0, dot)), 0, name);
  };
  eachSheet((sheet) => {
    for (const name of sheet._rules.layers ?? []) enter(name);
  });
  return layers;
});
sheets.properties = perTree(() => {
  const properties = new Map();
  eachSheet((sheet) => {
    for (const [name, registered] of sheet._rules.properties ?? []) properties.set(name, registered);
  });
  return properties;
});
void viewport;

// --- DOMParser and XMLSerializer ------------------------------------------------------------------------------------

function parseDocument(html) {
  const made = new HTMLDocument();
  for (const step of buildNodes(made, op_parse_html(html), made, true)) void step;
  return made;
}

function parseXml(text, type) {
  const made = new XMLDocument();
  made._type = type;
  buildXml(made, text);
  return made;
}

class DOMParser {
  parseFromString(text, type) {
    required(arguments.length, 2, "Failed to execute 'parseFromString' on 'DOMParser'");
    if (type === "text/html") return parseDocument(`${text}`);
    if (["text/xml", "application/xml", "application/xhtml+xml", "image/svg+xml"].includes(type)) return parseXml(`${text}`, type);
    throw new TypeError(`Failed to execute 'parseFromString' on 'DOMParser': The provided value '${type}' is not a valid enum value of type DOMParserSupportedType.`);
  }
}
exposeInterface(DOMParser);
class XMLSerializer {
  serializeToString(node) {
    if (!isNode(node)) throw new TypeError("Failed to execute 'serializeToString' on 'XMLSerializer': parameter 1 is not of type 'Node'.");
    return serializeXml(node);
  }
}
exposeInterface(XMLSerializer);

const document = new HTMLDocument();

export { Document, document, tagOf };
