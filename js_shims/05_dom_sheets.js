// Style sheets: their rules in order, nested ones unfolded, and the interfaces that pages see (CSSOM 6).
import { constants, exposeInterface, illegal, illegalConstructor } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { version } from "ext:replay/05_dom_node.js";
import { parseSelector } from "ext:replay/05_dom_selectors.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { parseDeclarations } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

/** Rules of a sheet in order: `{ selectors, text, declarations }`; `@media` rules that hold are flattened, nested rules unfolded. */
function parseSheet(text) {
  const rules = [];
  parseRules(text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/<!--|-->/g, ""), rules, null);
  return rules;
}

/** Rules of a sheet, or of the block of the rule for `outer`: declarations that stand between nested rules are a rule each (CSS Nesting 1). */
function parseRules(text, rules, outer) {
  let at = 0, own = "";
  const flush = () => {
    if (own.trim() !== "") pushRule(outer, own, rules);
    own = "";
  };
  while (at < text.length) {
    const brace = text.indexOf("{", at);
    const semi = text.indexOf(";", at);
    if (semi >= 0 && (brace < 0 || semi < brace)) {
      if (outer !== null) own += text.slice(at, semi + 1);
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
    if (head.startsWith("@")) parseAt(head, body, rules, outer);
    else if (body.includes("{")) parseRules(body, rules, nest(head, outer));
    else pushRule(nest(head, outer), body, rules);
  }
  flush();
}

function parseAt(head, body, rules, outer) {
  const m = /^@(media|supports|layer|container)\b\s*([\s\S]*)$/i.exec(head);
  if (m !== null && (lower(m[1]) !== "media" || mediaMatches(m[2]))) parseRules(body, rules, outer);
  if (/^@font-face$/i.test(head)) (rules.faces ??= []).push(parseDeclarations(body));
  const frames = /^@(?:-webkit-)?keyframes\s+["']?([^"'\s]+)/i.exec(head);
  if (frames !== null) (rules.keyframes ??= new Set()).add(frames[1]);
  const property = /^@property\s+(--\S+)$/i.exec(head);
  if (property !== null) (rules.properties ??= new Map()).set(property[1], registered(parseDeclarations(body)));
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
    return text.includes("&") ? text.replaceAll("&", around) : `${around} ${text}`;
  }).join(", ");
}

function pushRule(selector, body, rules) {
  let selectors;
  try {
    selectors = parseSelector(selector);
  } catch {
    return;
  }
  rules.push({ __proto__: null, text: selector, selectors, declarations: parseDeclarations(body) });
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
const sheets = { __proto__: null, rules: () => [], faces: () => [], keyframes: () => new Set(), properties: () => new Map(), flush: () => {} };

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
    for (const name of parsed.keyframes ?? []) (this.#rules.keyframes ??= new Set()).add(name);
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
