// At the end of a frame: the scenes that were drawn, walked for lights and for what the settings want tracked.
//
// Every object is passed once a frame, which costs a small part of what three.js spends on it itself, and finds new,
// renamed and moved objects without listening to anything.
import { primordials } from "ext:replay/00_primordials.js";
import { boxOf } from "ext:replay/11_evidence_boxes.js";
import { mark, rewind, write, writeMatrix } from "ext:replay/11_evidence_log.js";
import { knownNumber, numberOf, upOf, watch } from "ext:replay/11_evidence_objects.js";
import { SEEN } from "ext:replay/11_evidence_opacity.js";
import { op_evidence_body_size, op_evidence_instances, op_evidence_match } from "ext:core/ops";

const {
  ArrayIsArray, ArrayPrototypeIncludes, ArrayPrototypePush, Float64Array, MapPrototypeGet, MapPrototypeSet, NumberIsFinite, ObjectHasOwn, SafeMap, SafeWeakMap,
  SafeWeakSet, TypedArrayPrototypeFill, TypedArrayPrototypeSet, Uint8Array, WeakMapPrototypeGet, WeakMapPrototypeSet, WeakSetPrototypeAdd, WeakSetPrototypeHas,
} = primordials;

const SCENE = 3, TRACKED = 4, PART = 5, SHOWN = 7, MOVED = 10;
const DRONE = 1, PEDESTRIAN = 2;
/** Deeper than any scene, shallower than the stack. */
const DEEPEST = 1000;
/** A tracked object's box is made from so many parts at most. */
const MOST_PARTS = 256;

const scenes = [];
const bodySize = watch === null ? 0 : op_evidence_body_size(watch);
let frame = 0;
let lights = 0;

export function noteScene(scene) {
  if (!ArrayPrototypeIncludes(scenes, scene)) ArrayPrototypePush(scenes, scene);
}

export function forgetScenes() {
  scenes.length = 0;
}

export function walkScenes() {
  frame++;
  for (let i = 0; i < scenes.length; i++) {
    lights = 0;
    try {
      walk(scenes[i], 0, true, 0);
    } catch {}
    write(SCENE);
    write(numberOf(scenes[i]));
    write(lights);
    write(upOf(scenes[i]));
  }
}

/** What a name matches, by name. */
const matches = new SafeMap();

function matchesOf(object) {
  const { name } = object;
  if (name === "" || typeof name !== "string") return 0;
  let bits = MapPrototypeGet(matches, name);
  if (bits === undefined) {
    bits = op_evidence_match(watch, name);
    MapPrototypeSet(matches, name, bits);
  }
  return bits;
}

/** `above`: what its ancestors match; `shown`: all of them are visible. */
function walk(object, above, shown, depth) {
  const visible = shown && object.visible !== false;
  const bits = matchesOf(object) & ~above;
  if (object.isLight === true) {
    if (visible) lights++;
  } else if (bits !== 0 && object.isCamera !== true) {
    if ((bits & DRONE) !== 0) track(DRONE, object, visible, true);
    if ((bits & PEDESTRIAN) !== 0) trackBodies(object, visible);
  }
  if (visible && isMesh(object)) show(object);
  const { children } = object;
  if (children === undefined || depth >= DEEPEST) return;
  for (let i = 0; i < children.length; i++) walk(children[i], above | bits, visible, depth + 1);
}

/** The sums of the places that were told, by object number; NaN of those that were not. */
let places = new Float64Array(0);

function placeFor(number) {
  if (number < places.length) return;
  const larger = new Float64Array(number * 2 + 64);
  TypedArrayPrototypeFill(larger, NaN);
  TypedArrayPrototypeSet(larger, places);
  places = larger;
}

/** Tells that a mesh that was drawn before is still there, and where: a sum that changes when its matrix does, and the matrix then. */
function show(object) {
  const number = knownNumber(object);
  if (number === 0) return;
  const e = object.matrixWorld.elements;
  let place = 0;
  for (let i = 0; i < 16; i++) place = place * 1.25 + e[i];
  write(SHOWN);
  write(number);
  write(place);
  placeFor(number);
  if (places[number] === place) return;
  places[number] = place;
  const before = mark();
  try {
    write(MOVED);
    write(number);
    writeMatrix(object.matrixWorld);
  } catch {
    rewind(before);
  }
}

/** Before r82 objects say what they are by their type alone. */
function isMesh(object) {
  return object.isMesh === true || object.type === "Mesh";
}

function isDrawable(object) {
  return isMesh(object) || object.isPoints === true || object.isLine === true || object.isSprite === true;
}

function instancesOf(object) {
  if (object.isInstancedMesh === true) return object.count;
  if (object.isBatchedMesh === true) return presenceOf(object)?.there ?? (NumberIsFinite(object.instanceCount) ? object.instanceCount : 1);
  const { geometry } = object;
  if (geometry?.isInstancedBufferGeometry === true && NumberIsFinite(geometry.instanceCount)) return geometry.instanceCount;
  return 1;
}

/** By BatchedMesh: `{ frame, bytes, there }`, a byte for each number that was given out, 1 if it is drawn; and how many are. */
const presences = new SafeWeakMap();

/**
 * Which instances of a BatchedMesh are there: neither deleted nor invisible. Its revisions keep that in `_instanceInfo` (r172 on),
 * `_drawInfo` (r166), or `_active` and `_visibility` (r159); null if it has none of them.
 */
function presenceOf(object) {
  const info = object._instanceInfo ?? object._drawInfo, list = info ?? object._active;
  if (!ArrayIsArray(list)) return null;
  let known = WeakMapPrototypeGet(presences, object);
  if (known === undefined || known.bytes.length !== list.length) {
    known = { __proto__: null, frame: 0, bytes: new Uint8Array(list.length), there: 0 };
    WeakMapPrototypeSet(presences, object, known);
  }
  if (known.frame === frame) return known;
  known.frame = frame;
  known.there = 0;
  const visibility = object._visibility;
  for (let i = 0; i < list.length; i++) {
    const there = info === undefined ? list[i] === true && visibility?.[i] !== false : list[i]?.active !== false && list[i]?.visible !== false;
    known.bytes[i] = there ? 1 : 0;
    if (there) known.there++;
  }
  return known;
}

/** Has the object a place for each of its instances? */
function hasInstances(object) {
  return object.isInstancedMesh === true || object.isBatchedMesh === true;
}

/** Objects whose parts were told of; the engine keeps their boxes. */
const measured = new SafeWeakSet();

/** `moving`: its parts move against each other, so that the box is made anew each frame. */
function track(what, object, shown, moving) {
  const before = mark();
  try {
    const number = numberOf(object);
    write(TRACKED);
    write(what);
    write(number);
    write(shown ? 1 : 0);
    write(instancesOf(object));
    [shownLayers, shownOpacity, itself] = [0, 0, false];
    look(object, 0);
    write(shownOpacity);
    write(shownLayers >>> 0);
    write(itself ? 1 : 0);
    writeMatrix(object.matrixWorld);
    if (moving || !WeakSetPrototypeHas(measured, object)) {
      WeakSetPrototypeAdd(measured, object);
      parts = 0;
      writeParts(number, object, 0);
    }
    if (object.isInstancedMesh === true) {
      op_evidence_instances(watch, number, object.instanceMatrix.array, object.count, null);
    } else if (object.isBatchedMesh === true) {
      const presence = presenceOf(object), matrices = object._matricesTexture?.image?.data;
      if (presence !== null && matrices !== undefined) op_evidence_instances(watch, number, matrices, presence.bytes.length, presence.bytes);
    }
  } catch {
    rewind(before);
  }
}

/** How much of what is behind it the most solid part of the object hides, 0 to 1, and on which layers such parts are. */
let shownOpacity = 0, shownLayers = 0;
/** Does a part of the object move its vertices by more than its matrices? */
let itself = false;

/** Takes what is drawn of the object and what is below it. */
function look(object, depth) {
  if (object.visible === false) return;
  if (isDrawable(object) && drawsAnything(object)) {
    const { material } = object;
    if (!itself) itself = movesItself(object, material);
    let opacity = 0;
    if (ArrayIsArray(material)) {
      for (let i = 0; i < material.length; i++) opacity = larger(opacity, opacityOfMaterial(material[i]));
    } else {
      opacity = opacityOfMaterial(material);
    }
    shownOpacity = larger(shownOpacity, opacity);
    if (opacity >= SEEN) {
      const mask = object.layers?.mask;
      shownLayers |= typeof mask === "number" ? mask : 0xffffffff;
    }
  }
  const { children } = object;
  if (children === undefined || depth >= DEEPEST) return;
  for (let i = 0; i < children.length; i++) look(children[i], depth + 1);
}

function movesItself(object, material) {
  if (object.isSkinnedMesh === true || object.geometry?.morphAttributes?.position?.length > 0) return true;
  if (!ArrayIsArray(material)) return hasOwnShader(material);
  for (let i = 0; i < material.length; i++) {
    if (hasOwnShader(material[i])) return true;
  }
  return false;
}

/** A ShaderMaterial, one whose shader the program changes, or a node material that places vertices. */
function hasOwnShader(material) {
  if (typeof material !== "object" || material === null) return false;
  return material.isShaderMaterial === true || ObjectHasOwn(material, "onBeforeCompile") ||
    typeof material.positionNode === "object" && material.positionNode !== null ||
    typeof material.vertexNode === "object" && material.vertexNode !== null;
}

/** Is there a vertex to draw? */
function drawsAnything(object) {
  if (instancesOf(object) === 0) return false;
  const { geometry } = object;
  if (geometry?.drawRange?.count === 0) return false;
  return geometry?.attributes?.position?.count !== 0;
}

function opacityOfMaterial(material) {
  if (typeof material !== "object" || material === null) return 1;
  if (material.visible === false || material.colorWrite === false) return 0;
  // three.js' NeverDepth.
  if (material.depthFunc === 0 && material.depthTest !== false) return 0;
  const { opacity } = material;
  if (typeof opacity !== "number" || !NumberIsFinite(opacity)) return 1;
  // three.js draws everything else as if it were solid, but for what the alpha test throws away.
  if (material.transparent === true || material.alphaHash === true) return opacity < 0 ? 0 : opacity;
  return material.alphaTest > opacity ? 0 : 1;
}

function larger(a, b) {
  return b > a ? b : a;
}

let parts = 0;

function writeParts(number, object, depth) {
  if (isDrawable(object) && object.visible !== false && parts < MOST_PARTS) {
    const box = boxOf(object.geometry);
    if (box !== null) {
      parts++;
      write(PART);
      write(number);
      writeMatrix(object.matrixWorld);
      for (let i = 0; i < 6; i++) write(box[i]);
    }
  }
  const { children } = object;
  if (children === undefined || depth >= DEEPEST || parts >= MOST_PARTS) return;
  for (let i = 0; i < children.length; i++) writeParts(number, children[i], depth + 1);
}

// --- who is a person ------------------------------------------------------------------------------------------------
//
// Below a name that matches there may be one figure of many parts, or a crowd of figures. A body is the largest part of
// the subtree whose drawables lie within the size of a person of each other; every instance of an InstancedMesh or a BatchedMesh is one.

/** By root: `{ size, seen, bodies }`. */
const crowds = new SafeWeakMap();
/** Objects once seen to be wider than a person: they stay crowds when their people meet. */
const wide = new SafeWeakSet();

function trackBodies(root, shown) {
  let crowd = WeakMapPrototypeGet(crowds, root);
  const size = countBelow(root, 0);
  // People may start in one place: look again in the first frames, then now and then.
  if (crowd === undefined || crowd.size !== size || crowd.seen < 4 || frame % 16 === 0) {
    const bodies = [];
    split(root, bodies, 0);
    crowd = { __proto__: null, size, seen: crowd === undefined ? 1 : crowd.seen + 1, bodies };
    WeakMapPrototypeSet(crowds, root, crowd);
  }
  for (let i = 0; i < crowd.bodies.length; i++) {
    const body = crowd.bodies[i];
    track(PEDESTRIAN, body, shown && visibleBelow(body, root), false);
  }
}

function countBelow(object, depth) {
  let count = 1;
  const { children } = object;
  if (children === undefined || depth >= DEEPEST) return count;
  for (let i = 0; i < children.length; i++) count += countBelow(children[i], depth + 1);
  return count;
}

/** Is the object visible up to `root`, which is? */
function visibleBelow(object, root) {
  for (let at = object; at !== root && at !== null && at !== undefined; at = at.parent) {
    if (at.visible === false) return false;
  }
  return true;
}

const span = { __proto__: null, count: 0, crowd: false, min: [0, 0, 0], max: [0, 0, 0] };

function measureSpan(object, depth) {
  if (hasInstances(object) || instancesOf(object) > 1) {
    span.crowd = true;
  } else if (isDrawable(object)) {
    const box = boxOf(object.geometry);
    const e = object.matrixWorld.elements;
    const x = box === null ? 0 : (box[0] + box[3]) / 2;
    const y = box === null ? 0 : (box[1] + box[4]) / 2;
    const z = box === null ? 0 : (box[2] + box[5]) / 2;
    span.count++;
    for (let i = 0; i < 3; i++) {
      const at = e[i] * x + e[4 + i] * y + e[8 + i] * z + e[12 + i];
      if (at < span.min[i]) span.min[i] = at;
      if (at > span.max[i]) span.max[i] = at;
    }
  }
  const { children } = object;
  if (children === undefined || depth >= DEEPEST) return;
  for (let i = 0; i < children.length; i++) measureSpan(children[i], depth + 1);
}

function split(object, bodies, depth) {
  if (isDrawable(object) && (hasInstances(object) || instancesOf(object) > 1)) {
    ArrayPrototypePush(bodies, object);
  } else {
    span.count = 0;
    span.crowd = false;
    for (let i = 0; i < 3; i++) [span.min[i], span.max[i]] = [Infinity, -Infinity];
    measureSpan(object, depth);
    if (span.count === 0 && !span.crowd) return;
    const extent = (i) => span.max[i] - span.min[i];
    if (extent(0) > bodySize || extent(1) > bodySize || extent(2) > bodySize) WeakSetPrototypeAdd(wide, object);
    if (!span.crowd && !WeakSetPrototypeHas(wide, object)) {
      ArrayPrototypePush(bodies, object);
      return;
    }
    // A drawable with a crowd below it counts by itself too.
    if (isDrawable(object) && !span.crowd) ArrayPrototypePush(bodies, object);
  }
  const { children } = object;
  if (children === undefined || depth >= DEEPEST) return;
  for (let i = 0; i < children.length; i++) split(children[i], bodies, depth + 1);
}
