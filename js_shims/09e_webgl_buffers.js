// Buffers, vertex attributes, vertex array objects.
import {
  op_gl_bind_buffer, op_gl_bind_buffer_base, op_gl_bind_buffer_range, op_gl_bind_vertex_array, op_gl_buffer_data,
  op_gl_buffer_data_size, op_gl_buffer_sub_data, op_gl_copy_buffer_sub_data, op_gl_create_buffer,
  op_gl_create_vertex_array, op_gl_delete_buffer, op_gl_delete_vertex_array, op_gl_disable_vertex_attrib_array,
  op_gl_enable_vertex_attrib_array, op_gl_get_buffer_parameter, op_gl_get_buffer_sub_data, op_gl_get_vertex_attrib,
  op_gl_get_vertex_attrib_offset, op_gl_is_buffer, op_gl_is_vertex_array, op_gl_vertex_attrib_4f,
  op_gl_vertex_attrib_divisor, op_gl_vertex_attrib_fv, op_gl_vertex_attrib_i4i, op_gl_vertex_attrib_i4iv,
  op_gl_vertex_attrib_i4ui, op_gl_vertex_attrib_i4uiv, op_gl_vertex_attrib_i_pointer, op_gl_vertex_attrib_pointer,
} from "ext:core/ops";
import {
  floatList, generateError, handle, intList, INVALID_VALUE, isBufferSource, isView, longLong, noOverload, requireView,
  stateOf, tooFew, uintList, wrongType,
} from "ext:replay/09b_webgl_base.js";
import { bufferName, resolve, vertexArrayName } from "ext:replay/09c_webgl_objects.js";

export class BufferMethods {
  bindBuffer(target, buffer) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindBuffer", 2, arguments.length);
    target >>>= 0;
    const name = bufferName(this, buffer, "bindBuffer", 2);
    if (name >= 0) op_gl_bind_buffer(h, target, name);
  }

  bufferData(target, data, usage, srcOffset = 0, length = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "bufferData", 3, arguments.length);
    target >>>= 0;
    if (data === null || data === undefined) {
      generateError(this, INVALID_VALUE, "bufferData", "no data");
    } else if (isView(data)) {
      op_gl_buffer_data(h, target, data, usage >>> 0, longLong(srcOffset), length >>> 0);
    } else if (isBufferSource(data)) {
      if (arguments.length > 3 && stateOf(this).isWebGL2) throw wrongType(this, "bufferData", 2, "ArrayBufferView");
      op_gl_buffer_data(h, target, data, usage >>> 0, 0, 0);
    } else {
      op_gl_buffer_data_size(h, target, longLong(data), usage >>> 0);
    }
  }

  bufferSubData(target, dstByteOffset, data, srcOffset = 0, length = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "bufferSubData", 3, arguments.length);
    target >>>= 0;
    dstByteOffset = longLong(dstByteOffset);
    if (isView(data)) {
      op_gl_buffer_sub_data(h, target, dstByteOffset, data, longLong(srcOffset), length >>> 0);
    } else if (isBufferSource(data)) {
      if (arguments.length > 3 && stateOf(this).isWebGL2) throw wrongType(this, "bufferSubData", 3, "ArrayBufferView");
      op_gl_buffer_sub_data(h, target, dstByteOffset, data, 0, 0);
    } else {
      throw noOverload(this, "bufferSubData");
    }
  }

  createBuffer() {
    return stateOf(this).buffers.create(op_gl_create_buffer(handle(this)));
  }

  deleteBuffer(buffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteBuffer", 1, arguments.length);
    const name = bufferName(this, buffer, "deleteBuffer", 1);
    if (name <= 0) return;
    op_gl_delete_buffer(h, name);
    stateOf(this).buffers.deleted(name);
  }

  isBuffer(buffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isBuffer", 1, arguments.length);
    const name = bufferName(this, buffer, "isBuffer", 1);
    return name > 0 && op_gl_is_buffer(h, name);
  }

  getBufferParameter(target, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getBufferParameter", 2, arguments.length);
    return resolve(this, op_gl_get_buffer_parameter(h, target >>> 0, pname >>> 0));
  }

  enableVertexAttribArray(index) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "enableVertexAttribArray", 1, arguments.length);
    op_gl_enable_vertex_attrib_array(h, index >>> 0);
  }

  disableVertexAttribArray(index) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "disableVertexAttribArray", 1, arguments.length);
    op_gl_disable_vertex_attrib_array(h, index >>> 0);
  }

  vertexAttribPointer(index, size, type, normalized, stride, offset) {
    const h = handle(this);
    if (arguments.length < 6) tooFew(this, "vertexAttribPointer", 6, arguments.length);
    op_gl_vertex_attrib_pointer(h, index >>> 0, size | 0, type >>> 0, !!normalized, stride | 0, longLong(offset));
  }

  getVertexAttrib(index, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getVertexAttrib", 2, arguments.length);
    return resolve(this, op_gl_get_vertex_attrib(h, index >>> 0, pname >>> 0));
  }

  getVertexAttribOffset(index, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getVertexAttribOffset", 2, arguments.length);
    return op_gl_get_vertex_attrib_offset(h, index >>> 0, pname >>> 0);
  }

  vertexAttrib1f(index, x) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttrib1f", 2, arguments.length);
    op_gl_vertex_attrib_4f(h, index >>> 0, +x, 0, 0, 1);
  }

  vertexAttrib2f(index, x, y) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "vertexAttrib2f", 3, arguments.length);
    op_gl_vertex_attrib_4f(h, index >>> 0, +x, +y, 0, 1);
  }

  vertexAttrib3f(index, x, y, z) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "vertexAttrib3f", 4, arguments.length);
    op_gl_vertex_attrib_4f(h, index >>> 0, +x, +y, +z, 1);
  }

  vertexAttrib4f(index, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "vertexAttrib4f", 5, arguments.length);
    op_gl_vertex_attrib_4f(h, index >>> 0, +x, +y, +z, +w);
  }

  vertexAttrib1fv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttrib1fv", 2, arguments.length);
    op_gl_vertex_attrib_fv(h, index >>> 0, 1, floatList(this, values, "vertexAttrib1fv", 2));
  }

  vertexAttrib2fv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttrib2fv", 2, arguments.length);
    op_gl_vertex_attrib_fv(h, index >>> 0, 2, floatList(this, values, "vertexAttrib2fv", 2));
  }

  vertexAttrib3fv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttrib3fv", 2, arguments.length);
    op_gl_vertex_attrib_fv(h, index >>> 0, 3, floatList(this, values, "vertexAttrib3fv", 2));
  }

  vertexAttrib4fv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttrib4fv", 2, arguments.length);
    op_gl_vertex_attrib_fv(h, index >>> 0, 4, floatList(this, values, "vertexAttrib4fv", 2));
  }
}

/** WebGL 2 only. */
export class BufferMethods2 {
  bindBufferBase(target, index, buffer) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "bindBufferBase", 3, arguments.length);
    target >>>= 0;
    index >>>= 0;
    const name = bufferName(this, buffer, "bindBufferBase", 3);
    if (name >= 0) op_gl_bind_buffer_base(h, target, index, name);
  }

  bindBufferRange(target, index, buffer, offset, size) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "bindBufferRange", 5, arguments.length);
    target >>>= 0;
    index >>>= 0;
    const name = bufferName(this, buffer, "bindBufferRange", 3);
    if (name >= 0) op_gl_bind_buffer_range(h, target, index, name, longLong(offset), longLong(size));
  }

  copyBufferSubData(readTarget, writeTarget, readOffset, writeOffset, size) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "copyBufferSubData", 5, arguments.length);
    op_gl_copy_buffer_sub_data(
      h, readTarget >>> 0, writeTarget >>> 0, longLong(readOffset), longLong(writeOffset), longLong(size),
    );
  }

  getBufferSubData(target, srcByteOffset, dstBuffer, dstOffset = 0, length = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "getBufferSubData", 3, arguments.length);
    target >>>= 0;
    srcByteOffset = longLong(srcByteOffset);
    requireView(this, dstBuffer, "getBufferSubData", 3);
    op_gl_get_buffer_sub_data(h, target, srcByteOffset, dstBuffer, longLong(dstOffset), length >>> 0);
  }

  createVertexArray() {
    return stateOf(this).vertexArrays.create(op_gl_create_vertex_array(handle(this)));
  }

  deleteVertexArray(vertexArray) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteVertexArray", 1, arguments.length);
    const name = vertexArrayName(this, vertexArray, "deleteVertexArray", 1);
    if (name <= 0) return;
    op_gl_delete_vertex_array(h, name);
    stateOf(this).vertexArrays.deleted(name);
  }

  isVertexArray(vertexArray) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isVertexArray", 1, arguments.length);
    const name = vertexArrayName(this, vertexArray, "isVertexArray", 1);
    return name > 0 && op_gl_is_vertex_array(h, name);
  }

  bindVertexArray(array) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "bindVertexArray", 1, arguments.length);
    const name = vertexArrayName(this, array, "bindVertexArray", 1);
    if (name >= 0) op_gl_bind_vertex_array(h, name);
  }

  vertexAttribDivisor(index, divisor) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttribDivisor", 2, arguments.length);
    op_gl_vertex_attrib_divisor(h, index >>> 0, divisor >>> 0);
  }

  vertexAttribIPointer(index, size, type, stride, offset) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "vertexAttribIPointer", 5, arguments.length);
    op_gl_vertex_attrib_i_pointer(h, index >>> 0, size | 0, type >>> 0, stride | 0, longLong(offset));
  }

  vertexAttribI4i(index, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "vertexAttribI4i", 5, arguments.length);
    op_gl_vertex_attrib_i4i(h, index >>> 0, x | 0, y | 0, z | 0, w | 0);
  }

  vertexAttribI4ui(index, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "vertexAttribI4ui", 5, arguments.length);
    op_gl_vertex_attrib_i4ui(h, index >>> 0, x >>> 0, y >>> 0, z >>> 0, w >>> 0);
  }

  vertexAttribI4iv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttribI4iv", 2, arguments.length);
    op_gl_vertex_attrib_i4iv(h, index >>> 0, intList(this, values, "vertexAttribI4iv", 2));
  }

  vertexAttribI4uiv(index, values) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "vertexAttribI4uiv", 2, arguments.length);
    op_gl_vertex_attrib_i4uiv(h, index >>> 0, uintList(this, values, "vertexAttribI4uiv", 2));
  }
}
