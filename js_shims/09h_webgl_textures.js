// Textures: parameters, storage, and the many overloads of the upload calls.
//
// One op per call takes any source: null, a view, a Number (offset into the PIXEL_UNPACK_BUFFER) or a Bitmap.
import {
  op_gl_bind_texture, op_gl_compressed_tex_image_2d, op_gl_compressed_tex_image_3d, op_gl_compressed_tex_sub_image_2d,
  op_gl_compressed_tex_sub_image_3d, op_gl_copy_tex_image_2d, op_gl_copy_tex_sub_image_2d,
  op_gl_copy_tex_sub_image_3d, op_gl_create_texture, op_gl_delete_texture, op_gl_generate_mipmap,
  op_gl_get_tex_parameter, op_gl_is_texture, op_gl_tex_image_2d, op_gl_tex_image_3d, op_gl_tex_parameterf,
  op_gl_tex_parameteri, op_gl_tex_storage_2d, op_gl_tex_storage_3d, op_gl_tex_sub_image_2d, op_gl_tex_sub_image_3d,
} from "ext:core/ops";
import { handle, isView, longLong, noOverload, stateOf, tooFew, wrongType } from "ext:replay/09b_webgl_base.js";
import { resolve, textureName } from "ext:replay/09c_webgl_objects.js";
import { isImageSource, readImageSource } from "ext:replay/09m_webgl_sources.js";

/** Last argument of an upload without srcOffset: null, a view, an image source, and in WebGL 2 an offset. */
function uploadSource(gl, value, method, index) {
  if (value === null || value === undefined) return null;
  if (typeof value === "object") {
    if (isView(value)) return value;
    if (isImageSource(value)) return value;
  }
  if (stateOf(gl).isWebGL2) return longLong(value);
  throw wrongType(gl, method, index, "ArrayBufferView");
}

/** The view of an overload with srcOffset. */
function uploadView(gl, value, method, index) {
  if (!isView(value)) throw wrongType(gl, method, index, "ArrayBufferView");
  return value;
}

/** What the ops take for the image source `value`; undefined when there are no pixels (an error is latched). */
function pixelsOf(gl, value, method) {
  return isView(value) || typeof value !== "object" || value === null
    ? { source: value, width: 0, height: 0, flags: 0 }
    : readImageSource(gl, value, method);
}

export class TextureMethods {
  bindTexture(target, texture) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindTexture", 2, arguments.length);
    target >>>= 0;
    const name = textureName(this, texture, "bindTexture", 2);
    if (name >= 0) op_gl_bind_texture(h, target, name);
  }

  createTexture() {
    return stateOf(this).textures.create(op_gl_create_texture(handle(this)));
  }

  deleteTexture(texture) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteTexture", 1, arguments.length);
    const name = textureName(this, texture, "deleteTexture", 1);
    if (name <= 0) return;
    op_gl_delete_texture(h, name);
    stateOf(this).textures.deleted(name);
  }

  isTexture(texture) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isTexture", 1, arguments.length);
    const name = textureName(this, texture, "isTexture", 1);
    return name > 0 && op_gl_is_texture(h, name);
  }

  generateMipmap(target) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "generateMipmap", 1, arguments.length);
    op_gl_generate_mipmap(h, target >>> 0);
  }

  getTexParameter(target, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getTexParameter", 2, arguments.length);
    return resolve(this, op_gl_get_tex_parameter(h, target >>> 0, pname >>> 0));
  }

  texParameterf(target, pname, param) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "texParameterf", 3, arguments.length);
    op_gl_tex_parameterf(h, target >>> 0, pname >>> 0, +param);
  }

  texParameteri(target, pname, param) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "texParameteri", 3, arguments.length);
    op_gl_tex_parameteri(h, target >>> 0, pname >>> 0, param | 0);
  }

  texImage2D(target, level, internalformat, width, height, border) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 6) tooFew(this, "texImage2D", 6, given);
    target >>>= 0;
    level |= 0;
    internalformat |= 0;
    if (given === 6) {
      // (target, level, internalformat, format, type, source)
      const format = width >>> 0;
      const type = height >>> 0;
      if (!isImageSource(border)) throw noOverload(this, "texImage2D");
      const pixels = readImageSource(this, border, "texImage2D");
      if (pixels === undefined) return;
      op_gl_tex_image_2d(
        h, target, level, internalformat, pixels.width, pixels.height, 0, format, type, pixels.source, 0, pixels.flags,
        pixels.width, pixels.height,
      );
      return;
    }
    if (given < 9) throw noOverload(this, "texImage2D");
    width |= 0;
    height |= 0;
    border |= 0;
    const format = arguments[6] >>> 0;
    const type = arguments[7] >>> 0;
    if (given > 9 && stateOf(this).isWebGL2) {
      const view = uploadView(this, arguments[8], "texImage2D", 9);
      op_gl_tex_image_2d(
        h, target, level, internalformat, width, height, border, format, type, view, longLong(arguments[9]), 0, 0, 0,
      );
      return;
    }
    const pixels = pixelsOf(this, uploadSource(this, arguments[8], "texImage2D", 9), "texImage2D");
    if (pixels === undefined) return;
    op_gl_tex_image_2d(
      h, target, level, internalformat, width, height, border, format, type, pixels.source, 0, pixels.flags,
      pixels.width, pixels.height,
    );
  }

  texSubImage2D(target, level, xoffset, yoffset, width, height, format) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 7) tooFew(this, "texSubImage2D", 7, given);
    target >>>= 0;
    level |= 0;
    xoffset |= 0;
    yoffset |= 0;
    if (given === 7) {
      // (target, level, xoffset, yoffset, format, type, source)
      const sourceFormat = width >>> 0;
      const sourceType = height >>> 0;
      if (!isImageSource(format)) throw noOverload(this, "texSubImage2D");
      const pixels = readImageSource(this, format, "texSubImage2D");
      if (pixels === undefined) return;
      op_gl_tex_sub_image_2d(
        h, target, level, xoffset, yoffset, pixels.width, pixels.height, sourceFormat, sourceType, pixels.source, 0,
        pixels.flags, pixels.width, pixels.height,
      );
      return;
    }
    if (given < 9) throw noOverload(this, "texSubImage2D");
    width |= 0;
    height |= 0;
    format >>>= 0;
    const type = arguments[7] >>> 0;
    if (given > 9 && stateOf(this).isWebGL2) {
      const view = uploadView(this, arguments[8], "texSubImage2D", 9);
      op_gl_tex_sub_image_2d(
        h, target, level, xoffset, yoffset, width, height, format, type, view, longLong(arguments[9]), 0, 0, 0,
      );
      return;
    }
    const pixels = pixelsOf(this, uploadSource(this, arguments[8], "texSubImage2D", 9), "texSubImage2D");
    if (pixels === undefined) return;
    op_gl_tex_sub_image_2d(
      h, target, level, xoffset, yoffset, width, height, format, type, pixels.source, 0, pixels.flags, pixels.width,
      pixels.height,
    );
  }

  copyTexImage2D(target, level, internalformat, x, y, width, height, border) {
    const h = handle(this);
    if (arguments.length < 8) tooFew(this, "copyTexImage2D", 8, arguments.length);
    op_gl_copy_tex_image_2d(
      h, target >>> 0, level | 0, internalformat >>> 0, x | 0, y | 0, width | 0, height | 0, border | 0,
    );
  }

  copyTexSubImage2D(target, level, xoffset, yoffset, x, y, width, height) {
    const h = handle(this);
    if (arguments.length < 8) tooFew(this, "copyTexSubImage2D", 8, arguments.length);
    op_gl_copy_tex_sub_image_2d(
      h, target >>> 0, level | 0, xoffset | 0, yoffset | 0, x | 0, y | 0, width | 0, height | 0,
    );
  }

  compressedTexImage2D(target, level, internalformat, width, height, border, data) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 7) tooFew(this, "compressedTexImage2D", 7, given);
    target >>>= 0;
    level |= 0;
    internalformat >>>= 0;
    width |= 0;
    height |= 0;
    border |= 0;
    const { isWebGL2 } = stateOf(this);
    if (isView(data)) {
      const srcOffset = isWebGL2 && given > 7 ? longLong(arguments[7]) : 0;
      const srcLength = isWebGL2 && given > 8 ? arguments[8] >>> 0 : 0;
      op_gl_compressed_tex_image_2d(
        h, target, level, internalformat, width, height, border, data, srcOffset, srcLength,
      );
    } else if (isWebGL2 && given > 7) {
      op_gl_compressed_tex_image_2d(
        h, target, level, internalformat, width, height, border, longLong(arguments[7]), 0, data | 0,
      );
    } else {
      throw wrongType(this, "compressedTexImage2D", 7, "ArrayBufferView");
    }
  }

  compressedTexSubImage2D(target, level, xoffset, yoffset, width, height, format, data) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 8) tooFew(this, "compressedTexSubImage2D", 8, given);
    target >>>= 0;
    level |= 0;
    xoffset |= 0;
    yoffset |= 0;
    width |= 0;
    height |= 0;
    format >>>= 0;
    const { isWebGL2 } = stateOf(this);
    if (isView(data)) {
      const srcOffset = isWebGL2 && given > 8 ? longLong(arguments[8]) : 0;
      const srcLength = isWebGL2 && given > 9 ? arguments[9] >>> 0 : 0;
      op_gl_compressed_tex_sub_image_2d(
        h, target, level, xoffset, yoffset, width, height, format, data, srcOffset, srcLength,
      );
    } else if (isWebGL2 && given > 8) {
      op_gl_compressed_tex_sub_image_2d(
        h, target, level, xoffset, yoffset, width, height, format, longLong(arguments[8]), 0, data | 0,
      );
    } else {
      throw wrongType(this, "compressedTexSubImage2D", 8, "ArrayBufferView");
    }
  }
}

/** WebGL 2 only. */
export class TextureMethods2 {
  texStorage2D(target, levels, internalformat, width, height) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "texStorage2D", 5, arguments.length);
    op_gl_tex_storage_2d(h, target >>> 0, levels | 0, internalformat >>> 0, width | 0, height | 0);
  }

  texStorage3D(target, levels, internalformat, width, height, depth) {
    const h = handle(this);
    if (arguments.length < 6) tooFew(this, "texStorage3D", 6, arguments.length);
    op_gl_tex_storage_3d(h, target >>> 0, levels | 0, internalformat >>> 0, width | 0, height | 0, depth | 0);
  }

  texImage3D(target, level, internalformat, width, height, depth, border, format, type, data) {
    const h = handle(this);
    if (arguments.length < 10) tooFew(this, "texImage3D", 10, arguments.length);
    target >>>= 0;
    level |= 0;
    internalformat |= 0;
    width |= 0;
    height |= 0;
    depth |= 0;
    border |= 0;
    format >>>= 0;
    type >>>= 0;
    if (arguments.length > 10) {
      const view = uploadView(this, data, "texImage3D", 10);
      op_gl_tex_image_3d(
        h, target, level, internalformat, width, height, depth, border, format, type, view, longLong(arguments[10]), 0,
        0, 0,
      );
      return;
    }
    const pixels = pixelsOf(this, uploadSource(this, data, "texImage3D", 10), "texImage3D");
    if (pixels === undefined) return;
    op_gl_tex_image_3d(
      h, target, level, internalformat, width, height, depth, border, format, type, pixels.source, 0, pixels.flags,
      pixels.width, pixels.height,
    );
  }

  texSubImage3D(target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, data, srcOffset = 0) {
    const h = handle(this);
    if (arguments.length < 11) tooFew(this, "texSubImage3D", 11, arguments.length);
    target >>>= 0;
    level |= 0;
    xoffset |= 0;
    yoffset |= 0;
    zoffset |= 0;
    width |= 0;
    height |= 0;
    depth |= 0;
    format >>>= 0;
    type >>>= 0;
    const source = arguments.length > 11
      ? uploadView(this, data, "texSubImage3D", 11)
      : uploadSource(this, data, "texSubImage3D", 11);
    const pixels = pixelsOf(this, source, "texSubImage3D");
    if (pixels === undefined) return;
    op_gl_tex_sub_image_3d(
      h, target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels.source,
      longLong(srcOffset), pixels.flags, pixels.width, pixels.height,
    );
  }

  copyTexSubImage3D(target, level, xoffset, yoffset, zoffset, x, y, width, height) {
    const h = handle(this);
    if (arguments.length < 9) tooFew(this, "copyTexSubImage3D", 9, arguments.length);
    op_gl_copy_tex_sub_image_3d(
      h, target >>> 0, level | 0, xoffset | 0, yoffset | 0, zoffset | 0, x | 0, y | 0, width | 0, height | 0,
    );
  }

  compressedTexImage3D(target, level, internalformat, width, height, depth, border, data) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 8) tooFew(this, "compressedTexImage3D", 8, given);
    target >>>= 0;
    level |= 0;
    internalformat >>>= 0;
    width |= 0;
    height |= 0;
    depth |= 0;
    border |= 0;
    if (isView(data)) {
      const srcOffset = given > 8 ? longLong(arguments[8]) : 0;
      const srcLength = given > 9 ? arguments[9] >>> 0 : 0;
      op_gl_compressed_tex_image_3d(
        h, target, level, internalformat, width, height, depth, border, data, srcOffset, srcLength,
      );
    } else if (given > 8) {
      op_gl_compressed_tex_image_3d(
        h, target, level, internalformat, width, height, depth, border, longLong(arguments[8]), 0, data | 0,
      );
    } else {
      throw wrongType(this, "compressedTexImage3D", 8, "ArrayBufferView");
    }
  }

  compressedTexSubImage3D(target, level, xoffset, yoffset, zoffset, width, height, depth, format, data) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 10) tooFew(this, "compressedTexSubImage3D", 10, given);
    target >>>= 0;
    level |= 0;
    xoffset |= 0;
    yoffset |= 0;
    zoffset |= 0;
    width |= 0;
    height |= 0;
    depth |= 0;
    format >>>= 0;
    if (isView(data)) {
      const srcOffset = given > 10 ? longLong(arguments[10]) : 0;
      const srcLength = given > 11 ? arguments[11] >>> 0 : 0;
      op_gl_compressed_tex_sub_image_3d(
        h, target, level, xoffset, yoffset, zoffset, width, height, depth, format, data, srcOffset, srcLength,
      );
    } else if (given > 10) {
      op_gl_compressed_tex_sub_image_3d(
        h, target, level, xoffset, yoffset, zoffset, width, height, depth, format, longLong(arguments[10]), 0,
        data | 0,
      );
    } else {
      throw wrongType(this, "compressedTexSubImage3D", 10, "ArrayBufferView");
    }
  }
}
