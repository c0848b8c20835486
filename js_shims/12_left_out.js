// What a browser would show over or behind the filmed canvas and the video leaves out, and the colour behind the canvas.
// There is no layout: what flows can only be said to be perhaps visible (`sure` is false then).
import { primordials } from "ext:replay/00_primordials.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { boxOf } from "ext:replay/05_dom_boxes.js";
import { filmed } from "ext:replay/05_dom_canvas.js";
import { cascade, kGenerated, styleOf } from "ext:replay/05_dom_cascade.js";
import { computed } from "ext:replay/05_dom_computed.js";
import { kLazy } from "ext:replay/05_dom_element.js";
import { contentOf, generated, isThere } from "ext:replay/05_dom_generated.js";
import { length } from "ext:replay/05_dom_length.js";
import { flatParent, kChildren, version } from "ext:replay/05_dom_node.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { viewport } from "ext:replay/05_dom_viewport.js";
import { op_css_color, op_film_behind, op_film_shown } from "ext:core/ops";

const { ArrayPrototypePush, SafeMap } = primordials;

const ELEMENT = 1, TEXT = 3;

/** Elements that show nothing, with all they hold. */
const UNSEEN = new Set([
  "head", "script", "style", "title", "meta", "link", "base", "template", "noscript", "datalist", "param", "source", "track", "area", "map", "slot",
]);
/** Parts of an SVG that draw nothing by themselves. */
const SVG_UNSEEN = new Set(["defs", "symbol", "style", "title", "desc", "metadata", "filter", "clipPath", "mask", "linearGradient", "radialGradient"]);
/** Elements that show something without any contents. */
const CONTROLS = new Set(["button", "select", "textarea", "progress", "meter", "hr"]);

/** Nodes looked at each time; beyond, a page counts as seen. */
const MAX_NODES = 5000;
const MAX_TEXT = 30;
const MAX_NAMED = 8;

/** What was seen, by the outermost element beside the canvas: `{ name, text, leaf, sure, under, first }`. */
const seen = new SafeMap();
/** Styles of the canvas itself that change how a browser shows it. */
const worn = new SafeMap();

const isPlaced = (position) => position === "absolute" || position === "fixed";

function alphaOf(color) {
  const css = op_css_color(color);
  if (css === null || css === undefined) return 1;
  const m = /^rgba\([^,]+,[^,]+,[^,]+,\s*([\d.]+)\)$/.exec(css);
  return m === null ? 1 : parseFloat(m[1]);
}

function backgroundImage(element) {
  const map = cascade(element);
  const own = map.get("background-image")?.value;
  const text = own ?? map.get("background")?.value ?? "";
  return /\b(?:[-a-z]*gradient|url|image-set|paint)\(/i.test(text) ? text : "";
}

/** Has it a background, a border or a shadow of its own? */
function decorated(element) {
  if (backgroundImage(element) !== "") return true;
  if (alphaOf(computed(element, "background-color")) > 0 || computed(element, "backdrop-filter") !== "none") return true;
  // A width of 0 is what computed values say of lines that have no style.
  const lines = ["border-top", "border-right", "border-bottom", "border-left", "outline"];
  const isDrawn = (line) => parseFloat(computed(element, `${line}-width`)) > 0 && !/^(?:none|hidden)$/.test(computed(element, `${line}-style`));
  if (lines.some((line) => isDrawn(line) && alphaOf(computed(element, `${line}-color`)) > 0)) return true;
  const shadow = computed(element, "box-shadow");
  return shadow !== "none" && !/\btransparent\b/.test(shadow);
}

/** Do its own styles give it an area, contents or not? */
function hasArea(element, placed) {
  const map = cascade(element);
  const has = (...names) => names.some((name) => {
    const value = map.get(name)?.value;
    return value !== undefined && value !== "auto" && !/^0(?:px|%|em|rem)?$/.test(value);
  });
  const set = (...names) => names.every((name) => (map.get(name)?.value ?? "auto") !== "auto");
  const padded = has("padding", "padding-top", "padding-bottom", "padding-block");
  const high = has("height", "min-height") || padded || set("inset") || (placed && set("top", "bottom")) || set("aspect-ratio");
  const wide = !placed || has("width", "min-width") || padded || set("inset") || set("left", "right") || set("aspect-ratio");
  const box = boxOf(element);
  return high && wide && box.width > 0 && box.height > 0;
}

/** Sum of the translations of `transform` and `translate`, in px of an element with this box. */
function shiftOf(element, box) {
  const map = cascade(element);
  let x = 0, y = 0;
  const add = (a, b) => {
    x += length((a ?? "0").trim(), box.width) ?? 0;
    y += length((b ?? "0").trim(), box.height) ?? 0;
  };
  const text = map.get("transform")?.value ?? "";
  for (const m of text.matchAll(/translate(X|Y|3d)?\(([^()]*)\)/g)) {
    const [a, b] = m[2].split(",");
    if (m[1] === "Y") add("0", a);
    else add(a, m[1] === "X" ? "0" : b);
  }
  const own = map.get("translate")?.value;
  if (own !== undefined && own !== "none") add(...own.split(/\s+/));
  return { x, y };
}

/** Does a placed element lie wholly outside the viewport, or is it too small to see? */
function isOutside(element) {
  const map = cascade(element);
  const box = boxOf(element);
  const shift = shiftOf(element, box);
  const [x, y] = [box.x + shift.x, box.y + shift.y];
  const told = (...names) => names.some((name) => map.has(name));
  if (told("width") && told("height") && box.width <= 1 && box.height <= 1) return true;
  const across = told("left", "right", "inset") || shift.x !== 0, down = told("top", "bottom", "inset") || shift.y !== 0;
  // What has no size at the edge may hold what overflows into the viewport.
  const before = (at, size) => at + size <= 0 && (size > 0 || at < 0);
  return (across && (x >= viewport.width || (told("width", "left") && before(x, box.width))))
    || (down && (y >= viewport.height || (told("height", "top") && before(y, box.height))));
}

function isHidden(element) {
  const map = cascade(element);
  const display = map.get("display")?.value;
  if (display === "none") return true;
  const attrs = element[kAttrs];
  if (display === undefined && (attrs.has("hidden") || (element.localName === "dialog" && !attrs.has("open")))) return true;
  if (parseFloat(computed(element, "opacity")) < 0.01) return true;
  if (map.get("content-visibility")?.value === "hidden") return true;
  if (/\bscale(?:3d|X|Y)?\(\s*0(?:\.0*)?\s*[,)]/.test(map.get("transform")?.value ?? "")) return true;
  return /\brect\(\s*(?:0|1px)/.test(map.get("clip")?.value ?? "") || /inset\(\s*(?:50|100)%/.test(map.get("clip-path")?.value ?? "");
}

/** Would a rule show it of which nobody knows here whether it holds? */
function mayShow(element) {
  const { perhaps } = styleOf(element);
  return perhaps !== null && ["display", "opacity", "content-visibility", "transform", "clip", "clip-path"].some((name) => perhaps.has(name));
}

/** Is either side's overflow such? */
function overflows(element, how) {
  return how.test(computed(element, "overflow-x")) || how.test(computed(element, "overflow-y"));
}

function clips(element) {
  const map = cascade(element);
  if (!overflows(element, /hidden|clip|scroll|auto/)) return false;
  const zero = (name) => /^0(?:px|%)?$/.test(map.get(name)?.value ?? "");
  return zero("height") || zero("width") || zero("max-height") || zero("max-width");
}

/** Is it a generated box in a line of text, which has but its padding for a size (CSS 2, sections 10.3.1 and 10.6.1)? */
function isInline(element) {
  if (element[kGenerated] === undefined || /flex|grid/.test(computed(flatParent(element), "display"))) return false;
  const map = cascade(element);
  const says = (name, usual) => map.get(name)?.value ?? usual;
  return says("float", "none") === "none" && says("display", "inline") === "inline" && !["left", "right"].some((side) => map.has(`padding-${side}`));
}

/** Does this kind of element show something of its own? */
function showsItself(element) {
  if (element[kGenerated] !== undefined) return /\b(?:[-a-z]*gradient|url|image-set)\(/i.test(contentOf(element));
  const attr = (name) => element[kAttrs].get(name);
  const sized = (width, height) => attr("width") !== "0" && attr("height") !== "0" && width !== 0 && height !== 0;
  switch (element.localName) {
    case "canvas": return element !== filmed.element && filmed.shows(element);
    case "img": return attr("src") !== undefined && sized(element.naturalWidth || +(attr("width") ?? 0), element.naturalHeight || +(attr("height") ?? 0));
    case "video": return attr("src") !== undefined || attr("poster") !== undefined || element.srcObject != null || element[kChildren].length > 0;
    case "audio": return attr("controls") !== undefined;
    case "iframe": return attr("src") !== undefined || attr("srcdoc") !== undefined;
    case "object": case "embed": return attr("data") !== undefined || attr("src") !== undefined;
    case "input": return (attr("type") ?? "").toLowerCase() !== "hidden";
    case "svg": return sized(1, 1) && element[kChildren].some((c) => c.nodeType === ELEMENT && !SVG_UNSEEN.has(c.localName));
    default: return CONTROLS.has(element.localName);
  }
}

function nameOf(element) {
  if (element.nodeType === TEXT) return "text";
  const made = element[kGenerated];
  if (made !== undefined) return `${nameOf(made.origin)}::${made.which}`;
  const attrs = element[kAttrs];
  let name = `<${element.localName}`;
  const id = attrs.get("id");
  if (id) name += `#${id}`;
  let some = 0;
  for (const c of (attrs.get("class") ?? "").split(/\s+/)) if (c !== "" && some++ < 2) name += `.${c}`;
  return `${name.slice(0, 60)}>`;
}

function depthOf(element) {
  return parseInt(cascade(element).get("z-index")?.value ?? "0", 10);
}

/** One look at the page. */
class Look {
  constructor(frame, canvas) {
    this.frame = frame;
    this.canvas = canvas;
    this.left = MAX_NODES;
    this.around = new Set();
    this.canvasPlaced = false;
    this.passed = false;
    const on = canvas !== null && canvas.isConnected;
    for (let at = on ? canvas : null; at !== null && at.nodeType === ELEMENT; at = flatParent(at)) {
      this.around.add(at);
      const map = cascade(at);
      if (isPlaced(map.get("position")?.value) || parseInt(map.get("z-index")?.value ?? "0", 10) < 0) this.canvasPlaced = true;
    }
    if (!on) {
      this.around.add(globalThis.document.documentElement);
      this.around.add(globalThis.document.body);
    }
    const box = on ? boxOf(canvas) : null;
    /** Is what flows after the canvas below the viewport? */
    this.full = box !== null && !this.canvasPlaced && box.y + box.height >= viewport.height;
  }

  /** `root` is the outermost element around that the canvas is not in; `placed`: out of the flow, by itself or by one around it. */
  walk(element, root, placed) {
    if (this.left-- <= 0) return;
    if (element === this.canvas) {
      this.passed = true;
      return;
    }
    if (UNSEEN.has(element.localName) || isHidden(element) && !mayShow(element)) return;
    const around = this.around.has(element);
    const map = cascade(element);
    const position = map.get("position")?.value;
    if (!around) {
      root ??= element;
      // An open dialog is above everything, or placed by the browser (HTML 15.3.3).
      placed ||= isPlaced(position) || element.localName === "dialog";
      if (isPlaced(position) && isOutside(element)) return;
      const margin = map.get("margin-top")?.value ?? map.get("margin")?.value ?? "";
      if (this.full && this.passed && !placed && root === element && this.stacks(element) && !/^-|\s-/.test(margin)) return;
      if (clips(element)) return;
    }
    const visible = computed(element, "visibility") === "visible";
    if (visible && !around) {
      const contents = element[kChildren].length > 0;
      const large = () => (contents ? hasSize(element) : !(isInline(element) && !isPlaced(position)) && hasArea(element, placed));
      if (showsItself(element) || (decorated(element) && large())) this.note(root, element, "", placed);
    }
    const inner = element[kLazy].shadow;
    const children = inner !== undefined ? inner[kChildren] : element[kChildren];
    if (/^(?:svg|canvas|video|audio|iframe|object|textarea|select|progress|meter)$/.test(element.localName)) return;
    const closed = element.localName === "details" && !element[kAttrs].has("open");
    if (!closed) this.made(element, "before", root, placed);
    const legible = visible && length(computed(element, "font-size"), 16) !== 0 && alphaOf(computed(element, "color")) > 0;
    for (let i = 0; i < children.length; i++) {
      const child = children[i];
      if (child.nodeType === ELEMENT) {
        if (!closed || child.localName === "summary") this.walk(child, root, placed);
      } else if (child.nodeType === TEXT && legible && !closed) {
        const text = child.data.replace(/\s+/g, " ").trim();
        if (text === "" || (around && this.full && this.passed)) continue;
        this.note(root ?? child, element, text, placed);
      }
    }
    if (!closed) this.made(element, "after", root, placed);
  }

  /** What styles generate before or after the contents of `element`. */
  made(element, which, root, placed) {
    const box = element[kGenerated] === undefined ? generated(element, which) : null;
    if (box !== null) this.walk(box, root, placed);
  }

  /** Is `element` laid out below what stands before it? */
  stacks(element) {
    const display = computed(flatParent(element), "display");
    return !/flex|grid/.test(display);
  }

  note(root, element, text, placed) {
    let entry = seen.get(root);
    if (entry === undefined) {
      const under = root.nodeType === ELEMENT && depthOf(root) < 0;
      entry = { __proto__: null, name: nameOf(root), text: "", leaf: "", sure: false, under: under && !this.canvasPlaced, left: undefined, first: this.frame, by: this };
      seen.set(root, entry);
    }
    entry.sure ||= placed || this.canvasPlaced;
    if (entry.by === this && text !== "" && entry.text.length <= MAX_TEXT) entry.text += `${entry.text === "" ? "" : " "}${text}`;
    if (entry.leaf === "" && element !== root && text === "") entry.leaf = nameOf(element);
  }

  /** What the page does to the canvas as a whole. */
  wear(canvas) {
    // From the beginning: that it goes there on the way is told by the frame.
    const shown = showing(canvas);
    if (this.frame === 0 && shown === 4) worn.set(`a place outside of the window of ${nameOf(canvas)}`, true);
    if (this.frame === 0 && shown === 5) worn.set(`a width or height of 0 of ${nameOf(canvas)}, or around it`, true);
    if (computed(canvas, "visibility") === "hidden") worn.set(`visibility: hidden of ${nameOf(canvas)}`, true);
    for (let at = canvas; at !== null && at.nodeType === ELEMENT; at = flatParent(at)) {
      const map = cascade(at);
      const opacity = parseFloat(computed(at, "opacity"));
      if (opacity < 1) worn.set(`opacity: ${opacity} of ${nameOf(at)}`, true);
      for (const name of ["filter", "mix-blend-mode", "clip-path", "mask", "mask-image", "rotate", "scale"]) {
        const value = map.get(name)?.value ?? "none";
        if (!/^(?:none|normal|unset|initial|inherit)$/.test(value)) worn.set(`${name}: ${value.slice(0, 40)} of ${nameOf(at)}`, true);
      }
      const moved = map.get("transform")?.value ?? "";
      // Where a canvas stands matters not: the video shows it alone.
      if (/\b(?:rotate|scale|skew|matrix|perspective)/.test(moved)) worn.set(`transform: ${moved.slice(0, 40)} of ${nameOf(at)}`, true);
      if (map.get("display")?.value === "none") worn.set(`display: none of ${nameOf(at)}`, true);
      const round = map.get("border-radius")?.value ?? "0";
      const cuts = at === canvas || overflows(at, /hidden|clip/);
      if (cuts && /[1-9]/.test(round)) worn.set(`border-radius: ${round.slice(0, 40)} of ${nameOf(at)}`, true);
    }
  }
}

function hasSize(element) {
  const box = boxOf(element);
  return box.width > 0 && box.height > 0;
}

/** Looks at the page as frame `frame` of the video shows it. */
function look(frame) {
  const root = globalThis.document.documentElement;
  if (root === null) return;
  const view = new Look(frame, filmed.element);
  view.walk(root, null, false);
  if (view.canvas !== null && view.canvas.isConnected) view.wear(view.canvas);
}

/** What was seen, a line each: what is surely over or behind the canvas, what perhaps, and what the canvas wears. */
function leftOut() {
  const lines = [];
  // What the last look found first.
  belowIt(filmed.element);
  const tell = (kind, among) => {
    const names = [];
    let more = 0;
    for (const [, entry] of seen) {
      if (!among(entry)) continue;
      if (names.length === MAX_NAMED) {
        more++;
        continue;
      }
      const text = entry.text.length > MAX_TEXT ? `${entry.text.slice(0, MAX_TEXT)}...` : entry.text;
      const what = text !== "" ? ` "${text}"` : entry.leaf !== "" ? ` with ${entry.leaf}` : "";
      ArrayPrototypePush(names, `${entry.name}${what}${entry.first > 0 ? ` (from frame ${entry.first} or a little earlier)` : ""}`);
    }
    if (names.length > 0) ArrayPrototypePush(lines, `${kind}${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
  };
  tell("over\n", (entry) => entry.sure && !entry.under);
  tell("perhaps\n", (entry) => !entry.sure && !entry.under);
  tell("under\n", (entry) => entry.under && entry.left !== false);
  if (worn.size > 0) ArrayPrototypePush(lines, `worn\n${[...worn.keys()].slice(0, MAX_NAMED).join(", ")}`);
  const drive = ["renderAt", "renderFrame", "seekTo", "seek", "setTime"].find((name) => typeof globalThis[name] === "function");
  if (drive !== undefined) ArrayPrototypePush(lines, `seekable\n${drive}`);
  return lines.join("\n");
}

// --- behind the canvas ----------------------------------------------------------------------------------------------

const behindLast = { __proto__: null, version: -1, element: undefined, seen: -1 };
let looked = false;

/** What lies below the canvas by its `z-index`, the lowest first. What is a plain colour all over it, `[r, g, b, a]`, is in the video; the rest is told. */
function belowIt(canvas) {
  const out = [];
  for (const [root, entry] of seen) {
    if (!entry.under) continue;
    const shown = root.isConnected && isThere(root) && !isHidden(root) && computed(root, "visibility") === "visible";
    const color = shown && canvas !== null && isPlain(root, entry, canvas) ? channels(computed(root, "background-color")) : null;
    if (shown && color === null) entry.left = true;
    else entry.left ??= false;
    if (shown) ArrayPrototypePush(out, { depth: depthOf(root), color: color === null ? null : [color[0], color[1], color[2], color[3] * parseFloat(computed(root, "opacity"))] });
  }
  return out.sort((a, b) => a.depth - b.depth);
}

function isPlain(element, { text, leaf }, canvas) {
  if (text !== "" || leaf !== "" || showsItself(element) || element[kChildren].some((c) => c.nodeType === ELEMENT) || backgroundImage(element) !== "") return false;
  const map = cascade(element);
  const dressed = ["border-radius", "border", "filter", "transform", "mask", "clip-path", "mix-blend-mode", "box-shadow", "outline"];
  if (dressed.some((name) => !/^(?:none|0|normal)$/.test(map.get(name)?.value ?? "none"))) return false;
  const own = boxOf(element), film = boxOf(canvas);
  return own.x <= film.x && own.y <= film.y && own.x + own.width >= film.x + film.width && own.y + own.height >= film.y + film.height;
}

/** `[r, g, b, a]` of a computed colour. */
function channels(css) {
  const m = /^rgba?\(([\d.]+), ?([\d.]+), ?([\d.]+)(?:, ?([\d.]+))?\)$/.exec(op_css_color(css) ?? "");
  return m === null ? null : [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]];
}

function over(top, below) {
  const mix = (i) => top[i] * top[3] + below[i] * (1 - top[3]);
  return [mix(0), mix(1), mix(2), 1];
}

/** The mean of the colours that a gradient names: nearer to what a browser shows than nothing. */
function meanOf(image) {
  const sum = [0, 0, 0, 0];
  let count = 0;
  for (const m of image.matchAll(/#[0-9a-f]{3,8}\b|(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch|color)\([^()]*\)|\b[a-z]+\b/gi)) {
    const color = channels(m[0]);
    if (color === null) continue;
    for (let i = 0; i < 4; i++) sum[i] += color[i];
    count++;
  }
  return count === 0 ? null : sum.map((v) => v / count);
}

/** The animation that changes the background, if one does. */
function animatedBackground(element) {
  const names = computed(element, "animation-name");
  if (names === "none") return "";
  const known = sheets.keyframes();
  return names.split(",").map((name) => name.trim()).find((name) => /\bbackground\b/.test(known.get(name) ?? "")) ?? "";
}

/** How the page shows a canvas: 0 as it is, 1 not in the page, 2 without display, 3 invisible, 4 outside of the window, 5 without size. */
function showing(canvas) {
  if (canvas === null || !canvas.isConnected) return 1;
  for (let at = canvas; at !== null && at !== undefined && at.nodeType === ELEMENT; at = flatParent(at)) {
    const display = cascade(at).get("display")?.value;
    if (display === "none" || (display === undefined && at[kAttrs].has("hidden"))) return 2;
  }
  if (/^(?:hidden|collapse)$/.test(computed(canvas, "visibility"))) return 3;
  for (let at = canvas; at !== null && at !== undefined && at.nodeType === ELEMENT; at = flatParent(at)) {
    const map = cascade(at), { width, height } = boxOf(at);
    // What a body cuts off is the window's.
    const cuts = at === canvas || !/^(?:body|html)$/.test(at.localName) && overflows(at, /hidden|clip|scroll|auto/);
    const flat = (name, size) => size === 0 && (map.has(name) || map.has(`max-${name}`));
    if (cuts && (flat("width", width) || flat("height", height))) return 5;
    const moved = isPlaced(map.get("position")?.value) || map.has("transform") || map.has("translate");
    if (moved && isOutside(at)) return 4;
  }
  return 0;
}

/** Tells the film whether the page shows the canvas to film, and what lies behind it: the colour, and the picture that is left out, if there is one. */
function behind() {
  const canvas = filmed.element;
  if (!looked && canvas !== null && canvas.isConnected) {
    looked = true;
    look(0);
  }
  if (behindLast.version === version.tree && behindLast.element === canvas && behindLast.seen === seen.size) return;
  behindLast.version = version.tree;
  behindLast.element = canvas;
  behindLast.seen = seen.size;
  op_film_shown(showing(canvas));
  const root = globalThis.document.documentElement;
  const chain = [];
  const start = canvas !== null && canvas.isConnected ? canvas : globalThis.document.body;
  for (let at = start; at !== null && at !== undefined && at.nodeType === ELEMENT; at = flatParent(at)) ArrayPrototypePush(chain, at);
  const scheme = root === null ? "" : computed(root, "color-scheme");
  // The canvas of the page: white, or Chromium's dark one.
  let color = scheme.trim() === "dark" ? [18, 18, 18, 1] : [255, 255, 255, 1];
  let picture = "", below = null;
  // The page's own background lies below all: the root's, or else the body's (CSS Backgrounds 3, section 2.11.2).
  const putBelow = () => {
    below = belowIt(canvas);
    for (const { color: own } of below) if (own !== null) color = over(own, color);
  };
  let page = chain.length - 1;
  if (page > 0 && !(channels(computed(chain[page], "background-color"))?.[3] > 0) && backgroundImage(chain[page]) === "") page--;
  for (let i = chain.length - 1; i >= 0; i--) {
    if (i === page - 1) putBelow();
    const plain = channels(computed(chain[i], "background-color"));
    if (plain !== null && plain[3] > 0) {
      if (plain[3] === 1) picture = "";
      color = over(plain, color);
    }
    const { unread } = styleOf(chain[i]);
    if (unread !== null) picture = `the background of ${nameOf(chain[i])} (${unread.slice(0, 60)}), which is not read`;
    const moving = animatedBackground(chain[i]);
    if (moving !== "") picture = `the background of ${nameOf(chain[i])}, which the animation ${moving} changes`;
    const image = backgroundImage(chain[i]);
    if (image === "") continue;
    const whole = cascade(chain[i]).get("background")?.value ?? "";
    const told = whole.includes(image) ? whole : image;
    picture = `the background of ${nameOf(chain[i])} (${told.replace(/\s+/g, " ").slice(0, 60)})`;
    const mean = meanOf(image);
    if (mean !== null) color = over(mean, color);
  }
  if (below === null) putBelow();
  op_film_behind(Math.round(color[0]), Math.round(color[1]), Math.round(color[2]), picture, below.some((one) => one.color === null));
}

export { behind, leftOut, look };
