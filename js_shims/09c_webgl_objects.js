// The WebGL object interfaces. Each wraps an object name of the engine and belongs to one context.
//
// The accessors (`bufferName` and so on) are written out per class, so that each stays monomorphic: they run in every
// bind call. They give 0 for null, the name for an object of this context, and FOREIGN (with INVALID_OPERATION latched)
// for an object of another context; anything else throws.
import { op_gl_answered_object } from "ext:core/ops";
import { generateError, handle, INVALID_OPERATION, stateOf, wrongType } from "ext:replay/09b_webgl_base.js";
import { illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";

const { MathTrunc, ObjectDefineProperty, SafeMap, SafeWeakRef } = primordials;

/** Name given for an object of another context: no call may go on with it. */
export const FOREIGN = -1;

function foreign(gl, method) {
  generateError(gl, INVALID_OPERATION, method, "object does not belong to this context");
  return FOREIGN;
}

/** What makes an object of a class void: after its context was lost, it belongs to no context. */
const invalidators = new SafeMap();

export class WebGLObject {
  constructor(key) {
    illegalConstructor(key);
  }
}

export let bufferName;
export class WebGLBuffer extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLBuffer, (object) => {
      object.#gl = null;
    });
    bufferName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLBuffer");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let textureName;
export class WebGLTexture extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLTexture, (object) => {
      object.#gl = null;
    });
    textureName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLTexture");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let samplerName;
export class WebGLSampler extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLSampler, (object) => {
      object.#gl = null;
    });
    samplerName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLSampler");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let framebufferName;
export class WebGLFramebuffer extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLFramebuffer, (object) => {
      object.#gl = null;
    });
    framebufferName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLFramebuffer");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let renderbufferName;
export class WebGLRenderbuffer extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLRenderbuffer, (object) => {
      object.#gl = null;
    });
    renderbufferName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLRenderbuffer");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let vertexArrayName;
export class WebGLVertexArrayObject extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLVertexArrayObject, (object) => {
      object.#gl = null;
    });
    vertexArrayName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) {
        throw wrongType(gl, method, index, stateOf(gl).isWebGL2 ? "WebGLVertexArrayObject" : "WebGLVertexArrayObjectOES");
      }
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

/** OES_vertex_array_object's class: not exposed as a global, as in browsers. */
export class WebGLVertexArrayObjectOES extends WebGLVertexArrayObject {}

export let shaderName;
export class WebGLShader extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLShader, (object) => {
      object.#gl = null;
    });
    shaderName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLShader");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let programName;
export class WebGLProgram extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLProgram, (object) => {
      object.#gl = null;
    });
    programName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLProgram");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let queryName;
export class WebGLQuery extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLQuery, (object) => {
      object.#gl = null;
    });
    queryName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLQuery");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let syncName;
export class WebGLSync extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLSync, (object) => {
      object.#gl = null;
    });
    syncName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLSync");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

export let transformFeedbackName;
export class WebGLTransformFeedback extends WebGLObject {
  #gl;
  #name;
  constructor(key, gl, name) {
    super(key);
    this.#gl = gl;
    this.#name = name;
  }
  static {
    invalidators.set(WebGLTransformFeedback, (object) => {
      object.#gl = null;
    });
    transformFeedbackName = (gl, value, method, index) => {
      if (value === null || value === undefined) return 0;
      if (typeof value !== "object" || !(#name in value)) throw wrongType(gl, method, index, "WebGLTransformFeedback");
      return value.#gl === gl ? value.#name : foreign(gl, method);
    };
  }
}

/** Location for `gl`'s ops: -1 for null, FOREIGN_LOCATION with the error latched for another context's. */
export let locationIndex;
/** Name of the location's program; 0 for null. The engine knows locations of other programs and earlier links. */
export let locationProgram;
export const FOREIGN_LOCATION = -2;

export class WebGLUniformLocation {
  #owner;
  #program;
  #location;
  /** `owner`: the object tables of the context; new ones after a loss void the locations of before. */
  constructor(key, owner, program, location) {
    illegalConstructor(key);
    this.#owner = owner;
    this.#program = program;
    this.#location = location;
  }
  static {
    locationIndex = (gl, value, method) => {
      if (value === null || value === undefined) return -1;
      if (typeof value !== "object" || !(#location in value)) throw wrongType(gl, method, 1, "WebGLUniformLocation");
      if (value.#owner === stateOf(gl).programs) return value.#location;
      generateError(gl, INVALID_OPERATION, method, "location is not from this context");
      return FOREIGN_LOCATION;
    };
    locationProgram = (value) => (value === null || value === undefined ? 0 : value.#program);
  }
}

export class WebGLActiveInfo {
  #size;
  #type;
  #name;
  constructor(key, size, type, name) {
    illegalConstructor(key);
    this.#size = size;
    this.#type = type;
    this.#name = name;
  }
  get size() {
    return this.#size;
  }
  get type() {
    return this.#type;
  }
  get name() {
    return this.#name;
  }
}

export class WebGLShaderPrecisionFormat {
  #rangeMin;
  #rangeMax;
  #precision;
  constructor(key, rangeMin, rangeMax, precision) {
    illegalConstructor(key);
    this.#rangeMin = rangeMin;
    this.#rangeMax = rangeMax;
    this.#precision = precision;
  }
  get rangeMin() {
    return this.#rangeMin;
  }
  get rangeMax() {
    return this.#rangeMax;
  }
  get precision() {
    return this.#precision;
  }
}

// Constructors of interfaces without one have length 0.
for (
  const ctor of [
    WebGLObject, WebGLBuffer, WebGLTexture, WebGLSampler, WebGLFramebuffer, WebGLRenderbuffer, WebGLVertexArrayObject,
    WebGLVertexArrayObjectOES, WebGLShader, WebGLProgram, WebGLQuery, WebGLSync, WebGLTransformFeedback,
    WebGLUniformLocation, WebGLActiveInfo, WebGLShaderPrecisionFormat,
  ]
) {
  ObjectDefineProperty(ctor, "length", { __proto__: null, value: 0, configurable: true });
}

/**
 * The objects of one class in one context by name, so that a query gives back the very object that was bound. An object
 * that was deleted may still be found (attached, current program) as long as the page holds it.
 */
export class ObjectTable {
  #gl;
  #Class;
  #live = new SafeMap();
  #deleted = new SafeMap();

  constructor(gl, Class) {
    this.#gl = gl;
    this.#Class = Class;
  }

  /** A new object for a name just made; null for name 0 (context lost). */
  create(name) {
    if (name === 0) return null;
    const object = new this.#Class(illegal, this.#gl, name);
    this.#live.set(name, object);
    return object;
  }

  /** The object of that name; null for 0. */
  get(name) {
    if (name === 0) return null;
    const live = this.#live.get(name);
    if (live !== undefined) return live;
    const reference = this.#deleted.get(name);
    const known = reference?.deref();
    if (known !== undefined) return known;
    const object = new this.#Class(illegal, this.#gl, name);
    this.#deleted.set(name, new SafeWeakRef(object));
    return object;
  }

  /** After the context was lost: every object is void. */
  invalidate() {
    const forget = invalidators.get(this.#Class) ?? invalidators.get(WebGLVertexArrayObject);
    for (const object of this.#live.values()) forget(object);
    for (const reference of this.#deleted.values()) {
      const object = reference.deref();
      if (object !== undefined) forget(object);
    }
  }

  /** After `deleteX`. */
  deleted(name) {
    const object = this.#live.get(name);
    if (object === undefined) return;
    this.#live.delete(name);
    this.#deleted.set(name, new SafeWeakRef(object));
    if (this.#deleted.size > 4096) this.#sweep();
  }

  #sweep() {
    for (const { 0: name, 1: reference } of this.#deleted) {
      if (reference.deref() === undefined) this.#deleted.delete(name);
    }
  }
}

// Order of `ObjectKind` in src/gl/enums.rs.
const TABLES = [
  "buffers", "vertexArrays", "shaders", "programs", "queries", "syncs", "transformFeedbacks", "textures", "samplers",
  "renderbuffers", "framebuffers",
];

/** Fresh tables, one per class, for `state`. */
export function addObjectTables(gl, state) {
  const { isWebGL2 } = state;
  state.buffers = new ObjectTable(gl, WebGLBuffer);
  state.vertexArrays = new ObjectTable(gl, isWebGL2 ? WebGLVertexArrayObject : WebGLVertexArrayObjectOES);
  state.shaders = new ObjectTable(gl, WebGLShader);
  state.programs = new ObjectTable(gl, WebGLProgram);
  state.queries = new ObjectTable(gl, WebGLQuery);
  state.syncs = new ObjectTable(gl, WebGLSync);
  state.transformFeedbacks = new ObjectTable(gl, WebGLTransformFeedback);
  state.textures = new ObjectTable(gl, WebGLTexture);
  state.samplers = new ObjectTable(gl, WebGLSampler);
  state.renderbuffers = new ObjectTable(gl, WebGLRenderbuffer);
  state.framebuffers = new ObjectTable(gl, WebGLFramebuffer);
}

/** Voids every object of a context that was lost. */
export function invalidateObjects(state) {
  for (let i = 0; i < TABLES.length; i++) state[TABLES[i]].invalidate();
}

/** A getter's answer: the ops return undefined when it is an object, and then say which. */
export function resolve(gl, value) {
  if (value !== undefined) return value;
  const packed = op_gl_answered_object(handle(gl));
  const kind = MathTrunc(packed / 0x1_0000_0000);
  return stateOf(gl)[TABLES[kind]].get(packed % 0x1_0000_0000);
}
