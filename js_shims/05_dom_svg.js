// Elements of SVG, without a renderer (SVG 2): what they are, and the way along their outlines.
import { exposeInterface, illegal, required } from "ext:replay/00_primordials.js";
import { defineHandlers } from "ext:replay/02_events.js";
import { makeDataset } from "ext:replay/05_dom_attributes.js";
import { Element, find, kLazy } from "ext:replay/05_dom_element.js";
import { GLOBAL_EVENTS, makers } from "ext:replay/05_dom_html.js";
import { kDocument } from "ext:replay/05_dom_node.js";
import { op_svg_length, op_svg_length_new, op_svg_point } from "ext:core/ops";

const SVG_NS = "http://www.w3.org/2000/svg";
class SVGElement extends Element {
  get dataset() {
    return (this[kLazy].dataset ??= makeDataset(this));
  }
  get ownerSVGElement() {
    return this.parentElement?.closest("svg") ?? null;
  }
  get viewportElement() {
    return this.ownerSVGElement;
  }
  focus() {}
  blur() {}
}
defineHandlers(SVGElement.prototype, GLOBAL_EVENTS);
exposeInterface(SVGElement);
class SVGGraphicsElement extends SVGElement {
  getBBox() {
    return this.getBoundingClientRect();
  }
  getCTM() {
    return null;
  }
}
exposeInterface(SVGGraphicsElement);
class SVGSVGElement extends SVGGraphicsElement {
  getElementById(id) {
    return `${id}` === "" ? null : find(this, (e) => e.id === `${id}`);
  }
  createSVGPoint() {
    return { x: 0, y: 0, matrixTransform() { return this; } };
  }
}
exposeInterface(SVGSVGElement);
class SVGGeometryElement extends SVGGraphicsElement {
  getTotalLength() {
    return op_svg_length(wayOf(this));
  }
  getPointAtLength(distance) {
    required(arguments.length, 1, "Failed to execute 'getPointAtLength' on 'SVGGeometryElement'");
    const at = +distance;
    if (!Number.isFinite(at)) {
      throw new TypeError("Failed to execute 'getPointAtLength' on 'SVGGeometryElement': The provided float value is non-finite.");
    }
    const point = op_svg_point(wayOf(this), at);
    if (point.length === 0) {
      throw new globalThis.DOMException("Failed to execute 'getPointAtLength' on 'SVGGeometryElement': The element's path is empty.", "InvalidStateError");
    }
    return new globalThis.DOMPoint(point[0], point[1]);
  }
}
exposeInterface(SVGGeometryElement);
class SVGPathElement extends SVGGeometryElement {}
exposeInterface(SVGPathElement);

/** The way along an element's outline, measured; kept until its attributes change. */
function wayOf(element) {
  const number = (name, otherwise = 0) => parseFloat(element.getAttribute(name) ?? "") || otherwise;
  const round = (rx, ry, cx, cy) => `M${cx + rx} ${cy}A${rx} ${ry} 0 0 1 ${cx - rx} ${cy}A${rx} ${ry} 0 0 1 ${cx + rx} ${cy}Z`;
  let d;
  switch (element._name) {
    case "path": d = element.getAttribute("d") ?? ""; break;
    case "line": d = `M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`; break;
    case "polyline": d = `M${element.getAttribute("points") ?? ""}`; break;
    case "polygon": d = `M${element.getAttribute("points") ?? ""}Z`; break;
    case "circle": d = round(number("r"), number("r"), number("cx"), number("cy")); break;
    case "ellipse": d = round(number("rx"), number("ry"), number("cx"), number("cy")); break;
    default: {
      const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => number(name));
      const rx = Math.min(number("rx", number("ry")), w / 2), ry = Math.min(number("ry", number("rx")), h / 2);
      const corner = (tx, ty) => (rx > 0 && ry > 0 ? `a${rx} ${ry} 0 0 1 ${tx} ${ty}` : "");
      d = `M${x + rx} ${y}h${w - 2 * rx}${corner(rx, ry)}v${h - 2 * ry}${corner(-rx, ry)}h${2 * rx - w}${corner(-rx, -ry)}v${2 * ry - h}${corner(rx, -ry)}Z`;
    }
  }
  const lazy = element[kLazy];
  if (lazy.way?.d !== d) lazy.way = { d, measured: op_svg_length_new(d) };
  return lazy.way.measured;
}
class SVGStyleElement extends SVGElement {
  get sheet() {
    return this.isConnected ? this[kDocument]._sheetOf(this) : null;
  }
}
exposeInterface(SVGStyleElement);

const CLASSES = { __proto__: null, svg: SVGSVGElement, path: SVGPathElement, style: SVGStyleElement };
for (const name of ["line", "polyline", "polygon", "circle", "ellipse", "rect"]) CLASSES[name] = SVGGeometryElement;

makers[SVG_NS] = (document, localName) => {
  const Class = CLASSES[localName] ?? SVGGraphicsElement;
  return new Class(illegal, document, localName, SVG_NS);
};
