// HTMLImageElement, ImageBitmap, ImageData: pictures from the project, `data:` and `blob:`.
import { cloneable } from "ext:replay/06_clone.js";
import { expose, exposeInterface, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException, placed } from "ext:replay/01_errors.js";
import { fire, hide } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { imageSources } from "ext:replay/04_hooks.js";
import { isRendered } from "ext:replay/05_dom_boxes.js";
import { isCanvas, makeBitmap, straightPixels } from "ext:replay/05_dom_canvas.js";
import { HTMLElement, define, kinds } from "ext:replay/05_dom_html.js";
import { Blob } from "ext:replay/06_blob.js";
import { URL } from "ext:replay/06_url.js";
import { chosenSource } from "ext:replay/07_srcset.js";
import { answerFor } from "ext:replay/06_fetch.js";
import { op_asked_at, op_image_decode } from "ext:core/ops";

const { MathFloor, MathMax, MathMin, NumberIsFinite, Promise, TypeError, Uint8Array, Uint8ClampedArray } = primordials;

/** `{ width, height, data }` of a picture file, or throws what decoding says; `name` is for the report. */
function decode(bytes, mime, name) {
  if (/svg/.test(mime) || /^\s*<(?:\?xml|svg|!)/.test(String.fromCharCode(...bytes.subarray(0, 64)))) {
    unsupported("HTMLImageElement", "image/svg+xml", `${name} does not load`);
    throw new DOMException("SVG pictures are not supported", "EncodingError");
  }
  const picture = op_image_decode(bytes);
  // Counted as JavaScript's memory.
  return { width: picture.width, height: picture.height, data: new Uint8Array(picture.data) };
}

const shortened = (url) => url.slice(0, url.startsWith("data:") ? 60 : 200);

const EMPTY = { width: 0, height: 0, data: new Uint8Array(0), premultiplied: false };

class HTMLImageElement extends HTMLElement {
  #picture = null;
  #state = "unavailable";
  #serial = 0;
  #decoding = null;
  constructor(key, document, name) {
    super(key, document, name);
  }
  get src() {
    const value = this.getAttribute("src");
    if (value === null) return "";
    try {
      return new URL(value, this.baseURI).href;
    } catch {
      return value;
    }
  }
  set src(value) {
    this.setAttribute("src", value);
  }
  get currentSrc() {
    return this.#state === "unavailable" ? "" : this.#chosen() ?? "";
  }
  get width() {
    const own = this.getAttribute("width");
    return own !== null ? parseInt(own, 10) || 0 : isRendered(this) ? this.clientWidth : this.naturalWidth;
  }
  set width(value) {
    this.setAttribute("width", `${MathFloor(+value) || 0}`);
  }
  get height() {
    const own = this.getAttribute("height");
    return own !== null ? parseInt(own, 10) || 0 : isRendered(this) ? this.clientHeight : this.naturalHeight;
  }
  set height(value) {
    this.setAttribute("height", `${MathFloor(+value) || 0}`);
  }
  get naturalWidth() {
    return this.#picture?.width ?? 0;
  }
  get naturalHeight() {
    return this.#picture?.height ?? 0;
  }
  get complete() {
    return this.#state !== "loading";
  }
  get x() {
    return this.getBoundingClientRect().x;
  }
  get y() {
    return this.getBoundingClientRect().y;
  }
  decode() {
    if (this.#state === "complete") return Promise.resolve();
    const asked = op_asked_at();
    const broken = () => placed(new DOMException("The source image cannot be decoded.", "EncodingError"), asked);
    if (this.#state !== "loading") return Promise.reject(broken());
    return new Promise((done, fail) => {
      this.addEventListener("load", () => done(), { once: true });
      this.addEventListener("error", () => fail(broken()), { once: true });
    });
  }
  _read() {
    return this.#picture ?? EMPTY;
  }
  /** The absolute address of what it takes, of its sources; null if none is named. */
  #chosen() {
    const chosen = chosenSource(this);
    try {
      return chosen === null ? null : new URL(chosen, this.baseURI).href;
    } catch {
      return chosen;
    }
  }
  _update() {
    const serial = ++this.#serial;
    this.#picture = null;
    void this.#decoding;
    if (this.#chosen() === null) {
      this.#state = "unavailable";
      return;
    }
    this.#state = "loading";
    const asked = op_asked_at();
    queueTask(() => {
      if (serial !== this.#serial) return;
      const url = this.#chosen() ?? "";
      const answer = answerFor(url, "GET", asked);
      try {
        if (answer.status !== 200) throw new DOMException(answer.error, "EncodingError");
        const { width, height, data } = decode(answer.body, answer.mime, shortened(url));
        this.#picture = { width, height, data, premultiplied: false };
        this.#state = "complete";
      } catch (error) {
        this.#state = "broken";
        hide(this, "_broken", { why: answer.status === 200 ? `it cannot be decoded (${error.message.trim()})` : error.message, asked });
        const told = error.message.startsWith("SVG");
        if (answer.status === 200 && !told) unsupported("HTMLImageElement", "src", `${shortened(url)} cannot be decoded: ${error.message}`);
      }
      fire(this, this.#state === "complete" ? "load" : "error");
    });
  }
  _clone() {
    return super._clone();
  }
}
define("HTMLImageElement", ["img"], [
  ["alt", "string"], ["srcset", "string"], ["sizes", "string"], ["crossOrigin", "string", "crossorigin", null], ["useMap", "string"], ["isMap", "bool"],
  ["decoding", "string", "decoding", "auto"], ["loading", "string", "loading", "eager"], ["referrerPolicy", "string"], ["fetchPriority", "string", "fetchpriority", "auto"],
], HTMLImageElement);
kinds.changed.set("img", (image, name) => {
  if (name === "src" || name === "srcset" || (name === "sizes" && image.hasAttribute("srcset"))) image._update();
});
// Who stands in a picture may name nothing itself.
kinds.connected.set("img", (image) => {
  if (image.parentNode._name === "picture" && image.currentSrc === "") image._update();
});
function Image(width = undefined, height = undefined) {
  if (new.target === undefined) throw new TypeError("Failed to construct 'Image': Please use the 'new' operator");
  const image = globalThis.document.createElement("img");
  if (width !== undefined) image.width = width;
  if (height !== undefined) image.height = height;
  return image;
}
Image.prototype = HTMLImageElement.prototype;
expose("Image", Image);
imageSources.register((v) => (typeof v === "object" && v !== null && v instanceof HTMLImageElement ? v._read() : undefined));

// --- ImageData ------------------------------------------------------------------------------------------------------

class ImageData {
  #width;
  #height;
  #data;
  #space;
  constructor(first, second, third = undefined, fourth = undefined) {
    required(arguments.length, 2, "Failed to construct 'ImageData'");
    let settings;
    if (typeof first === "object") {
      const data = first;
      if (!(data instanceof Uint8ClampedArray)) {
        throw new TypeError("Failed to construct 'ImageData': parameter 1 is not of type 'Uint8ClampedArray'.");
      }
      const width = second >>> 0;
      if (data.length === 0 || data.length % 4 !== 0) throw new DOMException("Failed to construct 'ImageData': The input data length is not a multiple of 4.", "InvalidStateError");
      const pixels = data.length / 4;
      if (width === 0 || pixels % width !== 0) throw new DOMException("Failed to construct 'ImageData': The input data length is not a multiple of (4 * width).", "IndexSizeError");
      const height = third === undefined || typeof third === "object" ? pixels / width : third >>> 0;
      if (height * width !== pixels) throw new DOMException("Failed to construct 'ImageData': The input data length is not equal to (4 * width * height).", "IndexSizeError");
      [this.#width, this.#height, this.#data] = [width, height, data];
      settings = typeof third === "object" ? third : fourth;
    } else {
      const width = first >>> 0, height = second >>> 0;
      if (width === 0 || height === 0) throw new DOMException("Failed to construct 'ImageData': The source width or height is zero or not a number.", "IndexSizeError");
      if (width * height * 4 > 0x7fffffff) throw new RangeError("Failed to construct 'ImageData': Out of memory at ImageData creation.");
      [this.#width, this.#height, this.#data] = [width, height, new Uint8ClampedArray(width * height * 4)];
      settings = third;
    }
    this.#space = settings?.colorSpace ?? "srgb";
  }
  get width() {
    return this.#width;
  }
  get height() {
    return this.#height;
  }
  get data() {
    return this.#data;
  }
  get colorSpace() {
    return this.#space;
  }
}
exposeInterface(ImageData);
cloneable(ImageData.prototype, (image) => new ImageData(image.data.slice(), image.width, image.height, { colorSpace: image.colorSpace }));
imageSources.register((v) =>
  typeof v === "object" && v !== null && v instanceof ImageData ? { width: v.width, height: v.height, data: v.data, premultiplied: false } : undefined,
);

// --- ImageBitmap ----------------------------------------------------------------------------------------------------

class ImageBitmap {
  #picture;
  constructor(key, picture) {
    illegalConstructor(key);
    this.#picture = picture;
  }
  get width() {
    return this.#picture.width;
  }
  get height() {
    return this.#picture.height;
  }
  close() {
    this.#picture = EMPTY;
  }
  _read() {
    return this.#picture;
  }
  _moved() {
    this.close();
  }
}
exposeInterface(ImageBitmap);
cloneable(ImageBitmap.prototype, (bitmap) => new ImageBitmap(illegal, bitmap._read()), true);
imageSources.register((v) => (typeof v === "object" && v !== null && v instanceof ImageBitmap ? v._read() : undefined));
makeBitmap.make = (width, height, data, premultiplied = false) => new ImageBitmap(illegal, { width, height, data, premultiplied });

/** HTML, 8.11: pictures from blobs, images, canvases, ImageData; cropped, scaled, flipped, premultiplied on demand. */
function createImageBitmap(source, ...rest) {
  op_asked_at(); // who runs out of memory in the task
  return new Promise((done, fail) => {
    if (source === undefined) throw new TypeError("Failed to execute 'createImageBitmap' on 'Window': 1 argument required, but only 0 present.");
    let options = {}, crop = null;
    if (rest.length >= 4) {
      crop = rest.slice(0, 4).map((n) => Math.trunc(+n));
      options = rest[4] ?? {};
      if (crop[2] === 0 || crop[3] === 0) throw new RangeError("Failed to execute 'createImageBitmap' on 'Window': The crop rect width or height is 0.");
    } else options = rest[0] ?? {};
    queueTask(() => {
      try {
        let picture;
        if (source instanceof Blob) {
          try {
            picture = decode(source._bytes, source.type, "a blob");
          } catch {
            throw new DOMException("The source image could not be decoded.", "InvalidStateError");
          }
        } else if (isCanvas(source)) picture = straightPixels(source);
        else {
          picture = imageSources.read(source);
          if (picture === undefined) {
            throw new TypeError("Failed to execute 'createImageBitmap' on 'Window': The provided value is not of type '(Blob or HTMLCanvasElement or HTMLImageElement or HTMLVideoElement or ImageBitmap or ImageData or OffscreenCanvas or SVGImageElement or VideoFrame)'.");
          }
        }
        if (picture.width === 0 || picture.height === 0) throw new DOMException("The source image could not be decoded.", "InvalidStateError");
        done(transform(picture, crop, options, !(source instanceof Blob)));
      } catch (error) {
        fail(error);
      }
    });
  });
}
expose("createImageBitmap", createImageBitmap);

/** `shared`: the source's pixels may change later. */
function transform(source, crop, options, shared) {
  let { width, height } = source;
  let data = new Uint8Array(source.data.buffer, source.data.byteOffset, source.data.byteLength);
  let premultiplied = source.premultiplied === true;
  if (crop !== null) {
    let [x, y, w, h] = crop;
    if (w < 0) [x, w] = [x + w, -w];
    if (h < 0) [y, h] = [y + h, -h];
    const out = new Uint8Array(w * h * 4);
    for (let row = 0; row < h; row++) {
      const from = y + row;
      if (from < 0 || from >= height) continue;
      const left = MathMax(0, -x), right = MathMin(w, width - x);
      if (right > left) out.set(data.subarray((from * width + x + left) * 4, (from * width + x + right) * 4), (row * w + left) * 4);
    }
    [data, width, height] = [out, w, h];
  }
  const rw = options.resizeWidth, rh = options.resizeHeight;
  if (rw !== undefined || rh !== undefined) {
    const w = rw ?? MathMax(1, Math.ceil((width * rh) / height)), h = rh ?? MathMax(1, Math.ceil((height * rw) / width));
    if (!NumberIsFinite(w) || !NumberIsFinite(h) || w < 1 || h < 1) throw new DOMException("The resize width or height is 0.", "InvalidStateError");
    data = scale(data, width, height, w | 0, h | 0, options.resizeQuality === "pixelated");
    [width, height] = [w | 0, h | 0];
  }
  if (options.imageOrientation === "flipY") {
    const out = new Uint8Array(data.length), row = width * 4;
    for (let y = 0; y < height; y++) out.set(data.subarray(y * row, (y + 1) * row), (height - 1 - y) * row);
    data = out;
  }
  // `default` premultiplies, as Chromium does.
  if (options.premultiplyAlpha !== "none" && !premultiplied && hasAlpha(data)) {
    const out = new Uint8Array(data);
    for (let i = 0; i < out.length; i += 4) {
      const a = out[i + 3];
      if (a === 255) continue;
      for (let c = 0; c < 3; c++) out[i + c] = MathFloor((out[i + c] * a + 127) / 255);
    }
    data = out;
    premultiplied = true;
  }
  return new ImageBitmap(illegal, { width, height, data: shared && data.buffer === source.data.buffer ? new Uint8Array(data) : data, premultiplied });
}

function hasAlpha(data) {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}

/** Nearest or bilinear (box for reductions), on colour weighted by alpha. */
function scale(data, w0, h0, w, h, nearest) {
  const out = new Uint8Array(w * h * 4);
  const sx = w0 / w, sy = h0 / h;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const o = (y * w + x) * 4;
      if (nearest) {
        const i = (MathMin(h0 - 1, MathFloor((y + 0.5) * sy)) * w0 + MathMin(w0 - 1, MathFloor((x + 0.5) * sx))) * 4;
        for (let c = 0; c < 4; c++) out[o + c] = data[i + c];
        continue;
      }
      const rx = MathMax(1, sx), ry = MathMax(1, sy);
      const x0 = (x + 0.5) * sx - rx / 2, y0 = (y + 0.5) * sy - ry / 2;
      let r = 0, g = 0, b = 0, a = 0, sum = 0;
      for (let j = MathFloor(y0 - (sy < 1 ? 0 : 0)); j < y0 + ry; j++) {
        const wy = MathMin(j + 1, y0 + ry) - MathMax(j, y0);
        if (wy <= 0) continue;
        for (let i = MathFloor(x0); i < x0 + rx; i++) {
          const wx = MathMin(i + 1, x0 + rx) - MathMax(i, x0);
          if (wx <= 0) continue;
          const p = (MathMin(h0 - 1, MathMax(0, j)) * w0 + MathMin(w0 - 1, MathMax(0, i))) * 4;
          const k = wx * wy, ka = k * data[p + 3];
          r += data[p] * ka;
          g += data[p + 1] * ka;
          b += data[p + 2] * ka;
          a += ka;
          sum += k;
        }
      }
      if (a > 0) {
        out[o] = r / a + 0.5;
        out[o + 1] = g / a + 0.5;
        out[o + 2] = b / a + 0.5;
      }
      out[o + 3] = a / sum + 0.5;
    }
  }
  return out;
}
void hide;

export { HTMLImageElement, ImageBitmap, ImageData };
