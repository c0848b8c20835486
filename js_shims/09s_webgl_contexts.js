// WebGLRenderingContext and WebGL2RenderingContext put together, and what canvas.getContext makes of them.
import {
  op_console, op_gl_canvas_pixels, op_gl_create_context, op_gl_drawing_buffer_height, op_gl_drawing_buffer_width,
  op_gl_is_context_lost, op_gl_resize,
} from "ext:core/ops";
import { exposeInterface, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { canvasContexts } from "ext:replay/04_hooks.js";
import { filmed, kCanvasId } from "ext:replay/05_dom_canvas.js";
import { WEBGL1_CONSTANTS, WEBGL2_CONSTANTS } from "ext:replay/09a_webgl_constants.js";
import {
  ContextSlots, generateError, handle, interfaceName, INVALID_OPERATION, stateOf, tooFew,
} from "ext:replay/09b_webgl_base.js";
import * as objects from "ext:replay/09c_webgl_objects.js";
import { StateMethods } from "ext:replay/09d_webgl_state.js";
import { BufferMethods, BufferMethods2 } from "ext:replay/09e_webgl_buffers.js";
import { ProgramMethods, ProgramMethods2 } from "ext:replay/09f_webgl_programs.js";
import { UniformMethods, UniformMethods2 } from "ext:replay/09g_webgl_uniforms.js";
import { TextureMethods, TextureMethods2 } from "ext:replay/09h_webgl_textures.js";
import { FramebufferMethods, FramebufferMethods2 } from "ext:replay/09i_webgl_framebuffers.js";
import { DrawMethods, DrawMethods2 } from "ext:replay/09j_webgl_draw.js";
import { QueryMethods, SamplerMethods, SyncMethods, TransformFeedbackMethods } from "ext:replay/09k_webgl_objects2.js";
import { ExtensionMethods } from "ext:replay/09q_webgl_extensions.js";
import { fireContextEvent, loseContext } from "ext:replay/09r_webgl_context_loss.js";

const {
  ArrayPrototypeFilter, ArrayPrototypeFindIndex, ArrayPrototypePush, ArrayPrototypeSplice, ObjectCreate, ObjectDefineProperty, ObjectGetOwnPropertyDescriptors, ObjectKeys, PromiseReject, ReflectOwnKeys,
  TypeError,
} = primordials;

export class WebGLRenderingContext {
  constructor() {
    throw new TypeError("Illegal constructor");
  }
}

export class WebGL2RenderingContext {
  constructor() {
    throw new TypeError("Illegal constructor");
  }
}

/** Attributes and calls that concern the canvas rather than GL. */
class CanvasMembers {
  get canvas() {
    return stateOf(this).canvas;
  }
  get drawingBufferWidth() {
    return op_gl_drawing_buffer_width(handle(this));
  }
  get drawingBufferHeight() {
    return op_gl_drawing_buffer_height(handle(this));
  }
  get drawingBufferFormat() {
    return stateOf(this).attributes.alpha ? 0x8058 : 0x8051; // RGBA8, RGB8
  }
  get drawingBufferColorSpace() {
    return stateOf(this).drawingBufferColorSpace;
  }
  set drawingBufferColorSpace(value) {
    setColorSpace(this, "drawingBufferColorSpace", value);
  }
  get unpackColorSpace() {
    return stateOf(this).unpackColorSpace;
  }
  set unpackColorSpace(value) {
    setColorSpace(this, "unpackColorSpace", value);
  }
  getContextAttributes() {
    const { attributes } = stateOf(this);
    return op_gl_is_context_lost(handle(this)) ? null : { ...attributes };
  }
  drawingBufferStorage(sizedFormat, width, height) {
    handle(this);
    if (arguments.length < 3) tooFew(this, "drawingBufferStorage", 3, arguments.length);
    sizedFormat >>>= 0;
    width >>>= 0;
    height >>>= 0;
    unsupported(interfaceName(this), "drawingBufferStorage", `format 0x${sizedFormat.toString(16)} refused`);
    generateError(this, INVALID_OPERATION, "drawingBufferStorage", "not supported by this engine");
  }
  makeXRCompatible() {
    handle(this);
    unsupported(interfaceName(this), "makeXRCompatible", "there is no XR device");
    return PromiseReject(new DOMException("No XR device is available.", "InvalidStateError"));
  }
}

function setColorSpace(gl, attribute, value) {
  const state = stateOf(gl);
  value = `${value}`;
  // As WebIDL does with enumerations: other values are ignored.
  if (value !== "srgb" && value !== "display-p3") return;
  state[attribute] = value;
  if (value !== "srgb") unsupported(interfaceName(gl), attribute, `${value} is treated as srgb`);
}

function addMembers(Interface, mixins) {
  for (let i = 0; i < mixins.length; i++) {
    const members = ObjectGetOwnPropertyDescriptors(mixins[i].prototype);
    const names = ReflectOwnKeys(members);
    for (let j = 0; j < names.length; j++) {
      if (names[j] === "constructor") continue;
      ObjectDefineProperty(Interface.prototype, names[j], { __proto__: null, ...members[names[j]], enumerable: true });
    }
  }
}

function addConstants(Interface, constants) {
  const names = ObjectKeys(constants);
  for (let i = 0; i < names.length; i++) {
    const constant = { __proto__: null, value: constants[names[i]], enumerable: true };
    ObjectDefineProperty(Interface, names[i], constant);
    ObjectDefineProperty(Interface.prototype, names[i], constant);
  }
}

const BOTH = [
  CanvasMembers, StateMethods, BufferMethods, ProgramMethods, UniformMethods, TextureMethods, FramebufferMethods,
  DrawMethods, ExtensionMethods,
];
const SECOND = [
  BufferMethods2, ProgramMethods2, UniformMethods2, TextureMethods2, FramebufferMethods2, DrawMethods2, QueryMethods,
  SamplerMethods, SyncMethods, TransformFeedbackMethods,
];
addMembers(WebGLRenderingContext, BOTH);
addMembers(WebGL2RenderingContext, BOTH);
addMembers(WebGL2RenderingContext, SECOND);
addConstants(WebGLRenderingContext, WEBGL1_CONSTANTS);
addConstants(WebGL2RenderingContext, WEBGL1_CONSTANTS);
addConstants(WebGL2RenderingContext, WEBGL2_CONSTANTS);

const POWER_PREFERENCES = { __proto__: null, default: true, "low-power": true, "high-performance": true };

/** WebGLContextAttributes (WebGL 1.0 section 5.2) from what the page gave. */
function contextAttributes(given) {
  const of = given === undefined || given === null ? {} : given;
  if (typeof of !== "object" && typeof of !== "function") {
    throw new TypeError("The provided value is not of type 'WebGLContextAttributes'.");
  }
  const flag = (name, byDefault) => (of[name] === undefined ? byDefault : !!of[name]);
  const attributes = {
    alpha: flag("alpha", true),
    antialias: flag("antialias", true),
    depth: flag("depth", true),
    desynchronized: flag("desynchronized", false),
    failIfMajorPerformanceCaveat: flag("failIfMajorPerformanceCaveat", false),
    powerPreference: of.powerPreference === undefined ? "default" : `${of.powerPreference}`,
    premultipliedAlpha: flag("premultipliedAlpha", true),
    preserveDrawingBuffer: flag("preserveDrawingBuffer", false),
    stencil: flag("stencil", false),
    xrCompatible: flag("xrCompatible", false),
  };
  if (!(attributes.powerPreference in POWER_PREFERENCES)) {
    throw new TypeError(
      `The provided value '${attributes.powerPreference}' is not a valid enum value of type WebGLPowerPreference.`,
    );
  }
  attributes.desynchronized = false;
  attributes.xrCompatible = false;
  return attributes;
}

/** Browsers make a drawing buffer that is too large smaller as well, silently. */
function sayWhenSmaller(engineHandle, width, height) {
  const [w, h] = [op_gl_drawing_buffer_width(engineHandle), op_gl_drawing_buffer_height(engineHandle)];
  if (w === 0 || (w >= width && h >= height)) return;
  op_console(3, `WebGL: the canvas asks for ${width}x${height} pixels, more than can be drawn here (MAX_TEXTURE_SIZE); its drawing buffer is ${w}x${h}`);
}

/** Contexts that a page may hold, as in Chromium. */
const MAX_CONTEXTS = 16;
/** Those that were made and not found lost since, oldest first. */
let alive = [];

/**
 * Before another context is made: the oldest gives way, first of canvases that nobody sees. Browsers take what was forgotten
 * (garbage) first; here, where all must repeat, garbage counts.
 */
function makeRoom() {
  if (alive.length < MAX_CONTEXTS) return;
  alive = ArrayPrototypeFilter(alive, (gl) => !op_gl_is_context_lost(handle(gl)));
  while (alive.length >= MAX_CONTEXTS) {
    const canvasOf = (gl) => stateOf(gl).canvas;
    let at = ArrayPrototypeFindIndex(alive, (gl) => canvasOf(gl) !== filmed.element && canvasOf(gl).isConnected !== true);
    if (at < 0) at = ArrayPrototypeFindIndex(alive, (gl) => canvasOf(gl) !== filmed.element);
    op_console(3, "WARNING: Too many active WebGL contexts. Oldest context will be lost.");
    loseContext(ArrayPrototypeSplice(alive, at < 0 ? 0 : at, 1)[0]);
  }
}

function create(Interface, isWebGL2, canvas, given) {
  const attributes = contextAttributes(given);
  makeRoom();
  let engineHandle;
  try {
    engineHandle = op_gl_create_context(
      canvas[kCanvasId], isWebGL2, canvas.width, canvas.height, attributes.alpha, attributes.depth, attributes.stencil,
      attributes.antialias, attributes.premultipliedAlpha, attributes.preserveDrawingBuffer,
    );
  } catch (error) {
    fireContextEvent(canvas, "webglcontextcreationerror", error.message);
    return null;
  }
  sayWhenSmaller(engineHandle, canvas.width, canvas.height);
  const gl = ObjectCreate(Interface.prototype);
  const state = {
    canvas,
    isWebGL2,
    attributes,
    extensions: { __proto__: null },
    drawingBufferColorSpace: "srgb",
    unpackColorSpace: "srgb",
    restorable: false,
  };
  new ContextSlots(gl, engineHandle, state);
  objects.addObjectTables(gl, state);
  ArrayPrototypePush(alive, gl);
  return {
    context: gl,
    resize(width, height) {
      op_gl_resize(engineHandle, width, height);
      sayWhenSmaller(engineHandle, width, height);
    },
    readPixels() {
      const data = op_gl_canvas_pixels(engineHandle);
      return {
        width: op_gl_drawing_buffer_width(engineHandle),
        height: op_gl_drawing_buffer_height(engineHandle),
        data,
        premultiplied: attributes.premultipliedAlpha,
      };
    },
    opaque: !attributes.alpha,
  };
}

canvasContexts.register("webgl", ["webgl", "experimental-webgl"], (canvas, attributes) =>
  create(WebGLRenderingContext, false, canvas, attributes));
canvasContexts.register("webgl2", ["webgl2"], (canvas, attributes) =>
  create(WebGL2RenderingContext, true, canvas, attributes));

const INTERFACES = [
  WebGLRenderingContext, WebGL2RenderingContext, objects.WebGLObject, objects.WebGLBuffer,
  objects.WebGLTexture, objects.WebGLSampler, objects.WebGLFramebuffer, objects.WebGLRenderbuffer,
  objects.WebGLVertexArrayObject, objects.WebGLShader, objects.WebGLProgram, objects.WebGLQuery, objects.WebGLSync,
  objects.WebGLTransformFeedback, objects.WebGLUniformLocation, objects.WebGLActiveInfo,
  objects.WebGLShaderPrecisionFormat,
];
for (let i = 0; i < INTERFACES.length; i++) exposeInterface(INTERFACES[i]);
