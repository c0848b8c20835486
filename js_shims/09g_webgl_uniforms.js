// The uniform calls: a null location is ignored, one of another program or an earlier link is INVALID_OPERATION.
import {
  op_gl_uniform1f, op_gl_uniform1fv, op_gl_uniform1i, op_gl_uniform1iv, op_gl_uniform1ui, op_gl_uniform1uiv,
  op_gl_uniform2f, op_gl_uniform2fv, op_gl_uniform2i, op_gl_uniform2iv, op_gl_uniform2ui, op_gl_uniform2uiv,
  op_gl_uniform3f, op_gl_uniform3fv, op_gl_uniform3i, op_gl_uniform3iv, op_gl_uniform3ui, op_gl_uniform3uiv,
  op_gl_uniform4f, op_gl_uniform4fv, op_gl_uniform4i, op_gl_uniform4iv, op_gl_uniform4ui, op_gl_uniform4uiv,
  op_gl_uniform_matrix2fv, op_gl_uniform_matrix2x3fv, op_gl_uniform_matrix2x4fv, op_gl_uniform_matrix3fv,
  op_gl_uniform_matrix3x2fv, op_gl_uniform_matrix3x4fv, op_gl_uniform_matrix4fv, op_gl_uniform_matrix4x2fv,
  op_gl_uniform_matrix4x3fv,
} from "ext:core/ops";
import { floatList, handle, intList, tooFew, uintList } from "ext:replay/09b_webgl_base.js";
import { locationIndex, locationProgram } from "ext:replay/09c_webgl_objects.js";

export class UniformMethods {
  uniform1f(location, x) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1f", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1f");
    if (at < 0) return;
    op_gl_uniform1f(h, locationProgram(location), at, +x);
  }

  uniform2f(location, x, y) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniform2f", 3, arguments.length);
    const at = locationIndex(this, location, "uniform2f");
    if (at < 0) return;
    op_gl_uniform2f(h, locationProgram(location), at, +x, +y);
  }

  uniform3f(location, x, y, z) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "uniform3f", 4, arguments.length);
    const at = locationIndex(this, location, "uniform3f");
    if (at < 0) return;
    op_gl_uniform3f(h, locationProgram(location), at, +x, +y, +z);
  }

  uniform4f(location, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "uniform4f", 5, arguments.length);
    const at = locationIndex(this, location, "uniform4f");
    if (at < 0) return;
    op_gl_uniform4f(h, locationProgram(location), at, +x, +y, +z, +w);
  }

  uniform1i(location, x) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1i", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1i");
    if (at < 0) return;
    op_gl_uniform1i(h, locationProgram(location), at, x | 0);
  }

  uniform2i(location, x, y) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniform2i", 3, arguments.length);
    const at = locationIndex(this, location, "uniform2i");
    if (at < 0) return;
    op_gl_uniform2i(h, locationProgram(location), at, x | 0, y | 0);
  }

  uniform3i(location, x, y, z) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "uniform3i", 4, arguments.length);
    const at = locationIndex(this, location, "uniform3i");
    if (at < 0) return;
    op_gl_uniform3i(h, locationProgram(location), at, x | 0, y | 0, z | 0);
  }

  uniform4i(location, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "uniform4i", 5, arguments.length);
    const at = locationIndex(this, location, "uniform4i");
    if (at < 0) return;
    op_gl_uniform4i(h, locationProgram(location), at, x | 0, y | 0, z | 0, w | 0);
  }

  uniform1fv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1fv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1fv");
    const list = floatList(this, data, "uniform1fv", 2);
    if (at < 0) return;
    op_gl_uniform1fv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform2fv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform2fv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform2fv");
    const list = floatList(this, data, "uniform2fv", 2);
    if (at < 0) return;
    op_gl_uniform2fv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform3fv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform3fv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform3fv");
    const list = floatList(this, data, "uniform3fv", 2);
    if (at < 0) return;
    op_gl_uniform3fv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform4fv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform4fv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform4fv");
    const list = floatList(this, data, "uniform4fv", 2);
    if (at < 0) return;
    op_gl_uniform4fv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform1iv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1iv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1iv");
    const list = intList(this, data, "uniform1iv", 2);
    if (at < 0) return;
    op_gl_uniform1iv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform2iv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform2iv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform2iv");
    const list = intList(this, data, "uniform2iv", 2);
    if (at < 0) return;
    op_gl_uniform2iv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform3iv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform3iv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform3iv");
    const list = intList(this, data, "uniform3iv", 2);
    if (at < 0) return;
    op_gl_uniform3iv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform4iv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform4iv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform4iv");
    const list = intList(this, data, "uniform4iv", 2);
    if (at < 0) return;
    op_gl_uniform4iv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix2fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix2fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix2fv");
    const list = floatList(this, data, "uniformMatrix2fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix2fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix3fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix3fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix3fv");
    const list = floatList(this, data, "uniformMatrix3fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix3fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix4fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix4fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix4fv");
    const list = floatList(this, data, "uniformMatrix4fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix4fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }
}

/** WebGL 2 only. */
export class UniformMethods2 {
  uniform1ui(location, x) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1ui", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1ui");
    if (at < 0) return;
    op_gl_uniform1ui(h, locationProgram(location), at, x >>> 0);
  }

  uniform2ui(location, x, y) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniform2ui", 3, arguments.length);
    const at = locationIndex(this, location, "uniform2ui");
    if (at < 0) return;
    op_gl_uniform2ui(h, locationProgram(location), at, x >>> 0, y >>> 0);
  }

  uniform3ui(location, x, y, z) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "uniform3ui", 4, arguments.length);
    const at = locationIndex(this, location, "uniform3ui");
    if (at < 0) return;
    op_gl_uniform3ui(h, locationProgram(location), at, x >>> 0, y >>> 0, z >>> 0);
  }

  uniform4ui(location, x, y, z, w) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "uniform4ui", 5, arguments.length);
    const at = locationIndex(this, location, "uniform4ui");
    if (at < 0) return;
    op_gl_uniform4ui(h, locationProgram(location), at, x >>> 0, y >>> 0, z >>> 0, w >>> 0);
  }

  uniform1uiv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform1uiv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform1uiv");
    const list = uintList(this, data, "uniform1uiv", 2);
    if (at < 0) return;
    op_gl_uniform1uiv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform2uiv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform2uiv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform2uiv");
    const list = uintList(this, data, "uniform2uiv", 2);
    if (at < 0) return;
    op_gl_uniform2uiv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform3uiv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform3uiv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform3uiv");
    const list = uintList(this, data, "uniform3uiv", 2);
    if (at < 0) return;
    op_gl_uniform3uiv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniform4uiv(location, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "uniform4uiv", 2, arguments.length);
    const at = locationIndex(this, location, "uniform4uiv");
    const list = uintList(this, data, "uniform4uiv", 2);
    if (at < 0) return;
    op_gl_uniform4uiv(h, locationProgram(location), at, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix2x3fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix2x3fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix2x3fv");
    const list = floatList(this, data, "uniformMatrix2x3fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix2x3fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix2x4fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix2x4fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix2x4fv");
    const list = floatList(this, data, "uniformMatrix2x4fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix2x4fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix3x2fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix3x2fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix3x2fv");
    const list = floatList(this, data, "uniformMatrix3x2fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix3x2fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix3x4fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix3x4fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix3x4fv");
    const list = floatList(this, data, "uniformMatrix3x4fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix3x4fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix4x2fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix4x2fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix4x2fv");
    const list = floatList(this, data, "uniformMatrix4x2fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix4x2fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }

  uniformMatrix4x3fv(location, transpose, data, srcOffset = 0, srcLength = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "uniformMatrix4x3fv", 3, arguments.length);
    const at = locationIndex(this, location, "uniformMatrix4x3fv");
    const list = floatList(this, data, "uniformMatrix4x3fv", 3);
    if (at < 0) return;
    op_gl_uniform_matrix4x3fv(h, locationProgram(location), at, !!transpose, list, srcOffset >>> 0, srcLength >>> 0);
  }
}
