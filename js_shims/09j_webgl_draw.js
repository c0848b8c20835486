// Draw calls and clears of single attachments.
import {
  op_gl_clear_bufferfi, op_gl_clear_bufferfv, op_gl_clear_bufferiv, op_gl_clear_bufferuiv, op_gl_draw_arrays,
  op_gl_draw_arrays_instanced, op_gl_draw_buffers, op_gl_draw_elements, op_gl_draw_elements_instanced,
  op_gl_draw_range_elements,
} from "ext:core/ops";
import { floatList, handle, intList, longLong, tooFew, uintList } from "ext:replay/09b_webgl_base.js";

export class DrawMethods {
  drawArrays(mode, first, count) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "drawArrays", 3, arguments.length);
    op_gl_draw_arrays(h, mode >>> 0, first | 0, count | 0);
  }

  drawElements(mode, count, type, offset) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "drawElements", 4, arguments.length);
    op_gl_draw_elements(h, mode >>> 0, count | 0, type >>> 0, longLong(offset));
  }
}

/** WebGL 2 only. */
export class DrawMethods2 {
  drawArraysInstanced(mode, first, count, instanceCount) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "drawArraysInstanced", 4, arguments.length);
    op_gl_draw_arrays_instanced(h, mode >>> 0, first | 0, count | 0, instanceCount | 0);
  }

  drawElementsInstanced(mode, count, type, offset, instanceCount) {
    const h = handle(this);
    if (arguments.length < 5) tooFew(this, "drawElementsInstanced", 5, arguments.length);
    op_gl_draw_elements_instanced(h, mode >>> 0, count | 0, type >>> 0, longLong(offset), instanceCount | 0);
  }

  drawRangeElements(mode, start, end, count, type, offset) {
    const h = handle(this);
    if (arguments.length < 6) tooFew(this, "drawRangeElements", 6, arguments.length);
    op_gl_draw_range_elements(h, mode >>> 0, start >>> 0, end >>> 0, count | 0, type >>> 0, longLong(offset));
  }

  drawBuffers(buffers) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "drawBuffers", 1, arguments.length);
    op_gl_draw_buffers(h, uintList(this, buffers, "drawBuffers", 1));
  }

  clearBufferfv(buffer, drawbuffer, values, srcOffset = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "clearBufferfv", 3, arguments.length);
    buffer >>>= 0;
    drawbuffer |= 0;
    op_gl_clear_bufferfv(h, buffer, drawbuffer, floatList(this, values, "clearBufferfv", 3), longLong(srcOffset));
  }

  clearBufferiv(buffer, drawbuffer, values, srcOffset = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "clearBufferiv", 3, arguments.length);
    buffer >>>= 0;
    drawbuffer |= 0;
    op_gl_clear_bufferiv(h, buffer, drawbuffer, intList(this, values, "clearBufferiv", 3), longLong(srcOffset));
  }

  clearBufferuiv(buffer, drawbuffer, values, srcOffset = 0) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "clearBufferuiv", 3, arguments.length);
    buffer >>>= 0;
    drawbuffer |= 0;
    op_gl_clear_bufferuiv(h, buffer, drawbuffer, uintList(this, values, "clearBufferuiv", 3), longLong(srcOffset));
  }

  clearBufferfi(buffer, drawbuffer, depth, stencil) {
    const h = handle(this);
    if (arguments.length < 4) tooFew(this, "clearBufferfi", 4, arguments.length);
    op_gl_clear_bufferfi(h, buffer >>> 0, drawbuffer | 0, +depth, stencil | 0);
  }
}
