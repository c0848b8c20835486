// What every WebGL call starts from: the engine's handle behind a context object, argument checks, error reports.
import { op_gl_generate_error } from "ext:core/ops";
import { core, primordials } from "ext:replay/00_primordials.js";

const { ArrayBufferIsView, ArrayIsArray, Float32Array, Int32Array, MathTrunc, NumberIsFinite, SymbolIterator, TypeError, Uint32Array } = primordials;
const { isAnyArrayBuffer } = core;

export const INVALID_ENUM = 0x500;
export const INVALID_VALUE = 0x501;
export const INVALID_OPERATION = 0x502;

/** The engine's context (cppgc) behind a WebGL context object. Throws for any other receiver. */
export let handle;
/** What the shims remember of a context: canvas, attributes, objects, extensions. */
export let stateOf;
/** Is `value` a WebGL context? */
export let isContext;

class ReturnOverride {
  constructor(object) {
    return object;
  }
}

/** Private slots put on objects of both interfaces, which share no prototype. */
export class ContextSlots extends ReturnOverride {
  #handle;
  #state;

  constructor(object, engineHandle, state) {
    super(object);
    this.#handle = engineHandle;
    this.#state = state;
  }

  static {
    handle = (gl) => {
      if (typeof gl !== "object" || gl === null || !(#handle in gl)) throw new TypeError("Illegal invocation");
      return gl.#handle;
    };
    stateOf = (gl) => {
      if (typeof gl !== "object" || gl === null || !(#state in gl)) throw new TypeError("Illegal invocation");
      return gl.#state;
    };
    isContext = (value) => typeof value === "object" && value !== null && #handle in value;
  }
}

export function interfaceName(gl) {
  return stateOf(gl).isWebGL2 ? "WebGL2RenderingContext" : "WebGLRenderingContext";
}

/** Throws the TypeError of a call with too few arguments. */
export function tooFew(gl, method, required, given) {
  throw new TypeError(
    `Failed to execute '${method}' on '${interfaceName(gl)}': ${required} argument${
      required === 1 ? "" : "s"
    } required, but only ${given} present.`,
  );
}

export function wrongType(gl, method, index, type) {
  return new TypeError(
    `Failed to execute '${method}' on '${interfaceName(gl)}': parameter ${index} is not of type '${type}'.`,
  );
}

export function noOverload(gl, method) {
  return new TypeError(
    `Failed to execute '${method}' on '${interfaceName(gl)}': Overload resolution failed.`,
  );
}

/** Latches a GL error found on this side of the ops. */
export function generateError(gl, code, method, message) {
  op_gl_generate_error(handle(gl), code, method, message);
}

/** WebIDL `long long` (GLintptr, GLsizeiptr, GLint64) as a Number. */
export function longLong(value) {
  if (typeof value === "number" && (value | 0) === value) return value;
  return longLongSlow(value);
}

function longLongSlow(value) {
  let number = MathTrunc(+value);
  if (!NumberIsFinite(number)) return 0;
  if (number < -(2 ** 63) || number >= 2 ** 63) {
    number %= 2 ** 64;
    if (number >= 2 ** 63) number -= 2 ** 64;
    else if (number < -(2 ** 63)) number += 2 ** 64;
  }
  return number;
}

/** Is `value` an ArrayBuffer, a SharedArrayBuffer or a view of one? */
export function isBufferSource(value) {
  return ArrayBufferIsView(value) || isAnyArrayBuffer(value);
}

export function isView(value) {
  return ArrayBufferIsView(value);
}

/** The ArrayBufferView of a parameter that must be one. */
export function requireView(gl, value, method, index) {
  if (!ArrayBufferIsView(value)) throw wrongType(gl, method, index, "ArrayBufferView");
  return value;
}

function toArray(gl, value, method, index) {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) {
    throw new TypeError(
      `Failed to execute '${method}' on '${interfaceName(gl)}': ` +
        `parameter ${index} is neither a typed array nor a sequence.`,
    );
  }
  if (ArrayIsArray(value)) return value;
  if (typeof value[SymbolIterator] !== "function") {
    throw new TypeError(
      `Failed to execute '${method}' on '${interfaceName(gl)}': The object must have a callable @@iterator property.`,
    );
  }
  const items = [];
  for (const item of value) items[items.length] = item;
  return items;
}

/** Float32List: a Float32Array as it is, a sequence as a new Float32Array. */
export function floatList(gl, value, method, index) {
  if (value instanceof Float32Array) return value;
  const items = toArray(gl, value, method, index);
  const list = new Float32Array(items.length);
  for (let i = 0; i < list.length; i++) list[i] = items[i];
  return list;
}

/** Int32List. */
export function intList(gl, value, method, index) {
  if (value instanceof Int32Array) return value;
  const items = toArray(gl, value, method, index);
  const list = new Int32Array(items.length);
  for (let i = 0; i < list.length; i++) list[i] = items[i];
  return list;
}

/** Uint32List; also `sequence<GLenum>` and `sequence<GLuint>`. */
export function uintList(gl, value, method, index) {
  if (value instanceof Uint32Array) return value;
  const items = toArray(gl, value, method, index);
  const list = new Uint32Array(items.length);
  for (let i = 0; i < list.length; i++) list[i] = items[i];
  return list;
}

/** `sequence<DOMString>`. */
export function stringList(gl, value, method, index) {
  const items = toArray(gl, value, method, index);
  const list = [];
  for (let i = 0; i < items.length; i++) list[i] = `${items[i]}`;
  return list;
}
