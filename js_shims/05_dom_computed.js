// Computed values (CSSOM 9), as far as programs read them.
import { primordials } from "ext:replay/00_primordials.js";
import { HIDDEN, INLINE, boxOf, px } from "ext:replay/05_dom_boxes.js";
import { cascade, customs, kGenerated, styleOf } from "ext:replay/05_dom_cascade.js";
import { flatParent } from "ext:replay/05_dom_node.js";
import { length, seconds } from "ext:replay/05_dom_length.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { CORNERS, SHORTHANDS, SIDES, WIDE, isColorName, split } from "ext:replay/05_dom_shorthands.js";
import { CSSStyleDeclaration, normal, propertyName } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

import { op_css_color } from "ext:core/ops";

const { ObjectPrototypeHasOwnProperty, Proxy, ReflectGet } = primordials;

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
  const parent = flatParent(element);
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
  const parent = flatParent(element);
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

/** Of elements always normal; where there is no box, none (CSS Content 3, section 2). */
function contentOf(element) {
  if (element[kGenerated] === undefined) return "normal";
  const text = own(element, "content") ?? "none";
  return lower(text) === "normal" ? "none" : text.replace(/'((?:[^'"\\]|\\.)*)'/g, '"$1"');
}

function lineHeight(element) {
  for (let at = element; at !== null && at !== undefined; at = flatParent(at)) {
    const text = own(at, "line-height");
    if (text === undefined) continue;
    if (/^[\d.]+$/.test(text)) return inPx(parseFloat(text) * fontSize(element));
    const height = length(text, fontSize(at), fontSize(at));
    return height === null ? text : inPx(height);
  }
  return "normal";
}

/** One computed value; colours are `rgb(...)` and lengths are px, whatever their source wrote. */
function computed(element, name) {
  if (name.startsWith("--")) {
    const value = customs(element).get(name) ?? "";
    return sheets.properties().get(name)?.isColor ? op_css_color(value) ?? value : value;
  }
  switch (name) {
    case "width":
    case "height": {
      const box = boxOf(element);
      return `${name === "width" ? box.width : box.height}px`;
    }
    case "font-size": return inPx(fontSize(element));
    case "font-weight": return `${fontWeight(element)}`;
    case "line-height": return lineHeight(element);
    case "content": return contentOf(element);
  }
  if (SHORTHANDS[name] !== undefined) return shorthand(element, name);
  const value = own(element, name);
  if (value === undefined) {
    const parent = flatParent(element);
    if (parent !== null && (INHERITED.has(name) || lower(cascade(element).get(name)?.value ?? "") === "inherit")) return computed(parent, name);
    if (name === "display") return displayOf(element);
  }
  const text = value ?? INITIAL[name] ?? "";
  if (isColorName(name)) {
    if (lower(text) !== "currentcolor") return op_css_color(text) ?? text;
    if (name !== "color") return computed(element, "color");
    return flatParent(element) === null ? INITIAL.color : computed(flatParent(element), "color");
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
  const fixed = lower(own(element, "position") ?? "") === "fixed" || flatParent(element) === null;
  return fixed ? viewport : boxOf(flatParent(element));
}

function displayOf(element) {
  if (HIDDEN.has(element.localName)) return "none";
  if (element[kGenerated] !== undefined) return /^(?:absolute|fixed)$/.test(own(element, "position") ?? "") ? "block" : "inline";
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

export { computed, fontSize, getComputedStyle };
