// Runs in the page before its own scripts: frames happen when the tool asks, at the times replay gives them.
(() => {
  let now = 0;
  let callbacks = new Map();
  let next = 1;
  const start = 946684800000;
  performance.now = () => now;
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...values) { values.length ? super(...values) : super(start + now); }
    static now() { return start + now; }
  };
  globalThis.requestAnimationFrame = (callback) => { callbacks.set(next, callback); return next++; };
  globalThis.cancelAnimationFrame = (id) => { callbacks.delete(id); };
  globalThis.__frame = (time) => {
    now = time;
    const due = callbacks;
    callbacks = new Map();
    for (const callback of due.values()) callback(time);
  };
  const canvasOf = () => {
    const canvas = document.querySelector('canvas');
    if (!canvas) throw new Error('the page has no canvas');
    return canvas;
  };
  // In one task with the drawing, or a canvas without preserveDrawingBuffer is empty.
  globalThis.__frameAsPng = (time) => {
    globalThis.__frame(time);
    return canvasOf().toDataURL('image/png');
  };
  const contexts = new WeakMap();
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (...values) {
    const context = getContext.apply(this, values);
    if (context) contexts.set(this, context);
    return context;
  };
  // The raw pixels as base64, row 0 at the bottom: no PNG, the cheapest way out of a page.
  let pixels;
  globalThis.__frameAsPixels = (time) => {
    globalThis.__frame(time);
    const canvas = canvasOf();
    const gl = contexts.get(canvas);
    pixels ??= new Uint8Array(canvas.width * canvas.height * 4);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels.toBase64();
  };
  globalThis.__renderer = () => {
    const gl = contexts.get(canvasOf());
    return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
  };
})();
