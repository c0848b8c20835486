// What three.js' own objects say while they draw: which render call, camera and object each draw belongs to.
//
// three.js announces its renderers to developer tools from their constructors (`__THREE_DEVTOOLS__`, r111 on). One that does not
// (older, or a bundle that took the announcement away) is met when its constructor gives itself the method that draws (see `trap`).
// A renderer gets its own `render` and `renderBufferDirect` (WebGLRenderer: every draw of every revision goes through it, those
// of shadow maps too) or `_renderObjectDirect` (three/webgpu on its WebGL 2 back end) wrapped. Objects are known by properties
// that no bundler renames. Nothing here may change what the program sees: `this`, arguments, results, exceptions and the
// functions' names and lengths pass through, and what fails here fails silently.
import { primordials } from "ext:replay/00_primordials.js";
import { EventTarget } from "ext:replay/02_events.js";
import { mark, rewind, startLog, write, writeMatrix } from "ext:replay/11_evidence_log.js";
import { forgetScenes, noteScene, walkScenes } from "ext:replay/11_evidence_walk.js";
import { numberOf, upOf, watch } from "ext:replay/11_evidence_objects.js";
import { isUnseen } from "ext:replay/11_evidence_opacity.js";
import { op_evidence_flush, op_evidence_subject } from "ext:core/ops";

const {
  ArrayIsArray, ArrayPrototypeIncludes, ArrayPrototypePush, NumberIsFinite, ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor, ObjectPrototype, ReflectApply, SafeWeakSet, WeakSetPrototypeAdd, WeakSetPrototypeHas,
} = primordials;

/** Tags of the log's records; `src/runtime/ops/evidence/log.rs` reads them. */
const RENDER = 1, CAMERA = 2, PLACED = 6, CLIPPED = 8, FAINT = 9;
/** Draws of a call whose objects' places are told: the first, then one in so many, so many at most. */
const FIRST_PLACED = 8, PLACED_STEP = 16, MOST_PLACED = 48;

/** The render call under way, innermost. */
let current = null;
let renders = 0;

function begin(scene, camera, toTarget) {
  const call = {
    __proto__: null,
    number: ++renders,
    outer: current,
    camera,
    cameraNumber: numberOf(camera),
    scene,
    /** Cameras whose state is in the log. */
    told: [],
    last: null,
    lastNumber: 0,
    /** It is a single draw's. */
    implicit: false,
    draws: 0,
    placed: 0,
  };
  write(RENDER);
  write(call.number);
  write(current === null ? 0 : current.number);
  write(numberOf(scene));
  write(toTarget ? 1 : 0);
  noteScene(scene);
  current = call;
  op_evidence_subject(watch, call.number, call.cameraNumber, 0, false);
  return call;
}

function end(call) {
  // Nothing was drawn for it: what it says now will do.
  if (call.told.length === 0) tellCamera(call, call.camera, call.cameraNumber);
  current = call.outer;
  if (current === null) op_evidence_subject(watch, 0, 0, 0, false);
  else op_evidence_subject(watch, current.number, current.cameraNumber, 0, false);
}

/** The state of a camera when it first draws in a call: by then its matrices are up to date. */
function tellCamera(call, camera, number) {
  if (number === 0 || ArrayPrototypeIncludes(call.told, number)) return;
  ArrayPrototypePush(call.told, number);
  const before = mark();
  try {
    write(CAMERA);
    write(call.number);
    write(number);
    write(camera.isPerspectiveCamera === true || camera.type === "PerspectiveCamera" ? real(camera.fov) : NaN);
    write(real(camera.near));
    write(real(camera.far));
    write(maskOf(camera));
    write(upOf(camera));
    writeMatrix(camera.matrixWorld);
    writeMatrix(camera.projectionMatrix);
    // What the draws take: revisions differ in whether a scale of the camera's parents is in it.
    writeMatrix(camera.matrixWorldInverse);
  } catch {
    rewind(before);
  }
}

/** The layers it draws, as the bits of an unsigned number; all if it tells none. */
function maskOf(camera) {
  const mask = camera.layers?.mask;
  return typeof mask === "number" ? mask >>> 0 : 0xffffffff;
}

function real(value) {
  return NumberIsFinite(value) ? value : NaN;
}

/** The camera's number, told of at its first draw. */
function drawingCamera(call, camera, shadow) {
  if (camera === call.last) return call.lastNumber;
  const number = numberOf(camera);
  if (!shadow) {
    tellCamera(call, camera, number);
    call.last = camera;
    call.lastNumber = number;
  }
  return number;
}

/** Where an object of the call stands, for some of its draws: what the GPU's matrices are checked by. */
function tellPlace(call, camera, number, object) {
  const nth = call.draws++;
  if (call.placed >= MOST_PLACED || nth >= FIRST_PLACED && nth % PLACED_STEP !== 0) return;
  call.placed++;
  const before = mark();
  try {
    write(PLACED);
    write(call.number);
    write(camera);
    write(number);
    writeMatrix(object.matrixWorld);
  } catch {
    rewind(before);
  }
}

/** Tells that nothing of the object is seen, if it has no other material that is. */
function tellFaint(number, object) {
  const all = object.material;
  if (ArrayIsArray(all)) {
    for (let i = 0; i < all.length; i++) if (!isUnseen(all[i])) return;
  }
  write(FAINT);
  write(number);
}

function planesOf(planes) {
  return ArrayIsArray(planes) ? planes : [];
}

/** The planes of the object's own materials, if all agree. */
function ownPlanes(object, material) {
  const all = object.material;
  if (!ArrayIsArray(all)) return material;
  for (let i = 0; i < all.length; i++) {
    const other = all[i];
    if (other?.clippingPlanes !== material.clippingPlanes || other?.clipIntersection !== material.clipIntersection) return null;
  }
  return material;
}

function writePlanes(planes) {
  for (let i = 0; i < planes.length; i++) {
    const { normal, constant } = planes[i];
    write(normal.x);
    write(normal.y);
    write(normal.z);
    write(constant);
  }
}

/** The planes that cut parts of the object away, as WebGLRenderer takes them. */
function tellClips(renderer, number, object, material) {
  const shared = planesOf(renderer.clippingPlanes);
  const local = renderer.localClippingEnabled === true ? planesOf(material.clippingPlanes) : [];
  if (shared.length === 0 && local.length === 0) return;
  if (material.isShaderMaterial === true && material.clipping !== true) return;
  const from = local.length === 0 ? null : ownPlanes(object, material);
  const own = from === null ? [] : local;
  const some = own.length > 0 && material.clipIntersection === true;
  const before = mark();
  try {
    write(CLIPPED);
    write(number);
    write(shared.length + (some ? 0 : own.length));
    write(some ? own.length : 0);
    writePlanes(shared);
    writePlanes(own);
  } catch {
    rewind(before);
  }
}

/** Puts `wrapper` in the place of a method, looking like it. */
function replace(object, key, original, wrapper) {
  const name = ObjectGetOwnPropertyDescriptor(original, "name");
  const length = ObjectGetOwnPropertyDescriptor(original, "length");
  if (name !== undefined) ObjectDefineProperty(wrapper, "name", { __proto__: null, ...name });
  if (length !== undefined) ObjectDefineProperty(wrapper, "length", { __proto__: null, ...length });
  const own = ObjectGetOwnPropertyDescriptor(object, key);
  const { enumerable = false, writable = true, configurable = true } = own ?? {};
  ObjectDefineProperty(object, key, { __proto__: null, value: wrapper, enumerable, writable, configurable });
}

function wrapRender(renderer) {
  const original = renderer.render;
  const getRenderTarget = renderer.getRenderTarget;
  // Old revisions took the target as an argument.
  const target = (given) =>
    isObject(given) || typeof getRenderTarget === "function" && ReflectApply(getRenderTarget, renderer, []) !== null;
  // A method: like the original it may be called, not constructed.
  const { render } = {
    render(scene, camera) {
      let call = null;
      try {
        // What three.js refuses makes no call of its own.
        if (isObject(scene) && isCamera(camera)) call = begin(scene, camera, target(arguments[2]));
      } catch {}
      if (call === null) return ReflectApply(original, this, arguments);
      try {
        return ReflectApply(original, this, arguments);
      } finally {
        try {
          end(call);
        } catch {}
      }
    },
  };
  replace(renderer, "render", original, render);
}

/** A draw begins; what comes back is for `leave`. Apart from the draw itself, so that nobody makes an object of its arguments. */
function enter(camera, scene, object, material, renderer) {
  let call = current;
  try {
    // A draw outside of any render call is a call by itself.
    if (call === null) {
      call = begin(scene ?? object, camera, false);
      call.implicit = true;
    }
    // A shadow map's camera draws without a scene, in every revision; old ones draw everything without, if there is no fog.
    const shadow = scene === null && camera !== call.camera;
    const eye = drawingCamera(call, camera, shadow), number = numberOf(object), unseen = isUnseen(material);
    if (!shadow) {
      tellPlace(call, eye, number, object);
      if (unseen) tellFaint(number, object);
      if (renderer !== null && isObject(material)) tellClips(renderer, number, object, material);
    }
    op_evidence_subject(watch, call.number, eye, number, unseen);
  } catch {}
  return call;
}

function leave(call) {
  try {
    if (call === null) return;
    if (call.implicit) end(call);
    else op_evidence_subject(watch, call.number, call.cameraNumber, 0, false);
  } catch {}
}

function wrapDraws(renderer) {
  const direct = renderer.renderBufferDirect;
  if (typeof direct === "function") {
    const { renderBufferDirect } = {
      renderBufferDirect(camera, scene, geometry, material, object, group) {
        const call = enter(camera, scene, object, material, renderer);
        try {
          return ReflectApply(direct, this, arguments);
        } finally {
          leave(call);
        }
      },
    };
    replace(renderer, "renderBufferDirect", direct, renderBufferDirect);
    return;
  }
  const one = renderer._renderObjectDirect;
  if (typeof one !== "function") return;
  const { _renderObjectDirect } = {
    _renderObjectDirect(object, material, scene, camera, lights, group, clipping, pass) {
      const call = enter(camera, isShadowMaterial(material) ? null : scene, object, material, null);
      try {
        return ReflectApply(one, this, arguments);
      } finally {
        leave(call);
      }
    },
  };
  const used = renderer._handleObjectFunction === one;
  replace(renderer, "_renderObjectDirect", one, _renderObjectDirect);
  if (used) renderer._handleObjectFunction = renderer._renderObjectDirect;
}

function isShadowMaterial(material) {
  return isObject(material) && material.isShadowPassMaterial === true;
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

/** As three.js knows one; before r82 they do not say what they are. */
function isCamera(value) {
  return isObject(value) &&
    (value.isCamera === true || isObject(value.projectionMatrix) && isObject(value.matrixWorldInverse));
}

const wrapped = new SafeWeakSet();

/** Wraps an announced renderer, once; scenes announce themselves too and are met when they are drawn. */
function observe(object) {
  if (!isObject(object) || WeakSetPrototypeHas(wrapped, object)) return;
  if (typeof object.render !== "function") return;
  if (typeof object.renderBufferDirect !== "function" && typeof object._renderObjectDirect !== "function") return;
  WeakSetPrototypeAdd(wrapped, object);
  wrapRender(object);
  wrapDraws(object);
}

// --- renderers that do not announce themselves ----------------------------------------------------------------------

/**
 * What the constructors of WebGLRenderer (in every revision) and of three/webgpu's renderers assign to themselves. No other code
 * that is known uses these names, and no bundler renames them.
 */
const METHOD = "renderBufferDirect", HANDLER = "_handleObjectFunction";

function own(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
}

/** `render` comes later in the constructor than the method that draws. */
function awaitRender(renderer) {
  const { set } = {
    set(value) {
      own(this, "render", value);
      try {
        if (this === renderer && typeof value === "function") wrapRender(renderer);
      } catch {}
    },
  };
  ObjectDefineProperty(renderer, "render", { __proto__: null, get: undefined, set, enumerable: false, configurable: true });
}

function meet(renderer, key) {
  if (!isObject(renderer) || WeakSetPrototypeHas(wrapped, renderer)) return;
  if (key === HANDLER || typeof renderer.render === "function") {
    observe(renderer);
  } else if (typeof renderer.renderBufferDirect === "function") {
    WeakSetPrototypeAdd(wrapped, renderer);
    wrapDraws(renderer);
    awaitRender(renderer);
  }
}

/** The first assignment of `key` to an object passes here, and is an ordinary one to the program. */
function trap(key) {
  const { set } = {
    set(value) {
      if (!isObject(this) && typeof this !== "function") return;
      own(this, key, value);
      try {
        meet(this, key);
      } catch {}
    },
  };
  ObjectDefineProperty(ObjectPrototype, key, { __proto__: null, get: undefined, set, enumerable: false, configurable: true });
}

// --- the announcement -----------------------------------------------------------------------------------------------

let announced = "";
const devtools = new EventTarget();
devtools.addEventListener("register", (event) => {
  if (typeof event.detail?.revision === "string") announced = event.detail.revision;
});
if (watch !== null) {
  devtools.addEventListener("observe", (event) => {
    try {
      observe(event.detail);
    } catch {}
  });
}

/** three.js' revision; older ones leave a global instead of announcing it. */
export function revision() {
  const global = globalThis.__THREE__ ?? globalThis.THREE?.REVISION;
  return announced !== "" ? announced : typeof global === "string" ? global : "";
}

/** At the end of a frame: looks through the scenes that were drawn and hands everything on. */
export function flush() {
  if (watch === null) return;
  try {
    walkScenes();
  } catch {}
  forgetScenes();
  const { bytes, words } = startLog();
  op_evidence_flush(watch, bytes, words);
}

/** Installs the target that three.js looks for, and what meets a renderer that looks for none. */
export function install() {
  if (watch !== null) {
    trap(METHOD);
    trap(HANDLER);
  }
  ObjectDefineProperty(globalThis, "__THREE_DEVTOOLS__", {
    __proto__: null, value: devtools, configurable: true, writable: true,
  });
}
