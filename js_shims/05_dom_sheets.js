// Style sheets: their rules in order, nested ones unfolded, and the interfaces that pages see (CSSOM 6).
import { constants, exposeInterface, illegal, illegalConstructor } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { version } from "ext:replay/05_dom_node.js";
import { parseSelector } from "ext:replay/05_dom_selectors.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { parseDeclarations } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

/** Rules of a sheet in order: `{ selectors, text, declarations, layer }`; `@media` rules that hold are flattened, nested rules unfolded. */
function parseSheet(text) {
  const rules = [];
  parseRules(text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/<!--|-->/g, ""), rules, null, "");
  return rules;
}

/** Rules of a sheet, or of the block of the rule for `outer`: declarations that stand between nested rules are a rule each (CSS Nesting 1). */
function parseRules(text, rules, outer, layer) {
  let at = 0, own = "";
  const flush = () => {
    if (own.trim() !== "") pushRule(outer, own, rules, layer);
    own = "";
  };
  while (at < text.length) {
    const brace = text.indexOf("{", at);
    const semi = text.indexOf(";", at);
    if (semi >= 0 && (brace < 0 || semi < brace)) {
      const statement = text.slice(at, semi);
      if (outer !== null) own += `${statement};`;
      const names = /^\s*@layer\s+([^{}]+)$/i.exec(statement);
      if (names !== null) for (const name of names[1].split(",")) enter(rules, layer, name.trim());
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
    if (head.startsWith("@")) parseAt(head, body, rules, outer, layer);
    else if (body.includes("{")) parseRules(body, rules, nest(head, outer), layer);
    else pushRule(nest(head, outer), body, rules, layer);
  }
  flush();
}

function parseAt(head, body, rules, outer, layer) {
  const scope = /^@scope\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/i.exec(head);
  if (scope !== null) {
    const inner = [];
    parseRules(body, inner, ":scope", layer);
    for (const layer of inner.layers ?? []) (rules.layers ??= new Set()).add(layer);
    // Selectors are relative to the scope's root (CSS Cascading 6, section 2.5.2); what ends it is not heeded.
    const root = `:is(${nest(scope[1], outer)})`;
    for (const rule of inner) {
      pushParsed(rule.text.replaceAll(":scope", root), rule.declarations, rules, layer);
    }
    return;
  }
  const m = /^@(media|supports|layer|container)\b\s*([\s\S]*)$/i.exec(head);
  if (m !== null) {
    const [, kind, condition] = m;
    switch (lower(kind)) {
      case "layer": return parseRules(body, rules, outer, enter(rules, layer, condition.trim()));
      case "media": return mediaMatches(condition) ? parseRules(body, rules, outer, layer) : undefined;
      // Whoever asks asks for what Chromium has.
      case "supports": return /^[\s(]*not\b/i.test(condition) ? undefined : parseRules(body, rules, outer, layer);
      default: return parseRules(body, rules, outer, layer);
    }
  }
  if (/^@font-face$/i.test(head)) (rules.faces ??= []).push(parseDeclarations(body));
  const frames = /^@(?:-webkit-)?keyframes\s+["']?([^"'\s]+)/i.exec(head);
  if (frames !== null) (rules.keyframes ??= new Map()).set(frames[1], body);
  const property = /^@property\s+(--\S+)$/i.exec(head);
  if (property !== null) (rules.properties ??= new Map()).set(property[1], registered(parseDeclarations(body)));
}

let anonymous = 0;

/** Full name of layer `name` in `outer`; keeps it in the order of first appearance (CSS Cascading 5, section 6.4). */
function enter(rules, outer, name) {
  const own = name === "" ? `(${++anonymous})` : name;
  const full = outer === "" ? own : `${outer}.${own}`;
  (rules.layers ??= new Set()).add(full);
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
  const around = `:is(${outer})`;
  return split(head, ",").map((one) => {
    const text = one.trim();
    if (text.includes("&")) return text.replaceAll("&", around);
    return outer === ":scope" && text.includes(":scope") ? text : `${around} ${text}`;
  }).join(", ");
}

function pushRule(selector, body, rules, layer) {
  pushParsed(selector, parseDeclarations(body), rules, layer);
}

function pushParsed(selector, declarations, rules, layer) {
  let selectors;
  try {
    selectors = parseSelector(selector);
  } catch {
    return;
  }
  rules.push({ __proto__: null, text: selector, selectors, declarations, layer });
}

function closing(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return text.length;
}

/** The document's sheets, set by 05_dom_document.js: a function that gives all rules in order. */
const sheets = { __proto__: null, rules: () => [], faces: () => [], keyframes: () => new Map(), layers: () => [], properties: () => new Map(), flush: () => {} };

class CSSRule {
  constructor(key, text = "") {
    illegalConstructor(key);
    hide(this, "cssText", text);
  }
  get type() {
    return 1;
  }
}
exposeInterface(CSSRule);
constants(CSSRule, { STYLE_RULE: 1, IMPORT_RULE: 3, MEDIA_RULE: 4, FONT_FACE_RULE: 5, KEYFRAMES_RULE: 7 });
class CSSStyleRule extends CSSRule {}
exposeInterface(CSSStyleRule);
class CSSStyleSheet {
  #rules = [];
  constructor() {
    this.disabled = false;
  }
  get cssRules() {
    return this.#rules.map((r) => r.view);
  }
  get rules() {
    return this.cssRules;
  }
  get _rules() {
    return this.#rules;
  }
  insertRule(text, index = 0) {
    const parsed = parseSheet(`${text}`);
    for (const r of parsed) r.view = new CSSStyleRule(illegal, `${text}`);
    for (const [name, body] of parsed.keyframes ?? []) (this.#rules.keyframes ??= new Map()).set(name, body);
    for (const layer of parsed.layers ?? []) (this.#rules.layers ??= new Set()).add(layer);
    this.#rules.splice(index, 0, ...parsed);
    version.tree++;
    return index;
  }
  deleteRule(index) {
    this.#rules.splice(index, 1);
    version.tree++;
  }
  addRule(selector, text) {
    this.insertRule(`${selector} {${text}}`, this.#rules.length);
    return -1;
  }
  replaceSync(text) {
    this.#rules = parseSheet(`${text}`);
    for (const r of this.#rules) r.view = new CSSStyleRule(illegal, r.text);
    version.tree++;
  }
  replace(text) {
    this.replaceSync(text);
    return Promise.resolve(this);
  }
}
exposeInterface(CSSStyleSheet);

export { CSSStyleSheet, sheets };
