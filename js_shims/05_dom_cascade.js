// The cascade: which declarations hold for an element, and the values of its custom properties (CSS Cascading 4, CSS Variables 1).
import { version } from "ext:replay/05_dom_node.js";
import { matchComplex, weightOf } from "ext:replay/05_dom_selectors.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { SHORTHANDS, expand } from "ext:replay/05_dom_shorthands.js";
import { parseDeclarations } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

const cascades = new WeakMap();

/** Declarations that hold for `element`, from sheets and its own style attribute: variables put in, shorthands with their longhands. */
function cascade(element) {
  return styleOf(element).map;
}

/** Custom properties of `element`, its own and inherited ones. */
function customs(element) {
  return styleOf(element).custom;
}

function styleOf(element) {
  const cached = cascades.get(element);
  if (cached !== undefined && cached.version === version.tree) return cached;
  const found = [];
  const rules = sheets.rules(), layers = sheets.layers();
  for (let i = 0; i < rules.length; i++) {
    let weight = -1;
    for (const s of rules[i].selectors) if (matchComplex(element, s, element)) weight = Math.max(weight, weightOf(s));
    if (weight >= 0) found.push({ weight, order: i, declarations: rules[i].declarations, layer: rules[i].layer === "" ? layers.length : layers.indexOf(rules[i].layer) });
  }
  const within = (a, b) => a.weight - b.weight || a.order - b.order;
  found.sort((a, b) => a.layer - b.layer || within(a, b));
  const inline = inlineOf(element);
  const plain = new Map(), own = new Map();
  const apply = (declarations, important) => {
    for (const [name, d] of declarations) {
      if ((d.priority === "important") !== important) continue;
      const to = name.startsWith("--") ? own : plain;
      // Order counts: a shorthand and a longhand override each other.
      const below = to.get(name);
      to.delete(name);
      to.set(name, below === undefined || d.before !== undefined ? d : { value: d.value, priority: d.priority, before: below });
    }
  };
  for (const f of found) apply(f.declarations, false);
  apply(inline, false);
  // What is important in an earlier layer is stronger.
  if (layers.length > 0) found.sort((a, b) => b.layer - a.layer || within(a, b));
  for (const f of found) apply(f.declarations, true);
  apply(inline, true);
  const style = { __proto__: null, version: version.tree, map: new Map(), custom: customsOf(element, own), fontSize: null, unread: null };
  cascades.set(element, style);
  for (const [name, last] of plain) {
    let d = last;
    while (d !== undefined && !take(style, name, d)) d = d.before;
    // A function that browsers may know.
    if (name === "background" || name === "background-color") style.unread = d !== last && last.value.includes("(") ? last.value : null;
  }
  return style;
}

/** Puts a declaration into the style; false if its value is none of the property. */
function take(style, name, d) {
  let { value } = d;
  if (value.includes("var(")) {
    value = substitute(value, (name) => style.custom.get(name));
    if (value === null) {
      // Invalid at computed-value time (CSS Variables 1, section 3).
      for (const each of SHORTHANDS[name]?.names ?? [name]) style.map.set(each, { value: "unset", priority: d.priority });
      if (SHORTHANDS[name] !== undefined) style.map.delete(name);
      return true;
    }
  }
  if (value.includes("light-dark(")) value = value.replace(/light-dark\(((?:[^(),]|\([^()]*\))*),(?:[^()]|\([^()]*\))*\)/g, "$1").trim();
  let read = false;
  expand(name, value, (each, own) => {
    read = true;
    style.map.set(each, { value: own, priority: d.priority });
  });
  return read;
}

function customsOf(element, own) {
  const parent = element.parentElement;
  const registered = sheets.properties();
  const outer = parent === null || parent === undefined ? initials(registered) : customs(parent);
  const inherited = withoutOwn(outer, registered);
  if (own.size === 0) return inherited;
  const all = new Map(inherited);
  const open = new Set(), done = new Set();
  /** The value of `name` here; undefined when it has none. */
  const resolve = (name) => {
    const d = own.get(name);
    if (d === undefined || done.has(name)) return all.get(name);
    if (open.has(name)) return undefined;
    open.add(name);
    const word = lower(d.value);
    let value = d.value;
    if (word === "inherit") value = outer.get(name) ?? null;
    else if (word === "unset") value = inherited.get(name) ?? null;
    else if (word === "initial") value = registered.get(name)?.initial ?? null;
    else if (value.includes("var(")) value = substitute(value, resolve);
    open.delete(name);
    done.add(name);
    if (value === null) all.delete(name);
    else all.set(name, value);
    return value ?? undefined;
  };
  for (const name of own.keys()) resolve(name);
  return all;
}

/** What registered properties have where nothing is said. */
function initials(registered) {
  const all = new Map();
  for (const [name, { initial }] of registered) if (initial !== null) all.set(name, initial);
  return all;
}

/** `outer` as a child has it before it says anything itself: what does not inherit begins anew. */
function withoutOwn(outer, registered) {
  let all = outer;
  for (const [name, { initial, inherits }] of registered) {
    if (inherits || (outer.get(name) ?? null) === initial) continue;
    if (all === outer) all = new Map(outer);
    if (initial === null) all.delete(name);
    else all.set(name, initial);
  }
  return all;
}

/** `value` with its variables put in; null if one has no value and no fallback. */
function substitute(value, lookup) {
  let out = "", at = 0;
  for (;;) {
    const start = value.indexOf("var(", at);
    if (start < 0) return (out + value.slice(at)).trim();
    let depth = 1, end = start + 4;
    while (end < value.length && depth > 0) {
      if (value[end] === "(") depth++;
      else if (value[end] === ")") depth--;
      end++;
    }
    const inner = value.slice(start + 4, depth === 0 ? end - 1 : end);
    const comma = inner.indexOf(",");
    const name = (comma < 0 ? inner : inner.slice(0, comma)).trim();
    const found = lookup(name) ?? (comma < 0 ? null : substitute(inner.slice(comma + 1), lookup));
    // What one variable doubles, twenty make a million of.
    if (found === null || out.length + found.length > 100_000) return null;
    out += value.slice(at, start) + found;
    at = end;
  }
}

function inlineOf(element) {
  const text = element.getAttribute?.("style");
  return text ? parseDeclarations(text) : new Map();
}

export { cascade, customs, styleOf };
