// Path2D, CanvasGradient, CanvasPattern, TextMetrics.
import { exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { matrix2d } from "ext:replay/08_geometry.js";
import {
  op_c2d_add_path, op_c2d_add_stop, op_c2d_copy_path, op_c2d_ellipse2d, op_c2d_new_path, op_c2d_path2d, op_c2d_pattern_transform, op_c2d_round_rect2d,
} from "ext:core/ops";
import { pathMethods } from "ext:replay/08b_canvas2d_paths.js";

const { NumberIsFinite, TypeError } = primordials;

class Path2D {
  _path;
  constructor(path = undefined) {
    this._path = path instanceof Path2D ? op_c2d_copy_path(path._path) : op_c2d_new_path(path === undefined ? "" : `${path}`);
  }
  addPath(path, transform = undefined) {
    required(arguments.length, 1, "Failed to execute 'addPath' on 'Path2D'");
    if (!(path instanceof Path2D)) throw new TypeError("Failed to execute 'addPath' on 'Path2D': parameter 1 is not of type 'Path2D'.");
    op_c2d_add_path(this._path, path._path, ...matrix2d(transform));
  }
}
pathMethods(Path2D, "_path", { path: op_c2d_path2d, ellipse: op_c2d_ellipse2d, roundRect: op_c2d_round_rect2d });

class CanvasGradient {
  _gradient;
  constructor(key, gradient) {
    illegalConstructor(key);
    this._gradient = gradient;
  }
  addColorStop(offset, color) {
    required(arguments.length, 2, "Failed to execute 'addColorStop' on 'CanvasGradient'");
    const at = +offset;
    if (!NumberIsFinite(at)) throw new TypeError("Failed to execute 'addColorStop' on 'CanvasGradient': The provided double value is non-finite.");
    if (at < 0 || at > 1) {
      throw new DOMException(`Failed to execute 'addColorStop' on 'CanvasGradient': The provided value (${at}) is outside the range (0.0, 1.0).`, "IndexSizeError");
    }
    if (!op_c2d_add_stop(this._gradient, at, `${color}`)) {
      throw new DOMException(`Failed to execute 'addColorStop' on 'CanvasGradient': The value provided ('${color}') could not be parsed as a color.`, "SyntaxError");
    }
  }
}

class CanvasPattern {
  _pattern;
  constructor(key, pattern) {
    illegalConstructor(key);
    this._pattern = pattern;
  }
  setTransform(transform = undefined) {
    op_c2d_pattern_transform(this._pattern, ...matrix2d(transform));
  }
}

/** In the order op_c2d_measure_text answers. */
const METRICS = [
  "width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "actualBoundingBoxAscent", "actualBoundingBoxDescent", "fontBoundingBoxAscent",
  "fontBoundingBoxDescent", "emHeightAscent", "emHeightDescent", "hangingBaseline", "alphabeticBaseline", "ideographicBaseline",
];
class TextMetrics {
  _values;
  constructor(key, values) {
    illegalConstructor(key);
    this._values = values;
  }
}
METRICS.forEach((name, i) => {
  Object.defineProperty(TextMetrics.prototype, name, {
    __proto__: null, configurable: true, enumerable: true,
    get() {
      return this._values[i];
    },
  });
});

[Path2D, CanvasGradient, CanvasPattern, TextMetrics].forEach((ctor) => exposeInterface(ctor));
export const makeGradient = (gradient) => new CanvasGradient(illegal, gradient);
export const makePattern = (pattern) => new CanvasPattern(illegal, pattern);
export const makeMetrics = (values) => new TextMetrics(illegal, values);
export { CanvasGradient, CanvasPattern, Path2D };
