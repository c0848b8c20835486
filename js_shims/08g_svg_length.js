// SVGGeometryElement's lengths: how long a path is, and where one is along it.
import { op_svg_length, op_svg_length_new, op_svg_point } from "ext:core/ops";
import { exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { SVGGraphicsElement, SVGPathElement } from "ext:replay/05_dom_html.js";
import { DOMPoint } from "ext:replay/08_geometry.js";

const { NumberIsFinite, ObjectSetPrototypeOf, SafeWeakMap, TypeError } = primordials;

/** By element: its `d`, and that measured. */
const measured = new SafeWeakMap();

function measure(element) {
  const d = element.getAttribute("d") ?? "";
  let known = measured.get(element);
  if (known?.d !== d) {
    known = { d, length: op_svg_length_new(d) };
    measured.set(element, known);
  }
  return known.length;
}

class SVGGeometryElement extends SVGGraphicsElement {
  getTotalLength() {
    return op_svg_length(measure(this));
  }
  getPointAtLength(distance) {
    required(arguments.length, 1, "Failed to execute 'getPointAtLength' on 'SVGGeometryElement'");
    const at = +distance;
    if (!NumberIsFinite(at)) {
      throw new TypeError("Failed to execute 'getPointAtLength' on 'SVGGeometryElement': The provided float value is non-finite.");
    }
    const point = op_svg_point(measure(this), at);
    if (point.length === 0) {
      throw new DOMException("Failed to execute 'getPointAtLength' on 'SVGGeometryElement': The element's path is empty.", "InvalidStateError");
    }
    return new DOMPoint(point[0], point[1]);
  }
}
exposeInterface(SVGGeometryElement);
ObjectSetPrototypeOf(SVGPathElement.prototype, SVGGeometryElement.prototype);
ObjectSetPrototypeOf(SVGPathElement, SVGGeometryElement);
