// Numbers of three.js objects, and what is told of each once.
import { primordials } from "ext:replay/00_primordials.js";
import { op_evidence_ancestor, op_evidence_object, op_evidence_open } from "ext:core/ops";

const { ArrayIsArray, SafeWeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet } = primordials;

/** The engine's end of it; null when no evidence is wanted. */
export const watch = op_evidence_open();

const TRANSPARENT = 1, DEPTH_WRITE = 2, DEPTH_TEST = 4, DOUBLE_SIDED = 8, BACK_SIDE = 16, ON_CAMERA = 32;
/** three.js' constants for `material.side`. */
const SIDE_BACK = 1, SIDE_DOUBLE = 2;
const DEEPEST = 64;

/**
 * Keeps a number in an object where nobody else finds it: a private field, put on by a constructor that returns the object. A
 * lookup costs a tenth of a WeakMap's, and there are several for each draw.
 */
class Given {
  constructor(object) {
    return object;
  }
}
class Numbered extends Given {
  #number;
  constructor(object, number) {
    super(object);
    this.#number = number;
  }
  static of(object) {
    return #number in object ? object.#number : 0;
  }
}

/** Of what takes no private field; null as long as everything does. */
let numbers = null;
let last = 0;

function keep(object, number) {
  try {
    new Numbered(object, number);
  } catch {
    numbers ??= new SafeWeakMap();
    WeakMapPrototypeSet(numbers, object, number);
  }
}

/** The object's number, from 1 in the order of first sight; 0 for what is no object. */
export function numberOf(object) {
  if (typeof object !== "object" || object === null) return 0;
  let number = knownNumber(object);
  if (number === 0) {
    number = ++last;
    keep(object, number);
    describe(object, number);
  }
  return number;
}

/** The object's number if it has one already, else 0. */
export function knownNumber(object) {
  const number = Numbered.of(object);
  if (number !== 0 || numbers === null) return number;
  return WeakMapPrototypeGet(numbers, object) ?? 0;
}

/** 2 if the object calls z up (three.js' `up`), else 1: y. */
export function upOf(object) {
  const { up } = object;
  return typeof up === "object" && up !== null && up.x === 0 && up.y === 0 && up.z > 0 ? 2 : 1;
}

function text(value) {
  return typeof value === "string" ? value : "";
}

/** three.js' `type`, told apart where subclasses keep their parent's. */
function kindOf(object) {
  if (object.isInstancedMesh === true) return "InstancedMesh";
  if (object.isBatchedMesh === true) return "BatchedMesh";
  if (object.isSkinnedMesh === true) return "SkinnedMesh";
  if (object.isWater === true || object.isWaterMesh === true) return "Water";
  if (object.isSky === true || object.isSkyMesh === true) return "Sky";
  if (object.isLensflare === true || object.isLensflareMesh === true) return "Lensflare";
  return text(object.type);
}

/** Is a camera among its ancestors? */
function isOnCamera(object) {
  try {
    let above = object.parent;
    for (let depth = 0; typeof above === "object" && above !== null && depth < DEEPEST; depth++) {
      if (above.isCamera === true) return true;
      above = above.parent;
    }
  } catch {}
  return false;
}

function describe(object, number) {
  let name = "", kind = "", material = null;
  try {
    name = text(object.name);
    kind = kindOf(object);
    material = ArrayIsArray(object.material) ? object.material[0] : object.material;
  } catch {}
  let materialName = "", materialKind = "", flags = 0;
  try {
    if (typeof material === "object" && material !== null) {
      materialName = text(material.name);
      materialKind = text(material.type);
      if (material.transparent === true || material.transmission > 0) flags |= TRANSPARENT;
      if (material.depthWrite === true) flags |= DEPTH_WRITE;
      if (material.depthTest === true) flags |= DEPTH_TEST;
      if (material.side === SIDE_DOUBLE) flags |= DOUBLE_SIDED;
      if (material.side === SIDE_BACK) flags |= BACK_SIDE;
    }
  } catch {}
  if (isOnCamera(object)) flags |= ON_CAMERA;
  op_evidence_object(watch, number, name, kind, materialName, materialKind, flags);
  try {
    let above = object.parent, depth = 0;
    while (typeof above === "object" && above !== null && depth++ < DEEPEST) {
      const its = text(above.name);
      if (its !== "") op_evidence_ancestor(watch, number, its);
      above = above.parent;
    }
  } catch {}
}
