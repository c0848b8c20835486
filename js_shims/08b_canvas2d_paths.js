// The CanvasPath mixin: the same methods for a context's current path and for Path2D.
import { primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";

const { ArrayIsArray, NumberIsFinite, ObjectDefineProperty, RangeError } = primordials;

/** Verbs of op_c2d_path (src/runtime/ops/canvas2d/path.rs) and the number of arguments of each. */
const VERBS = { __proto__: null, moveTo: [0, 2], lineTo: [1, 2], quadraticCurveTo: [2, 4], bezierCurveTo: [3, 6], rect: [4, 4], closePath: [5, 0] };

function negative(method, interface_) {
  return new DOMException(`Failed to execute '${method}' on '${interface_}': The radius provided is negative.`, "IndexSizeError");
}

/** Radii of roundRect: one to four numbers or points, as x and y of each corner. Undefined: nothing is drawn. */
function cornerRadii(radii) {
  const list = ArrayIsArray(radii) ? radii : typeof radii === "object" && radii !== null && Symbol.iterator in radii ? [...radii] : [radii ?? 0];
  if (list.length < 1 || list.length > 4) {
    throw new RangeError(`${list.length} radii provided. Between one and four radii are necessary.`);
  }
  const points = list.map((radius) => (typeof radius === "object" && radius !== null ? [+(radius.x ?? 0), +(radius.y ?? 0)] : [+radius, +radius]));
  for (const value of points.flat()) {
    if (!NumberIsFinite(value)) return undefined;
    if (value < 0) throw new RangeError(`Radius value ${value} is negative.`);
  }
  const [a, b = a, c = a, d = b] = points;
  return [...a, ...b, ...c, ...d];
}

/** Adds the mixin to `ctor`, whose objects hold their handle in `field`. */
export function pathMethods(ctor, field, ops) {
  const what = (method) => `Failed to execute '${method}' on '${ctor.name}'`;
  const methods = {
    arcTo(x1, y1, x2, y2, radius) {
      required(arguments.length, 5, what("arcTo"));
      if (!ops.path(this[field], 6, +x1, +y1, +x2, +y2, +radius, 0)) throw negative("arcTo", ctor.name);
    },
    arc(x, y, radius, startAngle, endAngle, counterclockwise = false) {
      required(arguments.length, 5, what("arc"));
      if (!ops.ellipse(this[field], +x, +y, +radius, +radius, 0, +startAngle, +endAngle, !!counterclockwise)) throw negative("arc", ctor.name);
    },
    ellipse(x, y, radiusX, radiusY, rotation, startAngle, endAngle, counterclockwise = false) {
      required(arguments.length, 7, what("ellipse"));
      if (!ops.ellipse(this[field], +x, +y, +radiusX, +radiusY, +rotation, +startAngle, +endAngle, !!counterclockwise)) {
        throw negative("ellipse", ctor.name);
      }
    },
    roundRect(x, y, w, h, radii = 0) {
      required(arguments.length, 4, what("roundRect"));
      const corners = cornerRadii(radii);
      if (corners !== undefined) ops.roundRect(this[field], [+x, +y, +w, +h, ...corners]);
    },
  };
  for (const name in VERBS) {
    const [verb, count] = VERBS[name];
    const method = {
      [name](a = 0, b = 0, c = 0, d = 0, e = 0, f = 0) {
        required(arguments.length, count, what(name));
        ops.path(this[field], verb, +a, +b, +c, +d, +e, +f);
      },
    }[name];
    ObjectDefineProperty(method, "length", { __proto__: null, value: count, configurable: true });
    methods[name] = method;
  }
  for (const name in methods) {
    ObjectDefineProperty(ctor.prototype, name, { __proto__: null, value: methods[name], writable: true, configurable: true, enumerable: true });
  }
}
