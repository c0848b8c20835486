// Where elements are, without a layout engine.
import { cascade } from "ext:replay/05_dom_cascade.js";
import { fontSize } from "ext:replay/05_dom_computed.js";
import { length } from "ext:replay/05_dom_length.js";
import { flatParent } from "ext:replay/05_dom_node.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const INLINE = new Set(["span", "a", "b", "i", "em", "strong", "small", "label", "code", "sub", "sup"]);
const HIDDEN = new Set(["head", "script", "style", "title", "meta", "link", "template", "noscript"]);

/**
 * Where an element's border box is, in CSS px of the viewport. Without a layout engine: sizes come from styles and from
 * the parent; what flows (a height from contents) is taken to fill the viewport, as full-page scenes do.
 */
function boxOf(element) {
  if (!element.isConnected) return { x: 0, y: 0, width: 0, height: 0 };
  const parent = flatParent(element);
  if (parent === null) return { x: 0, y: 0, width: viewport.width, height: viewport.height };
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
  for (let at = element; at !== null; at = flatParent(at)) {
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

/** A length of `element`'s own: `em` is its font size. */
function px(element, text, base) {
  return /(?:em|ch|ex|lh)\b/i.test(text) ? length(text, base, fontSize(element)) : length(text, base);
}

export { HIDDEN, INLINE, boxOf, isRendered, px };
