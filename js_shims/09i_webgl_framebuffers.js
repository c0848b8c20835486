// Framebuffers, renderbuffers, reading and copying pixels.
import {
  op_gl_bind_framebuffer, op_gl_bind_renderbuffer, op_gl_blit_framebuffer, op_gl_check_framebuffer_status,
  op_gl_create_framebuffer, op_gl_create_renderbuffer, op_gl_delete_framebuffer, op_gl_delete_renderbuffer,
  op_gl_framebuffer_renderbuffer, op_gl_framebuffer_texture_2d, op_gl_framebuffer_texture_layer,
  op_gl_get_framebuffer_attachment_parameter, op_gl_get_internalformat_parameter, op_gl_get_renderbuffer_parameter,
  op_gl_invalidate_framebuffer, op_gl_invalidate_sub_framebuffer, op_gl_is_framebuffer, op_gl_is_renderbuffer,
  op_gl_read_buffer, op_gl_read_pixels, op_gl_read_pixels_offset, op_gl_renderbuffer_storage,
  op_gl_renderbuffer_storage_multisample,
} from "ext:core/ops";
import {
  generateError, handle, INVALID_VALUE, isView, longLong, stateOf, tooFew, uintList, wrongType,
} from "ext:replay/09b_webgl_base.js";
import { framebufferName, renderbufferName, resolve, textureName } from "ext:replay/09c_webgl_objects.js";

export class FramebufferMethods {
  bindFramebuffer(target, framebuffer) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindFramebuffer", 2, arguments.length);
    target >>>= 0;
    const name = framebufferName(this, framebuffer, "bindFramebuffer", 2);
    if (name >= 0) op_gl_bind_framebuffer(h, target, name);
  }

  bindRenderbuffer(target, renderbuffer) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindRenderbuffer", 2, arguments.length);
    target >>>= 0;
    const name = renderbufferName(this, renderbuffer, "bindRenderbuffer", 2);
    if (name >= 0) op_gl_bind_renderbuffer(h, target, name);
  }

  checkFramebufferStatus(target) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "checkFramebufferStatus", 1, arguments.length);
    return op_gl_check_framebuffer_status(h, target >>> 0);
  }

  createFramebuffer() {
    return stateOf(this).framebuffers.create(op_gl_create_framebuffer(handle(this)));
  }

  createRenderbuffer() {
    return stateOf(this).renderbuffers.create(op_gl_create_renderbuffer(handle(this)));
  }

  deleteFramebuffer(framebuffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteFramebuffer", 1, arguments.length);
    const name = framebufferName(this, framebuffer, "deleteFramebuffer", 1);
    if (name <= 0) return;
    op_gl_delete_framebuffer(h, name);
    stateOf(this).framebuffers.deleted(name);
  }

  deleteRenderbuffer(renderbuffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteRenderbuffer", 1, arguments.length);
    const name = renderbufferName(this, renderbuffer, "deleteRenderbuffer", 1);
    if (name <= 0) return;
    op_gl_delete_renderbuffer(h, name);
    stateOf(this).renderbuffers.deleted(name);
  }

  isFramebuffer(framebuffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isFramebuffer", 1, arguments.length);
    const name = framebufferName(this, framebuffer, "isFramebuffer", 1);
    return name > 0 && op_gl_is_framebuffer(h, name);
  }

  isRenderbuffer(renderbuffer) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isRenderbuffer", 1, arguments.length);
    const name = renderbufferName(this, renderbuffer, "isRenderbuffer", 1);
    return name > 0 && op_gl_is_renderbuffer(h, name);
  }

  framebufferRenderbuffer(target, attachment, renderbuffertarget, renderbuffer) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "framebufferRenderbuffer", 4, arguments.length);
    target >>>= 0;
    attachment >>>= 0;
    renderbuffertarget >>>= 0;
    const name = renderbufferName(this, renderbuffer, "framebufferRenderbuffer", 4);
    if (name >= 0) op_gl_framebuffer_renderbuffer(h, target, attachment, renderbuffertarget, name);
  }

  framebufferTexture2D(target, attachment, textarget, texture, level) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "framebufferTexture2D", 5, arguments.length);
    target >>>= 0;
    attachment >>>= 0;
    textarget >>>= 0;
    const name = textureName(this, texture, "framebufferTexture2D", 4);
    if (name >= 0) op_gl_framebuffer_texture_2d(h, target, attachment, textarget, name, level | 0);
  }

  getFramebufferAttachmentParameter(target, attachment, pname) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "getFramebufferAttachmentParameter", 3, arguments.length);
    return resolve(this, op_gl_get_framebuffer_attachment_parameter(h, target >>> 0, attachment >>> 0, pname >>> 0));
  }

  getRenderbufferParameter(target, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getRenderbufferParameter", 2, arguments.length);
    return resolve(this, op_gl_get_renderbuffer_parameter(h, target >>> 0, pname >>> 0));
  }

  renderbufferStorage(target, internalformat, width, height) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "renderbufferStorage", 4, arguments.length);
    op_gl_renderbuffer_storage(h, target >>> 0, internalformat >>> 0, width | 0, height | 0);
  }

  readPixels(x, y, width, height, format, type, pixels) {
    const h = handle(this);
    const given = arguments.length;
    if (given < 7) tooFew(this, "readPixels", 7, given);
    x |= 0;
    y |= 0;
    width |= 0;
    height |= 0;
    format >>>= 0;
    type >>>= 0;
    const { isWebGL2 } = stateOf(this);
    if (isView(pixels)) {
      const offset = isWebGL2 && given > 7 ? longLong(arguments[7]) : 0;
      op_gl_read_pixels(h, x, y, width, height, format, type, pixels, offset);
    } else if (pixels === null || pixels === undefined) {
      if (given > 7 && isWebGL2) throw wrongType(this, "readPixels", 7, "ArrayBufferView");
      generateError(this, INVALID_VALUE, "readPixels", "no destination ArrayBufferView");
    } else if (isWebGL2 && given === 7) {
      op_gl_read_pixels_offset(h, x, y, width, height, format, type, longLong(pixels));
    } else {
      throw wrongType(this, "readPixels", 7, "ArrayBufferView");
    }
  }
}

/** WebGL 2 only. */
export class FramebufferMethods2 {
  blitFramebuffer(srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter) {
    const h = handle(this);
    if (arguments.length < 10) tooFew(this, "blitFramebuffer", 10, arguments.length);
    op_gl_blit_framebuffer(
      h, srcX0 | 0, srcY0 | 0, srcX1 | 0, srcY1 | 0, dstX0 | 0, dstY0 | 0, dstX1 | 0, dstY1 | 0, mask >>> 0,
      filter >>> 0,
    );
  }

  framebufferTextureLayer(target, attachment, texture, level, layer) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "framebufferTextureLayer", 5, arguments.length);
    target >>>= 0;
    attachment >>>= 0;
    const name = textureName(this, texture, "framebufferTextureLayer", 3);
    if (name >= 0) op_gl_framebuffer_texture_layer(h, target, attachment, name, level | 0, layer | 0);
  }

  invalidateFramebuffer(target, attachments) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "invalidateFramebuffer", 2, arguments.length);
    target >>>= 0;
    op_gl_invalidate_framebuffer(h, target, uintList(this, attachments, "invalidateFramebuffer", 2));
  }

  invalidateSubFramebuffer(target, attachments, x, y, width, height) {
    const h = handle(this);
    if (arguments.length < 6) tooFew(this, "invalidateSubFramebuffer", 6, arguments.length);
    target >>>= 0;
    const list = uintList(this, attachments, "invalidateSubFramebuffer", 2);
    op_gl_invalidate_sub_framebuffer(h, target, list, x | 0, y | 0, width | 0, height | 0);
  }

  readBuffer(src) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "readBuffer", 1, arguments.length);
    op_gl_read_buffer(h, src >>> 0);
  }

  getInternalformatParameter(target, internalformat, pname) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "getInternalformatParameter", 3, arguments.length);
    return resolve(this, op_gl_get_internalformat_parameter(h, target >>> 0, internalformat >>> 0, pname >>> 0));
  }

  renderbufferStorageMultisample(target, samples, internalformat, width, height) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "renderbufferStorageMultisample", 5, arguments.length);
    op_gl_renderbuffer_storage_multisample(
      h, target >>> 0, samples | 0, internalformat >>> 0, width | 0, height | 0,
    );
  }
}
