// Scrolling (CSSOM View): the page's and each element's own. Without a layout engine, how far a page scrolls and where its elements stand
// are sums of the heights that its blocks are given or hold.
import { expose, exposeAccessor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { fire } from "ext:replay/02_events.js";
import { onFrame } from "ext:replay/03_clock.js";
import { boxOf } from "ext:replay/05_dom_boxes.js";
import { cascade } from "ext:replay/05_dom_cascade.js";
import { document } from "ext:replay/05_dom_document.js";
import { Element, kLazy } from "ext:replay/05_dom_element.js";
import { length } from "ext:replay/05_dom_length.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const { ArrayPrototypeIncludes, ArrayPrototypePush } = primordials;

const page = { __proto__: null, x: 0, y: 0 };
/** Who scrolled since the last frame, each once. */
let moved = [];
const mark = (target) => ArrayPrototypeIncludes(moved, target) || ArrayPrototypePush(moved, target);

const OUT = new Set(["head", "script", "style", "title", "meta", "link", "template", "noscript"]);
const INLINE = new Set(["span", "a", "b", "i", "em", "strong", "small", "label", "code", "sub", "sup", "br"]);
const REPLACED = new Set(["canvas", "img", "video", "iframe"]);

const get = (element, name) => cascade(element).get(name)?.value ?? "";
const placed = (element) => ["absolute", "fixed"].includes(get(element, "position"));

/** What `element` adds to the height of the block it stands in. */
function flowHeight(element) {
  if (OUT.has(element.localName) || get(element, "display") === "none" || placed(element)) return 0;
  if (REPLACED.has(element.localName)) return boxOf(element).height;
  if (INLINE.has(element.localName)) return 0;
  const outer = element.parentElement === null ? viewport.height : boxOf(element.parentElement).height;
  const own = length(get(element, "height"), outer) ?? contentHeight(element);
  return Math.max(own, length(get(element, "min-height"), outer) ?? 0);
}

/** The height of what flows in `element`. */
function contentHeight(element) {
  const heights = [...element.children].map(flowHeight);
  if (heights.length === 0) return (element.textContent ?? "").trim() === "" ? 0 : 20;
  const row = /flex|grid/.test(get(element, "display")) && !/column/.test(get(element, "flex-direction"));
  return row ? Math.max(...heights) : heights.reduce((sum, height) => sum + height, 0);
}

/** Where a flowing element stands on the page. */
function flowTop(element) {
  let top = 0;
  for (let at = element; at.parentElement !== null; at = at.parentElement) {
    if (placed(at)) return top + boxOf(at).y;
    for (let before = at.previousElementSibling; before !== null; before = before.previousElementSibling) top += flowHeight(before);
  }
  return top;
}

const isPage = (element) => element === document.documentElement;
const scrollHeight = (element) => Math.round(Math.max(boxOf(element).height, isPage(element) || element === document.body ? flowHeight(element) : contentHeight(element)));
const isFixed = (element) => element !== null && (get(element, "position") === "fixed" || isFixed(element.parentElement));

/** The options of scrollTo and its like, as numbers; what is absent or no number is `undefined`. */
function wanted(args) {
  const finite = (value) => (value === undefined ? undefined : Number.isFinite(+value) ? +value : 0);
  if (args.length < 2 && typeof args[0] === "object" && args[0] !== null) {
    const { left, top, behavior } = args[0];
    if (behavior === "smooth") unsupported("Element", "scroll behavior: smooth", "scrolls at once");
    return { x: finite(left), y: finite(top) };
  }
  return { x: finite(args[0]), y: finite(args[1]) };
}

function scrollPage(x, y) {
  const most = Math.max(0, scrollHeight(document.documentElement) - viewport.height);
  const to = { x: 0, y: Math.min(Math.max(0, y ?? page.y), most) };
  if (to.x === page.x && to.y === page.y) return;
  page.x = to.x;
  page.y = to.y;
  mark(document);
}

function scrollElement(element, x, y) {
  if (isPage(element)) return scrollPage(x, y);
  const lazy = element[kLazy];
  const to = { x: Math.max(0, x ?? lazy.scrollLeft ?? 0), y: Math.max(0, y ?? lazy.scrollTop ?? 0) };
  if (to.x === (lazy.scrollLeft ?? 0) && to.y === (lazy.scrollTop ?? 0)) return;
  lazy.scrollLeft = to.x;
  lazy.scrollTop = to.y;
  mark(element);
}

// CSSOM View, "run the scroll steps": before the animation frame callbacks.
onFrame(() => {
  const all = moved;
  moved = [];
  for (let i = 0; i < all.length; i++) {
    fire(all[i], "scroll", { bubbles: all[i] === document });
    fire(all[i], "scrollend", { bubbles: all[i] === document });
  }
});

const offset = (element, x, y) => ({ x: x === undefined ? undefined : x + element.scrollLeft, y: y === undefined ? undefined : y + element.scrollTop });
const methods = {
  scrollTo(...args) {
    const { x, y } = wanted(args);
    scrollElement(this, x, y);
  },
  scroll(...args) {
    this.scrollTo(...args);
  },
  scrollBy(...args) {
    const { x, y } = wanted(args);
    const to = offset(this, x, y);
    scrollElement(this, to.x, to.y);
  },
  scrollIntoView(how = true) {
    const block = how === false ? "end" : typeof how === "object" && how !== null ? how.block ?? "start" : "start";
    const room = viewport.height - boxOf(this).height;
    const top = flowTop(this) - { __proto__: null, start: 0, center: room / 2, end: room, nearest: 0 }[block];
    scrollPage(undefined, top);
  },
  get scrollTop() {
    return isPage(this) ? page.y : this[kLazy].scrollTop ?? 0;
  },
  set scrollTop(value) {
    scrollElement(this, undefined, +value || 0);
  },
  get scrollLeft() {
    return isPage(this) ? page.x : this[kLazy].scrollLeft ?? 0;
  },
  set scrollLeft(value) {
    scrollElement(this, +value || 0, undefined);
  },
  get scrollHeight() {
    return scrollHeight(this);
  },
};
for (const key of Object.keys(methods)) Object.defineProperty(Element.prototype, key, Object.getOwnPropertyDescriptor(methods, key));

const rect = Element.prototype.getBoundingClientRect;
Object.defineProperty(Element.prototype, "getBoundingClientRect", {
  __proto__: null,
  value: function getBoundingClientRect() {
    const box = Reflect.apply(rect, this, []);
    if (page.y !== 0 && !isFixed(this)) box.y -= page.y;
    return box;
  },
  writable: true, enumerable: true, configurable: true,
});

for (const [name, axis] of [["scrollX", "x"], ["scrollY", "y"], ["pageXOffset", "x"], ["pageYOffset", "y"]]) exposeAccessor(name, () => page[axis]);
expose("scrollTo", function scrollTo(...args) {
  const { x, y } = wanted(args);
  scrollPage(x, y);
});
expose("scroll", function scroll(...args) {
  const { x, y } = wanted(args);
  scrollPage(x, y);
});
expose("scrollBy", function scrollBy(...args) {
  const { x, y } = wanted(args);
  scrollPage(page.x + (x ?? 0), page.y + (y ?? 0));
});
