// Declaration blocks: `style`, and what rules say (CSSOM 6.6).
import { exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { SHORTHANDS, expand, isColorName, split } from "ext:replay/05_dom_shorthands.js";
import { camelToKebab, kebabToCamel, lower } from "ext:replay/05_dom_util.js";
import { op_css_color } from "ext:core/ops";

const { Proxy, ReflectGet, ReflectHas, ReflectSet, Symbol, SymbolIterator } = primordials;

const kMap = Symbol("declarations");
const kChanged = Symbol("changed");
const kRule = Symbol("rule");

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
  constructor(key, map, changed, rule = null) {
    illegalConstructor(key);
    hide(this, kRule, rule);
    hide(this, kMap, map);
    hide(this, kChanged, changed);
  }
  get cssText() {
    let out = "";
    for (const [name, { value, priority }] of this[kMap]) out += `${out === "" ? "" : " "}${name}: ${written(name, value)}${priority ? " !important" : ""};`;
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
    return this[kRule];
  }
  item(index) {
    return [...this[kMap].keys()][index] ?? "";
  }
  getPropertyValue(name) {
    const key = normal(name), map = this[kMap];
    const value = map.get(key)?.value ?? longhand(map, key);
    return value === undefined ? "" : written(key, value);
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

/** What a shorthand in `map` says of `name`. */
function longhand(map, name) {
  let found;
  for (const [short, { value }] of map) {
    if (SHORTHANDS[short]?.names.includes(name)) expand(short, value, (each, own) => void (each === name && (found = own)));
  }
  return found;
}

/** A value as browsers write it again (CSSOM 6.7.2), as far as one value alone tells: colours of sRGB, addresses, numbers. */
function written(name, value) {
  if (name.startsWith("--")) return value;
  if (isColorName(name)) {
    if (/^(?:#|(?:rgb|hsl|hwb)a?\()/i.test(value)) return op_css_color(value) ?? value;
    if (/^[a-z]+$/i.test(value)) return lower(value);
  }
  if (/^[+-]?\.\d/.test(value)) value = value.replace(/^[+-]?(?=\.\d+[a-z%]*$)/i, (sign) => `${sign === "-" ? "-" : ""}0`);
  return value.includes("url(") ? value.replace(/\burl\(\s*(?:'([^'"]*)'|([^"'()\s]+))\s*\)/g, (_, quoted, bare) => `url("${quoted ?? bare}")`) : value;
}

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
  // Of all properties that a browser lists, those that say something.
  ownKeys(target) {
    return [...listed(target).keys()];
  },
  getOwnPropertyDescriptor(target, key) {
    const value = listed(target).get(key);
    return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
  },
};

/** Own properties of a declaration block: its names by number, and each property's value. */
function listed(target) {
  const names = new Set();
  for (const [name] of target[kMap]) {
    names.add(name);
    for (const each of SHORTHANDS[name]?.names ?? []) names.add(each);
  }
  const all = new Map();
  for (let i = 0; i < target.length; i++) all.set(`${i}`, target.item(i));
  for (const name of [...names].sort()) if (!name.startsWith("--")) all.set(name === "float" ? "cssFloat" : kebabToCamel(name.replace(/^-/, "")), target.getPropertyValue(name));
  return all;
}

/** A declaration block that calls `changed` when a page changes it. */
function makeStyle(text, changed) {
  return styleOver(parseDeclarations(text), changed);
}

/** A declaration block over the declarations of `rule`, if they are one's. */
function styleOver(map, changed, rule = null) {
  return new Proxy(new CSSStyleDeclaration(illegal, map, changed, rule), styleHandler);
}

export { CSSStyleDeclaration, makeStyle, normal, parseDeclarations, propertyName, styleOver };
