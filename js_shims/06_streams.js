// ReadableStream, WritableStream, TransformStream: as much of the Streams Standard as bodies need.
import { exposeInterface, primordials } from "ext:replay/00_primordials.js";

const { ObjectDefineProperty, Promise, SymbolAsyncIterator, TypeError } = primordials;

class ReadableStreamDefaultReader {
  #stream;
  constructor(stream) {
    if (stream._reader) throw new TypeError("Failed to construct 'ReadableStreamDefaultReader': stream is locked");
    stream._reader = this;
    this.#stream = stream;
  }
  get closed() {
    return Promise.resolve();
  }
  read() {
    return this.#stream._read();
  }
  releaseLock() {
    this.#stream._reader = null;
  }
  cancel(reason) {
    return this.#stream.cancel(reason);
  }
}
exposeInterface(ReadableStreamDefaultReader);

class ReadableStream {
  constructor(source = {}, _strategy = undefined) {
    const state = { __proto__: null, queue: [], closed: false, error: undefined, failed: false, waiting: [], pulling: false };
    for (const [key, value] of [["_state", state], ["_source", source], ["_reader", null]]) {
      ObjectDefineProperty(this, key, { __proto__: null, value, writable: true, configurable: true });
    }
    const stream = this;
    const controller = {
      get desiredSize() {
        return state.closed ? 0 : 1 - state.queue.length;
      },
      enqueue(chunk) {
        if (state.waiting.length > 0) state.waiting.shift().resolve({ value: chunk, done: false });
        else state.queue.push(chunk);
      },
      close() {
        state.closed = true;
        for (const w of state.waiting.splice(0)) w.resolve({ value: undefined, done: true });
      },
      error(reason) {
        state.failed = true;
        state.error = reason;
        for (const w of state.waiting.splice(0)) w.reject(reason);
      },
    };
    ObjectDefineProperty(this, "_controller", { __proto__: null, value: controller });
    Promise.resolve(source.start?.(controller)).catch((e) => controller.error(e));
    void stream;
  }
  get locked() {
    return this._reader !== null;
  }
  _read() {
    const s = this._state;
    if (s.queue.length > 0) return Promise.resolve({ value: s.queue.shift(), done: false });
    if (s.failed) return Promise.reject(s.error);
    if (s.closed) return Promise.resolve({ value: undefined, done: true });
    const promise = new Promise((resolve, reject) => s.waiting.push({ resolve, reject }));
    this._pull();
    return promise;
  }
  _pull() {
    const s = this._state;
    if (this._source.pull === undefined || s.pulling || s.closed || s.failed || s.waiting.length === 0) return;
    s.pulling = true;
    Promise.resolve().then(() => this._source.pull(this._controller)).then(
      () => {
        s.pulling = false;
        this._pull();
      },
      (e) => this._controller.error(e),
    );
  }
  getReader() {
    return new ReadableStreamDefaultReader(this);
  }
  cancel(reason) {
    this._state.closed = true;
    this._state.queue.length = 0;
    this._source.cancel?.(reason);
    return Promise.resolve();
  }
  tee() {
    const chunks = [];
    const source = this.getReader();
    const pump = source.read().then(function more(r) {
      if (r.done) return;
      chunks.push(r.value);
      return source.read().then(more);
    });
    const one = () => new ReadableStream({ start: (c) => pump.then(() => { for (const x of chunks) c.enqueue(x); c.close(); }) });
    return [one(), one()];
  }
  async pipeTo(target) {
    const writer = target.getWriter();
    try {
      for await (const chunk of this) await writer.write(chunk);
    } catch (error) {
      await writer.abort(error);
      throw error;
    }
    await writer.close();
  }
  pipeThrough(pair) {
    this.pipeTo(pair.writable).catch(() => {});
    return pair.readable;
  }
  async *[SymbolAsyncIterator]() {
    const reader = this.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  }
}
exposeInterface(ReadableStream);

class WritableStream {
  constructor(sink = {}) {
    ObjectDefineProperty(this, "_sink", { __proto__: null, value: sink });
    sink.start?.({});
  }
  getWriter() {
    const sink = this._sink;
    return {
      write: async (chunk) => void (await sink.write?.(chunk, {})),
      close: async () => void (await sink.close?.()),
      abort: async (r) => void (await sink.abort?.(r)),
      releaseLock() {},
      ready: Promise.resolve(), closed: Promise.resolve(),
    };
  }
}
exposeInterface(WritableStream);

class TransformStream {
  constructor(transformer = {}) {
    let controller;
    this.readable = new ReadableStream({ start: (c) => void (controller = c) });
    const api = { enqueue: (x) => controller.enqueue(x), terminate: () => controller.close(), error: (e) => controller.error(e) };
    // What the transformer throws ends both sides.
    const step = async (work) => {
      try {
        return await work();
      } catch (error) {
        controller.error(error);
        throw error;
      }
    };
    this.writable = new WritableStream({
      start: () => transformer.start?.(api),
      write: (chunk) => step(() => (transformer.transform ? transformer.transform(chunk, api) : controller.enqueue(chunk))),
      close: () => step(async () => {
        await transformer.flush?.(api);
        controller.close();
      }),
      abort: (reason) => controller.error(reason),
    });
  }
}
exposeInterface(TransformStream);

/** A stream of `bytes` in chunks, as a network would deliver them. */
function streamOf(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(c) {
      if (at >= bytes.length) return c.close();
      c.enqueue(bytes.slice(at, at + 65536));
      at += 65536;
    },
  });
}

export { ReadableStream, TransformStream, streamOf };
