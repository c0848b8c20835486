// Seams between shims that must not import each other: who draws on a canvas, and who can read pixels out of an object.

const contextFactories = new Map();
const imageReaders = [];

/**
 * Rendering contexts by type. The canvas element (HTMLCanvasElement, OffscreenCanvas) owns the rules of getContext: one
 * type per canvas, the same object on repeat, null for another type. It asks the factory once for a new context.
 *
 * `factory(canvas, attributes, type)` returns `null` (creation failed) or a record:
 *   context                  the object handed to the script
 *   resize(width, height)    the canvas's bitmap was set to this size (also when it did not change: that clears it)
 *   readPixels()             `{ width, height, data, premultiplied }`: RGBA8, row 0 = top, what the canvas shows now
 *   opaque                   the bitmap has no alpha
 * Types of one family ("webgl", "experimental-webgl") share a factory; the element compares `familyOf(type)`.
 */
export const canvasContexts = {
  register(family, types, factory) {
    for (const type of types) contextFactories.set(type, { family, factory });
  },
  /** The family a type belongs to, or undefined when the type is unknown. */
  familyOf(type) {
    return contextFactories.get(type)?.family;
  },
  create(type, canvas, attributes) {
    return contextFactories.get(type).factory(canvas, attributes, type);
  },
};

/**
 * Pixels of anything a texture or a 2D canvas may be fed with (TexImageSource, CanvasImageSource).
 *
 * A reader takes any value and returns undefined when the value is not its own, else
 * `{ width, height, data, premultiplied }` with `data` a Uint8Array or Uint8ClampedArray of RGBA8, row 0 = top.
 * Width and height 0 mean "nothing there yet" (an image not loaded). A reader may return `{ unsupported: "why" }`.
 */
export const imageSources = {
  register(reader) {
    imageReaders.push(reader);
  },
  read(value) {
    for (let i = 0; i < imageReaders.length; i++) {
      const pixels = imageReaders[i](value);
      if (pixels !== undefined) return pixels;
    }
    return undefined;
  },
};
