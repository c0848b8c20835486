// CanvasRenderingContext2D and OffscreenCanvasRenderingContext2D: WebIDL in front, the CPU rasteriser behind.
import { exposeInterface, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { canvasContexts, imageSources } from "ext:replay/04_hooks.js";
import { ImageData } from "ext:replay/07_image.js";
import { DOMMatrix, matrix2d } from "ext:replay/08_geometry.js";
import { Path2D, makeGradient, makeMetrics, makePattern } from "ext:replay/08a_canvas2d_objects.js";
import { pathMethods } from "ext:replay/08b_canvas2d_paths.js";
import { attributes, initialState } from "ext:replay/08d_canvas2d_state.js";
import {
  op_c2d_begin_path, op_c2d_draw_image, op_c2d_ellipse, op_c2d_get_transform, op_c2d_image_data, op_c2d_is_point_in, op_c2d_is_point_in_path2d,
  op_c2d_measure_text, op_c2d_new, op_c2d_new_gradient, op_c2d_new_pattern, op_c2d_paint, op_c2d_paint_path, op_c2d_path, op_c2d_pixels,
  op_c2d_put_image_data, op_c2d_rect, op_c2d_reset, op_c2d_resize, op_c2d_restore, op_c2d_round_rect, op_c2d_save, op_c2d_set_dash, op_c2d_text,
  op_c2d_transform,
} from "ext:core/ops";

const { NumberIsFinite, TypeError, Uint8Array, Uint8ClampedArray } = primordials;

const REPETITIONS = { __proto__: null, "": 0, repeat: 0, "repeat-x": 1, "repeat-y": 2, "no-repeat": 3 };

function isEvenOdd(rule, what) {
  if (rule === undefined || rule === "nonzero") return false;
  if (rule === "evenodd") return true;
  throw new TypeError(`${what}: The provided value '${rule}' is not a valid enum value of type CanvasFillRule.`);
}

function finite(what, ...values) {
  for (const value of values) if (!NumberIsFinite(value)) throw new TypeError(`${what}: The provided double value is non-finite.`);
}

/** Pixels of a CanvasImageSource; undefined when there is nothing to draw yet. */
function picture(image, what) {
  const pixels = imageSources.read(image);
  if (pixels === undefined) {
    throw new TypeError(`${what}: The provided value is not of type '(CSSImageValue or HTMLCanvasElement or HTMLImageElement or HTMLVideoElement or ImageBitmap or OffscreenCanvas or SVGImageElement or VideoFrame)'.`);
  }
  if (pixels.unsupported !== undefined) {
    unsupported("CanvasRenderingContext2D", "drawImage", pixels.unsupported);
    return undefined;
  }
  if (pixels.width === 0 || pixels.height === 0) {
    const isCanvas = image?.getContext !== undefined;
    if (isCanvas) throw new DOMException(`${what}: The image argument is a canvas element with a width or height of 0.`, "InvalidStateError");
    return undefined;
  }
  return pixels;
}

const asBytes = (data) => (data instanceof Uint8Array ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength));

function methods(name) {
  const what = (method) => `Failed to execute '${method}' on '${name}'`;
  const paint = (verb, method) =>
    function (first = undefined, second = undefined) {
      if (first instanceof Path2D) op_c2d_paint_path(this._canvas, verb, first._path, verb !== 1 && isEvenOdd(second, what(method)));
      else op_c2d_paint(this._canvas, verb, verb !== 1 && isEvenOdd(first, what(method)));
    };
  const rect = (verb, method) =>
    function (x, y, w, h) {
      required(arguments.length, 4, what(method));
      op_c2d_rect(this._canvas, verb, +x, +y, +w, +h);
    };
  const text = (stroke, method) =>
    function (content, x, y, maxWidth = undefined) {
      required(arguments.length, 3, what(method));
      op_c2d_text(this._canvas, stroke, `${content}`, +x, +y, maxWidth === undefined ? NaN : NumberIsFinite(+maxWidth) ? +maxWidth : -1);
    };
  return {
    getContextAttributes() {
      return { ...this._attributes };
    },
    isContextLost() {
      return false;
    },
    save() {
      this._saved.push({ ...this._state });
      op_c2d_save(this._canvas);
    },
    restore() {
      if (this._saved.length === 0) return;
      this._state = this._saved.pop();
      op_c2d_restore(this._canvas);
    },
    reset() {
      this._state = initialState();
      this._saved = [];
      op_c2d_reset(this._canvas);
    },
    scale(x, y) {
      required(arguments.length, 2, what("scale"));
      op_c2d_transform(this._canvas, false, +x, 0, 0, +y, 0, 0);
    },
    rotate(angle) {
      required(arguments.length, 1, what("rotate"));
      const s = Math.sin(+angle), c = Math.cos(+angle);
      op_c2d_transform(this._canvas, false, c, s, -s, c, 0, 0);
    },
    translate(x, y) {
      required(arguments.length, 2, what("translate"));
      op_c2d_transform(this._canvas, false, 1, 0, 0, 1, +x, +y);
    },
    transform(a, b, c, d, e, f) {
      required(arguments.length, 6, what("transform"));
      op_c2d_transform(this._canvas, false, +a, +b, +c, +d, +e, +f);
    },
    setTransform(a = undefined, b = undefined, c = undefined, d = undefined, e = undefined, f = undefined) {
      if (arguments.length >= 6) op_c2d_transform(this._canvas, true, +a, +b, +c, +d, +e, +f);
      else op_c2d_transform(this._canvas, true, ...matrix2d(a));
    },
    resetTransform() {
      op_c2d_transform(this._canvas, true, 1, 0, 0, 1, 0, 0);
    },
    getTransform() {
      return new DOMMatrix(op_c2d_get_transform(this._canvas));
    },
    beginPath() {
      op_c2d_begin_path(this._canvas);
    },
    fill: paint(0, "fill"),
    stroke: paint(1, "stroke"),
    clip: paint(2, "clip"),
    fillRect: rect(0, "fillRect"),
    strokeRect: rect(1, "strokeRect"),
    clearRect: rect(2, "clearRect"),
    isPointInPath(...given) {
      const [path, x, y, rule] = given[0] instanceof Path2D ? given : [undefined, ...given];
      const evenOdd = isEvenOdd(rule, what("isPointInPath"));
      return path ? op_c2d_is_point_in_path2d(this._canvas, path._path, false, +x, +y, evenOdd) : op_c2d_is_point_in(this._canvas, false, +x, +y, evenOdd);
    },
    isPointInStroke(...given) {
      const [path, x, y] = given[0] instanceof Path2D ? given : [undefined, ...given];
      return path ? op_c2d_is_point_in_path2d(this._canvas, path._path, true, +x, +y, false) : op_c2d_is_point_in(this._canvas, true, +x, +y, false);
    },
    fillText: text(false, "fillText"),
    strokeText: text(true, "strokeText"),
    measureText(content) {
      required(arguments.length, 1, what("measureText"));
      return makeMetrics(op_c2d_measure_text(this._canvas, `${content}`));
    },
    setLineDash(segments) {
      required(arguments.length, 1, what("setLineDash"));
      let lengths = [...segments].map(Number);
      if (lengths.some((v) => !NumberIsFinite(v) || v < 0)) return;
      if (lengths.length % 2) lengths = [...lengths, ...lengths];
      this._state.dash = lengths;
      op_c2d_set_dash(this._canvas, lengths.some((v) => v > 0) ? lengths : []);
    },
    getLineDash() {
      return [...this._state.dash];
    },
    createLinearGradient(x0, y0, x1, y1) {
      required(arguments.length, 4, what("createLinearGradient"));
      finite(what("createLinearGradient"), +x0, +y0, +x1, +y1);
      return makeGradient(op_c2d_new_gradient(0, +x0, +y0, +x1, +y1, 0, 0));
    },
    createRadialGradient(x0, y0, r0, x1, y1, r1) {
      required(arguments.length, 6, what("createRadialGradient"));
      finite(what("createRadialGradient"), +x0, +y0, +r0, +x1, +y1, +r1);
      if (+r0 < 0 || +r1 < 0) throw new DOMException(`${what("createRadialGradient")}: The radius provided is less than 0.`, "IndexSizeError");
      return makeGradient(op_c2d_new_gradient(1, +x0, +y0, +r0, +x1, +y1, +r1));
    },
    createConicGradient(angle, x, y) {
      required(arguments.length, 3, what("createConicGradient"));
      finite(what("createConicGradient"), +angle, +x, +y);
      return makeGradient(op_c2d_new_gradient(2, +angle, +x, +y, 0, 0, 0));
    },
    createPattern(image, repetition) {
      required(arguments.length, 2, what("createPattern"));
      const kind = REPETITIONS[repetition === null ? "" : `${repetition}`];
      if (kind === undefined) {
        throw new DOMException(`${what("createPattern")}: The provided type ('${repetition}') is not one of 'repeat', 'no-repeat', 'repeat-x', or 'repeat-y'.`, "SyntaxError");
      }
      const pixels = picture(image, what("createPattern"));
      if (pixels === undefined) return null;
      const pattern = op_c2d_new_pattern(pixels.width, pixels.height, asBytes(pixels.data), !!pixels.premultiplied, kind);
      return pattern === null ? null : makePattern(pattern);
    },
    drawImage(image, ...v) {
      required(arguments.length, 3, what("drawImage"));
      if (![2, 4, 8].includes(v.length)) throw new TypeError(`${what("drawImage")}: Valid arities are: [3, 5, 9], but ${v.length + 1} arguments provided.`);
      const pixels = picture(image, what("drawImage"));
      if (pixels === undefined) return;
      const n = v.map(Number);
      const { width, height } = pixels;
      const all = n.length === 2 ? [0, 0, width, height, ...n, width, height] : n.length === 4 ? [0, 0, width, height, ...n] : n;
      op_c2d_draw_image(this._canvas, width, height, asBytes(pixels.data), !!pixels.premultiplied, all);
    },
    createImageData(first, second = undefined) {
      required(arguments.length, 1, what("createImageData"));
      if (first instanceof ImageData) return new ImageData(first.width, first.height);
      if (!(first | 0) || !(second | 0)) throw new DOMException(`${what("createImageData")}: The source width or height is 0.`, "IndexSizeError");
      return new ImageData(Math.abs(first | 0), Math.abs(second | 0));
    },
    getImageData(x, y, w, h) {
      required(arguments.length, 4, what("getImageData"));
      let [left, top, width, height] = [x | 0, y | 0, w | 0, h | 0];
      if (width === 0 || height === 0) throw new DOMException(`${what("getImageData")}: The source ${width === 0 ? "width" : "height"} is 0.`, "IndexSizeError");
      if (width < 0) [left, width] = [left + width, -width];
      if (height < 0) [top, height] = [top + height, -height];
      if (width * height * 4 > 0x7fffffff) throw new RangeError(`${what("getImageData")}: Out of memory at ImageData creation.`);
      const data = op_c2d_image_data(this._canvas, left, top, width, height);
      return new ImageData(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height);
    },
    putImageData(data, x, y, dirtyX = 0, dirtyY = 0, dirtyWidth = data?.width, dirtyHeight = data?.height) {
      required(arguments.length, 3, what("putImageData"));
      if (!(data instanceof ImageData)) throw new TypeError(`${what("putImageData")}: parameter 1 is not of type 'ImageData'.`);
      let [left, top, width, height] = [dirtyX | 0, dirtyY | 0, dirtyWidth | 0, dirtyHeight | 0];
      if (width < 0) [left, width] = [left + width, -width];
      if (height < 0) [top, height] = [top + height, -height];
      op_c2d_put_image_data(this._canvas, asBytes(data.data), data.width, data.height, x | 0, y | 0, [left, top, width, height]);
    },
    drawFocusIfNeeded() {},
  };
}

function makeInterface(name) {
  const ctor = {
    [name]: class {
      _canvas;
      _state = initialState();
      _saved = [];
      _attributes;
      #element;
      constructor(key, element, canvas, contextAttributes) {
        illegalConstructor(key);
        this.#element = element;
        this._canvas = canvas;
        this._attributes = contextAttributes;
      }
      get canvas() {
        return this.#element;
      }
    },
  }[name];
  Object.defineProperties(ctor.prototype, Object.getOwnPropertyDescriptors(methods(name)));
  pathMethods(ctor, "_canvas", { path: op_c2d_path, ellipse: op_c2d_ellipse, roundRect: op_c2d_round_rect });
  attributes(ctor);
  return exposeInterface(ctor, name);
}
const CanvasRenderingContext2D = makeInterface("CanvasRenderingContext2D");
const OffscreenCanvasRenderingContext2D = makeInterface("OffscreenCanvasRenderingContext2D");

canvasContexts.register("2d", ["2d"], (element, given) => {
  const { width, height } = element;
  const canvas = op_c2d_new(width, height);
  if (canvas === null) {
    unsupported("CanvasRenderingContext2D", "getContext", `a canvas of ${width}x${height} is too large`);
    return null;
  }
  const alpha = given?.alpha === undefined || !!given.alpha;
  const attributes_ = {
    alpha, colorSpace: "srgb", colorType: "unorm8", desynchronized: !!given?.desynchronized, willReadFrequently: !!given?.willReadFrequently,
  };
  const ctor = element.constructor.name === "OffscreenCanvas" ? OffscreenCanvasRenderingContext2D : CanvasRenderingContext2D;
  const context = new ctor(illegal, element, canvas, attributes_);
  return {
    context,
    resize(w, h) {
      context._state = initialState();
      context._saved = [];
      if (!op_c2d_resize(canvas, w, h)) unsupported("CanvasRenderingContext2D", "resize", `a canvas of ${w}x${h} is too large`);
    },
    readPixels() {
      const data = op_c2d_pixels(canvas);
      if (!alpha) for (let i = 3; i < data.length; i += 4) data[i] = 255;
      return { width: element.width, height: element.height, data, premultiplied: true };
    },
    opaque: !alpha,
  };
});
