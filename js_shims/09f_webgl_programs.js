// Shaders, programs and what can be asked of them.
import {
  op_gl_attach_shader, op_gl_bind_attrib_location, op_gl_compile_shader, op_gl_create_program, op_gl_create_shader,
  op_gl_delete_program, op_gl_delete_shader, op_gl_detach_shader, op_gl_get_active_attrib, op_gl_get_active_uniform,
  op_gl_get_active_uniform_block_name, op_gl_get_active_uniform_block_parameter, op_gl_get_active_uniforms,
  op_gl_get_attached_shaders, op_gl_get_attrib_location, op_gl_get_frag_data_location, op_gl_get_program_info_log,
  op_gl_get_program_parameter, op_gl_get_shader_info_log, op_gl_get_shader_parameter,
  op_gl_get_shader_precision_format, op_gl_get_shader_source, op_gl_get_uniform, op_gl_get_uniform_block_index,
  op_gl_get_uniform_indices, op_gl_get_uniform_location, op_gl_is_program, op_gl_is_shader, op_gl_link_program,
  op_gl_shader_source, op_gl_uniform_block_binding, op_gl_use_program, op_gl_validate_program,
} from "ext:core/ops";
import { handle, stateOf, stringList, tooFew, uintList, wrongType } from "ext:replay/09b_webgl_base.js";
import {
  locationIndex, locationProgram, programName, resolve, shaderName, WebGLActiveInfo,
  WebGLShaderPrecisionFormat, WebGLUniformLocation,
} from "ext:replay/09c_webgl_objects.js";
import { illegal } from "ext:replay/00_primordials.js";

/** Name of a program that must not be null. */
function requireProgram(gl, program, method, index = 1) {
  const name = programName(gl, program, method, index);
  if (name === 0) throw wrongType(gl, method, index, "WebGLProgram");
  return name;
}

/** Name of a shader that must not be null. */
function requireShader(gl, shader, method, index = 1) {
  const name = shaderName(gl, shader, method, index);
  if (name === 0) throw wrongType(gl, method, index, "WebGLShader");
  return name;
}

function activeInfo(found) {
  return found === null ? null : new WebGLActiveInfo(illegal, found[0], found[1], found[2]);
}

export class ProgramMethods {
  attachShader(program, shader) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "attachShader", 2, arguments.length);
    const name = requireProgram(this, program, "attachShader");
    const shaderOf = requireShader(this, shader, "attachShader", 2);
    if (name > 0 && shaderOf > 0) op_gl_attach_shader(h, name, shaderOf);
  }

  detachShader(program, shader) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "detachShader", 2, arguments.length);
    const name = requireProgram(this, program, "detachShader");
    const shaderOf = requireShader(this, shader, "detachShader", 2);
    if (name > 0 && shaderOf > 0) op_gl_detach_shader(h, name, shaderOf);
  }

  bindAttribLocation(program, index, name) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "bindAttribLocation", 3, arguments.length);
    const of = requireProgram(this, program, "bindAttribLocation");
    index >>>= 0;
    name = `${name}`;
    if (of > 0) op_gl_bind_attrib_location(h, of, index, name);
  }

  compileShader(shader) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "compileShader", 1, arguments.length);
    const name = requireShader(this, shader, "compileShader");
    if (name > 0) op_gl_compile_shader(h, name);
  }

  createProgram() {
    return stateOf(this).programs.create(op_gl_create_program(handle(this)));
  }

  createShader(type) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "createShader", 1, arguments.length);
    return stateOf(this).shaders.create(op_gl_create_shader(h, type >>> 0));
  }

  deleteProgram(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteProgram", 1, arguments.length);
    const name = programName(this, program, "deleteProgram", 1);
    if (name <= 0) return;
    op_gl_delete_program(h, name);
    stateOf(this).programs.deleted(name);
  }

  deleteShader(shader) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteShader", 1, arguments.length);
    const name = shaderName(this, shader, "deleteShader", 1);
    if (name <= 0) return;
    op_gl_delete_shader(h, name);
    stateOf(this).shaders.deleted(name);
  }

  getActiveAttrib(program, index) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getActiveAttrib", 2, arguments.length);
    const name = requireProgram(this, program, "getActiveAttrib");
    index >>>= 0;
    return name > 0 ? activeInfo(op_gl_get_active_attrib(h, name, index)) : null;
  }

  getActiveUniform(program, index) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getActiveUniform", 2, arguments.length);
    const name = requireProgram(this, program, "getActiveUniform");
    index >>>= 0;
    return name > 0 ? activeInfo(op_gl_get_active_uniform(h, name, index)) : null;
  }

  getAttachedShaders(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getAttachedShaders", 1, arguments.length);
    const name = requireProgram(this, program, "getAttachedShaders");
    const names = name > 0 ? op_gl_get_attached_shaders(h, name) : null;
    if (names === null) return null;
    const { shaders } = stateOf(this);
    for (let i = 0; i < names.length; i++) names[i] = shaders.get(names[i]);
    return names;
  }

  getAttribLocation(program, name) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getAttribLocation", 2, arguments.length);
    const of = requireProgram(this, program, "getAttribLocation");
    name = `${name}`;
    return of > 0 ? op_gl_get_attrib_location(h, of, name) : -1;
  }

  getProgramInfoLog(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getProgramInfoLog", 1, arguments.length);
    const name = requireProgram(this, program, "getProgramInfoLog");
    return name > 0 ? op_gl_get_program_info_log(h, name) : null;
  }

  getProgramParameter(program, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getProgramParameter", 2, arguments.length);
    const name = requireProgram(this, program, "getProgramParameter");
    pname >>>= 0;
    return name > 0 ? resolve(this, op_gl_get_program_parameter(h, name, pname)) : null;
  }

  getShaderInfoLog(shader) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getShaderInfoLog", 1, arguments.length);
    const name = requireShader(this, shader, "getShaderInfoLog");
    return name > 0 ? op_gl_get_shader_info_log(h, name) : null;
  }

  getShaderParameter(shader, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getShaderParameter", 2, arguments.length);
    const name = requireShader(this, shader, "getShaderParameter");
    pname >>>= 0;
    return name > 0 ? resolve(this, op_gl_get_shader_parameter(h, name, pname)) : null;
  }

  getShaderPrecisionFormat(shaderType, precisionType) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getShaderPrecisionFormat", 2, arguments.length);
    const found = op_gl_get_shader_precision_format(h, shaderType >>> 0, precisionType >>> 0);
    return found === null ? null : new WebGLShaderPrecisionFormat(illegal, found[0], found[1], found[2]);
  }

  getShaderSource(shader) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getShaderSource", 1, arguments.length);
    const name = requireShader(this, shader, "getShaderSource");
    return name > 0 ? op_gl_get_shader_source(h, name) : null;
  }

  getUniform(program, location) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getUniform", 2, arguments.length);
    const name = requireProgram(this, program, "getUniform");
    if (location === null || location === undefined) throw wrongType(this, "getUniform", 2, "WebGLUniformLocation");
    const at = locationIndex(this, location, "getUniform");
    if (name <= 0 || at < 0) return null;
    return resolve(this, op_gl_get_uniform(h, name, locationProgram(location), at));
  }

  getUniformLocation(program, name) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getUniformLocation", 2, arguments.length);
    const of = requireProgram(this, program, "getUniformLocation");
    name = `${name}`;
    if (of <= 0) return null;
    const at = op_gl_get_uniform_location(h, of, name);
    return at < 0 ? null : new WebGLUniformLocation(illegal, stateOf(this).programs, of, at);
  }

  isProgram(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isProgram", 1, arguments.length);
    const name = programName(this, program, "isProgram", 1);
    return name > 0 && op_gl_is_program(h, name);
  }

  isShader(shader) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isShader", 1, arguments.length);
    const name = shaderName(this, shader, "isShader", 1);
    return name > 0 && op_gl_is_shader(h, name);
  }

  linkProgram(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "linkProgram", 1, arguments.length);
    const name = requireProgram(this, program, "linkProgram");
    if (name > 0) op_gl_link_program(h, name);
  }

  shaderSource(shader, source) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "shaderSource", 2, arguments.length);
    const name = requireShader(this, shader, "shaderSource");
    source = `${source}`;
    if (name > 0) op_gl_shader_source(h, name, source);
  }

  useProgram(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "useProgram", 1, arguments.length);
    const name = programName(this, program, "useProgram", 1);
    if (name >= 0) op_gl_use_program(h, name);
  }

  validateProgram(program) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "validateProgram", 1, arguments.length);
    const name = requireProgram(this, program, "validateProgram");
    if (name > 0) op_gl_validate_program(h, name);
  }
}

/** WebGL 2 only. */
export class ProgramMethods2 {
  getFragDataLocation(program, name) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getFragDataLocation", 2, arguments.length);
    const of = requireProgram(this, program, "getFragDataLocation");
    name = `${name}`;
    return of > 0 ? op_gl_get_frag_data_location(h, of, name) : -1;
  }

  getUniformIndices(program, uniformNames) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getUniformIndices", 2, arguments.length);
    const of = requireProgram(this, program, "getUniformIndices");
    const names = stringList(this, uniformNames, "getUniformIndices", 2);
    return of > 0 ? op_gl_get_uniform_indices(h, of, names) : null;
  }

  getActiveUniforms(program, uniformIndices, pname) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "getActiveUniforms", 3, arguments.length);
    const of = requireProgram(this, program, "getActiveUniforms");
    const indices = uintList(this, uniformIndices, "getActiveUniforms", 2);
    pname >>>= 0;
    return of > 0 ? resolve(this, op_gl_get_active_uniforms(h, of, indices, pname)) : null;
  }

  getUniformBlockIndex(program, uniformBlockName) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getUniformBlockIndex", 2, arguments.length);
    const of = requireProgram(this, program, "getUniformBlockIndex");
    uniformBlockName = `${uniformBlockName}`;
    return of > 0 ? op_gl_get_uniform_block_index(h, of, uniformBlockName) : 0xffffffff;
  }

  getActiveUniformBlockParameter(program, uniformBlockIndex, pname) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "getActiveUniformBlockParameter", 3, arguments.length);
    const of = requireProgram(this, program, "getActiveUniformBlockParameter");
    uniformBlockIndex >>>= 0;
    pname >>>= 0;
    if (of <= 0) return null;
    return resolve(this, op_gl_get_active_uniform_block_parameter(h, of, uniformBlockIndex, pname));
  }

  getActiveUniformBlockName(program, uniformBlockIndex) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getActiveUniformBlockName", 2, arguments.length);
    const of = requireProgram(this, program, "getActiveUniformBlockName");
    uniformBlockIndex >>>= 0;
    return of > 0 ? op_gl_get_active_uniform_block_name(h, of, uniformBlockIndex) : null;
  }

  uniformBlockBinding(program, uniformBlockIndex, uniformBlockBinding) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformBlockBinding", 3, arguments.length);
    const of = requireProgram(this, program, "uniformBlockBinding");
    uniformBlockIndex >>>= 0;
    uniformBlockBinding >>>= 0;
    if (of > 0) op_gl_uniform_block_binding(h, of, uniformBlockIndex, uniformBlockBinding);
  }
}
