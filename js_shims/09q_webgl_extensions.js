// Extension objects: their methods, and getExtension.
import {
  op_gl_bind_vertex_array, op_gl_blend_equation_separatei, op_gl_blend_equationi, op_gl_blend_func_separatei,
  op_gl_blend_funci, op_gl_clip_control, op_gl_color_maski, op_gl_create_vertex_array, op_gl_delete_vertex_array,
  op_gl_disablei, op_gl_draw_arrays_instanced, op_gl_draw_arrays_instanced_base_instance, op_gl_draw_buffers,
  op_gl_draw_elements_instanced, op_gl_draw_elements_instanced_base_vertex_base_instance, op_gl_enable_extension,
  op_gl_enablei, op_gl_get_translated_shader_source, op_gl_is_vertex_array, op_gl_multi_draw_arrays,
  op_gl_multi_draw_arrays_instanced, op_gl_multi_draw_arrays_instanced_base_instance, op_gl_multi_draw_elements,
  op_gl_multi_draw_elements_instanced, op_gl_multi_draw_elements_instanced_base_vertex_base_instance,
  op_gl_polygon_mode, op_gl_polygon_offset_clamp, op_gl_provoking_vertex, op_gl_supported_extensions,
  op_gl_vertex_attrib_divisor,
} from "ext:core/ops";
import { primordials } from "ext:replay/00_primordials.js";
import { handle, intList, longLong, stateOf, tooFew, uintList, wrongType } from "ext:replay/09b_webgl_base.js";
import { shaderName, vertexArrayName } from "ext:replay/09c_webgl_objects.js";
import { loseContext, restoreContext } from "ext:replay/09r_webgl_context_loss.js";
import { EXTENSION_INTERFACES } from "ext:replay/09p_webgl_extension_tables.js";

const {
  ObjectCreate, ObjectDefineProperty, ObjectGetOwnPropertyDescriptors, ObjectKeys, ReflectOwnKeys,
  StringPrototypeToLowerCase, SymbolToStringTag, TypeError,
} = primordials;

/** The context an extension object belongs to. */
let contextOf;

class ReturnOverride {
  constructor(object) {
    return object;
  }
}

class ExtensionSlot extends ReturnOverride {
  #gl;
  constructor(object, gl) {
    super(object);
    this.#gl = gl;
  }
  static {
    contextOf = (extension) => {
      if (typeof extension !== "object" || extension === null || !(#gl in extension)) {
        throw new TypeError("Illegal invocation");
      }
      return extension.#gl;
    };
  }
}

class InstancedArrays {
  drawArraysInstancedANGLE(mode, first, count, primcount) {
    const gl = contextOf(this);
    if (arguments.length < 4) tooFew(gl, "drawArraysInstancedANGLE", 4, arguments.length);
    op_gl_draw_arrays_instanced(handle(gl), mode >>> 0, first | 0, count | 0, primcount | 0);
  }
  drawElementsInstancedANGLE(mode, count, type, offset, primcount) {
    const gl = contextOf(this);
    if (arguments.length < 5) tooFew(gl, "drawElementsInstancedANGLE", 5, arguments.length);
    op_gl_draw_elements_instanced(handle(gl), mode >>> 0, count | 0, type >>> 0, longLong(offset), primcount | 0);
  }
  vertexAttribDivisorANGLE(index, divisor) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "vertexAttribDivisorANGLE", 2, arguments.length);
    op_gl_vertex_attrib_divisor(handle(gl), index >>> 0, divisor >>> 0);
  }
}

class VertexArrayObject {
  createVertexArrayOES() {
    const gl = contextOf(this);
    return stateOf(gl).vertexArrays.create(op_gl_create_vertex_array(handle(gl)));
  }
  deleteVertexArrayOES(arrayObject = null) {
    const gl = contextOf(this);
    const name = vertexArrayName(gl, arrayObject, "deleteVertexArrayOES", 1);
    if (name <= 0) return;
    op_gl_delete_vertex_array(handle(gl), name);
    stateOf(gl).vertexArrays.deleted(name);
  }
  isVertexArrayOES(arrayObject = null) {
    const gl = contextOf(this);
    const name = vertexArrayName(gl, arrayObject, "isVertexArrayOES", 1);
    return name > 0 && op_gl_is_vertex_array(handle(gl), name);
  }
  bindVertexArrayOES(arrayObject = null) {
    const gl = contextOf(this);
    const name = vertexArrayName(gl, arrayObject, "bindVertexArrayOES", 1);
    if (name >= 0) op_gl_bind_vertex_array(handle(gl), name);
  }
}

class DrawBuffers {
  drawBuffersWEBGL(buffers) {
    const gl = contextOf(this);
    if (arguments.length < 1) tooFew(gl, "drawBuffersWEBGL", 1, arguments.length);
    op_gl_draw_buffers(handle(gl), uintList(gl, buffers, "drawBuffersWEBGL", 1));
  }
}

class DebugShaders {
  getTranslatedShaderSource(shader) {
    const gl = contextOf(this);
    if (arguments.length < 1) tooFew(gl, "getTranslatedShaderSource", 1, arguments.length);
    const name = shaderName(gl, shader, "getTranslatedShaderSource", 1);
    if (name === 0) throw wrongType(gl, "getTranslatedShaderSource", 1, "WebGLShader");
    return name > 0 ? op_gl_get_translated_shader_source(handle(gl), name) : "";
  }
}

class LoseContext {
  loseContext() {
    loseContext(contextOf(this));
  }
  restoreContext() {
    restoreContext(contextOf(this));
  }
}

class CompressedTextureAstc {
  getSupportedProfiles() {
    contextOf(this);
    return ["ldr"];
  }
}

class ClipControl {
  clipControlEXT(origin, depth) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "clipControlEXT", 2, arguments.length);
    op_gl_clip_control(handle(gl), origin >>> 0, depth >>> 0);
  }
}

class PolygonOffsetClamp {
  polygonOffsetClampEXT(factor, units, clamp) {
    const gl = contextOf(this);
    if (arguments.length < 3) tooFew(gl, "polygonOffsetClampEXT", 3, arguments.length);
    op_gl_polygon_offset_clamp(handle(gl), +factor, +units, +clamp);
  }
}

class PolygonMode {
  polygonModeWEBGL(face, mode) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "polygonModeWEBGL", 2, arguments.length);
    op_gl_polygon_mode(handle(gl), face >>> 0, mode >>> 0);
  }
}

class ProvokingVertex {
  provokingVertexWEBGL(provokeMode) {
    const gl = contextOf(this);
    if (arguments.length < 1) tooFew(gl, "provokingVertexWEBGL", 1, arguments.length);
    op_gl_provoking_vertex(handle(gl), provokeMode >>> 0);
  }
}

class DrawBuffersIndexed {
  enableiOES(target, index) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "enableiOES", 2, arguments.length);
    op_gl_enablei(handle(gl), target >>> 0, index >>> 0);
  }
  disableiOES(target, index) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "disableiOES", 2, arguments.length);
    op_gl_disablei(handle(gl), target >>> 0, index >>> 0);
  }
  blendEquationiOES(buf, mode) {
    const gl = contextOf(this);
    if (arguments.length < 2) tooFew(gl, "blendEquationiOES", 2, arguments.length);
    op_gl_blend_equationi(handle(gl), buf >>> 0, mode >>> 0);
  }
  blendEquationSeparateiOES(buf, modeRGB, modeAlpha) {
    const gl = contextOf(this);
    if (arguments.length < 3) tooFew(gl, "blendEquationSeparateiOES", 3, arguments.length);
    op_gl_blend_equation_separatei(handle(gl), buf >>> 0, modeRGB >>> 0, modeAlpha >>> 0);
  }
  blendFunciOES(buf, src, dst) {
    const gl = contextOf(this);
    if (arguments.length < 3) tooFew(gl, "blendFunciOES", 3, arguments.length);
    op_gl_blend_funci(handle(gl), buf >>> 0, src >>> 0, dst >>> 0);
  }
  blendFuncSeparateiOES(buf, srcRGB, dstRGB, srcAlpha, dstAlpha) {
    const gl = contextOf(this);
    if (arguments.length < 5) tooFew(gl, "blendFuncSeparateiOES", 5, arguments.length);
    op_gl_blend_func_separatei(handle(gl), buf >>> 0, srcRGB >>> 0, dstRGB >>> 0, srcAlpha >>> 0, dstAlpha >>> 0);
  }
  colorMaskiOES(buf, r, g, b, a) {
    const gl = contextOf(this);
    if (arguments.length < 5) tooFew(gl, "colorMaskiOES", 5, arguments.length);
    op_gl_color_maski(handle(gl), buf >>> 0, !!r, !!g, !!b, !!a);
  }
}

class MultiDraw {
  multiDrawArraysWEBGL(mode, firstsList, firstsOffset, countsList, countsOffset, drawcount) {
    const gl = contextOf(this);
    if (arguments.length < 6) tooFew(gl, "multiDrawArraysWEBGL", 6, arguments.length);
    op_gl_multi_draw_arrays(
      handle(gl), mode >>> 0, intList(gl, firstsList, "multiDrawArraysWEBGL", 2), longLong(firstsOffset),
      intList(gl, countsList, "multiDrawArraysWEBGL", 4), longLong(countsOffset), drawcount | 0,
    );
  }
  multiDrawElementsWEBGL(mode, countsList, countsOffset, type, offsetsList, offsetsOffset, drawcount) {
    const gl = contextOf(this);
    if (arguments.length < 7) tooFew(gl, "multiDrawElementsWEBGL", 7, arguments.length);
    op_gl_multi_draw_elements(
      handle(gl), mode >>> 0, intList(gl, countsList, "multiDrawElementsWEBGL", 2), longLong(countsOffset), type >>> 0,
      intList(gl, offsetsList, "multiDrawElementsWEBGL", 5), longLong(offsetsOffset), drawcount | 0,
    );
  }
  multiDrawArraysInstancedWEBGL(
    mode, firstsList, firstsOffset, countsList, countsOffset, instanceCountsList, instanceCountsOffset, drawcount,
  ) {
    const gl = contextOf(this);
    if (arguments.length < 8) tooFew(gl, "multiDrawArraysInstancedWEBGL", 8, arguments.length);
    op_gl_multi_draw_arrays_instanced(
      handle(gl), mode >>> 0, intList(gl, firstsList, "multiDrawArraysInstancedWEBGL", 2), longLong(firstsOffset),
      intList(gl, countsList, "multiDrawArraysInstancedWEBGL", 4), longLong(countsOffset),
      intList(gl, instanceCountsList, "multiDrawArraysInstancedWEBGL", 6), longLong(instanceCountsOffset),
      drawcount | 0,
    );
  }
  multiDrawElementsInstancedWEBGL(
    mode, countsList, countsOffset, type, offsetsList, offsetsOffset, instanceCountsList, instanceCountsOffset,
    drawcount,
  ) {
    const gl = contextOf(this);
    if (arguments.length < 9) tooFew(gl, "multiDrawElementsInstancedWEBGL", 9, arguments.length);
    op_gl_multi_draw_elements_instanced(
      handle(gl), mode >>> 0, intList(gl, countsList, "multiDrawElementsInstancedWEBGL", 2), longLong(countsOffset),
      type >>> 0, intList(gl, offsetsList, "multiDrawElementsInstancedWEBGL", 5), longLong(offsetsOffset),
      intList(gl, instanceCountsList, "multiDrawElementsInstancedWEBGL", 7), longLong(instanceCountsOffset),
      drawcount | 0,
    );
  }
}

class DrawBaseInstance {
  drawArraysInstancedBaseInstanceWEBGL(mode, first, count, instanceCount, baseInstance) {
    const gl = contextOf(this);
    if (arguments.length < 5) tooFew(gl, "drawArraysInstancedBaseInstanceWEBGL", 5, arguments.length);
    op_gl_draw_arrays_instanced_base_instance(
      handle(gl), mode >>> 0, first | 0, count | 0, instanceCount | 0, baseInstance >>> 0,
    );
  }
  drawElementsInstancedBaseVertexBaseInstanceWEBGL(
    mode, count, type, offset, instanceCount, baseVertex, baseInstance,
  ) {
    const gl = contextOf(this);
    if (arguments.length < 7) tooFew(gl, "drawElementsInstancedBaseVertexBaseInstanceWEBGL", 7, arguments.length);
    op_gl_draw_elements_instanced_base_vertex_base_instance(
      handle(gl), mode >>> 0, count | 0, type >>> 0, longLong(offset), instanceCount | 0, baseVertex | 0,
      baseInstance >>> 0,
    );
  }
}

class MultiDrawBaseInstance {
  multiDrawArraysInstancedBaseInstanceWEBGL(
    mode, firstsList, firstsOffset, countsList, countsOffset, instanceCountsList, instanceCountsOffset,
    baseInstancesList, baseInstancesOffset, drawcount,
  ) {
    const gl = contextOf(this);
    const method = "multiDrawArraysInstancedBaseInstanceWEBGL";
    if (arguments.length < 10) tooFew(gl, method, 10, arguments.length);
    op_gl_multi_draw_arrays_instanced_base_instance(
      handle(gl), mode >>> 0, intList(gl, firstsList, method, 2), longLong(firstsOffset),
      intList(gl, countsList, method, 4), longLong(countsOffset), intList(gl, instanceCountsList, method, 6),
      longLong(instanceCountsOffset), uintList(gl, baseInstancesList, method, 8), longLong(baseInstancesOffset),
      drawcount | 0,
    );
  }
  multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL(
    mode, countsList, countsOffset, type, offsetsList, offsetsOffset, instanceCountsList, instanceCountsOffset,
    baseVerticesList, baseVerticesOffset, baseInstancesList, baseInstancesOffset, drawcount,
  ) {
    const gl = contextOf(this);
    const method = "multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL";
    if (arguments.length < 13) tooFew(gl, method, 13, arguments.length);
    op_gl_multi_draw_elements_instanced_base_vertex_base_instance(
      handle(gl), mode >>> 0, intList(gl, countsList, method, 2), longLong(countsOffset), type >>> 0,
      intList(gl, offsetsList, method, 5), longLong(offsetsOffset), intList(gl, instanceCountsList, method, 7),
      longLong(instanceCountsOffset), intList(gl, baseVerticesList, method, 9), longLong(baseVerticesOffset),
      uintList(gl, baseInstancesList, method, 11), longLong(baseInstancesOffset), drawcount | 0,
    );
  }
}

const METHODS = {
  __proto__: null,
  ANGLE_instanced_arrays: InstancedArrays,
  EXT_clip_control: ClipControl,
  EXT_polygon_offset_clamp: PolygonOffsetClamp,
  OES_draw_buffers_indexed: DrawBuffersIndexed,
  OES_vertex_array_object: VertexArrayObject,
  WEBGL_compressed_texture_astc: CompressedTextureAstc,
  WEBGL_debug_shaders: DebugShaders,
  WEBGL_draw_buffers: DrawBuffers,
  WEBGL_draw_instanced_base_vertex_base_instance: DrawBaseInstance,
  WEBGL_lose_context: LoseContext,
  WEBGL_multi_draw: MultiDraw,
  WEBGL_multi_draw_instanced_base_vertex_base_instance: MultiDrawBaseInstance,
  WEBGL_polygon_mode: PolygonMode,
  WEBGL_provoking_vertex: ProvokingVertex,
};

const prototypes = { __proto__: null };

function prototypeOf(name) {
  let prototype = prototypes[name];
  if (prototype !== undefined) return prototype;
  const { 0: tag, 1: constants } = EXTENSION_INTERFACES[name];
  prototype = {};
  const names = ObjectKeys(constants);
  for (let i = 0; i < names.length; i++) {
    ObjectDefineProperty(prototype, names[i], { __proto__: null, value: constants[names[i]], enumerable: true });
  }
  if (METHODS[name] !== undefined) {
    const members = ObjectGetOwnPropertyDescriptors(METHODS[name].prototype);
    const keys = ReflectOwnKeys(members);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === "constructor") continue;
      ObjectDefineProperty(prototype, keys[i], {
        __proto__: null, value: members[keys[i]].value, writable: true, enumerable: true, configurable: true,
      });
    }
  }
  ObjectDefineProperty(prototype, SymbolToStringTag, { __proto__: null, value: tag, configurable: true });
  prototypes[name] = prototype;
  return prototype;
}

export class ExtensionMethods {
  getSupportedExtensions() {
    const h = handle(this);
    return op_gl_supported_extensions(h);
  }

  getExtension(name) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getExtension", 1, arguments.length);
    name = StringPrototypeToLowerCase(`${name}`);
    const { extensions } = stateOf(this);
    const known = extensions[name];
    if (known !== undefined) return known;
    const supported = op_gl_supported_extensions(h);
    if (supported === null) return null;
    for (let i = 0; i < supported.length; i++) {
      if (StringPrototypeToLowerCase(supported[i]) !== name) continue;
      op_gl_enable_extension(h, supported[i]);
      const object = ObjectCreate(prototypeOf(supported[i]));
      new ExtensionSlot(object, this);
      extensions[name] = object;
      return object;
    }
    return null;
  }
}
