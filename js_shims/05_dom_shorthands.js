// Shorthand properties of CSS: which longhands each sets (CSS Cascade 5, section 3; the property's own specification for each).
import { primordials } from "ext:replay/00_primordials.js";
import { lower } from "ext:replay/05_dom_util.js";
import { op_css_color } from "ext:core/ops";

const { SafeSet } = primordials;

const SIDES = ["top", "right", "bottom", "left"];
const CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];
const WIDE = new SafeSet(["inherit", "initial", "unset", "revert", "revert-layer"]);
const STYLES = new SafeSet(["none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset", "auto"]);
const SYSTEM_COLORS = new SafeSet([
  "currentcolor", "accentcolor", "accentcolortext", "activetext", "buttonborder", "buttonface", "buttontext", "canvas", "canvastext", "field",
  "fieldtext", "graytext", "highlight", "highlighttext", "linktext", "mark", "marktext", "selecteditem", "selecteditemtext", "visitedtext",
]);
const SIZE_WORD = /^(?:[+-]?(?:\d|\.\d)|(?:calc|min|max|clamp)\(|(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger)$)/;

/** Splits at `mark`, a character or " " for any white space, outside of strings and brackets. */
function split(text, mark) {
  const out = [];
  let depth = 0, quote = "", start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote !== "") {
      if (c === "\\") i++;
      else if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    else if (depth <= 0 && (c === mark || (mark === " " && (c === "\n" || c === "\t" || c === "\r" || c === "\f")))) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  out.push(text.slice(start));
  return out;
}

const words = (text) => split(text, " ").filter((w) => w !== "");

function isColor(word) {
  const text = lower(word);
  return SYSTEM_COLORS.has(text) || op_css_color(text) !== null;
}

const isLength = (word) => /^(?:[+-]?(?:\d|\.\d)|(?:calc|min|max|clamp)\()/.test(word);
const isTime = (word) => /^[+-]?[\d.]+(?:e[+-]?\d+)?m?s$/.test(word);

function sides(names, value, out) {
  const all = words(value);
  if (all.length === 0 || all.length > 4) return false;
  const four = [all[0], all[1] ?? all[0], all[2] ?? all[0], all[3] ?? all[1] ?? all[0]];
  for (let i = 0; i < 4; i++) out(names[i], four[i]);
  return true;
}

function pair(names, value, out) {
  const all = words(value);
  if (all.length === 0 || all.length > 2) return false;
  out(names[0], all[0]);
  out(names[1], all[1] ?? all[0]);
  return true;
}

/** Width, style and colour in any order. */
function line(prefixes, value, out) {
  let width = "medium", style = "none", color = "currentcolor";
  for (const word of words(value)) {
    const w = lower(word);
    if (STYLES.has(w)) style = w;
    else if (isLength(w) || w === "thin" || w === "medium" || w === "thick") width = w;
    else if (isColor(w)) color = word;
    else return false;
  }
  for (const prefix of prefixes) {
    out(`${prefix}-width`, width);
    out(`${prefix}-style`, style);
    out(`${prefix}-color`, color);
  }
  return true;
}

const IMAGE = /^(?:[-a-z]*gradient|url|image-set|-webkit-image-set|image|cross-fade|element|paint)\(/i;
const BACKGROUND_WORD = /^(?:\/|none|repeat|repeat-x|repeat-y|no-repeat|space|round|scroll|fixed|local|left|right|top|bottom|center|cover|contain|auto|border-box|padding-box|content-box|text)$/i;

function background(value, out) {
  let color = "transparent";
  const images = [];
  for (const layer of split(value, ",")) {
    let image = "none";
    for (const word of words(layer.replace(/\s*\/\s*(?![^(]*\))/g, " / "))) {
      if (IMAGE.test(word)) image = word;
      else if (isColor(word)) color = word;
      else if (!isLength(word) && !BACKGROUND_WORD.test(word)) return false;
    }
    images.push(image);
  }
  out("background-color", color);
  out("background-image", images.join(", "));
  return true;
}

function font(value, out) {
  if (/^(?:caption|icon|menu|message-box|small-caption|status-bar)$/i.test(value)) return void 0;
  const all = words(value.replace(/\s*\/\s*/g, "/"));
  const set = { __proto__: null, "font-style": "normal", "font-variant-caps": "normal", "font-weight": "400", "font-stretch": "normal" };
  for (let i = 0; i < all.length; i++) {
    const w = lower(all[i]);
    if (/^\d+$/.test(w) && +w >= 1 && +w <= 1000 && i + 1 < all.length) set["font-weight"] = w;
    else if (w === "bold" || w === "bolder" || w === "lighter") set["font-weight"] = w;
    else if (w === "italic" || w === "oblique") set["font-style"] = w;
    else if (w === "small-caps") set["font-variant-caps"] = w;
    else if (SIZE_WORD.test(w)) {
      const [size, height = "normal"] = split(all[i], "/");
      const family = all.slice(i + 1).join(" ");
      if (family === "") return false;
      for (const name in set) out(name, set[name]);
      out("font-size", size);
      out("line-height", height);
      out("font-family", family);
      return true;
    } else if (!/^(?:normal|(?:ultra-|extra-|semi-)?(?:condensed|expanded))$/.test(w)) return false;
  }
  return false;
}

function transition(value, out) {
  const lists = { __proto__: null, property: [], duration: [], "timing-function": [], delay: [] };
  for (const one of split(value, ",")) {
    let property = "all", easing = "ease";
    const times = [];
    for (const word of words(one)) {
      if (isTime(word)) times.push(word);
      else if (/^(?:ease|linear|ease-in|ease-out|ease-in-out|step-start|step-end|(?:cubic-bezier|steps|linear)\(.*)$/i.test(word)) easing = word;
      else if (!/^(?:normal|allow-discrete)$/i.test(word)) property = word;
    }
    lists.property.push(property);
    lists.duration.push(times[0] ?? "0s");
    lists["timing-function"].push(easing);
    lists.delay.push(times[1] ?? "0s");
  }
  for (const name in lists) out(`transition-${name}`, lists[name].join(", "));
  return true;
}

function animation(value, out) {
  const lists = { __proto__: null, name: [], duration: [], "timing-function": [], delay: [], "iteration-count": [], direction: [], "fill-mode": [], "play-state": [] };
  for (const one of split(value, ",")) {
    const set = { __proto__: null, name: "none", "timing-function": "ease", "iteration-count": "1", direction: "normal", "fill-mode": "none", "play-state": "running" };
    const times = [];
    for (const word of words(one)) {
      if (isTime(word)) times.push(word);
      else if (/^(?:infinite|[\d.]+)$/i.test(word)) set["iteration-count"] = word;
      else if (/^(?:ease|linear|ease-in|ease-out|ease-in-out|step-start|step-end|(?:cubic-bezier|steps|linear)\(.*)$/i.test(word)) set["timing-function"] = word;
      else if (/^(?:normal|reverse|alternate|alternate-reverse)$/i.test(word)) set.direction = word;
      else if (/^(?:forwards|backwards|both)$/i.test(word)) set["fill-mode"] = word;
      else if (/^(?:running|paused)$/i.test(word)) set["play-state"] = word;
      else set.name = word;
    }
    set.duration = times[0] ?? "0s";
    set.delay = times[1] ?? "0s";
    for (const name in lists) lists[name].push(set[name]);
  }
  for (const name in lists) out(`animation-${name}`, lists[name].join(", "));
  return true;
}

const of = (pattern, list = SIDES) => list.map((side) => pattern.replace("*", side));
const fourOf = (names) => ({ __proto__: null, names, set: (value, out) => sides(names, value, out) });
const twoOf = (...names) => ({ __proto__: null, names, set: (value, out) => pair(names, value, out) });
const lineOf = (...prefixes) => ({
  __proto__: null,
  names: prefixes.flatMap((p) => [`${p}-width`, `${p}-style`, `${p}-color`]),
  set: (value, out) => line(prefixes, value, out),
});

/** `names`: the longhands; `set` calls `out(name, value)` for each, and is false when the value is none of the property. */
const SHORTHANDS = {
  __proto__: null,
  margin: fourOf(of("margin-*")),
  padding: fourOf(of("padding-*")),
  inset: fourOf(SIDES),
  "border-width": fourOf(of("border-*-width")),
  "border-style": fourOf(of("border-*-style")),
  "border-color": fourOf(of("border-*-color")),
  "border-radius": {
    __proto__: null,
    names: of("border-*-radius", CORNERS),
    set: (value, out) => sides(of("border-*-radius", CORNERS), value.split("/")[0].trim(), out),
  },
  "margin-inline": twoOf("margin-left", "margin-right"),
  "margin-block": twoOf("margin-top", "margin-bottom"),
  "padding-inline": twoOf("padding-left", "padding-right"),
  "padding-block": twoOf("padding-top", "padding-bottom"),
  "inset-inline": twoOf("left", "right"),
  "inset-block": twoOf("top", "bottom"),
  "inline-size": { __proto__: null, names: ["width"], set: (value, out) => (out("width", value), true) },
  "block-size": { __proto__: null, names: ["height"], set: (value, out) => (out("height", value), true) },
  gap: twoOf("row-gap", "column-gap"),
  overflow: twoOf("overflow-x", "overflow-y"),
  border: lineOf(...of("border-*")),
  "border-top": lineOf("border-top"),
  "border-right": lineOf("border-right"),
  "border-bottom": lineOf("border-bottom"),
  "border-left": lineOf("border-left"),
  outline: lineOf("outline"),
  background: { __proto__: null, names: ["background-color", "background-image"], set: background },
  font: {
    __proto__: null,
    names: ["font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family"],
    set: font,
  },
  transition: { __proto__: null, names: ["property", "duration", "timing-function", "delay"].map((n) => `transition-${n}`), set: transition },
  animation: {
    __proto__: null,
    names: ["name", "duration", "timing-function", "delay", "iteration-count", "direction", "fill-mode", "play-state"].map((n) => `animation-${n}`),
    set: animation,
  },
};

const COLORS = new SafeSet(["color", "background-color", "fill", "stroke", "caret-color", "outline-color", ...of("border-*-color")]);

/** Can `name` have this value, as far as it is known? */
function accepts(name, value) {
  return !COLORS.has(name) || WIDE.has(lower(value)) || isColor(value) || ((name === "fill" || name === "stroke") && /^(?:none|url\(|context-)/i.test(value));
}

/** Calls `out(name, value)` for `name` itself and all it stands for; for nothing if the value is none of the property. */
function expand(name, value, out) {
  const short = SHORTHANDS[name];
  if (short === undefined) {
    if (accepts(name, value)) out(name, value);
    return;
  }
  if (WIDE.has(lower(value))) for (const each of short.names) out(each, value);
  else {
    const found = [];
    if (short.set(value, (each, own) => void found.push([each, own])) === false) return;
    if (found.some(([each, own]) => !accepts(each, own))) return;
    for (const [each, own] of found) out(each, own);
  }
  out(name, value);
}

const isColorName = (name) => /(?:^|-)color$|^fill$|^stroke$/.test(name);

export { CORNERS, SHORTHANDS, SIDES, WIDE, expand, isColorName, split, words };
