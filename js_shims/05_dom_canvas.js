// HTMLCanvasElement and OffscreenCanvas: their bitmap's size, the rules of getContext, pictures of what they show.
import { cloneable } from "ext:replay/06_clone.js";
import { exposeInterface, illegal, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, hide } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { canvasContexts, imageSources } from "ext:replay/04_hooks.js";
import { HTMLElement, define, kinds } from "ext:replay/05_dom_html.js";
import { Blob } from "ext:replay/06_blob.js";
import { viewport } from "ext:replay/05_dom_viewport.js";
import { op_base64_encode, op_film_picture, op_image_encode } from "ext:core/ops";

const { ArrayPrototypePush, NumberIsFinite, SafeWeakRef, Symbol, TypeError, Uint8Array, WeakMapPrototypeGet } = primordials;
void WeakMapPrototypeGet;

/** The canvas' number in the run, from 1. */
const kCanvasId = Symbol("canvas id");
const kState = Symbol("canvas");

let nextId = 1;
/**
 * All canvases with a context, in order of getContext: candidates for the camera. A 2D canvas is one only while the page shows it,
 * so that those nobody holds may go.
 */
const withContext = [];

function init(canvas, width, height) {
  hide(canvas, kCanvasId, nextId++);
  hide(canvas, kState, { __proto__: null, width, height, record: null, family: null });
}

function getContext(canvas, type, attributes) {
  const kind = `${type}`;
  const state = canvas[kState];
  const family = canvasContexts.familyOf(kind);
  if (family === undefined) {
    unsupported(canvas.constructor.name, `getContext("${kind}")`, "returns null");
    return null;
  }
  if (state.record !== null) return state.family === family ? state.record.context : null;
  const record = canvasContexts.create(kind, canvas, attributes ?? undefined);
  if (record === null || record === undefined) return null;
  state.record = record;
  state.family = family;
  ArrayPrototypePush(withContext, isGl(family) ? { __proto__: null, deref: () => canvas } : new SafeWeakRef(canvas));
  return record.context;
}

function resize(canvas, width, height) {
  const state = canvas[kState];
  state.width = width;
  state.height = height;
  state.record?.resize(width, height);
}

/** WebIDL `unsigned long`, as the attribute's reflection limits it. */
function side(value, fallback) {
  const n = Math.trunc(+value);
  return NumberIsFinite(n) && n >= 0 && n <= 0x7fffffff ? n : fallback;
}

/** What the canvas shows: `{ width, height, data, premultiplied }`; transparent black without a context. */
function readCanvas(canvas) {
  const state = canvas[kState];
  const { width, height } = state;
  if (width === 0 || height === 0) return { width: 0, height: 0, data: new Uint8Array(0), premultiplied: false };
  if (state.record === null) return { width, height, data: new Uint8Array(width * height * 4), premultiplied: false };
  return state.record.readPixels();
}

/** The same, not premultiplied. */
function straightPixels(canvas) {
  const p = readCanvas(canvas);
  if (!p.premultiplied) return p;
  const data = new Uint8Array(p.data);
  for (let i = 0; i < data.length; i += 4) {
    const a = data[i + 3];
    if (a === 0 || a === 255) continue;
    for (let c = 0; c < 3; c++) data[i + c] = Math.min(255, Math.round((data[i + c] * 255) / a));
  }
  return { width: p.width, height: p.height, data, premultiplied: false };
}

function encode(canvas, type, quality) {
  const want = type === undefined ? "image/png" : `${type}`.toLowerCase();
  const mime = want === "image/jpeg" || want === "image/webp" ? want : "image/png";
  const p = straightPixels(canvas);
  const bytes = op_image_encode(p.width, p.height, new Uint8Array(p.data.buffer, p.data.byteOffset, p.data.byteLength), mime, typeof quality === "number" ? quality : -1);
  return { mime, bytes };
}

class HTMLCanvasElement extends HTMLElement {
  constructor(key, document, name) {
    super(key, document, name);
    init(this, 300, 150);
  }
  get width() {
    return this[kState].width;
  }
  set width(value) {
    this.setAttribute("width", `${side(value, 300)}`);
  }
  get height() {
    return this[kState].height;
  }
  set height(value) {
    this.setAttribute("height", `${side(value, 150)}`);
  }
  getContext(type, attributes = undefined) {
    required(arguments.length, 1, "Failed to execute 'getContext' on 'HTMLCanvasElement'");
    return getContext(this, type, attributes);
  }
  toDataURL(type = undefined, quality = undefined) {
    if (this.width === 0 || this.height === 0) return "data:,";
    const { mime, bytes } = encode(this, type, quality);
    return `data:${mime};base64,${op_base64_encode(bytes)}`;
  }
  toBlob(callback, type = undefined, quality = undefined) {
    if (typeof callback !== "function") {
      throw new TypeError("Failed to execute 'toBlob' on 'HTMLCanvasElement': parameter 1 is not of type 'Function'.");
    }
    if (this.width === 0 || this.height === 0) return queueTask(() => callback(null));
    const { mime, bytes } = encode(this, type, quality);
    queueTask(() => callback(new Blob([bytes], { type: mime })));
  }
  transferControlToOffscreen() {
    if (this[kState].record !== null) {
      throw new DOMException("Failed to execute 'transferControlToOffscreen' on 'HTMLCanvasElement': Cannot transfer control from a canvas that has a rendering context.", "InvalidStateError");
    }
    const offscreen = new OffscreenCanvas(this.width, this.height);
    offscreen[kState].placeholder = this;
    // What the page shows is not collected while it does.
    this[kState].offscreen = offscreen;
    this[kState].record = { context: null, resize() {}, readPixels: () => readCanvas(offscreen), opaque: false };
    this[kState].family = "placeholder";
    return offscreen;
  }
}
define("HTMLCanvasElement", ["canvas"], [], HTMLCanvasElement);
kinds.changed.set("canvas", (canvas, name, _old, value) => {
  if (name === "width") resize(canvas, value === null ? 300 : parseSide(value, 300), canvas.height);
  if (name === "height") resize(canvas, canvas.width, value === null ? 150 : parseSide(value, 150));
});
function parseSide(text, fallback) {
  const n = parseInt(text, 10);
  return n >= 0 && n <= 0x7fffffff ? n : fallback;
}

class OffscreenCanvas extends EventTarget {
  constructor(width, height) {
    required(arguments.length, 2, "Failed to construct 'OffscreenCanvas'");
    super();
    init(this, side(width, 0), side(height, 0));
  }
  get width() {
    return this[kState].width;
  }
  set width(value) {
    resize(this, side(value, 0), this.height);
  }
  get height() {
    return this[kState].height;
  }
  set height(value) {
    resize(this, this.width, side(value, 0));
  }
  getContext(type, attributes = undefined) {
    required(arguments.length, 1, "Failed to execute 'getContext' on 'OffscreenCanvas'");
    return getContext(this, type, attributes);
  }
  convertToBlob(options = {}) {
    if (this.width === 0 || this.height === 0) {
      return Promise.reject(new DOMException("Failed to execute 'convertToBlob' on 'OffscreenCanvas': The size of the OffscreenCanvas is zero.", "IndexSizeError"));
    }
    const { mime, bytes } = encode(this, options.type, options.quality);
    return Promise.resolve(new Blob([bytes], { type: mime }));
  }
  transferToImageBitmap() {
    const p = straightPixels(this);
    return makeBitmap.make(p.width, p.height, new Uint8Array(p.data));
  }
}
defineHandlers(OffscreenCanvas.prototype, ["contextlost", "contextrestored"]);
exposeInterface(OffscreenCanvas);
cloneable(OffscreenCanvas.prototype, (canvas, transferred) => (transferred ? canvas : null), true);
void illegal;

/** Set by 07_image.js. */
const makeBitmap = { __proto__: null, make: null };

function isCanvas(value) {
  return typeof value === "object" && value !== null && value[kState] !== undefined && value[kCanvasId] !== undefined;
}

imageSources.register((value) => (isCanvas(value) ? readCanvas(value) : undefined));

/**
 * The canvas to film: by selector; else the largest with a context, a WebGL one that the page shows before a 2D one that it shows,
 * and that before a WebGL one that it does not. A 2D canvas must be chosen or have some size: gauges are no film.
 */
function choose(selector) {
  if (selector !== "") {
    const chosen = globalThis.document.querySelector(selector);
    if (!isCanvas(chosen)) return null;
    for (let i = 0; i < withContext.length; i++) {
      const canvas = withContext[i].deref();
      if (canvas !== undefined && (canvas[kState].placeholder ?? canvas) === chosen) return canvas;
    }
    return chosen;
  }
  let best = null, bestScore = -1;
  for (let i = 0; i < withContext.length; i++) {
    const canvas = withContext[i].deref();
    if (canvas === undefined) continue;
    const shown = isShown(canvas[kState].placeholder ?? canvas);
    const gl = isGl(canvas[kState].family);
    const area = canvas.width * canvas.height;
    if (!gl && (!shown || area < viewport.width * viewport.height * LEAST_2D)) continue;
    const score = (gl && shown ? 2e12 : 0) + (shown ? 1e12 : 0) + area;
    if (score > bestScore) [best, bestScore] = [canvas, score];
  }
  return best;
}

const isGl = (family) => family === "webgl" || family === "webgl2";

/** Part of the viewport that a 2D canvas must have to be filmed unasked. */
const LEAST_2D = 0.1;

/** Is the element in the page, and neither it nor one around it `display: none`? */
function isShown(element) {
  if (element.isConnected !== true) return false;
  if (withContext.length < 2) return true;
  for (let at = element; at !== null && at.nodeType === 1; at = at.parentNode) {
    if (globalThis.getComputedStyle(at).display === "none") return false;
  }
  return true;
}

/** The element in the page that shows the canvas being filmed, and whether another one shows anything. */
const filmed = {
  __proto__: null,
  element: null,
  shows(canvas) {
    const state = canvas[kState];
    if (state.record === null || canvas.width === 0 || canvas.height === 0) return false;
    if (isGl(state.family)) return true;
    const { data } = readCanvas(canvas);
    for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) return true;
    return false;
  },
};

/** The number of the canvas to film, 0 if there is none. WebGL contexts present themselves; of others the picture goes along. */
function film(selector) {
  const canvas = choose(selector);
  if (canvas === null) {
    filmed.element = null;
    return 0;
  }
  const state = canvas[kState];
  const element = state.placeholder ?? canvas;
  filmed.element = element.nodeType === 1 ? element : null;
  if (state.record !== null && !isGl(state.family) && canvas.width > 0 && canvas.height > 0) {
    const { width, height, data, premultiplied } = readCanvas(canvas);
    op_film_picture(width, height, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), premultiplied);
  }
  return canvas[kCanvasId];
}

export { HTMLCanvasElement, OffscreenCanvas, film, filmed, isCanvas, kCanvasId, makeBitmap, readCanvas, straightPixels };
