// Styles: declarations, style sheets, the cascade as far as sizes and computed values need it. No layout: see boxOf.
import { constants, exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { kUp, version } from "ext:replay/05_dom_node.js";
import { matchComplex, parseSelector, weightOf } from "ext:replay/05_dom_selectors.js";
import { CORNERS, SHORTHANDS, SIDES, WIDE, expand, split } from "ext:replay/05_dom_shorthands.js";
import { camelToKebab, kebabToCamel, lower } from "ext:replay/05_dom_util.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

import { op_css_color } from "ext:core/ops";

const { ObjectPrototypeHasOwnProperty, Proxy, ReflectGet, ReflectHas, ReflectSet, Symbol, SymbolIterator } = primordials;

const kMap = Symbol("declarations");
const kChanged = Symbol("changed");

/** `a: b; c: d !important` to pairs; strings, brackets and comments respected. */
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
    out.delete(name);
    out.set(name, { value, priority });
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

// --- sheets ---------------------------------------------------------------------------------------------------------

/** Rules of a sheet in order: `{ selectors, text, declarations }`; `@media` rules that hold are flattened. */
function parseSheet(text) {
  const rules = [];
  parseRules(text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/<!--|-->/g, ""), rules);
  return rules;
}

function parseRules(text, rules) {
  let at = 0;
  while (at < text.length) {
    const brace = text.indexOf("{", at);
    const semi = text.indexOf(";", at);
    if (semi >= 0 && (brace < 0 || semi < brace)) {
      at = semi + 1; // @import, @charset
      continue;
    }
    if (brace < 0) return;
    const head = text.slice(at, brace).trim();
    const end = closing(text, brace);
    const body = text.slice(brace + 1, end);
    at = end + 1;
    if (head.startsWith("@")) {
      const m = /^@(media|supports|layer|container)\b\s*([\s\S]*)$/i.exec(head);
      if (m !== null && (lower(m[1]) !== "media" || mediaMatches(m[2]))) parseRules(body, rules);
      if (/^@font-face$/i.test(head)) (rules.faces ??= []).push(parseDeclarations(body));
      const frames = /^@(?:-webkit-)?keyframes\s+["']?([^"'\s]+)/i.exec(head);
      if (frames !== null) (rules.keyframes ??= new Set()).add(frames[1]);
      continue;
    }
    let selectors;
    try {
      selectors = parseSelector(head);
    } catch {
      continue;
    }
    rules.push({ __proto__: null, text: head, selectors, declarations: parseDeclarations(body) });
  }
}

function closing(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return text.length;
}

/** Media Queries, what pages ask: sizes, orientation, ratio, preferences. */
function mediaMatches(query) {
  const was = asking;
  asking = true;
  try {
    return matchesAny(query);
  } finally {
    asking = was;
  }
}

function matchesAny(query) {
  return split(query, ",").some((one) => {
    let text = lower(one).trim();
    if (text === "" || text === "all" || text === "screen") return true;
    const negate = text.startsWith("not ");
    if (negate) text = text.slice(4);
    const holds = text.split(/\band\b/).every((part) => mediaFeature(part.trim()));
    return holds !== negate;
  });
}

function mediaFeature(part) {
  if (part === "screen" || part === "all" || part === "only screen") return true;
  const m = /^\(\s*([-a-z]+)\s*(?::\s*([^)]+?)\s*)?\)$/.exec(part);
  if (m === null) {
    const r = /^\(\s*(width|height)\s*([<>]=?)\s*([^)]+?)\s*\)$/.exec(part);
    if (r === null) return false;
    const have = r[1] === "width" ? viewport.width : viewport.height, want = length(r[3], 0) ?? 0;
    return { "<": have < want, "<=": have <= want, ">": have > want, ">=": have >= want }[r[2]];
  }
  const [, name, value] = m;
  const px = value === undefined ? null : length(value, 0);
  switch (name) {
    case "width": return px === null || viewport.width === px;
    case "height": return px === null || viewport.height === px;
    case "min-width": return viewport.width >= px;
    case "max-width": return viewport.width <= px;
    case "min-height": return viewport.height >= px;
    case "max-height": return viewport.height <= px;
    case "orientation": return value === (viewport.height >= viewport.width ? "portrait" : "landscape");
    case "prefers-color-scheme": return value === "light";
    case "prefers-reduced-motion": return value === "no-preference";
    case "prefers-contrast": return value === "no-preference";
    case "hover":
    case "any-hover": return value === undefined || value === "hover";
    case "pointer":
    case "any-pointer": return value === undefined || value === "fine";
    case "color": return true;
    case "color-gamut": return value === "srgb";
    case "dynamic-range":
    case "video-dynamic-range": return value === "standard";
    case "display-mode": return value === "browser";
    case "resolution":
    case "min-resolution":
    case "-webkit-min-device-pixel-ratio":
    case "max-resolution": {
      const dppx = parseFloat(value) / (value.endsWith("dpi") ? 96 : 1);
      return name === "resolution" ? viewport.ratio === dppx : name.startsWith("max") ? viewport.ratio <= dppx : viewport.ratio >= dppx;
    }
    case "min-aspect-ratio":
    case "max-aspect-ratio": {
      const [w, h = "1"] = value.split("/");
      const have = viewport.width / viewport.height, want = parseFloat(w) / parseFloat(h);
      return name === "min-aspect-ratio" ? have >= want : have <= want;
    }
    default: return false;
  }
}

/** The document's sheets, set by 05_dom_document.js: a function that gives all rules in order. */
const sheets = { __proto__: null, rules: () => [], faces: () => [], keyframes: () => new Set(), flush: () => {} };

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
  const rules = sheets.rules();
  for (let i = 0; i < rules.length; i++) {
    let weight = -1;
    for (const s of rules[i].selectors) if (matchComplex(element, s, element)) weight = Math.max(weight, weightOf(s));
    if (weight >= 0) found.push({ weight, order: i, declarations: rules[i].declarations });
  }
  found.sort((a, b) => a.weight - b.weight || a.order - b.order);
  const inline = inlineOf(element);
  const plain = new Map(), own = new Map();
  const apply = (declarations, important) => {
    for (const [name, d] of declarations) {
      if ((d.priority === "important") !== important) continue;
      const to = name.startsWith("--") ? own : plain;
      // Order counts: a shorthand and a longhand override each other.
      to.delete(name);
      to.set(name, d);
    }
  };
  for (const f of found) apply(f.declarations, false);
  apply(inline, false);
  for (const f of found) apply(f.declarations, true);
  apply(inline, true);
  const style = { __proto__: null, version: version.tree, map: new Map(), custom: customsOf(element, own), fontSize: null };
  cascades.set(element, style);
  for (const [name, d] of plain) {
    let value = d.value;
    if (value.includes("var(")) {
      value = substitute(value, (name) => style.custom.get(name));
      if (value === null) {
        // Invalid at computed-value time (CSS Variables 1, section 3).
        for (const each of SHORTHANDS[name]?.names ?? [name]) style.map.set(each, { value: "unset", priority: d.priority });
        if (SHORTHANDS[name] !== undefined) style.map.delete(name);
        continue;
      }
    }
    if (value.includes("light-dark(")) value = value.replace(/light-dark\(((?:[^(),]|\([^()]*\))*),(?:[^()]|\([^()]*\))*\)/g, "$1").trim();
    expand(name, value, (each, own) => style.map.set(each, { value: own, priority: d.priority }));
  }
  return style;
}

function customsOf(element, own) {
  const parent = element.parentElement;
  const inherited = parent === null || parent === undefined ? new Map() : customs(parent);
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
    if (word === "inherit" || word === "unset") value = inherited.get(name) ?? null;
    else if (word === "initial") value = null;
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

let asking = false;

/** Font size of the root; 16 px while that or a media query is looked for. */
function remSize() {
  const root = asking ? null : globalThis.document?.documentElement ?? null;
  return root === null ? 16 : fontSize(root);
}

/** A CSS length in px; `base` is what percentages refer to. `null` for auto and what is not understood. */
function length(text, base, fontSize = 16) {
  const t = lower(`${text}`).trim();
  const m = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(t);
  if (m !== null) {
    const n = parseFloat(m[1]);
    switch (m[2]) {
      case "px": return n;
      case "": return n === 0 ? 0 : null;
      case "%": return base === null ? null : (n * base) / 100;
      case "vw": case "dvw": case "svw": case "lvw": return (n * viewport.width) / 100;
      case "vh": case "dvh": case "svh": case "lvh": return (n * viewport.height) / 100;
      case "vmin": return (n * Math.min(viewport.width, viewport.height)) / 100;
      case "vmax": return (n * Math.max(viewport.width, viewport.height)) / 100;
      case "em": return n * fontSize;
      case "rem": return n * remSize();
      case "ch": return n * 8;
      case "pt": return (n * 96) / 72;
      case "pc": return n * 16;
      case "in": return n * 96;
      case "cm": return (n * 96) / 2.54;
      case "mm": return (n * 96) / 25.4;
      default: return null;
    }
  }
  const f = /^(min|max|clamp|calc)\((.*)\)$/.exec(t);
  if (f === null) return null;
  if (f[1] === "calc") return calc(f[2], base, fontSize);
  const args = split(f[2], ",").map((a) => calc(a, base, fontSize));
  if (args.some((a) => a === null)) return null;
  if (f[1] === "min") return Math.min(...args);
  if (f[1] === "max") return Math.max(...args);
  return Math.max(args[0], Math.min(args[1], args[2]));
}

/** Sums, differences, products and quotients of lengths. */
function calc(text, base, fontSize) {
  const t = text.trim();
  const direct = length(t, base, fontSize);
  if (direct !== null) return direct;
  let depth = 0;
  for (let i = t.length - 1; i > 0; i--) {
    if (t[i] === ")") depth++;
    else if (t[i] === "(") depth--;
    else if (depth === 0 && (t[i] === "+" || t[i] === "-") && t[i - 1] === " ") {
      const a = calc(t.slice(0, i), base, fontSize), b = calc(t.slice(i + 1), base, fontSize);
      return a === null || b === null ? null : t[i] === "+" ? a + b : a - b;
    }
  }
  for (let i = t.length - 1; i > 0; i--) {
    if (t[i] === ")") depth++;
    else if (t[i] === "(") depth--;
    else if (depth === 0 && (t[i] === "*" || t[i] === "/")) {
      const number = (s) => (/^[+-]?[\d.]+$/.test(s.trim()) ? parseFloat(s) : calc(s, base, fontSize));
      const a = number(t.slice(0, i)), b = number(t.slice(i + 1));
      return a === null || b === null ? null : t[i] === "*" ? a * b : a / b;
    }
  }
  if (t.startsWith("(") && t.endsWith(")")) return calc(t.slice(1, -1), base, fontSize);
  return null;
}

// --- boxes ----------------------------------------------------------------------------------------------------------

const INLINE = new Set(["span", "a", "b", "i", "em", "strong", "small", "label", "code", "sub", "sup"]);
const HIDDEN = new Set(["head", "script", "style", "title", "meta", "link", "template", "noscript"]);

/**
 * Where an element's border box is, in CSS px of the viewport. Without a layout engine: sizes come from styles and from
 * the parent; what flows (a height from contents) is taken to fill the viewport, as full-page scenes do.
 */
function boxOf(element) {
  if (!element.isConnected) return { x: 0, y: 0, width: 0, height: 0 };
  const parent = element[kUp];
  if (parent === null || parent.nodeType === 9) return { x: 0, y: 0, width: viewport.width, height: viewport.height };
  const tag = element.localName;
  const style = cascade(element);
  const get = (name) => style.get(name)?.value ?? "";
  const length = (text, base) => px(element, text, base);
  if (HIDDEN.has(tag) || get("display") === "none") return { x: 0, y: 0, width: 0, height: 0 };
  const position = get("position");
  const outer = position === "fixed" ? { x: 0, y: 0, width: viewport.width, height: viewport.height } : boxOf(parent);
  const placed = position === "fixed" || position === "absolute";
  const left = placed ? length(get("left"), outer.width) : null, right = placed ? length(get("right"), outer.width) : null;
  const top = placed ? length(get("top"), outer.height) : null, bottom = placed ? length(get("bottom"), outer.height) : null;
  let width = length(get("width"), outer.width), height = length(get("height"), outer.height);
  const ratio = naturalSize(element);
  if (ratio !== null) {
    if (width === null && height === null) [width, height] = [ratio.width, ratio.height];
    else if (width === null) width = ratio.height === 0 ? 0 : (height * ratio.width) / ratio.height;
    else if (height === null) height = ratio.width === 0 ? 0 : (width * ratio.height) / ratio.width;
  } else if (INLINE.has(tag) && !placed && get("display") === "") {
    const text = textSize(element);
    width ??= text.width;
    height ??= text.height;
  }
  width ??= left !== null && right !== null ? outer.width - left - right : outer.width;
  height ??= top !== null && bottom !== null ? outer.height - top - bottom : tag === "body" || tag === "html" ? viewport.height : outer.height;
  const limit = (value, low, high, base) => {
    const most = length(get(high), base), least = length(get(low), base);
    if (most !== null) value = Math.min(value, most);
    return least !== null ? Math.max(value, least) : value;
  };
  width = Math.max(0, limit(width, "min-width", "max-width", outer.width));
  height = Math.max(0, limit(height, "min-height", "max-height", outer.height));
  const x = outer.x + (left ?? (right !== null ? outer.width - right - width : 0));
  const y = outer.y + (top ?? (bottom !== null ? outer.height - bottom - height : 0));
  return { x, y, width, height };
}

/** Is it in the document, and neither it nor anything around it `display: none`? */
function isRendered(element) {
  if (!element.isConnected) return false;
  for (let at = element; at !== null && at.nodeType === 1; at = at[kUp]) {
    if (HIDDEN.has(at.localName) || cascade(at).get("display")?.value === "none") return false;
  }
  return true;
}

function naturalSize(element) {
  switch (element.localName) {
    case "canvas": return { width: element.width, height: element.height };
    case "img": {
      const attr = (name) => element.getAttribute(name);
      return { width: +(attr("width") ?? element.naturalWidth), height: +(attr("height") ?? element.naturalHeight) };
    }
    case "video": return { width: +(element.getAttribute("width") ?? 300), height: +(element.getAttribute("height") ?? 150) };
    case "iframe": return { width: 300, height: 150 };
    case "input": return { width: 150, height: 20 };
    case "button": return textSize(element, 12, 6);
    case "select": return { width: 80, height: 20 };
    default: return null;
  }
}

/** A guess at the size of text: half an em a letter. */
function textSize(element, padX = 0, padY = 0) {
  const size = fontSize(element);
  return { width: (element.textContent ?? "").trim().length * size * 0.5 + padX, height: size * 1.2 + padY };
}

const INHERITED = new Set([
  "color", "font-family", "font-size", "font-style", "font-variant-caps", "font-weight", "font-stretch", "line-height", "letter-spacing", "text-align",
  "visibility", "cursor", "direction", "white-space", "word-spacing", "text-transform", "text-indent", "pointer-events", "color-scheme", "user-select",
  "-webkit-user-select", "list-style-type", "fill", "stroke",
]);
const INITIAL = {
  __proto__: null, position: "static", visibility: "visible", opacity: "1", color: "rgb(0, 0, 0)", "background-color": "rgba(0, 0, 0, 0)",
  "font-size": "16px", "font-family": '"Times New Roman"', "font-weight": "400", "font-style": "normal", "font-variant-caps": "normal",
  "font-stretch": "100%", "line-height": "normal", transform: "none", translate: "none", rotate: "none", scale: "none",
  "z-index": "auto", top: "auto", right: "auto", bottom: "auto", left: "auto", "max-width": "none", "max-height": "none", "min-width": "0px",
  "min-height": "0px", "overflow-x": "visible", "overflow-y": "visible", "box-sizing": "content-box", float: "none", "row-gap": "normal",
  "column-gap": "normal", "letter-spacing": "normal", "word-spacing": "0px", "text-indent": "0px", "outline-style": "none", "outline-width": "3px",
  "outline-color": "currentcolor", "pointer-events": "auto", direction: "ltr", "text-align": "start", "background-image": "none", filter: "none",
  cursor: "auto", "white-space": "normal", "text-transform": "none", "mix-blend-mode": "normal", "flex-grow": "0", "flex-shrink": "1",
  "box-shadow": "none", "backdrop-filter": "none", "clip-path": "none", "transition-property": "all", "transition-duration": "0s",
  "transition-timing-function": "ease", "transition-delay": "0s", "animation-name": "none", "animation-duration": "0s",
  "animation-timing-function": "ease", "animation-delay": "0s", "animation-iteration-count": "1", "animation-direction": "normal",
  "animation-fill-mode": "none", "animation-play-state": "running", "color-scheme": "normal",
};
for (const side of SIDES) {
  INITIAL[`margin-${side}`] = INITIAL[`padding-${side}`] = "0px";
  INITIAL[`border-${side}-width`] = "medium";
  INITIAL[`border-${side}-style`] = "none";
  INITIAL[`border-${side}-color`] = "currentcolor";
}
for (const corner of CORNERS) INITIAL[`border-${corner}-radius`] = "0px";

/** Properties whose computed value is a length in px, where it is one. */
const LENGTHS = /^(?:(?:margin|padding)-(?:top|right|bottom|left)|(?:border-(?:top|right|bottom|left)|outline)-width|border-(?:top|bottom)-(?:left|right)-radius|top|right|bottom|left|(?:min|max)-(?:width|height)|(?:row|column)-gap|(?:letter|word)-spacing|text-indent|outline-offset|stroke-width|flex-basis)$/;
const WIDTHS = { __proto__: null, thin: "1px", medium: "3px", thick: "5px" };
const FONT_SIZES = {
  __proto__: null, "xx-small": 9, "x-small": 10, small: 13, medium: 16, large: 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
};

/** A length of `element`'s own: `em` is its font size. */
function px(element, text, base) {
  return /(?:em|ch|ex|lh)\b/i.test(text) ? length(text, base, fontSize(element)) : length(text, base);
}

/** As Chromium writes it, with six digits. */
const inPx = (n) => `${Number(n.toPrecision(6))}px`;

/** What `element` itself says of `name`; undefined where it inherits or says nothing. */
function own(element, name) {
  const value = cascade(element).get(name)?.value;
  if (value === undefined || !WIDE.has(lower(value))) return value;
  const word = lower(value);
  return word === "initial" || (word !== "inherit" && !INHERITED.has(name)) ? INITIAL[name] : undefined;
}

/** Computed font size in px. */
function fontSize(element) {
  const style = styleOf(element);
  if (style.fontSize !== null) return style.fontSize;
  // While it is looked for, what is relative to it is relative to this.
  style.fontSize = 16;
  const parent = element.parentElement;
  const outer = parent === null || parent === undefined ? 16 : fontSize(parent);
  const text = lower(own(element, "font-size") ?? "");
  let size = outer;
  if (text === "smaller") size = outer / 1.2;
  else if (text === "larger") size = outer * 1.2;
  else if (text !== "") size = FONT_SIZES[text] ?? length(text, outer, outer) ?? outer;
  style.fontSize = Math.max(0, size);
  return style.fontSize;
}

function fontWeight(element) {
  const parent = element.parentElement;
  const outer = () => (parent === null ? 400 : fontWeight(parent));
  const text = lower(own(element, "font-weight") ?? "");
  switch (text) {
    case "": return outer();
    case "normal": return 400;
    case "bold": return 700;
    case "bolder": {
      const n = outer();
      return n < 350 ? 400 : n < 550 ? 700 : Math.max(900, n);
    }
    case "lighter": {
      const n = outer();
      return n < 550 ? 100 : n < 750 ? 400 : 700;
    }
    default: return parseFloat(text) || 400;
  }
}

function lineHeight(element) {
  for (let at = element; at !== null && at !== undefined; at = at.parentElement) {
    const text = own(at, "line-height");
    if (text === undefined) continue;
    if (/^[\d.]+$/.test(text)) return inPx(parseFloat(text) * fontSize(element));
    const height = length(text, fontSize(at), fontSize(at));
    return height === null ? text : inPx(height);
  }
  return "normal";
}

const isColorName = (name) => /(?:^|-)color$|^fill$|^stroke$/.test(name);

/** One computed value; colours are `rgb(...)` and lengths are px, whatever their source wrote. */
function computed(element, name) {
  if (name.startsWith("--")) return customs(element).get(name) ?? "";
  switch (name) {
    case "width":
    case "height": {
      const box = boxOf(element);
      return `${name === "width" ? box.width : box.height}px`;
    }
    case "font-size": return inPx(fontSize(element));
    case "font-weight": return `${fontWeight(element)}`;
    case "line-height": return lineHeight(element);
  }
  if (SHORTHANDS[name] !== undefined) return shorthand(element, name);
  const value = own(element, name);
  if (value === undefined) {
    const parent = element.parentElement;
    if (parent !== null && (INHERITED.has(name) || lower(cascade(element).get(name)?.value ?? "") === "inherit")) return computed(parent, name);
    if (name === "display") return displayOf(element);
  }
  const text = value ?? INITIAL[name] ?? "";
  if (isColorName(name)) {
    if (lower(text) !== "currentcolor") return op_css_color(text) ?? text;
    if (name !== "color") return computed(element, "color");
    return element.parentElement === null ? INITIAL.color : computed(element.parentElement, "color");
  }
  if (LENGTHS.test(name)) return lengthOf(element, name, text);
  if (name === "opacity" && text.endsWith("%")) return `${parseFloat(text) / 100}`;
  if (/^(?:transition|animation)-(?:duration|delay)$/.test(name)) return split(text, ",").map((t) => `${seconds(t)}s`).join(", ");
  return text;
}

function lengthOf(element, name, text) {
  const line = /^(border-(?:top|right|bottom|left))-width$/.exec(name);
  if (line !== null && /^(?:none|hidden)$/i.test(own(element, `${line[1]}-style`) ?? "none")) return "0px";
  if (line !== null || name === "outline-width") text = WIDTHS[lower(text)] ?? text;
  let base = null;
  if (/^(?:margin|padding)-|^(?:left|right)$/.test(name) && text.includes("%")) base = outerOf(element).width;
  else if (/^(?:top|bottom)$/.test(name) && text.includes("%")) base = outerOf(element).height;
  const n = px(element, text, base);
  return n === null ? text : inPx(n);
}

/** The box that percentages of `element` refer to. */
function outerOf(element) {
  const fixed = lower(own(element, "position") ?? "") === "fixed" || element.parentElement === null;
  return fixed ? viewport : boxOf(element.parentElement);
}

/** A CSS time in seconds. */
function seconds(text) {
  const m = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(m?s)\s*$/i.exec(text);
  return m === null ? 0 : lower(m[2]) === "ms" ? parseFloat(m[1]) / 1000 : parseFloat(m[1]);
}

function displayOf(element) {
  if (HIDDEN.has(element.localName)) return "none";
  return INLINE.has(element.localName) || ["canvas", "img", "video", "input", "button"].includes(element.localName) ? "inline" : "block";
}

/** A shorthand as its longhands have it. */
function shorthand(element, name) {
  const all = SHORTHANDS[name].names.map((each) => computed(element, each));
  if (name === "background") return `${all[0]} ${all[1]} repeat scroll 0% 0% / auto padding-box border-box`;
  if (name === "font") {
    const [style, caps, weight, , size, height, family] = all;
    const lead = [style, caps, weight].filter((w) => w !== "normal" && w !== "400");
    return [...lead, height === "normal" ? size : `${size} / ${height}`, family].join(" ");
  }
  if (name === "border") {
    const same = all.every((v, i) => v === all[i % 3]);
    return same ? all.slice(0, 3).join(" ") : "";
  }
  if (name.startsWith("transition") || name.startsWith("animation")) {
    const lists = all.map((v) => split(v, ",").map((w) => w.trim()));
    return lists[0].map((_, i) => lists.map((l) => l[i % l.length]).join(" ")).join(", ");
  }
  if (all.length === 4) {
    const [a, b, c, d] = all;
    if (d !== b) return all.join(" ");
    return c !== a ? `${a} ${b} ${c}` : b !== a ? `${a} ${b}` : a;
  }
  return all.length === 2 && all[0] === all[1] ? all[0] : all.join(" ");
}

const computedHandler = {
  __proto__: null,
  get(target, key) {
    if (typeof key !== "string") return ReflectGet(target, key, target);
    if (key === "getPropertyValue") return (name) => computed(target.element, normal(name));
    if (key === "getPropertyPriority") return () => "";
    if (key === "length") return cascade(target.element).size;
    if (key === "cssText") return "";
    if (key === "setProperty" || key === "removeProperty") return () => "";
    if (ObjectPrototypeHasOwnProperty(Object.prototype, key)) return target[key];
    return computed(target.element, propertyName(key));
  },
};

function getComputedStyle(element) {
  sheets.flush();
  const target = Object.create(CSSStyleDeclaration.prototype);
  target.element = element;
  return new Proxy(target, computedHandler);
}

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
void kebabToCamel;

export { CSSStyleSheet, boxOf, cascade, computed, seconds, getComputedStyle, isRendered, length, makeStyle, mediaMatches, sheets };
