// TexImageSource: which objects an upload takes, and their pixels for the engine.
import { globals, unsupported } from "ext:replay/00_primordials.js";
import { imageSources } from "ext:replay/04_hooks.js";
import { generateError, interfaceName, INVALID_VALUE } from "ext:replay/09b_webgl_base.js";

/** Flags of the upload ops: the source is an image; its colour is multiplied by alpha; UNPACK_FLIP_Y does not apply. */
const IMAGE = 1, PREMULTIPLIED = 2, AS_IT_IS = 4;

// TexImageSource (WebGL 1.0 section 5.14). Looked up by name at the call: the classes live in several shims.
const CLASSES = [
  "HTMLImageElement", "ImageBitmap", "HTMLCanvasElement", "ImageData", "OffscreenCanvas", "HTMLVideoElement", "VideoFrame",
];

function isA(value, name) {
  const Class = globals[name];
  return Class !== undefined && value instanceof Class;
}

export function isImageSource(value) {
  if (typeof value !== "object" || value === null) return false;
  for (let i = 0; i < CLASSES.length; i++) {
    if (isA(value, CLASSES[i])) return true;
  }
  return false;
}

/**
 * `{ source, width, height, flags }` for the upload ops; undefined, with an error latched, when there is nothing to read.
 */
export function readImageSource(gl, value, method) {
  if (isA(value, "HTMLVideoElement") || isA(value, "VideoFrame")) {
    unsupported(interfaceName(gl), `${method}(video)`, "videos have no pictures here");
    generateError(gl, INVALID_VALUE, method, "no video");
    return undefined;
  }
  const pixels = imageSources.read(value);
  if (pixels === undefined || pixels.unsupported !== undefined || pixels.width === 0 || pixels.height === 0) {
    if (pixels?.unsupported !== undefined) unsupported(interfaceName(gl), `${method}(image)`, pixels.unsupported);
    generateError(gl, INVALID_VALUE, method, "no image data");
    return undefined;
  }
  return {
    source: pixels.data,
    width: pixels.width,
    height: pixels.height,
    flags: IMAGE | (pixels.premultiplied ? PREMULTIPLIED : 0) | (isA(value, "ImageBitmap") ? AS_IT_IS : 0),
  };
}
