// State calls of both interfaces: each converts its arguments as WebIDL says and hands them on.
import {
  op_gl_active_texture, op_gl_blend_color, op_gl_blend_equation, op_gl_blend_equation_separate, op_gl_blend_func,
  op_gl_blend_func_separate, op_gl_clear, op_gl_clear_color, op_gl_clear_depth, op_gl_clear_stencil, op_gl_color_mask,
  op_gl_cull_face, op_gl_depth_func, op_gl_depth_mask, op_gl_depth_range, op_gl_disable, op_gl_enable, op_gl_finish,
  op_gl_flush, op_gl_front_face, op_gl_get_error, op_gl_get_parameter, op_gl_hint, op_gl_is_context_lost,
  op_gl_is_enabled, op_gl_line_width, op_gl_pixel_storei, op_gl_polygon_offset, op_gl_sample_coverage, op_gl_scissor,
  op_gl_stencil_func, op_gl_stencil_func_separate, op_gl_stencil_mask, op_gl_stencil_mask_separate, op_gl_stencil_op,
  op_gl_stencil_op_separate, op_gl_viewport,
} from "ext:core/ops";
import { handle, tooFew } from "ext:replay/09b_webgl_base.js";
import { resolve } from "ext:replay/09c_webgl_objects.js";

export class StateMethods {
  activeTexture(texture) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "activeTexture", 1, arguments.length);
    op_gl_active_texture(h, texture >>> 0);
  }

  blendColor(red, green, blue, alpha) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "blendColor", 4, arguments.length);
    op_gl_blend_color(h, +red, +green, +blue, +alpha);
  }

  blendEquation(mode) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "blendEquation", 1, arguments.length);
    op_gl_blend_equation(h, mode >>> 0);
  }

  blendEquationSeparate(modeRGB, modeAlpha) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "blendEquationSeparate", 2, arguments.length);
    op_gl_blend_equation_separate(h, modeRGB >>> 0, modeAlpha >>> 0);
  }

  blendFunc(sfactor, dfactor) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "blendFunc", 2, arguments.length);
    op_gl_blend_func(h, sfactor >>> 0, dfactor >>> 0);
  }

  blendFuncSeparate(srcRGB, dstRGB, srcAlpha, dstAlpha) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "blendFuncSeparate", 4, arguments.length);
    op_gl_blend_func_separate(h, srcRGB >>> 0, dstRGB >>> 0, srcAlpha >>> 0, dstAlpha >>> 0);
  }

  clear(mask) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "clear", 1, arguments.length);
    op_gl_clear(h, mask >>> 0);
  }

  clearColor(red, green, blue, alpha) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "clearColor", 4, arguments.length);
    op_gl_clear_color(h, +red, +green, +blue, +alpha);
  }

  clearDepth(depth) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "clearDepth", 1, arguments.length);
    op_gl_clear_depth(h, +depth);
  }

  clearStencil(s) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "clearStencil", 1, arguments.length);
    op_gl_clear_stencil(h, s | 0);
  }

  colorMask(red, green, blue, alpha) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "colorMask", 4, arguments.length);
    op_gl_color_mask(h, !!red, !!green, !!blue, !!alpha);
  }

  cullFace(mode) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "cullFace", 1, arguments.length);
    op_gl_cull_face(h, mode >>> 0);
  }

  depthFunc(func) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "depthFunc", 1, arguments.length);
    op_gl_depth_func(h, func >>> 0);
  }

  depthMask(flag) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "depthMask", 1, arguments.length);
    op_gl_depth_mask(h, !!flag);
  }

  depthRange(zNear, zFar) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "depthRange", 2, arguments.length);
    op_gl_depth_range(h, +zNear, +zFar);
  }

  disable(cap) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "disable", 1, arguments.length);
    op_gl_disable(h, cap >>> 0);
  }

  enable(cap) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "enable", 1, arguments.length);
    op_gl_enable(h, cap >>> 0);
  }

  finish() {
    const h = handle(this);
    op_gl_finish(h);
  }

  flush() {
    const h = handle(this);
    op_gl_flush(h);
  }

  frontFace(mode) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "frontFace", 1, arguments.length);
    op_gl_front_face(h, mode >>> 0);
  }

  hint(target, mode) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "hint", 2, arguments.length);
    op_gl_hint(h, target >>> 0, mode >>> 0);
  }

  isEnabled(cap) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isEnabled", 1, arguments.length);
    return op_gl_is_enabled(h, cap >>> 0);
  }

  lineWidth(width) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "lineWidth", 1, arguments.length);
    op_gl_line_width(h, +width);
  }

  pixelStorei(pname, param) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "pixelStorei", 2, arguments.length);
    op_gl_pixel_storei(h, pname >>> 0, param | 0);
  }

  polygonOffset(factor, units) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "polygonOffset", 2, arguments.length);
    op_gl_polygon_offset(h, +factor, +units);
  }

  sampleCoverage(value, invert) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "sampleCoverage", 2, arguments.length);
    op_gl_sample_coverage(h, +value, !!invert);
  }

  scissor(x, y, width, height) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "scissor", 4, arguments.length);
    op_gl_scissor(h, x | 0, y | 0, width | 0, height | 0);
  }

  stencilFunc(func, ref, mask) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "stencilFunc", 3, arguments.length);
    op_gl_stencil_func(h, func >>> 0, ref | 0, mask >>> 0);
  }

  stencilFuncSeparate(face, func, ref, mask) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "stencilFuncSeparate", 4, arguments.length);
    op_gl_stencil_func_separate(h, face >>> 0, func >>> 0, ref | 0, mask >>> 0);
  }

  stencilMask(mask) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "stencilMask", 1, arguments.length);
    op_gl_stencil_mask(h, mask >>> 0);
  }

  stencilMaskSeparate(face, mask) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "stencilMaskSeparate", 2, arguments.length);
    op_gl_stencil_mask_separate(h, face >>> 0, mask >>> 0);
  }

  stencilOp(fail, zfail, zpass) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "stencilOp", 3, arguments.length);
    op_gl_stencil_op(h, fail >>> 0, zfail >>> 0, zpass >>> 0);
  }

  stencilOpSeparate(face, fail, zfail, zpass) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "stencilOpSeparate", 4, arguments.length);
    op_gl_stencil_op_separate(h, face >>> 0, fail >>> 0, zfail >>> 0, zpass >>> 0);
  }

  viewport(x, y, width, height) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "viewport", 4, arguments.length);
    op_gl_viewport(h, x | 0, y | 0, width | 0, height | 0);
  }

  getError() {
    return op_gl_get_error(handle(this));
  }

  isContextLost() {
    return op_gl_is_context_lost(handle(this));
  }

  getParameter(pname) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "getParameter", 1, arguments.length);
    return resolve(this, op_gl_get_parameter(h, pname >>> 0));
  }
}
