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
  // In one task with the drawing, or a canvas without preserveDrawingBuffer is empty.
  globalThis.__frameAsPng = (time) => {
    globalThis.__frame(time);
    const canvas = document.querySelector('canvas');
    if (!canvas) throw new Error('the page has no canvas');
    return canvas.toDataURL('image/png');
  };
})();
