// Losing and restoring a context (WebGL 1.0 section 5.15), and the events that tell of it.
import { op_gl_is_context_lost, op_gl_lose_context, op_gl_restore_context } from "ext:core/ops";
import { globals } from "ext:replay/00_primordials.js";
import "ext:replay/02_event_kinds.js";
import { queueTask } from "ext:replay/03_clock.js";
import { generateError, handle, INVALID_OPERATION, stateOf } from "ext:replay/09b_webgl_base.js";
import { addObjectTables, invalidateObjects } from "ext:replay/09c_webgl_objects.js";

const { WebGLContextEvent } = globals;

/** Fires `type` at the context's canvas; false when its default was prevented. */
export function fireContextEvent(canvas, type, statusMessage = "") {
  return canvas.dispatchEvent(new WebGLContextEvent(type, { cancelable: true, statusMessage }));
}

/** WEBGL_lose_context.loseContext, also what the engine's device loss leads to. */
export function loseContext(gl) {
  const state = stateOf(gl);
  if (!op_gl_lose_context(handle(gl))) {
    generateError(gl, INVALID_OPERATION, "loseContext", "context already lost");
    return;
  }
  queueTask(() => {
    state.restorable = !fireContextEvent(state.canvas, "webglcontextlost");
  });
}

export function restoreContext(gl) {
  const state = stateOf(gl);
  if (!op_gl_is_context_lost(handle(gl))) {
    generateError(gl, INVALID_OPERATION, "restoreContext", "context not lost");
    return;
  }
  if (!state.restorable) {
    generateError(gl, INVALID_OPERATION, "restoreContext", "context restoration not allowed");
    return;
  }
  queueTask(() => {
    const { width, height } = state.canvas;
    if (!op_gl_is_context_lost(handle(gl)) || !op_gl_restore_context(handle(gl), width, height)) return;
    invalidateObjects(state);
    addObjectTables(gl, state);
    state.extensions = { __proto__: null };
    state.restorable = false;
    fireContextEvent(state.canvas, "webglcontextrestored");
  });
}
