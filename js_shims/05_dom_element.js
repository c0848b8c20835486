// Element: attributes, tree of elements, markup (DOM Standard 4.9, HTML 2 and 8.5).
import { exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { hide } from "ext:replay/02_events.js";
import {
  DOCUMENT_FRAGMENT_NODE, ELEMENT_NODE, HTMLCollection, Node, Text, after, before, detach, insert, kChildren, kDocument, kUp, liveList,
  record, replaceWith, staticList, toNodes, version,
} from "ext:replay/05_dom_node.js";
import { matches } from "ext:replay/05_dom_selectors.js";
import { boxOf, makeStyle, sheets } from "ext:replay/05_dom_style.js";
import { camelToKebab, kebabToCamel, lower, upper } from "ext:replay/05_dom_util.js";
import { op_parse_html_fragment } from "ext:core/ops";

const { ArrayPrototypeFilter, ArrayPrototypePush, ArrayPrototypeSlice, Proxy, ReflectOwnKeys, SafeMap, Symbol, SymbolIterator, TypeError } = primordials;

const HTML_NS = "http://www.w3.org/1999/xhtml";
const kAttrs = Symbol("attributes");
const kStyle = Symbol("style");
const kLazy = Symbol("lazy");

/** What attribute changes mean to kinds of elements; set by the files that define them. */
const attributeHooks = { __proto__: null, changed: null, named: null };

class Attr {
  constructor(key, owner, name) {
    illegalConstructor(key);
    hide(this, "_owner", owner);
    hide(this, "_name", name);
  }
  get name() {
    return this._name;
  }
  get localName() {
    return this._name;
  }
  get nodeName() {
    return this._name;
  }
  get value() {
    return this._owner.getAttribute(this._name) ?? "";
  }
  set value(text) {
    this._owner.setAttribute(this._name, text);
  }
  get nodeValue() {
    return this.value;
  }
  get textContent() {
    return this.value;
  }
  set textContent(text) {
    this.value = text;
  }
  get ownerElement() {
    return this._owner;
  }
  get specified() {
    return true;
  }
}
exposeInterface(Attr);

class NamedNodeMap {
  constructor(key, owner) {
    illegalConstructor(key);
    hide(this, "_owner", owner);
    let i = 0;
    for (const name of owner[kAttrs].keys()) {
      const attribute = new Attr(illegal, owner, name);
      this[i++] = attribute;
      // Legacy unenumerable named properties (Web IDL): `attributes.id`, unless the map has a member of that name.
      if (!(name in this)) hide(this, name, attribute);
    }
  }
  get length() {
    return this._owner[kAttrs].size;
  }
  item(i) {
    return this[i] ?? null;
  }
  getNamedItem(name) {
    return this._owner.hasAttribute(name) ? new Attr(illegal, this._owner, name) : null;
  }
  [SymbolIterator]() {
    return [...this._owner[kAttrs].keys()].map((n) => new Attr(illegal, this._owner, n)).values();
  }
}
exposeInterface(NamedNodeMap);

class DOMTokenList {
  #owner;
  #name;
  constructor(key, owner, name) {
    illegalConstructor(key);
    this.#owner = owner;
    this.#name = name;
  }
  _get() {
    const text = this.#owner.getAttribute(this.#name);
    return text === null ? [] : [...new Set(text.split(/\s+/).filter((t) => t !== ""))];
  }
  _set(list) {
    this.#owner.setAttribute(this.#name, list.join(" "));
  }
  _check(tokens) {
    for (const t of tokens) {
      if (`${t}` === "") throw new DOMException("The token provided must not be empty.", "SyntaxError");
      if (/\s/.test(`${t}`)) throw new DOMException(`The token provided ('${t}') contains HTML space characters, which are not valid in tokens.`, "InvalidCharacterError");
    }
  }
  get length() {
    return this._get().length;
  }
  get value() {
    return this.#owner.getAttribute(this.#name) ?? "";
  }
  set value(text) {
    this.#owner.setAttribute(this.#name, text);
  }
  item(i) {
    return this._get()[i] ?? null;
  }
  contains(token) {
    return this._get().includes(`${token}`);
  }
  add(...tokens) {
    this._check(tokens);
    this._set([...new Set([...this._get(), ...tokens.map(String)])]);
  }
  remove(...tokens) {
    this._check(tokens);
    const drop = tokens.map(String);
    if (this.#owner.hasAttribute(this.#name)) this._set(this._get().filter((t) => !drop.includes(t)));
  }
  toggle(token, force = undefined) {
    this._check([token]);
    const has = this.contains(token);
    const want = force === undefined ? !has : !!force;
    if (want !== has) want ? this.add(token) : this.remove(token);
    return want;
  }
  replace(old, token) {
    const list = this._get();
    const at = list.indexOf(`${old}`);
    if (at < 0) return false;
    list[at] = `${token}`;
    this._set([...new Set(list)]);
    return true;
  }
  supports() {
    return true;
  }
  forEach(callback, self = undefined) {
    this._get().forEach((t, i) => callback.call(self, t, i, this));
  }
  toString() {
    return this.value;
  }
  keys() {
    return this._get().keys();
  }
  values() {
    return this._get().values();
  }
  entries() {
    return this._get().entries();
  }
  [SymbolIterator]() {
    return this._get().values();
  }
}
exposeInterface(DOMTokenList);

/** Changes a rectangle: only those that are not read-only pass it on. */
let changeRect;
class DOMRectReadOnly {
  #x;
  #y;
  #w;
  #h;
  static {
    changeRect = (rect, x, y, width, height) => {
      rect.#x = +x;
      rect.#y = +y;
      rect.#w = +width;
      rect.#h = +height;
    };
  }
  constructor(x = 0, y = 0, width = 0, height = 0) {
    this.#x = +x;
    this.#y = +y;
    this.#w = +width;
    this.#h = +height;
  }
  get x() {
    return this.#x;
  }
  get y() {
    return this.#y;
  }
  get width() {
    return this.#w;
  }
  get height() {
    return this.#h;
  }
  get left() {
    return Math.min(this.#x, this.#x + this.#w);
  }
  get right() {
    return Math.max(this.#x, this.#x + this.#w);
  }
  get top() {
    return Math.min(this.#y, this.#y + this.#h);
  }
  get bottom() {
    return Math.max(this.#y, this.#y + this.#h);
  }
  toJSON() {
    const { x, y, width, height, top, right, bottom, left } = this;
    return { x, y, width, height, top, right, bottom, left };
  }
  static fromRect(r = {}) {
    return new this(r.x, r.y, r.width, r.height);
  }
}
exposeInterface(DOMRectReadOnly);
class DOMRect extends DOMRectReadOnly {
  get x() {
    return super.x;
  }
  set x(value) {
    changeRect(this, value, this.y, this.width, this.height);
  }
  get y() {
    return super.y;
  }
  set y(value) {
    changeRect(this, this.x, value, this.width, this.height);
  }
  get width() {
    return super.width;
  }
  set width(value) {
    changeRect(this, this.x, this.y, value, this.height);
  }
  get height() {
    return super.height;
  }
  set height(value) {
    changeRect(this, this.x, this.y, this.width, value);
  }
}
exposeInterface(DOMRect);

/** ParentNode and NonElementParentNode, mixed into Element, Document and DocumentFragment. */
const parentMixin = {
  get children() {
    return liveList(this, HTMLCollection, () => ArrayPrototypeFilter(this[kChildren], (n) => n.nodeType === ELEMENT_NODE), "children");
  },
  get childElementCount() {
    return ArrayPrototypeFilter(this[kChildren], (n) => n.nodeType === ELEMENT_NODE).length;
  },
  get firstElementChild() {
    const c = this[kChildren];
    for (let i = 0; i < c.length; i++) if (c[i].nodeType === ELEMENT_NODE) return c[i];
    return null;
  },
  get lastElementChild() {
    const c = this[kChildren];
    for (let i = c.length - 1; i >= 0; i--) if (c[i].nodeType === ELEMENT_NODE) return c[i];
    return null;
  },
  append(...items) {
    for (const node of toNodes(docOf(this), items)) insert(this, node, null, "append");
  },
  prepend(...items) {
    const first = this.firstChild;
    for (const node of toNodes(docOf(this), items)) insert(this, node, first, "prepend");
  },
  replaceChildren(...items) {
    const nodes = toNodes(docOf(this), items);
    removeChildren(this);
    for (const node of nodes) insert(this, node, null, "replaceChildren");
  },
  querySelector(selector) {
    required(arguments.length, 1, "Failed to execute 'querySelector'");
    return find(this, (e) => matches(e, `${selector}`, this));
  },
  querySelectorAll(selector) {
    required(arguments.length, 1, "Failed to execute 'querySelectorAll'");
    matches(globalThis.document.documentElement ?? globalThis.document.createElement("x"), `${selector}`);
    return staticList(descendants(this, (e) => matches(e, `${selector}`, this)));
  },
};
const byNames = {
  getElementsByTagName(name) {
    const want = lower(`${name}`);
    return liveList(this, HTMLCollection, () => descendants(this, (e) => want === "*" || lower(e.localName) === want), `tag ${want}`);
  },
  getElementsByTagNameNS(_ns, name) {
    return this.getElementsByTagName(name);
  },
  getElementsByClassName(names) {
    const want = `${names}`.split(/\s+/).filter((n) => n !== "");
    return liveList(this, HTMLCollection, () => descendants(this, (e) => want.every((n) => e.classList.contains(n))), `class ${names}`);
  },
};

function docOf(node) {
  return node.nodeType === 9 ? node : node[kDocument];
}

function removeChildren(node) {
  const list = ArrayPrototypeSlice(node[kChildren]);
  for (let i = 0; i < list.length; i++) detach(list[i]);
}

function descendants(root, test, out = []) {
  const c = root[kChildren];
  for (let i = 0; i < c.length; i++) {
    if (c[i].nodeType !== ELEMENT_NODE) continue;
    if (test(c[i])) ArrayPrototypePush(out, c[i]);
    descendants(c[i], test, out);
  }
  return out;
}

function find(root, test) {
  const c = root[kChildren];
  for (let i = 0; i < c.length; i++) {
    if (c[i].nodeType !== ELEMENT_NODE) continue;
    if (test(c[i])) return c[i];
    const inner = find(c[i], test);
    if (inner !== null) return inner;
  }
  return null;
}

/** Copies accessors and methods onto a prototype. */
function mixin(proto, source) {
  for (const key of ReflectOwnKeys(source)) Object.defineProperty(proto, key, Object.getOwnPropertyDescriptor(source, key));
}

class Element extends Node {
  constructor(key, document, localName, namespace = HTML_NS) {
    super(key, document);
    hide(this, kAttrs, new SafeMap());
    hide(this, "_name", localName);
    hide(this, "_ns", namespace);
  }
  get nodeType() {
    return ELEMENT_NODE;
  }
  get nodeName() {
    return this.tagName;
  }
  get tagName() {
    return this._ns === HTML_NS ? upper(this._name) : this._name;
  }
  get localName() {
    return this._name;
  }
  get namespaceURI() {
    return this._ns;
  }
  get prefix() {
    return null;
  }
  get id() {
    return this.getAttribute("id") ?? "";
  }
  set id(value) {
    this.setAttribute("id", value);
  }
  get className() {
    return this.getAttribute("class") ?? "";
  }
  set className(value) {
    this.setAttribute("class", value);
  }
  get classList() {
    return (this[kLazy].classList ??= new DOMTokenList(illegal, this, "class"));
  }
  set classList(value) {
    this.className = value;
  }
  get slot() {
    return this.getAttribute("slot") ?? "";
  }
  set slot(value) {
    this.setAttribute("slot", value);
  }
  get [kLazy]() {
    const lazy = { __proto__: null };
    hide(this, kLazy, lazy);
    return lazy;
  }
  get attributes() {
    return new NamedNodeMap(illegal, this);
  }
  getAttribute(name) {
    return this[kAttrs].get(this._key(name)) ?? null;
  }
  getAttributeNS(_ns, name) {
    return this.getAttribute(name);
  }
  getAttributeNames() {
    return [...this[kAttrs].keys()];
  }
  getAttributeNode(name) {
    return this.hasAttribute(name) ? new Attr(illegal, this, this._key(name)) : null;
  }
  hasAttribute(name) {
    return this[kAttrs].has(this._key(name));
  }
  hasAttributeNS(_ns, name) {
    return this.hasAttribute(name);
  }
  hasAttributes() {
    return this[kAttrs].size > 0;
  }
  setAttribute(name, value) {
    required(arguments.length, 2, "Failed to execute 'setAttribute' on 'Element'");
    const key = this._key(name);
    if (key === "" || /[\s"'<>/=]/.test(key)) {
      throw new DOMException(`Failed to execute 'setAttribute' on 'Element': '${name}' is not a valid attribute name.`, "InvalidCharacterError");
    }
    this._change(key, `${value}`);
  }
  setAttributeNS(_ns, name, value) {
    this._change(`${name}`.includes(":") ? `${name}` : this._key(name), `${value}`);
  }
  removeAttribute(name) {
    const key = this._key(name);
    if (this[kAttrs].has(key)) this._change(key, null);
  }
  removeAttributeNS(_ns, name) {
    this.removeAttribute(name);
  }
  toggleAttribute(name, force = undefined) {
    const has = this.hasAttribute(name);
    const want = force === undefined ? !has : !!force;
    if (want && !has) this.setAttribute(name, "");
    if (!want && has) this.removeAttribute(name);
    return want;
  }
  _key(name) {
    return this._ns === HTML_NS ? lower(`${name}`) : `${name}`;
  }
  _change(key, value) {
    const old = this[kAttrs].get(key) ?? null;
    if (value === null) this[kAttrs].delete(key);
    else this[kAttrs].set(key, value);
    version.tree++;
    if (key === "style" && this[kLazy][kStyle] !== undefined && !this[kLazy].writing) {
      this[kLazy].writing = true;
      this[kLazy][kStyle].cssText = value ?? "";
      this[kLazy].writing = false;
    }
    attributeHooks.changed?.(this, key, old, value);
    record(this, "attributes", { attributeName: key, oldValue: old });
  }
  get style() {
    const lazy = this[kLazy];
    if (lazy[kStyle] === undefined) {
      const style = makeStyle(this.getAttribute("style") ?? "", () => {
        lazy.writing = true;
        this._change("style", style.cssText);
        lazy.writing = false;
      });
      lazy[kStyle] = style;
    }
    return lazy[kStyle];
  }
  set style(text) {
    this.style.cssText = text;
  }
  get nextElementSibling() {
    let n = this.nextSibling;
    while (n !== null && n.nodeType !== ELEMENT_NODE) n = n.nextSibling;
    return n;
  }
  get previousElementSibling() {
    let n = this.previousSibling;
    while (n !== null && n.nodeType !== ELEMENT_NODE) n = n.previousSibling;
    return n;
  }
  get textContent() {
    let out = "";
    const c = this[kChildren];
    for (let i = 0; i < c.length; i++) if (c[i].nodeType !== 8) out += c[i].textContent;
    return out;
  }
  set textContent(value) {
    removeChildren(this);
    const text = value === null || value === undefined ? "" : `${value}`;
    if (text !== "") insert(this, new Text(text), null, "appendChild");
  }
  get innerHTML() {
    return serializeChildren(this);
  }
  set innerHTML(html) {
    // A template's children are its content.
    const into = this._name === "template" && this.content !== undefined ? this.content : this;
    const made = fragmentOf(this, html === null ? "" : `${html}`);
    removeChildren(into);
    insert(into, made, null, "appendChild");
  }
  get outerHTML() {
    return serialize(this);
  }
  set outerHTML(html) {
    if (this[kUp] !== null) this.replaceWith(fragmentOf(this[kUp], `${html}`));
  }
  insertAdjacentHTML(where, html) {
    place(this, where, fragmentOf(this, `${html}`));
  }
  insertAdjacentElement(where, element) {
    place(this, where, element);
    return element;
  }
  insertAdjacentText(where, text) {
    place(this, where, new Text(`${text}`));
  }
  matches(selector) {
    return matches(this, `${selector}`);
  }
  webkitMatchesSelector(selector) {
    return this.matches(selector);
  }
  closest(selector) {
    for (let e = this; e !== null; e = e.parentElement) if (matches(e, `${selector}`, this)) return e;
    return null;
  }
  remove() {
    detach(this);
  }
  before(...nodes) {
    before(this, nodes);
  }
  after(...nodes) {
    after(this, nodes);
  }
  replaceWith(...nodes) {
    replaceWith(this, nodes);
  }
  getBoundingClientRect() {
    sheets.flush();
    const b = boxOf(this);
    return new DOMRect(b.x, b.y, b.width, b.height);
  }
  getClientRects() {
    return [this.getBoundingClientRect()];
  }
  get clientWidth() {
    sheets.flush();
    return Math.round(boxOf(this).width);
  }
  get clientHeight() {
    sheets.flush();
    return Math.round(boxOf(this).height);
  }
  get clientLeft() {
    return 0;
  }
  get clientTop() {
    return 0;
  }
  get scrollWidth() {
    return this.clientWidth;
  }
  checkVisibility() {
    return this.isConnected;
  }
  setPointerCapture() {}
  releasePointerCapture() {}
  hasPointerCapture() {
    return false;
  }
  requestPointerLock() {
    return Promise.resolve();
  }
  requestFullscreen() {
    return Promise.resolve();
  }
  // Filled in by 05_dom_transitions.js.
  getAnimations() {}
  animate() {}
  attachShadow(options = {}) {
    const root = new ShadowRoot(illegal, this[kDocument], this, options.mode ?? "open");
    this[kLazy].shadow = root;
    return root;
  }
  get shadowRoot() {
    const root = this[kLazy].shadow;
    return root !== undefined && root.mode === "open" ? root : null;
  }
  _clone() {
    const copy = this[kDocument]._make(this._name, this._ns);
    for (const [k, v] of this[kAttrs]) copy._change(k, v);
    return copy;
  }
}
mixin(Element.prototype, parentMixin);
mixin(Element.prototype, byNames);
exposeInterface(Element);

class DocumentFragment extends Node {
  constructor(key = illegal, document = globalThis.document) {
    super(key === illegal ? illegal : illegal, document);
  }
  get nodeType() {
    return DOCUMENT_FRAGMENT_NODE;
  }
  get nodeName() {
    return "#document-fragment";
  }
  get textContent() {
    let out = "";
    for (const c of this[kChildren]) if (c.nodeType !== 8) out += c.textContent;
    return out;
  }
  set textContent(value) {
    removeChildren(this);
    if (`${value ?? ""}` !== "") insert(this, new Text(`${value}`), null, "appendChild");
  }
  getElementById(id) {
    return find(this, (e) => e.id === `${id}`);
  }
  _clone() {
    return new DocumentFragment(illegal, this[kDocument]);
  }
}
mixin(DocumentFragment.prototype, parentMixin);
exposeInterface(DocumentFragment);

class ShadowRoot extends DocumentFragment {
  #host;
  #mode;
  constructor(key, document, host, mode) {
    illegalConstructor(key);
    super(key, document);
    this.#host = host;
    this.#mode = mode;
  }
  get host() {
    return this.#host;
  }
  get mode() {
    return this.#mode;
  }
  get innerHTML() {
    return serializeChildren(this);
  }
  set innerHTML(html) {
    removeChildren(this);
    insert(this, fragmentOf(this.#host, `${html}`), null, "appendChild");
  }
  get isConnected() {
    return this.#host.isConnected;
  }
  get adoptedStyleSheets() {
    return [];
  }
  set adoptedStyleSheets(value) {}
}
exposeInterface(ShadowRoot);

/** Nodes of a flat list from the parser, as children of `root`; `each` sees every node once it is in the tree. */
function* buildNodes(document, list, root, fragment) {
  const made = [];
  for (let i = 0; i < list.length; i++) {
    const f = list[i];
    let node;
    if (f.kind === 1) {
      node = document._make(f.name, f.ns === "" ? HTML_NS : f.ns);
      hide(node, "_line", f.line);
      if (fragment) hide(node, "_started", true);
      for (let a = 0; a < f.attrs.length; a++) node._change(f.attrs[a][0], f.attrs[a][1]);
      node._made?.();
    } else if (f.kind === 3) node = document.createTextNode(f.name);
    else if (f.kind === 8) node = document.createComment(f.name);
    else node = document._doctype(f.name);
    made[i] = node;
    const parent = f.parent < 0 ? root : made[f.parent];
    // A template's children are its content.
    insert(parent._name === "template" && parent.content !== undefined ? parent.content : parent, node, null, "appendChild");
    yield { node, next: i + 1 < list.length ? list[i + 1].parent : -1, index: i };
  }
}

function fragmentOf(context, html) {
  const document = docOf(context);
  const fragment = new DocumentFragment(illegal, document);
  const name = context.nodeType === ELEMENT_NODE ? context.localName : "body";
  for (const step of buildNodes(document, op_parse_html_fragment(html, name), fragment, true)) void step;
  return fragment;
}

function place(element, where, node) {
  switch (lower(`${where}`)) {
    case "beforebegin": return void (element[kUp] !== null && insert(element[kUp], node, element, "insertAdjacent"));
    case "afterbegin": return void insert(element, node, element.firstChild, "insertAdjacent");
    case "beforeend": return void insert(element, node, null, "insertAdjacent");
    case "afterend": return void (element[kUp] !== null && insert(element[kUp], node, element.nextSibling, "insertAdjacent"));
    default: throw new DOMException(`The value provided ('${where}') is not one of 'beforebegin', 'afterbegin', 'beforeend', or 'afterend'.`, "SyntaxError");
  }
}

// --- serialisation (HTML, 13.3) -------------------------------------------------------------------------------------

const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
const RAW = new Set(["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"]);
const escape = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const escapeAttr = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function serialize(node) {
  switch (node.nodeType) {
    case ELEMENT_NODE: {
      let out = `<${node.localName}`;
      for (const [k, v] of node[kAttrs]) out += ` ${k}="${escapeAttr(v)}"`;
      out += ">";
      return VOID.has(node.localName) ? out : `${out}${serializeChildren(node)}</${node.localName}>`;
    }
    case 3: {
      const parent = node[kUp];
      return parent !== null && RAW.has(parent.localName) ? node.data : escape(node.data);
    }
    case 8: return `<!--${node.data}-->`;
    case 10: return `<!DOCTYPE ${node.name}>`;
    default: return serializeChildren(node);
  }
}

function serializeChildren(node) {
  const from = node._name === "template" && node.content !== undefined ? node.content : node;
  let out = "";
  for (const c of from[kChildren]) out += serialize(c);
  return out;
}

/** `element.dataset`. */
function makeDataset(element) {
  return new Proxy(Object.create(null), {
    get: (_, key) => (typeof key === "string" ? element.getAttribute(`data-${camelToKebab(key)}`) ?? undefined : undefined),
    set: (_, key, value) => (element.setAttribute(`data-${camelToKebab(key)}`, value), true),
    has: (_, key) => typeof key === "string" && element.hasAttribute(`data-${camelToKebab(key)}`),
    deleteProperty: (_, key) => (element.removeAttribute(`data-${camelToKebab(key)}`), true),
    ownKeys: () => element.getAttributeNames().filter((n) => n.startsWith("data-")).map((n) => kebabToCamel(n.slice(5))),
    getOwnPropertyDescriptor: (_, key) => {
      const value = element.getAttribute(`data-${camelToKebab(key)}`);
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
void TypeError;

export {
  DOMRect, DOMRectReadOnly, DOMTokenList, DocumentFragment, Element, HTML_NS, ShadowRoot, attributeHooks, buildNodes, byNames, descendants,
  find, kAttrs, kLazy, makeDataset, mixin, parentMixin, removeChildren, serialize,
};
