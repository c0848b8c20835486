// ImageBitmapRenderingContext (HTML, 4.12.5.3): a canvas that shows a bitmap handed to it.
import { exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { canvasContexts, imageSources } from "ext:replay/04_hooks.js";

const { TypeError, Uint8Array } = primordials;

class ImageBitmapRenderingContext {
  #canvas;
  #picture = null;
  constructor(key, canvas) {
    illegalConstructor(key);
    this.#canvas = canvas;
  }
  get canvas() {
    return this.#canvas;
  }
  transferFromImageBitmap(bitmap) {
    required(arguments.length, 1, "Failed to execute 'transferFromImageBitmap' on 'ImageBitmapRenderingContext'");
    if (bitmap === null) return void (this.#picture = null);
    if (!(bitmap instanceof globalThis.ImageBitmap)) {
      throw new TypeError("Failed to execute 'transferFromImageBitmap' on 'ImageBitmapRenderingContext': parameter 1 is not of type 'ImageBitmap'.");
    }
    const picture = imageSources.read(bitmap);
    bitmap.close();
    // The canvas takes the bitmap's size.
    this.#canvas.width = picture.width;
    this.#canvas.height = picture.height;
    this.#picture = picture;
  }
  _clear() {
    this.#picture = null;
  }
  _read(width, height) {
    return this.#picture ?? { width, height, data: new Uint8Array(width * height * 4), premultiplied: false };
  }
}
exposeInterface(ImageBitmapRenderingContext);

canvasContexts.register("bitmaprenderer", ["bitmaprenderer"], (canvas) => {
  const context = new ImageBitmapRenderingContext(illegal, canvas);
  return {
    context,
    resize: () => context._clear(),
    readPixels: () => context._read(canvas.width, canvas.height),
    opaque: false,
  };
});
