// Element, ParentNode, DocumentFragment, ShadowRoot (DOM 4.5 to 4.9).
import { exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { hide } from "ext:replay/02_events.js";
import { Attr, DOMTokenList, NamedNodeMap, kAttrs } from "ext:replay/05_dom_attributes.js";
import { boxOf } from "ext:replay/05_dom_boxes.js";
import { fragmentOf, serialize, serializeChildren } from "ext:replay/05_dom_markup.js";
import {
  DOCUMENT_FRAGMENT_NODE, ELEMENT_NODE, HTMLCollection, Node, Text, after, before, detach, insert, kChildren, kDocument, kUp, liveList,
  record, replaceWith, staticList, toNodes, version,
} from "ext:replay/05_dom_node.js";
import { DOMRect } from "ext:replay/05_dom_rect.js";
import { matches } from "ext:replay/05_dom_selectors.js";
import { adoptedSheets, sheets } from "ext:replay/05_dom_sheets.js";
import { makeStyle } from "ext:replay/05_dom_style.js";
import { lower, upper } from "ext:replay/05_dom_util.js";

const { ArrayPrototypeFilter, ArrayPrototypePush, ArrayPrototypeSlice, ReflectOwnKeys, SafeMap, Symbol } = primordials;

const HTML_NS = "http://www.w3.org/1999/xhtml";
const kStyle = Symbol("style");
const kLazy = Symbol("lazy");

/** What attribute changes mean to kinds of elements; set by the files that define them. */
const attributeHooks = { __proto__: null, changed: null, named: null };

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
    const want = `${name}`, low = lower(want), html = docOf(this)._type === "text/html";
    const is = (e) => want === "*" || qualified(e) === (html && e._ns === HTML_NS ? low : want);
    return liveList(this, HTMLCollection, () => descendants(this, is), `tag ${want}`);
  },
  getElementsByTagNameNS(ns, name) {
    const want = `${name}`, space = ns === null || ns === undefined ? "" : `${ns}`;
    const is = (e) => (want === "*" || e._name === want) && (space === "*" || e._ns === space);
    return liveList(this, HTMLCollection, () => descendants(this, is), `tag ${want} of ${space}`);
  },
  getElementsByClassName(names) {
    const want = `${names}`.split(/\s+/).filter((n) => n !== "");
    return liveList(this, HTMLCollection, () => descendants(this, (e) => want.every((n) => e.classList.contains(n))), `class ${names}`);
  },
};

function qualified(element) {
  return element._prefix === undefined ? element._name : `${element._prefix}:${element._name}`;
}

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
    return this._ns === HTML_NS && this[kDocument]._type === "text/html" ? upper(this._name) : qualified(this);
  }
  get localName() {
    return this._name;
  }
  get namespaceURI() {
    return this._ns === "" ? null : this._ns;
  }
  get prefix() {
    return this._prefix ?? null;
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
  getAttributeNS(ns, name) {
    const key = this._keyNS(ns, name);
    return key === null ? null : this[kAttrs].get(key);
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
  hasAttributeNS(ns, name) {
    return this._keyNS(ns, name) !== null;
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
  setAttributeNS(ns, name, value) {
    const key = `${name}`.includes(":") ? `${name}` : this._key(name);
    if (ns !== null && ns !== undefined && ns !== "") this._setSpace(key, `${ns}`);
    this._change(key, `${value}`);
  }
  /** The namespace of the attribute that is written `key`. */
  _setSpace(key, space) {
    (this[kLazy].spaces ??= new SafeMap()).set(key, space);
  }
  removeAttribute(name) {
    const key = this._key(name);
    if (this[kAttrs].has(key)) this._change(key, null);
  }
  removeAttributeNS(ns, name) {
    const key = this._keyNS(ns, name);
    if (key !== null) this._change(key, null);
  }
  toggleAttribute(name, force = undefined) {
    const has = this.hasAttribute(name);
    const want = force === undefined ? !has : !!force;
    if (want && !has) this.setAttribute(name, "");
    if (!want && has) this.removeAttribute(name);
    return want;
  }
  _key(name) {
    return this._ns === HTML_NS && this[kDocument]._type === "text/html" ? lower(`${name}`) : `${name}`;
  }
  /** The name as it is written of the attribute `local` in namespace `ns`; null if there is none. */
  _keyNS(ns, local) {
    const name = `${local}`, space = ns === null || ns === undefined ? "" : `${ns}`;
    for (const [key] of this[kAttrs]) {
      const colon = key.indexOf(":");
      if (key.slice(colon + 1) !== name) continue;
      const own = this[kLazy].spaces?.get(key) ?? (colon < 0 ? "" : this.lookupNamespaceURI(key.slice(0, colon)) ?? "");
      if (own === space) return key;
    }
    return null;
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
    const beside = /^(?:beforebegin|afterend)$/i.test(`${where}`);
    place(this, where, fragmentOf(beside ? this.parentElement ?? this[kDocument] : this, `${html}`));
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
    if (this._prefix !== undefined) hide(copy, "_prefix", this._prefix);
    if (this[kLazy].spaces !== undefined) copy[kLazy].spaces = new SafeMap(this[kLazy].spaces);
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
  get adoptedStyleSheets() {
    if (this._adopted === undefined) hide(this, "_adopted", adoptedSheets([]));
    return this._adopted;
  }
  set adoptedStyleSheets(list) {
    hide(this, "_adopted", adoptedSheets(list));
  }
}
exposeInterface(ShadowRoot);

function place(element, where, node) {
  switch (lower(`${where}`)) {
    case "beforebegin": return void (element[kUp] !== null && insert(element[kUp], node, element, "insertAdjacent"));
    case "afterbegin": return void insert(element, node, element.firstChild, "insertAdjacent");
    case "beforeend": return void insert(element, node, null, "insertAdjacent");
    case "afterend": return void (element[kUp] !== null && insert(element[kUp], node, element.nextSibling, "insertAdjacent"));
    default: throw new DOMException(`The value provided ('${where}') is not one of 'beforebegin', 'afterbegin', 'beforeend', or 'afterend'.`, "SyntaxError");
  }
}

export { DocumentFragment, Element, HTML_NS, attributeHooks, byNames, descendants, docOf, find, kLazy, mixin, parentMixin, removeChildren };
