// CompressionStream and DecompressionStream (Compression Standard), TextDecoderStream and TextEncoderStream (Encoding Standard).
import { exposeInterface, primordials, required } from "ext:replay/00_primordials.js";
import { TransformStream } from "ext:replay/06_streams.js";
import { TextDecoder, bytesOf } from "ext:replay/06_text.js";
import { op_codec, op_codec_end, op_codec_write, op_text_encode } from "ext:core/ops";

const { TypeError, Uint8Array } = primordials;

/** Bytes given to a coder at a time. */
const PIECE = 65536;

/** A class around a transformer that its constructor makes. */
class Pair {
  #stream;
  constructor(transformer) {
    this.#stream = new TransformStream(transformer);
  }
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

function codec(name, compress, args) {
  required(args.length, 1, `Failed to construct '${name}'`);
  const format = `${args[0]}`;
  const coder = op_codec(format, compress);
  if (coder === null) throw new TypeError(`Failed to construct '${name}': Unsupported compression format: '${format}'`);
  const give = (bytes, controller) => bytes.length > 0 && controller.enqueue(bytes);
  return {
    transform(chunk, controller) {
      const bytes = bytesOf(chunk);
      if (bytes === null) throw new TypeError("The provided value is not of type '(ArrayBuffer or ArrayBufferView)'");
      // Piece by piece, each counted as JavaScript's memory: a little may become very much.
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        give(new Uint8Array(op_codec_write(coder, bytes.subarray(at, at + PIECE))), controller);
      }
    },
    flush: (controller) => give(op_codec_end(coder), controller),
  };
}

class CompressionStream extends Pair {
  constructor(...args) {
    super(codec("CompressionStream", true, args));
  }
}
exposeInterface(CompressionStream);
class DecompressionStream extends Pair {
  constructor(...args) {
    super(codec("DecompressionStream", false, args));
  }
}
exposeInterface(DecompressionStream);

class TextDecoderStream extends Pair {
  #decoder;
  constructor(label = "utf-8", options = undefined) {
    const decoder = new TextDecoder(label, options);
    const give = (text, controller) => text !== "" && controller.enqueue(text);
    super({
      transform: (chunk, controller) => give(decoder.decode(chunk, { stream: true }), controller),
      flush: (controller) => give(decoder.decode(), controller),
    });
    this.#decoder = decoder;
  }
  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
}
exposeInterface(TextDecoderStream);
class TextEncoderStream extends Pair {
  constructor() {
    super({ transform: (chunk, controller) => controller.enqueue(op_text_encode(`${chunk}`)) });
  }
  get encoding() {
    return "utf-8";
  }
}
exposeInterface(TextEncoderStream);
