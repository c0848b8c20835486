// DOMRect and DOMRectReadOnly (Geometry Interfaces 1).
import { exposeInterface } from "ext:replay/00_primordials.js";

/** Changes a rectangle: only those that are not read-only pass it on. */
let changeRect;
class DOMRectReadOnly {
  #x;
  #y;
  #w;
  #h;
  static {
    changeRect = (rect, x, y, width, height) => {
      rect.#x = +x;
      rect.#y = +y;
      rect.#w = +width;
      rect.#h = +height;
    };
  }
  constructor(x = 0, y = 0, width = 0, height = 0) {
    this.#x = +x;
    this.#y = +y;
    this.#w = +width;
    this.#h = +height;
  }
  get x() {
    return this.#x;
  }
  get y() {
    return this.#y;
  }
  get width() {
    return this.#w;
  }
  get height() {
    return this.#h;
  }
  get left() {
    return Math.min(this.#x, this.#x + this.#w);
  }
  get right() {
    return Math.max(this.#x, this.#x + this.#w);
  }
  get top() {
    return Math.min(this.#y, this.#y + this.#h);
  }
  get bottom() {
    return Math.max(this.#y, this.#y + this.#h);
  }
  toJSON() {
    const { x, y, width, height, top, right, bottom, left } = this;
    return { x, y, width, height, top, right, bottom, left };
  }
  static fromRect(r = {}) {
    return new this(r.x, r.y, r.width, r.height);
  }
}
exposeInterface(DOMRectReadOnly);
class DOMRect extends DOMRectReadOnly {
  get x() {
    return super.x;
  }
  set x(value) {
    changeRect(this, value, this.y, this.width, this.height);
  }
  get y() {
    return super.y;
  }
  set y(value) {
    changeRect(this, this.x, value, this.width, this.height);
  }
  get width() {
    return super.width;
  }
  set width(value) {
    changeRect(this, this.x, this.y, value, this.height);
  }
  get height() {
    return super.height;
  }
  set height(value) {
    changeRect(this, this.x, this.y, this.width, value);
  }
}
exposeInterface(DOMRect);

export { DOMRect, DOMRectReadOnly };
