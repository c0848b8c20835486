// Container queries (CSS Containment 3, sections 5 and 6), as far as styles tell how large a container is.
import { px } from "ext:replay/05_dom_boxes.js";
import { cascade, customs } from "ext:replay/05_dom_cascade.js";
import { computed } from "ext:replay/05_dom_computed.js";
import { flatParent } from "ext:replay/05_dom_node.js";
import { split, words } from "ext:replay/05_dom_shorthands.js";
import { lower } from "ext:replay/05_dom_util.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const ALIASES = { __proto__: null, "inline-size": "width", "block-size": "height" };
const NAMES = "width|height|inline-size|block-size|aspect-ratio|orientation";
const RANGE = new RegExp(`^(?:([^<>=:]+?)\\s*(<=?|>=?|=)\\s*)?(${NAMES})\\s*(?:(<=?|>=?|=)\\s*([^<>=:]+?))?$`);
const PLAIN = new RegExp(`^(min-|max-)?(${NAMES})\\s*:\\s*(.+)$`);
const HOLDS = { __proto__: null, "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b };

/** Do all queries hold for `element`? `null` where styles do not tell. */
function containersHold(element, queries) {
  let all = true;
  for (const query of queries) {
    const held = split(query, ",").map((one) => holds(element, one.trim()));
    if (held.includes(true)) continue;
    if (!held.includes(null)) return false;
    all = null;
  }
  return all;
}

function holds(element, query) {
  const m = /^(?!not[\s(]|style\s*\(|scroll-state\s*\()(-?[_a-zA-Z\u0080-\uffff][-\w\u0080-\uffff]*)?\s*([\s\S]*)$/.exec(query);
  const [name, condition] = m === null ? [undefined, query] : [m[1], m[2].trim()];
  const text = condition.replace(/style\s*\([^()]*\)/gi, "");
  const tall = /\b(?:height|block-size|aspect-ratio|orientation)\b/i.test(text);
  const sized = tall || /\b(?:width|inline-size)\b/i.test(text);
  for (let at = flatParent(element); at !== null && at !== undefined; at = flatParent(at)) {
    const own = containerOf(at);
    if (name !== undefined && !own.names.includes(name)) continue;
    if (sized && own.type !== "size" && (tall || own.type !== "inline-size")) continue;
    return condition === "" ? true : evaluate(condition, at);
  }
  return false;
}

/** CSS Containment 3, section 4.2: names and type, from the shorthand or by themselves. */
function containerOf(element) {
  const map = cascade(element);
  const [names, type] = (map.get("container")?.value ?? "").split("/");
  return {
    names: (map.get("container-name")?.value ?? names).trim().split(/\s+/),
    type: lower((map.get("container-type")?.value ?? type ?? "").trim()),
  };
}

/** Kleene's logic: what is not known stays so unless the rest decides. */
function evaluate(text, container) {
  const items = words(text);
  if (lower(items[0] ?? "") === "not") {
    const held = items.length === 2 ? evaluate(items[1], container) : null;
    return held === null ? null : !held;
  }
  if (items.length > 1) {
    const word = lower(items[1]);
    if (items.length % 2 === 0 || !/^(?:and|or)$/.test(word) || items.some((item, i) => i % 2 === 1 && lower(item) !== word)) return null;
    const held = items.filter((_, i) => i % 2 === 0).map((item) => evaluate(item, container));
    const decides = word === "or";
    return held.includes(decides) ? decides : held.includes(null) ? null : !decides;
  }
  const style = /^style\(\s*(--[^\s:()]+)\s*(?::\s*([\s\S]*?))?\s*\)$/i.exec(text);
  if (style !== null) {
    const value = customs(container).get(style[1]);
    return style[2] === undefined ? value !== undefined : value === style[2];
  }
  const group = /^\(([\s\S]*)\)$/.exec(text.trim())?.[1].trim();
  if (group === undefined) return null;
  return /^(?:\(|not\b|style\s*\()/i.test(group) ? evaluate(group, container) : feature(lower(group), container);
}

/** `min-width: 3px`, `width > 3px`, `2px < height <= 3px`, `width`. */
function feature(text, container) {
  const plain = PLAIN.exec(text), range = plain === null ? RANGE.exec(text) : null;
  if (plain === null && range === null) return null;
  const written = plain === null ? range[3] : plain[2], name = ALIASES[written] ?? written;
  const have = valueOf(container, name);
  if (have === null) return null;
  if (name === "orientation") return plain === null || (have > 1 ? "landscape" : "portrait") === plain[3];
  const compare = (a, how, b) => a === null || b === null ? null : HOLDS[how](a, b);
  if (plain !== null) return compare(have, plain[1] === "min-" ? ">=" : plain[1] === "max-" ? "<=" : "=", numberOf(container, name, plain[3]));
  const [, before, first, , second, after] = range;
  if (before === undefined && after === undefined) return have !== 0;
  const held = [before === undefined ? true : compare(numberOf(container, name, before), first, have), after === undefined ? true : compare(have, second, numberOf(container, name, after))];
  return held.includes(false) ? false : held.includes(null) ? null : true;
}

function numberOf(container, name, text) {
  if (name !== "aspect-ratio") return px(container, text, null);
  const [w, h = "1"] = text.split("/");
  const ratio = parseFloat(w) / parseFloat(h);
  return Number.isNaN(ratio) ? null : ratio;
}

function valueOf(container, name) {
  if (name === "width" || name === "height") return contentSize(container, name);
  const [width, height] = [contentSize(container, "width"), contentSize(container, "height")];
  return width === null || height === null ? null : width / height;
}

/** The size of an element's content box in px; `null` where only a layout tells. */
function contentSize(element, axis) {
  const map = cascade(element);
  const get = (name) => lower(map.get(name)?.value ?? "");
  const told = (name) => parseFloat(computed(element, name)) || 0;
  const [first, last] = axis === "width" ? ["left", "right"] : ["top", "bottom"];
  const sum = (kind, suffix = "") => told(`${kind}-${first}${suffix}`) + told(`${kind}-${last}${suffix}`);
  const edges = sum("padding") + sum("border", "-width");
  const parent = flatParent(element), position = get("position"), placed = position === "fixed" || position === "absolute";
  if (map.has("aspect-ratio") || /^(?:contents|inline|none)$/.test(get("display"))) return null;
  const outer = placed ? paddingBox(position === "fixed" ? null : parent, axis) : parent === null ? viewport[axis] : contentSize(parent, axis);
  const own = get(axis);
  let size = own === "" || own === "auto" ? null : px(element, own, outer);
  if (size !== null) {
    if (get("box-sizing") === "border-box") size -= edges;
  } else if (own !== "" && own !== "auto") {
    return null;
  } else if (placed) {
    const start = px(element, get(first), outer), end = px(element, get(last), outer);
    // What is contained does not make room for itself.
    size = start === null || end === null ? 0 : outer === null ? null : outer - start - end - sum("margin") - edges;
  } else {
    const flows = parent === null || !/flex|grid|table/.test(computed(parent, "display"));
    if (!flows || /table/.test(get("display"))) return null;
    if (axis === "height") size = containerOf(element).type === "size" ? 0 : null;
    else if (/^(?:left|right)$/.test(get("float")) || get("display").startsWith("inline")) size = containerOf(element).type === "" ? null : 0;
    else size = outer === null ? null : outer - marginsOf(element, sum("margin")) - edges;
  }
  if (size === null) return null;
  const inner = (text) => {
    const n = text === "" ? null : px(element, text, outer);
    return n === null ? null : get("box-sizing") === "border-box" ? n - edges : n;
  };
  return Math.max(0, inner(get(`min-${axis}`)) ?? 0, Math.min(size, inner(get(`max-${axis}`)) ?? Infinity));
}

/** The browser's own margin of a page's body is 8 px wide. */
function marginsOf(element, sum) {
  const map = cascade(element);
  return element.localName === "body" && !map.has("margin-left") && !map.has("margin-right") ? 16 : sum;
}

/** The padding box that what is placed absolutely refers to. */
function paddingBox(from, axis) {
  for (let at = from; at !== null && at !== undefined; at = flatParent(at)) {
    if (!/^(?:relative|absolute|fixed|sticky)$/.test(lower(cascade(at).get("position")?.value ?? ""))) continue;
    const size = contentSize(at, axis), [first, last] = axis === "width" ? ["left", "right"] : ["top", "bottom"];
    return size === null ? null : size + (parseFloat(computed(at, `padding-${first}`)) || 0) + (parseFloat(computed(at, `padding-${last}`)) || 0);
  }
  return viewport[axis];
}

export { containersHold };
