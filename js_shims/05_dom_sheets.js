// Style sheets: their rules in order, nested ones unfolded.
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { version } from "ext:replay/05_dom_node.js";
import { parseSelector } from "ext:replay/05_dom_selectors.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { parseDeclarations } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

/** The selector that stands for the root of an `@scope`: what is written in front of its rules weighs nothing (CSS Cascading 6, section 2.5.2). */
const SCOPE = ":where(:scope)";

/**
 * Rules of `sheet` in order: `{ text, selectors, declarations, important, layer, scope, queries }`; `@media` rules that hold are
 * flattened, nested rules unfolded. Of `@scope`, `scope` has root and end; of `@container`, `queries` what must hold.
 */
function parseSheet(text, sheet) {
  const rules = [];
  const top = { __proto__: null, outer: null, layer: "", scope: null, queries: null, sheet };
  parseRules(plain(text), rules, top);
  return rules;
}

const plain = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/<!--|-->/g, "");

/** The rules of a sheet or of a block as they are written, `{ text, head, body }`; `body` is null of those without a block. */
function* statements(source) {
  const text = plain(source);
  let at = 0;
  while (at < text.length) {
    const brace = text.indexOf("{", at), semi = text.indexOf(";", at);
    if (brace < 0 && semi < 0) return;
    const whole = semi >= 0 && (brace < 0 || semi < brace);
    const end = whole ? semi : closing(text, brace);
    const head = text.slice(at, whole ? semi : brace).trim();
    yield { __proto__: null, text: text.slice(at, end + 1).trim(), head, body: whole ? null : text.slice(brace + 1, end) };
    at = end + 1;
  }
}

/** Puts into `rules` what a sheet says beside its style rules: layers, and @keyframes, @property and @font-face rules. */
function gather(rules, { layers = [], keyframes = [], properties = [], faces = [] }) {
  for (const layer of layers) (rules.layers ??= new Set()).add(layer);
  for (const [name, body] of keyframes) (rules.keyframes ??= new Map()).set(name, body);
  for (const [name, registered] of properties) (rules.properties ??= new Map()).set(name, registered);
  for (const face of faces) (rules.faces ??= []).push(face);
}

/** Rules of a sheet, or of the block of a rule, by what is around them: declarations that stand between nested rules are a rule each (CSS Nesting 1). */
function parseRules(text, rules, around) {
  const { outer } = around;
  let at = 0, own = "";
  const flush = () => {
    if (own.trim() !== "") pushRule(outer, own, rules, around);
    own = "";
  };
  while (at < text.length) {
    const brace = text.indexOf("{", at);
    const semi = text.indexOf(";", at);
    if (semi >= 0 && (brace < 0 || semi < brace)) {
      const statement = text.slice(at, semi);
      if (outer !== null) own += `${statement};`;
      const names = /^\s*@layer\s+([^{}]+)$/i.exec(statement);
      if (names !== null) for (const name of names[1].split(",")) enter(rules, around.layer, name.trim());
      at = semi + 1; // @import, @charset
      continue;
    }
    if (brace < 0) {
      if (outer !== null) own += text.slice(at);
      break;
    }
    const head = text.slice(at, brace).trim();
    const end = closing(text, brace);
    const body = text.slice(brace + 1, end);
    at = end + 1;
    flush();
    if (head.startsWith("@")) parseAt(head, body, rules, around);
    else if (body.includes("{")) parseRules(body, rules, { ...around, outer: nest(head, outer) });
    else pushRule(nest(head, outer), body, rules, around);
  }
  flush();
}

function parseAt(head, body, rules, around) {
  const m = /^@(media|supports|layer|container|scope)\b\s*([\s\S]*)$/i.exec(head);
  if (m !== null) {
    const [, kind, condition] = m;
    switch (lower(kind)) {
      case "layer": return parseRules(body, rules, { ...around, layer: enter(rules, around.layer, condition.trim()) });
      case "media": return mediaMatches(condition) ? parseRules(body, rules, around) : undefined;
      // Whoever asks asks for what Chromium has.
      case "supports": return /^[\s(]*not\b/i.test(condition) ? undefined : parseRules(body, rules, around);
      case "container": return parseRules(body, rules, { ...around, queries: [...around.queries ?? [], condition.trim()] });
      default: {
        const scope = scopeOf(condition, around);
        return scope === null ? undefined : parseRules(body, rules, { ...around, outer: SCOPE, scope });
      }
    }
  }
  // In a style rule there are none of these.
  if (around.outer !== null && around.outer !== SCOPE) return;
  if (/^@font-face$/i.test(head)) gather(rules, { faces: [parseDeclarations(body)] });
  const frames = /^@(?:-webkit-)?keyframes\s+["']?([^"'\s]+)/i.exec(head);
  if (frames !== null) gather(rules, { keyframes: [[frames[1], body]] });
  const property = /^@property\s+(--\S+)$/i.exec(head);
  if (property !== null) gather(rules, { properties: [[property[1], registered(parseDeclarations(body))]] });
}

/** `(start) to (end)` of an `@scope`, each of which may be left out; null if it is none (CSS Cascading 6, section 2.5). */
function scopeOf(prelude, { outer, scope, sheet }) {
  let text = prelude.trim(), start = null, end = null;
  const inside = () => {
    const close = closing(text, 0, "(", ")"), own = text.slice(1, close);
    text = text.slice(close + 1).trim();
    return own;
  };
  try {
    if (text.startsWith("(")) start = parseSelector(nest(inside(), outer));
    const to = /^to\s*(?=\()/i.exec(text);
    if (to !== null) {
      text = text.slice(to[0].length);
      end = parseSelector(split(inside(), ",").map((one) => (/^\s*[>+~]/.test(one) ? `:scope ${one}` : one.replaceAll("&", ":scope"))).join(","));
    }
  } catch {
    return null;
  }
  return text === "" ? { __proto__: null, start, end, outer: scope, sheet } : null;
}

let anonymous = 0;

/** Full name of layer `name` in `outer`; keeps it in the order of first appearance (CSS Cascading 5, section 6.4). */
function enter(rules, outer, name) {
  const own = name === "" ? `(${++anonymous})` : name;
  const full = outer === "" ? own : `${outer}.${own}`;
  gather(rules, { layers: [full] });
  return full;
}

/** A custom property that a sheet registers (CSS Properties and Values 1, section 2). */
function registered(descriptors) {
  return {
    __proto__: null,
    initial: descriptors.get("initial-value")?.value ?? null,
    isColor: /^["']<color>["']$/.test(descriptors.get("syntax")?.value ?? ""),
    inherits: lower(descriptors.get("inherits")?.value ?? "true") !== "false",
  };
}

/** The selector of a nested rule: `&` is what is around it, which stands in front where none is written. */
function nest(head, outer) {
  if (outer === null) return head;
  const around = outer === SCOPE ? SCOPE : `:is(${outer})`;
  return split(head, ",").map((one) => {
    const text = one.trim();
    if (text.includes("&")) return text.replaceAll("&", around);
    return outer === SCOPE && text.includes(":scope") ? text : `${around} ${text}`;
  }).join(", ");
}

function pushRule(selector, body, rules, { layer, scope, queries }) {
  const declarations = parseDeclarations(body);
  let selectors;
  try {
    selectors = parseSelector(selector);
  } catch {
    return;
  }
  const important = isImportant(declarations);
  rules.push({ __proto__: null, text: selector, selectors, declarations, important, layer, scope, queries });
}

function isImportant(declarations) {
  for (const [, d] of declarations) if (d.priority === "important") return true;
  return false;
}

/** Where the bracket at `open` is closed. */
function closing(text, open, left = "{", right = "}") {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === left) depth++;
    else if (text[i] === right && --depth === 0) return i;
  }
  return text.length;
}

/** The document's sheets, set by 05_dom_document.js: a function that gives all rules in order. */
const sheets = { __proto__: null, rules: () => [], treeRules: () => [], faces: () => [], keyframes: () => new Map(), layers: () => [], properties: () => new Map(), flush: () => {} };

/** The list of a document's or a shadow root's adopted sheets, which may be changed in place (CSSOM 6.9). */
function adoptedSheets(list) {
  version.tree++;
  return new Proxy([...list], {
    set(target, key, value) {
      version.tree++;
      return Reflect.set(target, key, value);
    },
  });
}

export { adoptedSheets, gather, isImportant, parseSheet, sheets, statements };
