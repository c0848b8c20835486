// DOMMatrix, DOMPoint, DOMRect (Geometry Interfaces 1): what canvases and pages compute with.
import { exposeInterface, primordials } from "ext:replay/00_primordials.js";

const { Float32Array, Float64Array, MathAtan2, MathCos, MathPI, MathSin, NumberIsFinite, TypeError } = primordials;

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const NAMES = ["m11", "m12", "m13", "m14", "m21", "m22", "m23", "m24", "m31", "m32", "m33", "m34", "m41", "m42", "m43", "m44"];
/** The six 2D names and where they lie. */
const FLAT = { __proto__: null, a: 0, b: 1, c: 4, d: 5, e: 12, f: 13 };

/** Column-major product left x right. */
function product(left, right) {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += left[k * 4 + row] * right[column * 4 + k];
      out[column * 4 + row] = sum;
    }
  }
  return out;
}

/** Gauss-Jordan; NaNs when singular, as the specification asks. */
function inverse(m) {
  const a = Float64Array.from(m), out = Float64Array.from(IDENTITY);
  for (let i = 0; i < 4; i++) {
    let pivot = i;
    for (let r = i + 1; r < 4; r++) if (Math.abs(a[i * 4 + r]) > Math.abs(a[i * 4 + pivot])) pivot = r;
    if (a[i * 4 + pivot] === 0) return new Float64Array(16).fill(NaN);
    for (let c = 0; c < 4; c++) {
      [a[c * 4 + i], a[c * 4 + pivot]] = [a[c * 4 + pivot], a[c * 4 + i]];
      [out[c * 4 + i], out[c * 4 + pivot]] = [out[c * 4 + pivot], out[c * 4 + i]];
    }
    const scale = 1 / a[i * 4 + i];
    for (let c = 0; c < 4; c++) {
      a[c * 4 + i] *= scale;
      out[c * 4 + i] *= scale;
    }
    for (let r = 0; r < 4; r++) {
      const factor = a[i * 4 + r];
      if (r === i || factor === 0) continue;
      for (let c = 0; c < 4; c++) {
        a[c * 4 + r] -= factor * a[c * 4 + i];
        out[c * 4 + r] -= factor * out[c * 4 + i];
      }
    }
  }
  return out;
}

/** Rotation about an axis, radians. */
function rotation(x, y, z, angle) {
  const length = Math.hypot(x, y, z);
  if (length === 0) return Float64Array.from(IDENTITY);
  [x, y, z] = [x / length, y / length, z / length];
  const s = MathSin(angle), c = MathCos(angle), t = 1 - c;
  return Float64Array.from([
    t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0,
    t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0,
    t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0,
    0, 0, 0, 1,
  ]);
}

function translation(x, y, z) {
  return Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
}

const radians = (degrees) => (degrees * MathPI) / 180;

function parse(init, what) {
  if (init === undefined) return { m: Float64Array.from(IDENTITY), flat: true };
  if (typeof init === "object" && init !== null && typeof init.length === "number") {
    const v = Array.from(init, Number);
    if (v.length === 6) return { m: Float64Array.from([v[0], v[1], 0, 0, v[2], v[3], 0, 0, 0, 0, 1, 0, v[4], v[5], 0, 1]), flat: true };
    if (v.length === 16) return { m: Float64Array.from(v), flat: false };
    throw new TypeError(`${what}: The sequence must contain 6 elements for a 2D matrix or 16 elements for a 3D matrix.`);
  }
  if (typeof init === "object" && init !== null) return fromInit(init);
  const text = `${init}`.trim();
  if (text === "" || text === "none") return { m: Float64Array.from(IDENTITY), flat: true };
  const found = /^matrix(3d)?\(([^)]*)\)$/.exec(text);
  if (found) return parse(found[2].split(",").map(Number), what);
  throw new TypeError(`${what}: Failed to parse '${text}'.`);
}

/** A DOMMatrixInit dictionary. */
function fromInit(init) {
  const m = Float64Array.from(IDENTITY);
  let flat = true;
  NAMES.forEach((name, i) => {
    if (init[name] === undefined) return;
    m[i] = +init[name];
    if (m[i] !== IDENTITY[i] && ![0, 1, 4, 5, 12, 13].includes(i)) flat = false;
  });
  for (const name in FLAT) if (init[name] !== undefined) m[FLAT[name]] = +init[name];
  return { m, flat: init.is2D ?? flat };
}

class DOMMatrixReadOnly {
  _m;
  _flat;
  constructor(init = undefined) {
    ({ m: this._m, flat: this._flat } = parse(init, `Failed to construct '${new.target.name}'`));
  }
  get is2D() {
    return this._flat;
  }
  get isIdentity() {
    return this._m.every((value, i) => value === IDENTITY[i]);
  }
  multiply(other = undefined) {
    return copy(this).multiplySelf(other);
  }
  translate(x = 0, y = 0, z = 0) {
    return copy(this).translateSelf(x, y, z);
  }
  scale(x = 1, y = undefined, z = 1, ox = 0, oy = 0, oz = 0) {
    return copy(this).scaleSelf(x, y, z, ox, oy, oz);
  }
  rotate(x = 0, y = undefined, z = undefined) {
    return copy(this).rotateSelf(x, y, z);
  }
  rotateAxisAngle(x = 0, y = 0, z = 0, angle = 0) {
    return copy(this).rotateAxisAngleSelf(x, y, z, angle);
  }
  skewX(angle = 0) {
    return copy(this).skewXSelf(angle);
  }
  skewY(angle = 0) {
    return copy(this).skewYSelf(angle);
  }
  flipX() {
    return copy(this).multiplySelf({ a: -1 });
  }
  flipY() {
    return copy(this).multiplySelf({ d: -1 });
  }
  inverse() {
    return copy(this).invertSelf();
  }
  transformPoint(point = {}) {
    const { x = 0, y = 0, z = 0, w = 1 } = point;
    const m = this._m;
    return new DOMPoint(
      m[0] * x + m[4] * y + m[8] * z + m[12] * w,
      m[1] * x + m[5] * y + m[9] * z + m[13] * w,
      m[2] * x + m[6] * y + m[10] * z + m[14] * w,
      m[3] * x + m[7] * y + m[11] * z + m[15] * w,
    );
  }
  toFloat32Array() {
    return Float32Array.from(this._m);
  }
  toFloat64Array() {
    return Float64Array.from(this._m);
  }
  toJSON() {
    const out = {};
    for (const name in FLAT) out[name] = this[name];
    NAMES.forEach((name) => (out[name] = this[name]));
    return { ...out, is2D: this.is2D, isIdentity: this.isIdentity };
  }
  toString() {
    const m = this._m;
    return this._flat ? `matrix(${[m[0], m[1], m[4], m[5], m[12], m[13]].join(", ")})` : `matrix3d(${Array.from(m).join(", ")})`;
  }
  static fromMatrix(other = {}) {
    return adopt(new this(), fromInit(other));
  }
  static fromFloat32Array(array) {
    return new this(array);
  }
  static fromFloat64Array(array) {
    return new this(array);
  }
}

function adopt(matrix, { m, flat }) {
  matrix._m = m;
  matrix._flat = flat;
  return matrix;
}

function copy(matrix) {
  return adopt(new DOMMatrix(), { m: Float64Array.from(matrix._m), flat: matrix._flat });
}

class DOMMatrix extends DOMMatrixReadOnly {
  multiplySelf(other = {}) {
    const { m, flat } = fromInit(other);
    return adopt(this, { m: product(this._m, m), flat: this._flat && flat });
  }
  preMultiplySelf(other = {}) {
    const { m, flat } = fromInit(other);
    return adopt(this, { m: product(m, this._m), flat: this._flat && flat });
  }
  translateSelf(x = 0, y = 0, z = 0) {
    return adopt(this, { m: product(this._m, translation(+x, +y, +z)), flat: this._flat && +z === 0 });
  }
  scaleSelf(x = 1, y = undefined, z = 1, ox = 0, oy = 0, oz = 0) {
    y ??= x;
    this.translateSelf(ox, oy, oz);
    const m = product(this._m, Float64Array.from([+x, 0, 0, 0, 0, +y, 0, 0, 0, 0, +z, 0, 0, 0, 0, 1]));
    return adopt(this, { m, flat: this._flat && +z === 1 }).translateSelf(-ox, -oy, -oz);
  }
  scale3dSelf(s = 1, ox = 0, oy = 0, oz = 0) {
    return this.scaleSelf(s, s, s, ox, oy, oz);
  }
  rotateSelf(x = 0, y = undefined, z = undefined) {
    if (y === undefined && z === undefined) [x, y, z] = [0, 0, x];
    [y, z] = [y ?? 0, z ?? 0];
    let m = product(this._m, rotation(0, 0, 1, radians(+z)));
    m = product(m, rotation(0, 1, 0, radians(+y)));
    m = product(m, rotation(1, 0, 0, radians(+x)));
    return adopt(this, { m, flat: this._flat && +x === 0 && +y === 0 });
  }
  rotateFromVectorSelf(x = 0, y = 0) {
    return this.rotateSelf((MathAtan2(+y, +x) * 180) / MathPI);
  }
  rotateAxisAngleSelf(x = 0, y = 0, z = 0, angle = 0) {
    return adopt(this, { m: product(this._m, rotation(+x, +y, +z, radians(+angle))), flat: this._flat && +x === 0 && +y === 0 });
  }
  skewXSelf(angle = 0) {
    return this.multiplySelf({ c: Math.tan(radians(+angle)) });
  }
  skewYSelf(angle = 0) {
    return this.multiplySelf({ b: Math.tan(radians(+angle)) });
  }
  invertSelf() {
    const m = inverse(this._m);
    return adopt(this, { m, flat: this._flat && NumberIsFinite(m[0]) });
  }
  setMatrixValue(text) {
    return adopt(this, parse(`${text}`, "Failed to execute 'setMatrixValue' on 'DOMMatrix'"));
  }
}

for (const [name, at] of [...NAMES.map((name, i) => [name, i]), ...Object.entries(FLAT)]) {
  const get = function () {
    return this._m[at];
  };
  Object.defineProperty(DOMMatrixReadOnly.prototype, name, { __proto__: null, get, configurable: true, enumerable: true });
  Object.defineProperty(DOMMatrix.prototype, name, {
    __proto__: null, get, configurable: true, enumerable: true,
    set(value) {
      this._m[at] = +value;
      if (![0, 1, 4, 5, 12, 13].includes(at) && this._m[at] !== IDENTITY[at]) this._flat = false;
    },
  });
}

class DOMPointReadOnly {
  constructor(x = 0, y = 0, z = 0, w = 1) {
    Object.assign(this, { x: +x, y: +y, z: +z, w: +w });
  }
  static fromPoint({ x = 0, y = 0, z = 0, w = 1 } = {}) {
    return new this(x, y, z, w);
  }
  matrixTransform(matrix = {}) {
    return DOMMatrix.fromMatrix(matrix).transformPoint(this);
  }
  toJSON() {
    const { x, y, z, w } = this;
    return { x, y, z, w };
  }
}
class DOMPoint extends DOMPointReadOnly {}

/** `[a, b, c, d, e, f]` of a DOMMatrix2DInit. */
export function matrix2d(init = {}) {
  const { m } = fromInit(init ?? {});
  return [m[0], m[1], m[4], m[5], m[12], m[13]];
}

[DOMMatrixReadOnly, DOMMatrix, DOMPointReadOnly, DOMPoint].forEach((ctor) => exposeInterface(ctor));
export { DOMMatrix, DOMPoint };
