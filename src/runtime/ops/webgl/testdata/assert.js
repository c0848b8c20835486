// Assertions for the scripts of tests.rs; `make(type, attributes)` gives a fresh context on a fresh canvas.
globalThis.same = (got, want, what = "") => {
  if (!Object.is(got, want)) throw new Error(`${what}: got ${String(got)}, want ${String(want)}`);
};
globalThis.list = (got, want, what = "") => same(JSON.stringify(Array.from(got)), JSON.stringify(want), what);
globalThis.throws = (call, what = "") => {
  let error;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  if (!(error instanceof TypeError)) throw new Error(`${what || call}: no TypeError but ${String(error)}`);
  return error.message;
};
globalThis.make = (type = "webgl2", attributes = undefined) => {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext(type, attributes);
  if (!gl) throw new Error(`no ${type} context`);
  gl.errorIs = (want, what = "") => same(gl.getError(), want, what);
  return gl;
};
