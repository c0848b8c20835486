// The tree: Node, text, fragments, lists, MutationObserver (DOM Standard, section 4).
import { constants, exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, hide, kParent } from "ext:replay/02_events.js";
import { queueMicrotaskReal } from "ext:replay/05_dom_util.js";

const {
  ArrayPrototypeFilter, ArrayPrototypeIndexOf, ArrayPrototypePush, ArrayPrototypeSlice, ArrayPrototypeSplice,
  ArrayPrototypeSymbolIterator, ObjectDefineProperty, ObjectPrototypeIsPrototypeOf, Proxy, ReflectGet, ReflectGetOwnPropertyDescriptor, ReflectHas, ReflectOwnKeys, Symbol, SymbolIterator,
  TypeError,
} = primordials;

const ELEMENT_NODE = 1, TEXT_NODE = 3, COMMENT_NODE = 8, DOCUMENT_NODE = 9, DOCUMENT_TYPE_NODE = 10, DOCUMENT_FRAGMENT_NODE = 11;

/** What the insertion and removal of nodes means to kinds of elements (scripts, images, canvases). */
const hooks = { __proto__: null, connected: null, disconnected: null };

/** Bumped by every change of the tree or of attributes: caches of selectors and styles depend on it. */
const version = { __proto__: null, tree: 0 };

const kChildren = Symbol("children");
const kDocument = Symbol("document");

// `_children` and `_parent` would be seen by pages that walk an object's keys, so they hide behind symbols.
const kUp = Symbol("parent");

/** The element that `node` is in as it is laid out: of what stands outermost in a shadow tree, its host. */
function flatParent(node) {
  const up = node[kUp];
  if (up === null || up === undefined) return null;
  return up.nodeType === ELEMENT_NODE ? up : up.host ?? null;
}

class Node extends EventTarget {
  constructor(key, document) {
    illegalConstructor(key);
    super();
    hide(this, kChildren, []);
    hide(this, kUp, null);
    hide(this, kDocument, document);
  }
  [kParent](event) {
    void event;
    return this[kUp];
  }
  get nodeType() {
    return 0;
  }
  get nodeName() {
    return "";
  }
  get baseURI() {
    return this[kDocument]?.baseURI ?? globalThis.document.baseURI;
  }
  get ownerDocument() {
    return this.nodeType === DOCUMENT_NODE ? null : this[kDocument];
  }
  get isConnected() {
    let root = this.getRootNode();
    while (root.nodeType === DOCUMENT_FRAGMENT_NODE && root.host !== undefined) root = root.host.getRootNode();
    return root.nodeType === DOCUMENT_NODE;
  }
  getRootNode() {
    let node = this;
    while (node[kUp] !== null) node = node[kUp];
    return node;
  }
  get parentNode() {
    return this[kUp];
  }
  get parentElement() {
    const parent = this[kUp];
    return parent !== null && parent.nodeType === ELEMENT_NODE ? parent : null;
  }
  get childNodes() {
    return liveList(this, NodeList, () => this[kChildren]);
  }
  hasChildNodes() {
    return this[kChildren].length > 0;
  }
  get firstChild() {
    return this[kChildren][0] ?? null;
  }
  get lastChild() {
    const c = this[kChildren];
    return c[c.length - 1] ?? null;
  }
  get previousSibling() {
    return sibling(this, -1);
  }
  get nextSibling() {
    return sibling(this, 1);
  }
  get nodeValue() {
    return null;
  }
  set nodeValue(value) {}
  get textContent() {
    return null;
  }
  set textContent(value) {}
  appendChild(node) {
    required(arguments.length, 1, "Failed to execute 'appendChild' on 'Node'");
    return insert(this, node, null, "appendChild");
  }
  insertBefore(node, before) {
    required(arguments.length, 2, "Failed to execute 'insertBefore' on 'Node'");
    return insert(this, node, before ?? null, "insertBefore");
  }
  removeChild(node) {
    required(arguments.length, 1, "Failed to execute 'removeChild' on 'Node'");
    if (!isNode(node)) {
      throw new TypeError("Failed to execute 'removeChild' on 'Node': parameter 1 is not of type 'Node'.");
    }
    if (node[kUp] !== this) {
      throw new DOMException("Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.", "NotFoundError");
    }
    detach(node);
    return node;
  }
  replaceChild(node, old) {
    if (!isNode(old) || old[kUp] !== this) {
      throw new DOMException("Failed to execute 'replaceChild' on 'Node': The node to be replaced is not a child of this node.", "NotFoundError");
    }
    if (node === old) return old;
    insert(this, node, old, "replaceChild");
    detach(old);
    return old;
  }
  contains(other) {
    for (let node = other ?? null; node !== null; node = node[kUp]) if (node === this) return true;
    return false;
  }
  compareDocumentPosition(other) {
    if (this === other) return 0;
    if (this.contains(other)) return 20;
    if (other.contains(this)) return 10;
    const a = ancestors(this), b = ancestors(other);
    if (a[0] !== b[0]) return 35;
    let i = 0;
    while (a[i] === b[i]) i++;
    const list = a[i - 1][kChildren];
    return ArrayPrototypeIndexOf(list, a[i]) < ArrayPrototypeIndexOf(list, b[i]) ? 4 : 2;
  }
  isSameNode(other) {
    return this === other;
  }
  isEqualNode(other) {
    return this === other || (isNode(other) && this.nodeName === other.nodeName && this.outerHTML === other.outerHTML && this.textContent === other.textContent);
  }
  cloneNode(deep = false) {
    const copy = this._clone();
    if (deep) for (const child of this[kChildren]) insert(copy, child.cloneNode(true), null, "cloneNode");
    return copy;
  }
  normalize() {}
  /** What `prefix` (null: none) means here (DOM 4.4, "locate a namespace"); by parsers of HTML three are known anyway. */
  lookupNamespaceURI(prefix) {
    const name = prefix === null || prefix === undefined || prefix === "" ? null : `${prefix}`;
    let at = this.nodeType === DOCUMENT_NODE ? this.documentElement : this;
    for (; at !== null && at !== undefined; at = at[kUp]) {
      if (at.nodeType !== ELEMENT_NODE) continue;
      if (at.namespaceURI !== null && at.prefix === name) return at.namespaceURI;
      const told = at.getAttribute(name === null ? "xmlns" : `xmlns:${name}`);
      if (told !== null) return told === "" ? null : told;
    }
    return name === null ? null : KNOWN_PREFIXES[name] ?? null;
  }
}
const KNOWN_PREFIXES = {
  __proto__: null, xlink: "http://www.w3.org/1999/xlink", xml: "http://www.w3.org/XML/1998/namespace", xmlns: "http://www.w3.org/2000/xmlns/",
};
exposeInterface(Node);
constants(Node, {
  ELEMENT_NODE, ATTRIBUTE_NODE: 2, TEXT_NODE, CDATA_SECTION_NODE: 4, ENTITY_REFERENCE_NODE: 5, ENTITY_NODE: 6,
  PROCESSING_INSTRUCTION_NODE: 7, COMMENT_NODE, DOCUMENT_NODE, DOCUMENT_TYPE_NODE, DOCUMENT_FRAGMENT_NODE, NOTATION_NODE: 12,
  DOCUMENT_POSITION_DISCONNECTED: 1, DOCUMENT_POSITION_PRECEDING: 2, DOCUMENT_POSITION_FOLLOWING: 4,
  DOCUMENT_POSITION_CONTAINS: 8, DOCUMENT_POSITION_CONTAINED_BY: 16, DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC: 32,
});

function isNode(value) {
  return typeof value === "object" && value !== null && ObjectPrototypeIsPrototypeOf(Node.prototype, value);
}

function ancestors(node) {
  const list = [];
  for (let n = node; n !== null; n = n[kUp]) list.unshift(n);
  return list;
}

function sibling(node, step) {
  const parent = node[kUp];
  if (parent === null) return null;
  return parent[kChildren][ArrayPrototypeIndexOf(parent[kChildren], node) + step] ?? null;
}

function detach(node) {
  const parent = node[kUp];
  if (parent === null) return;
  const was = node.isConnected;
  const list = parent[kChildren];
  const at = ArrayPrototypeIndexOf(list, node);
  const previous = list[at - 1] ?? null, next = list[at + 1] ?? null;
  ArrayPrototypeSplice(list, at, 1);
  node[kUp] = null;
  version.tree++;
  record(parent, "childList", { removedNodes: [node], previousSibling: previous, nextSibling: next });
  if (was) walk(node, hooks.disconnected);
}

function walk(node, visit) {
  if (visit === null) return;
  visit(node);
  const children = ArrayPrototypeSlice(node[kChildren]);
  for (let i = 0; i < children.length; i++) walk(children[i], visit);
}

/** DOM Standard, "pre-insert". */
function insert(parent, node, before, what) {
  if (!isNode(node)) {
    throw new TypeError(`Failed to execute '${what}' on 'Node': parameter 1 is not of type 'Node'.`);
  }
  if (node.contains(parent)) {
    throw new DOMException(`Failed to execute '${what}' on 'Node': The new child element contains the parent.`, "HierarchyRequestError");
  }
  if (before !== null && before[kUp] !== parent) {
    throw new DOMException(`Failed to execute '${what}' on 'Node': The node before which the new node is to be inserted is not a child of this node.`, "NotFoundError");
  }
  if (parent.nodeType === TEXT_NODE || parent.nodeType === COMMENT_NODE) {
    throw new DOMException(`Failed to execute '${what}' on 'Node': This node type does not support this method.`, "HierarchyRequestError");
  }
  if (node.nodeType === DOCUMENT_FRAGMENT_NODE) {
    const children = ArrayPrototypeSlice(node[kChildren]);
    for (let i = 0; i < children.length; i++) insert(parent, children[i], before, what);
    return node;
  }
  if (before === node) before = node.nextSibling;
  detach(node);
  const list = parent[kChildren];
  const at = before === null ? list.length : ArrayPrototypeIndexOf(list, before);
  ArrayPrototypeSplice(list, at, 0, node);
  node[kUp] = parent;
  version.tree++;
  const document = parent.nodeType === DOCUMENT_NODE ? parent : parent[kDocument];
  if (node[kDocument] !== document) walk(node, (n) => (n[kDocument] = document));
  record(parent, "childList", { addedNodes: [node], previousSibling: list[at - 1] ?? null, nextSibling: list[at + 1] ?? null });
  if (parent.isConnected) walk(node, hooks.connected);
  return node;
}

/** What `append(...)` and its like take: nodes, and anything else as text. */
function toNodes(document, items) {
  const out = [];
  for (let i = 0; i < items.length; i++) ArrayPrototypePush(out, isNode(items[i]) ? items[i] : document.createTextNode(`${items[i]}`));
  return out;
}

// --- lists ----------------------------------------------------------------------------------------------------------

const kItems = Symbol("items");
const kLists = Symbol("lists");

/** What every kind of list has; `items` of one gives what is in it now. */
const listMembers = {
  get length() {
    return this[kItems]().length;
  },
  item(index) {
    return this[kItems]()[index >>> 0] ?? null;
  },
  [SymbolIterator]() {
    return ArrayPrototypeSymbolIterator(ArrayPrototypeSlice(this[kItems]()));
  },
};

/** Makes `Class` a kind of list, which `makeList` makes. */
function exposeList(Class) {
  for (const key of ReflectOwnKeys(listMembers)) {
    ObjectDefineProperty(Class.prototype, key, { __proto__: null, ...ReflectGetOwnPropertyDescriptor(listMembers, key), enumerable: false });
  }
  exposeInterface(Class);
}

class NodeList {
  constructor(key) {
    illegalConstructor(key);
  }
  forEach(callback, self = undefined) {
    const list = ArrayPrototypeSlice(this[kItems]());
    for (let i = 0; i < list.length; i++) callback.call(self, list[i], i, this);
  }
  keys() {
    return ArrayPrototypeSlice(this[kItems]()).keys();
  }
  values() {
    return ArrayPrototypeSlice(this[kItems]()).values();
  }
  entries() {
    return ArrayPrototypeSlice(this[kItems]()).entries();
  }
}
exposeList(NodeList);

class HTMLCollection {
  constructor(key) {
    illegalConstructor(key);
  }
  namedItem(name) {
    const list = this[kItems]();
    for (let i = 0; i < list.length; i++) if (list[i].id === name || list[i].getAttribute("name") === name) return list[i];
    return null;
  }
}
exposeList(HTMLCollection);

const indexed = {
  __proto__: null,
  get(target, key) {
    if (typeof key === "string" && key !== "" && key >= "0" && key < ":") {
      const value = target[kItems]()[key];
      if (value !== undefined) return value;
    }
    const value = ReflectGet(target, key, target);
    if (value === undefined && typeof key === "string" && target.namedItem !== undefined) return target.namedItem(key) ?? undefined;
    return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
  },
  has(target, key) {
    return ReflectHas(target, key) || (typeof key === "string" && target[kItems]()[key] !== undefined);
  },
  ownKeys(target) {
    const keys = [];
    const list = target[kItems]();
    for (let i = 0; i < list.length; i++) ArrayPrototypePush(keys, `${i}`);
    for (const key of ReflectOwnKeys(target)) if (typeof key !== "string" || !(key >= "0" && key < ":")) ArrayPrototypePush(keys, key);
    return keys;
  },
  getOwnPropertyDescriptor(target, key) {
    const value = typeof key === "string" ? target[kItems]()[key] : undefined;
    if (value !== undefined) return { value, writable: false, enumerable: true, configurable: true };
    return Reflect.getOwnPropertyDescriptor(target, key);
  },
};

function makeList(Class, items) {
  const list = new Class(illegal);
  hide(list, kItems, items);
  return new Proxy(list, indexed);
}

/** One live list per owner and kind. */
function liveList(owner, Class, items, name = "childNodes") {
  let lists = owner[kLists];
  if (lists === undefined) {
    lists = { __proto__: null };
    hide(owner, kLists, lists);
  }
  return (lists[name] ??= makeList(Class, items));
}

/** What querySelectorAll gives. */
function staticList(items) {
  return makeList(NodeList, () => items);
}

// --- text -----------------------------------------------------------------------------------------------------------

class CharacterData extends Node {
  #data;
  constructor(key, document, data) {
    super(key, document);
    this.#data = `${data}`;
  }
  get data() {
    return this.#data;
  }
  set data(value) {
    const old = this.#data;
    this.#data = value === null ? "" : `${value}`;
    version.tree++;
    record(this, "characterData", { oldValue: old });
  }
  get length() {
    return this.#data.length;
  }
  get nodeValue() {
    return this.#data;
  }
  set nodeValue(value) {
    this.data = value;
  }
  get textContent() {
    return this.#data;
  }
  set textContent(value) {
    this.data = value;
  }
  substringData(offset, count) {
    return this.#data.slice(offset, offset + count);
  }
  appendData(data) {
    this.data += data;
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
}
exposeInterface(CharacterData);

class Text extends CharacterData {
  constructor(data = "") {
    super(illegal, globalThis.document, data);
  }
  get nodeType() {
    return TEXT_NODE;
  }
  get nodeName() {
    return "#text";
  }
  get wholeText() {
    return this.data;
  }
  _clone() {
    return new Text(this.data);
  }
}
exposeInterface(Text);

class Comment extends CharacterData {
  constructor(data = "") {
    super(illegal, globalThis.document, data);
  }
  get nodeType() {
    return COMMENT_NODE;
  }
  get nodeName() {
    return "#comment";
  }
  _clone() {
    return new Comment(this.data);
  }
}
exposeInterface(Comment);

class DocumentType extends Node {
  #name;
  constructor(key, document, name) {
    super(key, document);
    this.#name = name;
  }
  get nodeType() {
    return DOCUMENT_TYPE_NODE;
  }
  get nodeName() {
    return this.#name;
  }
  get name() {
    return this.#name;
  }
  get publicId() {
    return "";
  }
  get systemId() {
    return "";
  }
  _clone() {
    return new DocumentType(illegal, this[kDocument], this.#name);
  }
}
exposeInterface(DocumentType);

function before(node, items) {
  const parent = node[kUp];
  if (parent === null) return;
  for (const item of toNodes(node[kDocument], items)) insert(parent, item, node, "before");
}
function after(node, items) {
  const parent = node[kUp];
  if (parent === null) return;
  const next = node.nextSibling;
  for (const item of toNodes(node[kDocument], items)) insert(parent, item, next, "after");
}
function replaceWith(node, items) {
  const parent = node[kUp];
  if (parent === null) return;
  const next = node.nextSibling;
  detach(node);
  for (const item of toNodes(node[kDocument], items)) insert(parent, item, next, "replaceWith");
}

// --- MutationObserver -----------------------------------------------------------------------------------------------

let observed = [];
let delivery = false;

function record(target, type, what) {
  if (observed.length === 0) return;
  for (let i = 0; i < observed.length; i++) {
    const { observer, node, options } = observed[i];
    if (node !== target && !(options.subtree && node.contains(target))) continue;
    if (!options[type]) continue;
    if (type === "attributes" && options.attributeFilter && !options.attributeFilter.includes(what.attributeName)) continue;
    ArrayPrototypePush(observer._queue, {
      type, target, addedNodes: staticList(what.addedNodes ?? []), removedNodes: staticList(what.removedNodes ?? []),
      previousSibling: what.previousSibling ?? null, nextSibling: what.nextSibling ?? null,
      attributeName: what.attributeName ?? null, attributeNamespace: null,
      oldValue: options.attributeOldValue || options.characterDataOldValue ? what.oldValue ?? null : null,
    });
    if (!delivery) {
      delivery = true;
      queueMicrotaskReal(deliver);
    }
  }
}

function deliver() {
  delivery = false;
  const seen = [];
  for (let i = 0; i < observed.length; i++) {
    const observer = observed[i].observer;
    if (ArrayPrototypeIndexOf(seen, observer) < 0) ArrayPrototypePush(seen, observer);
  }
  for (let i = 0; i < seen.length; i++) {
    const records = seen[i].takeRecords();
    if (records.length > 0) seen[i]._callback.call(seen[i], records, seen[i]);
  }
}

class MutationObserver {
  constructor(callback) {
    if (typeof callback !== "function") {
      throw new TypeError("Failed to construct 'MutationObserver': parameter 1 is not of type 'Function'.");
    }
    hide(this, "_callback", callback);
    hide(this, "_queue", []);
  }
  observe(node, options = {}) {
    const o = { ...options };
    if ((o.attributeFilter || o.attributeOldValue) && o.attributes === undefined) o.attributes = true;
    if (o.characterDataOldValue && o.characterData === undefined) o.characterData = true;
    if (!o.childList && !o.attributes && !o.characterData) {
      throw new TypeError("Failed to execute 'observe' on 'MutationObserver': The options object must set at least one of 'attributes', 'characterData', or 'childList' to true.");
    }
    observed = ArrayPrototypeFilter(observed, (e) => e.observer !== this || e.node !== node);
    ArrayPrototypePush(observed, { observer: this, node, options: o });
  }
  disconnect() {
    observed = ArrayPrototypeFilter(observed, (e) => e.observer !== this);
    this._queue = [];
  }
  takeRecords() {
    const queue = this._queue;
    this._queue = [];
    return queue;
  }
}
exposeInterface(MutationObserver);
void ObjectDefineProperty;

export {
  CharacterData, COMMENT_NODE, Comment, DOCUMENT_FRAGMENT_NODE, DOCUMENT_NODE, DOCUMENT_TYPE_NODE, DocumentType, ELEMENT_NODE,
  HTMLCollection, MutationObserver, Node, NodeList, TEXT_NODE, Text, after, before, detach, exposeList, flatParent, hooks, insert, isNode, kChildren, kDocument,
  kUp, liveList, makeList, record, replaceWith, staticList, toNodes, version,
};
