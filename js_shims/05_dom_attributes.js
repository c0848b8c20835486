// Attributes and what reflects them: Attr, NamedNodeMap, DOMTokenList, datasets (DOM 4.9 and 7.1, HTML 3.2.6).
import { exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { hide } from "ext:replay/02_events.js";
import { camelToKebab, kebabToCamel } from "ext:replay/05_dom_util.js";

const { Proxy, Symbol, SymbolIterator } = primordials;

const kAttrs = Symbol("attributes");

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

export { Attr, DOMTokenList, NamedNodeMap, kAttrs, makeDataset };
