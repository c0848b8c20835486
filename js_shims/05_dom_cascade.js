// The cascade: which declarations hold for an element, and the values of its custom properties (CSS Cascading 4, CSS Variables 1).
import { containersHold } from "ext:replay/05_dom_container.js";
import { kLazy } from "ext:replay/05_dom_element.js";
import { flatParent, version } from "ext:replay/05_dom_node.js";
import { matchComplex, namesHost, originOf, weightOf } from "ext:replay/05_dom_selectors.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { SHORTHANDS, expand } from "ext:replay/05_dom_shorthands.js";
import { parseDeclarations } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

const cascades = new WeakMap();

/** Of a box that styles generate: `{ origin, which }`, the element that it belongs to, "before" or "after". */
const kGenerated = Symbol("generated");

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
  const { origin = element, which } = element[kGenerated] ?? {};
  const found = [], unknown = [];
  const layers = sheets.layers();
  const find = (rules, meets, layerOf) => {
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i], met = meets(rule);
      if (met === null) continue;
      const held = rule.queries === null ? true : containersHold(element, rule.queries);
      if (held === null) unknown.push(rule);
      else if (held) found.push({ ...met, order: i, rule, layer: layerOf(rule) });
    }
  };
  const own = origin[kLazy]?.shadow, tree = treeOf(origin);
  // What a shadow tree says of its host is weaker than all that is said outside (CSS Cascading 4, section 6.1).
  if (own !== undefined) find(about(sheets.treeRules(own), which), ({ selectors }) => hostMet(origin, selectors, own, which), () => -1);
  const rules = tree === undefined ? sheets.rules() : sheets.treeRules(tree);
  find(about(rules, which), (rule) => meet(origin, rule, tree, which), ({ layer }) => (layer === "" ? layers.length : layers.indexOf(layer)));
  const within = (a, b) => a.weight - b.weight || b.hops - a.hops || a.order - b.order;
  found.sort((a, b) => a.layer - b.layer || within(a, b));
  const inline = inlineOf(element);
  const plain = new Map(), variables = new Map();
  const apply = (declarations, important) => {
    for (const [name, d] of declarations) {
      if ((d.priority === "important") !== important) continue;
      const to = name.startsWith("--") ? variables : plain;
      // Order counts: a shorthand and a longhand override each other.
      const below = to.get(name);
      to.delete(name);
      to.set(name, below === undefined || d.before !== undefined ? d : { value: d.value, priority: d.priority, before: below });
    }
  };
  if (which === undefined) apply(hintsOf(element), false);
  for (const f of found) apply(f.rule.declarations, false);
  apply(inline, false);
  const strong = found.filter((f) => f.rule.important);
  // What is important in an earlier layer is stronger.
  if (layers.length > 0) strong.sort((a, b) => b.layer - a.layer || within(a, b));
  for (const f of strong) apply(f.rule.declarations, true);
  apply(inline, true);
  const style = { __proto__: null, version: version.tree, map: new Map(), custom: customsOf(element, variables), fontSize: null, unread: null, perhaps: null };
  cascades.set(element, style);
  for (const [name, last] of plain) {
    let d = last;
    while (d !== undefined && !take(style, name, d)) d = d.before;
    // A function that browsers may know.
    if (name === "background" || name === "background-color") style.unread = d !== last && last.value.includes("(") ? last.value : null;
  }
  for (const rule of unknown) {
    for (const name of rule.declarations.keys()) {
      (style.perhaps ??= new Map()).set(name, `@container ${rule.queries.join(" and ")}`);
      if (/^background(?:-color|-image)?$/.test(name)) style.unread = style.perhaps.get(name);
    }
  }
  return style;
}

/** The shadow tree that `element` is in; undefined outside of all. */
function treeOf(element) {
  const root = element.getRootNode();
  return root.nodeType === 11 && root.host !== undefined ? root : undefined;
}

const generating = new WeakMap();

/** Those of `rules` that are about boxes `which`; all for elements. */
function about(rules, which) {
  if (which === undefined) return rules;
  let kinds = generating.get(rules);
  if (kinds === undefined) {
    const of = (kind) => rules.filter(({ selectors }) => selectors.some((s) => originOf(s, kind) !== null));
    generating.set(rules, kinds = { __proto__: null, before: of("before"), after: of("after") });
  }
  return kinds[which];
}

/** May styles generate a box `which` of `element`: does a rule for it give such a box contents? */
function mayGenerate(element, which) {
  const own = element[kLazy].shadow, tree = treeOf(element);
  const gives = (rules, meets) => about(rules, which).some((rule) => rule.declarations.has("content") && meets(rule) !== null);
  return gives(tree === undefined ? sheets.rules() : sheets.treeRules(tree), (rule) => meet(element, rule, tree, which))
    || (own !== undefined && gives(sheets.treeRules(own), ({ selectors }) => hostMet(element, selectors, own, which)));
}

/** How `element` (its box `which`, if given) meets the selectors of a rule: the weight, and how many steps up the root of the rule's scope is; null if it does not. */
function meet(element, { selectors, scope }, tree, which) {
  if (scope === null) {
    const weight = weightFor(element, selectors, tree, which);
    return weight < 0 ? null : { weight, hops: NO_SCOPE };
  }
  for (const { root, hops } of rootsOf(element, scope)) {
    const weight = weightFor(element, selectors, root, which);
    if (weight >= 0) return { weight, hops };
  }
  return null;
}

/** How the host of `tree` meets selectors of that tree: those that name it. */
function hostMet(host, selectors, tree, which) {
  const weight = weightFor(host, selectors.filter((s) => namesHost(s.at(-1))), tree, which);
  return weight < 0 ? null : { weight, hops: NO_SCOPE };
}

/** More steps than any scope's root is away. */
const NO_SCOPE = 1e9;

function weightFor(element, selectors, scope, which) {
  let weight = -1;
  for (const s of selectors) {
    const own = which === undefined ? s : originOf(s, which);
    if (own !== null && matchComplex(element, own, scope)) weight = Math.max(weight, weightOf(s));
  }
  return weight;
}

/** The roots of `scope` that `element` is in, from the nearest (CSS Cascading 6, section 2.5.1). */
function rootsOf(element, scope) {
  const roots = [], way = [];
  for (let at = element, hops = 0; at !== null && at !== undefined; at = at.parentElement, hops++) {
    way.push(at);
    if (!isRoot(at, scope)) continue;
    const root = at;
    if (scope.end !== null && way.some((e) => weightFor(e, scope.end, root) >= 0)) continue;
    roots.push({ root, hops });
  }
  return roots;
}

function isRoot(element, { start, outer, sheet }) {
  if (start === null) return element === (sheet?.ownerNode?.parentElement ?? element.ownerDocument?.documentElement);
  if (outer === null) return weightFor(element, start, undefined) >= 0;
  return rootsOf(element, outer).some(({ root }) => weightFor(element, start, root) >= 0);
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
  const parent = flatParent(element);
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

const TABLES = new Set(["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"]);

/** What attributes say of the background, weaker than all rules (HTML, 15.3.3 and 15.3.8). */
function hintsOf(element) {
  const hints = new Map();
  if (!TABLES.has(element.localName)) return hints;
  const picture = element.getAttribute("background") ?? "", color = (element.getAttribute("bgcolor") ?? "").trim();
  if (picture.trim() !== "") hints.set("background-image", { value: `url("${picture.trim().replace(/["\\\n]/g, encodeURIComponent)}")`, priority: "" });
  if (color !== "") hints.set("background-color", { value: /^[0-9a-f]{6}$/i.test(color) ? `#${color}` : color, priority: "" });
  return hints;
}

function inlineOf(element) {
  const text = element.getAttribute?.("style");
  return text ? parseDeclarations(text) : new Map();
}

export { cascade, customs, kGenerated, mayGenerate, styleOf };
