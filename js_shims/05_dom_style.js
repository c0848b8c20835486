// Declaration blocks: `style`, and what rules say (CSSOM 6.6).
import { exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { camelToKebab, lower } from "ext:replay/05_dom_util.js";

const { Proxy, ReflectGet, ReflectHas, ReflectSet, Symbol, SymbolIterator } = primordials;

const kMap = Symbol("declarations");
const kChanged = Symbol("changed");

/** `a: b; c: d !important` to pairs; strings, brackets and comments respected. `before` is what holds if a value is not read. */
function parseDeclarations(text) {
  const out = new Map();
  for (const part of split(text.replace(/\/\*[\s\S]*?\*\//g, ""), ";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    let name = part.slice(0, colon).trim();
    if (!name.startsWith("--")) name = lower(name);
    let value = part.slice(colon + 1).trim();
    let priority = "";
    const m = /\s*!\s*important\s*$/i.exec(value);
    if (m !== null) {
      value = value.slice(0, m.index);
      priority = "important";
    }
    if (name === "" || value === "") continue;
    const before = out.get(name);
    if (before?.priority === "important" && priority === "") continue;
    out.delete(name);
    out.set(name, { value, priority, before });
  }
  return out;
}

class CSSStyleDeclaration {
  constructor(key, map, changed) {
    illegalConstructor(key);
    hide(this, kMap, map);
    hide(this, kChanged, changed);
  }
  get cssText() {
    let out = "";
    for (const [name, { value, priority }] of this[kMap]) out += `${out === "" ? "" : " "}${name}: ${value}${priority ? " !important" : ""};`;
    return out;
  }
  set cssText(text) {
    const map = this[kMap];
    map.clear();
    for (const [name, d] of parseDeclarations(`${text}`)) map.set(name, d);
    this[kChanged]?.();
  }
  get length() {
    return this[kMap].size;
  }
  get parentRule() {
    return null;
  }
  item(index) {
    return [...this[kMap].keys()][index] ?? "";
  }
  getPropertyValue(name) {
    return this[kMap].get(normal(name))?.value ?? "";
  }
  getPropertyPriority(name) {
    return this[kMap].get(normal(name))?.priority ?? "";
  }
  setProperty(name, value, priority = "") {
    const key = normal(name);
    const text = value === null ? "" : `${value}`.trim();
    const map = this[kMap];
    if (text === "") map.delete(key);
    else map.set(key, { value: text, priority: lower(`${priority ?? ""}`) });
    this[kChanged]?.();
  }
  removeProperty(name) {
    const key = normal(name);
    const old = this.getPropertyValue(key);
    if (this[kMap].delete(key)) this[kChanged]?.();
    return old;
  }
  [SymbolIterator]() {
    return this[kMap].keys();
  }
}
exposeInterface(CSSStyleDeclaration);

function normal(name) {
  const text = `${name}`;
  return text.startsWith("--") ? text : lower(text);
}

function propertyName(key) {
  if (key === "cssFloat") return "float";
  if (/^(?:webkit|moz|ms)[A-Z]/.test(key)) return `-${camelToKebab(key)}`;
  return camelToKebab(key);
}

const styleHandler = {
  __proto__: null,
  get(target, key) {
    if (typeof key !== "string" || key in target) {
      const value = ReflectGet(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    }
    if (/^\d+$/.test(key)) return target.item(+key);
    return target.getPropertyValue(propertyName(key));
  },
  set(target, key, value) {
    if (typeof key !== "string" || key in target) return ReflectSet(target, key, value, target);
    target.setProperty(propertyName(key), value === null ? "" : value);
    return true;
  },
  has(target, key) {
    return ReflectHas(target, key) || (typeof key === "string" && /^[a-z]/i.test(key) && !(key in Object.prototype));
  },
};

/** A declaration block that calls `changed` when a page changes it. */
function makeStyle(text, changed) {
  const map = parseDeclarations(text);
  return new Proxy(new CSSStyleDeclaration(illegal, map, changed), styleHandler);
}

export { CSSStyleDeclaration, makeStyle, normal, parseDeclarations, propertyName };
