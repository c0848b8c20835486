// Queries, samplers, sync objects, transform feedback: all WebGL 2 only.
import {
  op_gl_begin_query, op_gl_begin_transform_feedback, op_gl_bind_sampler, op_gl_bind_transform_feedback,
  op_gl_client_wait_sync, op_gl_create_query, op_gl_create_sampler, op_gl_create_transform_feedback,
  op_gl_delete_query, op_gl_delete_sampler, op_gl_delete_sync, op_gl_delete_transform_feedback, op_gl_end_query,
  op_gl_end_transform_feedback, op_gl_fence_sync, op_gl_get_indexed_parameter, op_gl_get_query,
  op_gl_get_query_parameter, op_gl_get_sampler_parameter, op_gl_get_sync_parameter,
  op_gl_get_transform_feedback_varying, op_gl_is_query, op_gl_is_sampler, op_gl_is_sync, op_gl_is_transform_feedback,
  op_gl_next_task,
  op_gl_pause_transform_feedback, op_gl_resume_transform_feedback, op_gl_sampler_parameterf,
  op_gl_sampler_parameteri, op_gl_transform_feedback_varyings, op_gl_wait_sync,
} from "ext:core/ops";
import { handle, longLong, stateOf, stringList, tooFew, wrongType } from "ext:replay/09b_webgl_base.js";
import {
  programName, queryName, resolve, samplerName, syncName, transformFeedbackName, WebGLActiveInfo,
} from "ext:replay/09c_webgl_objects.js";
import { illegal } from "ext:replay/00_primordials.js";
import { queueTask } from "ext:replay/03_clock.js";

/** `name`, which must not be 0: the parameter is not nullable. */
function nonNull(gl, name, method, index, type) {
  if (name === 0) throw wrongType(gl, method, index, type);
  return name;
}

/** Fences and queries made in this task answer in later ones only (WebGL 2.0 section 3.7.12 and section 3.7.14). */
function answerInLaterTask(h) {
  queueTask(() => op_gl_next_task(h));
}

export class QueryMethods {
  createQuery() {
    return stateOf(this).queries.create(op_gl_create_query(handle(this)));
  }

  deleteQuery(query) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteQuery", 1, arguments.length);
    const name = queryName(this, query, "deleteQuery", 1);
    if (name <= 0) return;
    op_gl_delete_query(h, name);
    stateOf(this).queries.deleted(name);
  }

  isQuery(query) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isQuery", 1, arguments.length);
    const name = queryName(this, query, "isQuery", 1);
    return name > 0 && op_gl_is_query(h, name);
  }

  beginQuery(target, query) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "beginQuery", 2, arguments.length);
    target >>>= 0;
    const name = nonNull(this, queryName(this, query, "beginQuery", 2), "beginQuery", 2, "WebGLQuery");
    if (name > 0) op_gl_begin_query(h, target, name);
  }

  endQuery(target) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "endQuery", 1, arguments.length);
    op_gl_end_query(h, target >>> 0);
    answerInLaterTask(h);
  }

  getQuery(target, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getQuery", 2, arguments.length);
    return resolve(this, op_gl_get_query(h, target >>> 0, pname >>> 0));
  }

  getQueryParameter(query, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getQueryParameter", 2, arguments.length);
    const name = nonNull(this, queryName(this, query, "getQueryParameter", 1), "getQueryParameter", 1, "WebGLQuery");
    pname >>>= 0;
    return name > 0 ? resolve(this, op_gl_get_query_parameter(h, name, pname)) : null;
  }
}

export class SamplerMethods {
  createSampler() {
    return stateOf(this).samplers.create(op_gl_create_sampler(handle(this)));
  }

  deleteSampler(sampler) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteSampler", 1, arguments.length);
    const name = samplerName(this, sampler, "deleteSampler", 1);
    if (name <= 0) return;
    op_gl_delete_sampler(h, name);
    stateOf(this).samplers.deleted(name);
  }

  isSampler(sampler) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isSampler", 1, arguments.length);
    const name = samplerName(this, sampler, "isSampler", 1);
    return name > 0 && op_gl_is_sampler(h, name);
  }

  bindSampler(unit, sampler) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindSampler", 2, arguments.length);
    unit >>>= 0;
    const name = samplerName(this, sampler, "bindSampler", 2);
    if (name >= 0) op_gl_bind_sampler(h, unit, name);
  }

  samplerParameteri(sampler, pname, param) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "samplerParameteri", 3, arguments.length);
    const name = nonNull(
      this, samplerName(this, sampler, "samplerParameteri", 1), "samplerParameteri", 1, "WebGLSampler",
    );
    pname >>>= 0;
    param |= 0;
    if (name > 0) op_gl_sampler_parameteri(h, name, pname, param);
  }

  samplerParameterf(sampler, pname, param) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "samplerParameterf", 3, arguments.length);
    const name = nonNull(
      this, samplerName(this, sampler, "samplerParameterf", 1), "samplerParameterf", 1, "WebGLSampler",
    );
    pname >>>= 0;
    param = +param;
    if (name > 0) op_gl_sampler_parameterf(h, name, pname, param);
  }

  getSamplerParameter(sampler, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getSamplerParameter", 2, arguments.length);
    const name = nonNull(
      this, samplerName(this, sampler, "getSamplerParameter", 1), "getSamplerParameter", 1, "WebGLSampler",
    );
    pname >>>= 0;
    return name > 0 ? resolve(this, op_gl_get_sampler_parameter(h, name, pname)) : null;
  }
}

export class SyncMethods {
  fenceSync(condition, flags) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "fenceSync", 2, arguments.length);
    const sync = op_gl_fence_sync(h, condition >>> 0, flags >>> 0);
    if (sync !== 0) answerInLaterTask(h);
    return stateOf(this).syncs.create(sync);
  }

  isSync(sync) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isSync", 1, arguments.length);
    const name = syncName(this, sync, "isSync", 1);
    return name > 0 && op_gl_is_sync(h, name);
  }

  deleteSync(sync) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteSync", 1, arguments.length);
    const name = syncName(this, sync, "deleteSync", 1);
    if (name <= 0) return;
    op_gl_delete_sync(h, name);
    stateOf(this).syncs.deleted(name);
  }

  clientWaitSync(sync, flags, timeout) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "clientWaitSync", 3, arguments.length);
    const name = nonNull(this, syncName(this, sync, "clientWaitSync", 1), "clientWaitSync", 1, "WebGLSync");
    flags >>>= 0;
    timeout = longLong(timeout);
    return name > 0 ? op_gl_client_wait_sync(h, name, flags, timeout) : 0x911d; // WAIT_FAILED
  }

  waitSync(sync, flags, timeout) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "waitSync", 3, arguments.length);
    const name = nonNull(this, syncName(this, sync, "waitSync", 1), "waitSync", 1, "WebGLSync");
    flags >>>= 0;
    timeout = longLong(timeout);
    if (name > 0) op_gl_wait_sync(h, name, flags, timeout);
  }

  getSyncParameter(sync, pname) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getSyncParameter", 2, arguments.length);
    const name = nonNull(this, syncName(this, sync, "getSyncParameter", 1), "getSyncParameter", 1, "WebGLSync");
    pname >>>= 0;
    return name > 0 ? resolve(this, op_gl_get_sync_parameter(h, name, pname)) : null;
  }
}

export class TransformFeedbackMethods {
  createTransformFeedback() {
    return stateOf(this).transformFeedbacks.create(op_gl_create_transform_feedback(handle(this)));
  }

  deleteTransformFeedback(tf) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "deleteTransformFeedback", 1, arguments.length);
    const name = transformFeedbackName(this, tf, "deleteTransformFeedback", 1);
    if (name <= 0) return;
    // Refused while active: the object then lives on.
    if (op_gl_delete_transform_feedback(h, name)) stateOf(this).transformFeedbacks.deleted(name);
  }

  isTransformFeedback(tf) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "isTransformFeedback", 1, arguments.length);
    const name = transformFeedbackName(this, tf, "isTransformFeedback", 1);
    return name > 0 && op_gl_is_transform_feedback(h, name);
  }

  bindTransformFeedback(target, tf) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "bindTransformFeedback", 2, arguments.length);
    target >>>= 0;
    const name = transformFeedbackName(this, tf, "bindTransformFeedback", 2);
    if (name >= 0) op_gl_bind_transform_feedback(h, target, name);
  }

  beginTransformFeedback(primitiveMode) {
    const h = handle(this);
    if (arguments.length < 1) tooFew(this, "beginTransformFeedback", 1, arguments.length);
    op_gl_begin_transform_feedback(h, primitiveMode >>> 0);
  }

  endTransformFeedback() {
    op_gl_end_transform_feedback(handle(this));
  }

  pauseTransformFeedback() {
    op_gl_pause_transform_feedback(handle(this));
  }

  resumeTransformFeedback() {
    op_gl_resume_transform_feedback(handle(this));
  }

  transformFeedbackVaryings(program, varyings, bufferMode) {
    const h = handle(this);
    if (arguments.length < 3) tooFew(this, "transformFeedbackVaryings", 3, arguments.length);
    const name = nonNull(
      this, programName(this, program, "transformFeedbackVaryings", 1), "transformFeedbackVaryings", 1, "WebGLProgram",
    );
    const names = stringList(this, varyings, "transformFeedbackVaryings", 2);
    bufferMode >>>= 0;
    if (name > 0) op_gl_transform_feedback_varyings(h, name, names, bufferMode);
  }

  getTransformFeedbackVarying(program, index) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getTransformFeedbackVarying", 2, arguments.length);
    const name = nonNull(
      this, programName(this, program, "getTransformFeedbackVarying", 1), "getTransformFeedbackVarying", 1,
      "WebGLProgram",
    );
    index >>>= 0;
    const found = name > 0 ? op_gl_get_transform_feedback_varying(h, name, index) : null;
    return found === null ? null : new WebGLActiveInfo(illegal, found[0], found[1], found[2]);
  }

  getIndexedParameter(target, index) {
    const h = handle(this);
    if (arguments.length < 2) tooFew(this, "getIndexedParameter", 2, arguments.length);
    return resolve(this, op_gl_get_indexed_parameter(h, target >>> 0, index >>> 0));
  }
}
