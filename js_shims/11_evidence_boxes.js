// Boxes around geometries, in their own space, without touching the program's objects.
import { primordials } from "ext:replay/00_primordials.js";

const { SafeWeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet } = primordials;

/** By position attribute: `{ version, count, box }`. */
const boxes = new SafeWeakMap();

/** `[minX, minY, minZ, maxX, maxY, maxZ]` of what the geometry's positions span; null if there are none. */
export function boxOf(geometry) {
  const position = geometry?.attributes?.position;
  if (typeof position !== "object" || position === null) return null;
  const data = position.isInterleavedBufferAttribute === true ? position.data : position;
  const known = WeakMapPrototypeGet(boxes, position);
  if (known !== undefined && known.version === data.version && known.count === position.count) return known.box;
  const box = measure(position, data);
  WeakMapPrototypeSet(boxes, position, { __proto__: null, version: data.version, count: position.count, box });
  return box;
}

function measure(position, data) {
  const { array } = data;
  if (array === undefined || position.normalized === true || !(position.count > 0)) return null;
  const interleaved = data !== position;
  const stride = interleaved ? data.stride : position.itemSize;
  const start = interleaved ? position.offset : 0;
  const flat = position.itemSize < 3;
  let x0 = Infinity, y0 = Infinity, z0 = Infinity, x1 = -Infinity, y1 = -Infinity, z1 = -Infinity;
  for (let i = 0, at = start; i < position.count; i++, at += stride) {
    const x = array[at], y = array[at + 1], z = flat ? 0 : array[at + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return x0 <= x1 && y0 <= y1 && z0 <= z1 ? [x0, y0, z0, x1, y1, z1] : null;
}
